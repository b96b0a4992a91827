#!/bin/bash
# tier: quick  time: 1s
# SPDX-License-Identifier: GPL-2.0-only
#
# Functions stay small: none over 120 lines, most far below.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/style/lib.sh

need_program pmccabe
mapfile -t files < <(c_files)

# Lines from the head of a function to its brace, and "file(line): name"
function_sizes()
{
	pmccabe "${files[@]}" | awk -F'\t' '{ print $5, $6 }' | sort -n
}

sizes=$(function_sizes)
is "$(awk '$1 > 120' <<<"$sizes")" "" "no function has more than 120 lines"

median=$(awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }' <<<"$sizes")
ok "$((median > 15))" "half of the functions have at most 15 lines"
awk '{ n[NR] = $1 } END {
	printf "# %d functions: median %d, 90 %% up to %d, longest %d lines\n",
		NR, n[int((NR + 1) / 2)], n[int(NR * 0.9 + 0.5)], n[NR] }' <<<"$sizes"
done_testing

#!/bin/bash
# tier: quick  time: 1s
# SPDX-License-Identifier: GPL-2.0-only
#
# Functions stay small: none over 120 lines, most far below.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/style/lib.sh

mapfile -t files < <(c_files)
need_files "${files[@]}"

# "lines file:line: head" of each function, from brace to brace: in kernel
# style both stand alone at the left margin
function_sizes()
{
	awk '
		FNR == 1 { start = 0 }
		/^[A-Za-z_]/ { head = $0 }
		/^\{/ { start = FNR }
		/^\}/ && start { print FNR - start - 1, FILENAME ":" start ": " head; start = 0 }' "${files[@]}" | sort -n
}

sizes=$(function_sizes)
is "$(awk '$1 > 120' <<<"$sizes")" "" "no function has more than 120 lines"

median=$(awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }' <<<"$sizes")
ok "$((median > 15))" "half of the functions have at most 15 lines"
awk '{ n[NR] = $1 } END {
	printf "# %d functions: median %d, 90 %% up to %d, longest %d lines\n",
		NR, n[int((NR + 1) / 2)], n[int(NR * 0.9 + 0.5)], n[NR] }' <<<"$sizes"
done_testing

#!/bin/bash
# tier: check  time: 60s
# SPDX-License-Identifier: GPL-2.0-only
#
# clang-tidy: the static analyser, and the checks listed in .clang-tidy, over
# the decoder, the tools and the tests.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/style/lib.sh

need_program clang-tidy
mapfile -t files < <(user_c_files)
need_files "${files[@]}"
mapfile -t cppflags < <(user_cppflags | xargs -n1)
plan "${#files[@]}"
for file in "${files[@]}"; do
	try "$file" clang-tidy --quiet --warnings-as-errors='*' "$file" \
		-- -std=gnu11 "${cppflags[@]}"
done
done_testing

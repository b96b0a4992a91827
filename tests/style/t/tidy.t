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
check_file()
{
	clang-tidy --quiet --warnings-as-errors='*' "$1" -- -std=gnu11 "${cppflags[@]}"
}

mapfile -t files < <(user_c_files)
need_files "${files[@]}"
mapfile -t cppflags < <(user_cppflags | xargs -n1)
plan "${#files[@]}"
try_each check_file "${files[@]}"
done_testing

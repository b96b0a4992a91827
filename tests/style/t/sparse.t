#!/bin/bash
# tier: quick  time: 10s
# SPDX-License-Identifier: GPL-2.0-only
#
# sparse finds nothing in the decoder, the tools and the tests. The module's
# own files are checked in module.t, by the kernel's build system.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/style/lib.sh

need_program sparse
mapfile -t files < <(user_c_files)
need_files "${files[@]}"
mapfile -t cppflags < <(user_cppflags | xargs -n1)
plan "${#files[@]}"
for file in "${files[@]}"; do
	try "$file" sparse -Wsparse-error -Wno-external-function-has-definition \
		"${cppflags[@]}" "$file"
done
done_testing

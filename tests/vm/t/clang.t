#!/bin/bash
# tier: all  time: 60s
# SPDX-License-Identifier: GPL-2.0-only
#
# The module builds with clang of newer Debian releases for their kernels, without a
# remark from W=1. tests/style/t/clang.t does so for Debian 12.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# try_suite SUITE KERNEL
try_suite()
{
	local module status=0 comment=

	rm -rf "build/vm/$1-clang"
	# W=1 checks comments with a program that the headers of 7.2 have not got
	module=$(tests/vm/build-module "$1-clang" W=1 PYTHON3=true 2>"$dir/log") || status=$?
	ok "$status" "Linux $2: builds from scratch"
	[ "$status" = 0 ] || diag "$(tail -n 30 "$dir/log")"
	is "$(grep -E '(warning|error|undefined)' "$dir/log" | head -n 20 || true)" "" \
		"Linux $2: without a warning"
	comment=$(readelf -p .comment "$module" | grep -o 'clang version [0-9.]*') || true
	like "$comment" . "Linux $2: it was $comment"
}

for suite in trixie forky; do
	try_suite "$suite" "$(awk -v suite="$suite" '$1 == suite { print $2 }' tests/lib/suites)"
done
done_testing

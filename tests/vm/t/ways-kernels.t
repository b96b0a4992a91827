#!/bin/bash
# tier: all  time: 800s
# SPDX-License-Identifier: GPL-2.0-only
#
# ways-kernels.t [SUITE]...: as ways-6.1.t, on xfs, with the kernels and servers of
# the other suites.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

truncate -s 1G "$dir/empty.img"

run_suite()
{
	local disk module tool

	module=$(tests/vm/build-module "$1" 2>"$dir/build.log") || {
		diag "$(tail -n 20 "$dir/build.log")"
		return 1
	}
	tool=$(tests/vm/build-tool "$1") || return 1
	disk=$(tests/vm/make-servers "$1") || return 1
	tests/vm/boot -t 1800 -d "$disk" -d "$dir/empty.img" -i "$module" -i "$tool" \
		-i "${disk%/*}/middle.digest" -i tests/lib/tap.sh "$1" tests/vm/guest/ways xfs |
		sed 's/^/    /'
}

[ $# -gt 0 ] || set -- bullseye trixie forky
for suite; do
	status=0
	run_suite "$suite" || status=$?
	ok "$status" "$suite: every way to replay"
done
done_testing

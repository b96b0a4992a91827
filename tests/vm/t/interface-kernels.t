#!/bin/bash
# tier: all  time: 400s
# SPDX-License-Identifier: GPL-2.0-only
#
# As interface.t, on the kernels of the other suites: 5.10, 6.12 and 7.2.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

truncate -s 256M "$dir/ext4"
truncate -s 400M "$dir/xfs"

# run_suite SUITE: the output only when something is wrong
run_suite()
{
	local module tool

	module=$(tests/vm/build-module "$1")
	tool=$(tests/vm/build-tool "$1")
	tests/vm/boot -t 900 -d "$dir/ext4" -d "$dir/xfs" -i "$module" -i "$tool" \
		-i tests/lib/tap.sh -i tests/lib/fake-pgdata "$1" tests/vm/guest/interface
}

for suite in bullseye trixie forky; do
	try "$suite: the interface is as it should be" run_suite "$suite"
done
done_testing

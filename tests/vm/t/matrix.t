#!/bin/bash
# tier: check  time: 120s
# SPDX-License-Identifier: GPL-2.0-only
#
# Every kernel with its PostgreSQL (tests/lib/suites), on ext4 and xfs: with the module
# built in that suite's own tree, the recovery of a crashed cluster from a slow disk
# finds its blocks in the page cache. The checks are in tests/vm/guest/matrix.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

make_disks()
{
	local fs

	for fs in ext4 xfs; do
		tests/vm/make-disk -f "$fs" -W layouts -t 1200 -c full_page_writes=off "$1"
	done
}

# run_suite SUITE NAME: a boot for both file systems
run_suite()
{
	local disks module tool

	module=$(tests/vm/build-module "$1" 2>"$dir/build.log") || {
		diag "$(tail -n 20 "$dir/build.log")"
		return 1
	}
	tool=$(tests/vm/build-tool "$1") || return 1
	mapfile -t disks < <(make_disks "$1")
	[ ${#disks[@]} = 2 ] || return 1
	tests/vm/boot -t 400 -d "${disks[0]}" -d "${disks[1]}" -i "$module" -i "$tool" \
		-i "${disks[0]%/*}/digest" -i tests/lib/tap.sh "$1" tests/vm/guest/matrix "$2" vda vdb |
		sed 's/^/    /'
}

rows=0
while read -r suite kernel pg _; do
	name="Linux $kernel with PostgreSQL $pg"
	status=0
	run_suite "$suite" "$name" || status=$?
	ok "$status" "$name, ext4 and xfs"
	rows=$((rows + 2))
done < <(grep '^[a-z]' tests/lib/suites)
is "$rows" 8 "eight rows were run"
done_testing

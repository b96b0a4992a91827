#!/bin/bash
# tier: check  time: 120s
# SPDX-License-Identifier: GPL-2.0-only
#
# matrix.t [SUITE[-VARIANT]]...: every kernel with its PostgreSQL (tests/lib/suites), on
# ext4 and xfs: with the module built in that suite's own tree, the recovery of a
# crashed cluster from a slow disk finds its blocks in the page cache. The checks are in
# tests/vm/guest/matrix.
set -euo pipefail
# shellcheck source=tests/vm/suites.sh
. tests/vm/suites.sh

# make_disk SUITE FS: variants of a suite share their disks
make_disk()
{
	tests/vm/make-disk -f "$2" -W layouts -t 1200 -c full_page_writes=off "${1%%-*}"
}

run_suite()
{
	local ext4 xfs

	ext4=$(make_disk "$1" ext4)
	xfs=$(make_disk "$1" xfs)
	boot_walpf "matrix vda vdb" -t 400 -d "$ext4" -d "$xfs" -i "${ext4%/*}/digest"
}

for_suites "ext4 and xfs" "$@"

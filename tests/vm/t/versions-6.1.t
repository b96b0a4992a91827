#!/bin/bash
# tier: all  time: 200s
# SPDX-License-Identifier: GPL-2.0-only
#
# Clusters of several versions on one host, Debian 12's kernel: its own PostgreSQL 15
# and Debian 11's 13 recover at the same time, beside a primary that is idle. The
# checks are in tests/vm/guest/versions.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

# crashed SUITE NAME: a disk, and what its tables must contain, for the guest
crashed()
{
	local disk

	disk=$(tests/vm/make-disk -W layouts -t 1200 -c full_page_writes=off "$1")
	cp "${disk%/*}/digest" "$dir/$2.digest"
	echo "$disk"
}

own=$(crashed bookworm own)
other=$(crashed bullseye other)
boot_walpf versions -t 900 -T bullseye -d "$own" -d "$other" -d "$(tests/vm/make-servers bookworm)" \
	-i "$dir/own.digest" -i "$dir/other.digest"

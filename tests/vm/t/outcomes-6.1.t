#!/bin/bash
# tier: all  time: 90s
# SPDX-License-Identifier: GPL-2.0-only
#
# What becomes of fetched blocks, one by one, on Debian 12's kernel, ext4 and
# xfs. The checks are in tests/vm/guest/outcomes.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

for fs in ext4 xfs; do
	disk=$(tests/vm/make-disk -f "$fs" -t 1000 -c full_page_writes=off bookworm)
	try "$fs: each block has the outcome that it should have" \
		boot_walpf outcomes -t 300 -d "$disk"
done
done_testing

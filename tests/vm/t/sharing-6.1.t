#!/bin/bash
# tier: all  time: 90s
# SPDX-License-Identifier: GPL-2.0-only
#
# Two clusters on one device, on Debian 12's kernel: what walpf has in flight is
# bounded for both together, and neither starves. The checks are in
# tests/vm/guest/sharing.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

disk=$(tests/vm/make-disk -f ext4 -c full_page_writes=off bookworm)
boot_walpf sharing -t 600 -d "$disk" -o "$dir/out"
for cluster in left right; do
	if ! cmp -s "$dir/out/$cluster" "${disk%/*}/digest"; then
		bail_out "$cluster: the recovered cluster is not what it should be"
	fi
done

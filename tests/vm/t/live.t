#!/bin/bash
# tier: check  time: 60s
# SPDX-License-Identifier: GPL-2.0-only
#
# A recovery on Debian 12's kernel while settings change, counters are reset
# and read, and the cluster is unregistered and registered again, all at once:
# the result is the same, the counters add up, and the kernel has nothing to
# complain about. The checks are in tests/vm/guest/live.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

disk=$(tests/vm/make-disk -f ext4 -c full_page_writes=off bookworm)
boot_walpf live -t 600 -d "$disk" -o "$dir/out"
if ! cmp -s "$dir/out/digest" "${disk%/*}/digest"; then
	bail_out "the recovered cluster is not what it should be"
fi

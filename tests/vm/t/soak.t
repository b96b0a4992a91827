#!/bin/bash
# tier: all  time: 600s
# SPDX-License-Identifier: GPL-2.0-only
#
# A standby under load for MINUTES (5), while it is restarted and killed, registered and
# unregistered, unmounted, and the module unloaded, on Debian 12's kernel: nothing is
# left of it in the end. The checks are in tests/vm/guest/soak.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

minutes=${MINUTES:-5}
disk=$(tests/vm/make-servers bookworm)
truncate -s 2G "$dir/empty.img"
boot_walpf "soak $((minutes * 60))" -t $((1200 + minutes * 120)) -k slub_debug=FZPU \
	-d "$disk" -d "$dir/empty.img"

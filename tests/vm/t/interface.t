#!/bin/bash
# tier: check  time: 65s
# SPDX-License-Identifier: GPL-2.0-only
#
# What walpf says to an operator: walpf-ctl, netlink and /sys in a guest with
# Debian 12's kernel. The checks are in tests/vm/guest/interface.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

truncate -s 256M "$dir/ext4"
truncate -s 400M "$dir/xfs"
boot_walpf interface -t 600 -d "$dir/ext4" -d "$dir/xfs" -i tests/lib/fake-pgdata

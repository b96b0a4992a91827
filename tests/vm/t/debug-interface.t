#!/bin/bash
# tier: all  time: 900s
# SPDX-License-Identifier: GPL-2.0-only
#
# The whole of tests/vm/guest/interface, with the fuzzing of netlink, on a
# kernel with KASAN and lockdep. FUZZ is the number of messages.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh bookworm kasan

truncate -s 256M "$dir/ext4"
truncate -s 400M "$dir/xfs"
boot_walpf "interface ${FUZZ:-5000}" -t 7200 -d "$dir/ext4" -d "$dir/xfs" -i tests/lib/fake-pgdata

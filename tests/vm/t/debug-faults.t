#!/bin/bash
# tier: all  time: 600s
# SPDX-License-Identifier: GPL-2.0-only
#
# Memory is short and disks fail wherever the module asks for something, on a
# kernel with KASAN and lockdep. The checks are in tests/vm/guest/faults.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh bookworm kasan

truncate -s 256M "$dir/ext4"
# vmalloc() says with a stack that there was no memory
boot_walpf faults -t 3600 -a 'Call Trace' -d "$dir/ext4" \
	-i "$(tests/vm/standin/build)" -i tests/lib/fake-pgdata

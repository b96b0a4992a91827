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
# vmalloc() says with a stack that there was no memory; and parts of the kernel that
# are told of a module before it begins do not expect that
boot_walpf faults -t 3600 -a 'Call Trace' \
	-a 'WARNING: .* at kernel/(jump_label|trace/trace_events)\.c' -d "$dir/ext4" \
	-i "$(tests/vm/standin/build)" -i tests/lib/fake-pgdata

#!/bin/bash
# tier: check  time: 240s
# SPDX-License-Identifier: GPL-2.0-only
#
# Servers, disks, probes and the module come and go on Debian 12's kernel, which
# checks its heap: walpf finds whom it should, holds nothing for longer than a
# second, and the kernel has nothing to complain about. The checks are in
# tests/vm/guest/lifetime.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

disk=$(tests/vm/make-disk -f ext4 -c full_page_writes=off bookworm)
boot_walpf lifetime -t 900 -k slub_debug=FZPU -d "$disk"

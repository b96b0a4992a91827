#!/bin/bash
# tier: check  time: 90s
# SPDX-License-Identifier: GPL-2.0-only
#
# The controller in the module, on Debian 12's kernel: off when fetching is not
# worth it, on again when it is, and never above the operator's limits. The
# checks are in tests/vm/guest/controller.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

disk=$(tests/vm/make-disk -f ext4 -t 4000 -c full_page_writes=off bookworm)
boot_walpf controller -t 300 -d "$disk"

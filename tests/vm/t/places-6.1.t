#!/bin/bash
# tier: all  time: 200s
# SPDX-License-Identifier: GPL-2.0-only
#
# On Debian 12's kernel: a standby whose files come, go and move while it replays,
# one with large segments and an odd path, and several at once. The checks are in
# tests/vm/guest/places.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

segment_mb=64
boot_servers "places ext4"

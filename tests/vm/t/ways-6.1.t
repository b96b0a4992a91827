#!/bin/bash
# tier: all  time: 300s
# SPDX-License-Identifier: GPL-2.0-only
#
# The ways in which a PostgreSQL 15 replays, on Debian 12's kernel: from an
# archive, from another server, late, paused, promoted and others. The checks are
# in tests/vm/guest/ways.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

boot_servers "ways ext4"

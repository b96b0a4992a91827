#!/bin/bash
# tier: all  time: 300s
# SPDX-License-Identifier: GPL-2.0-only
#
# The ways in which a PostgreSQL 15 replays, on Debian 12's kernel: from an
# archive, from another server, late, paused, promoted and others. The checks are
# in tests/vm/guest/ways.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

module=$(tests/vm/build-module bookworm 2>"$dir/build.log") ||
	bail_out "the module does not build: $(tail -n 3 "$dir/build.log")"
disk=$(tests/vm/make-servers bookworm)
truncate -s 1G "$dir/empty.img"
tests/vm/boot -t 1800 -d "$disk" -d "$dir/empty.img" -i "$module" -i "$(tests/vm/build-tool bookworm)" \
	-i "${disk%/*}/middle.digest" -i tests/lib/tap.sh bookworm tests/vm/guest/ways ext4

#!/bin/bash
# tier: all  time: 200s
# SPDX-License-Identifier: GPL-2.0-only
#
# On Debian 12's kernel: a standby whose files come, go and move while it replays,
# one with large segments and an odd path, and several at once. The checks are in
# tests/vm/guest/places.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

module=$(tests/vm/build-module bookworm 2>"$dir/build.log") ||
	bail_out "the module does not build: $(tail -n 3 "$dir/build.log")"
disk=$(tests/vm/make-servers -S 64 bookworm)
truncate -s 2G "$dir/empty.img"
tests/vm/boot -t 1800 -d "$disk" -d "$dir/empty.img" -i "$module" -i "$(tests/vm/build-tool bookworm)" \
	-i tests/lib/tap.sh bookworm tests/vm/guest/places ext4

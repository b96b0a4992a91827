#!/bin/bash
# tier: check  time: 150s
# SPDX-License-Identifier: GPL-2.0-only
#
# What walpf says to an operator: walpf-ctl, netlink and /sys in a guest with
# Debian 12's kernel. The checks are in tests/vm/guest/interface.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

module=$(tests/vm/build-module bookworm 2>"$dir/build.log") ||
	bail_out "the module does not build: $(tail -n 3 "$dir/build.log")"
truncate -s 256M "$dir/ext4"
truncate -s 400M "$dir/xfs"
tests/vm/boot -t 600 -d "$dir/ext4" -d "$dir/xfs" -i "$module" -i "$(tests/vm/build-tool bookworm)" \
	-i tests/lib/tap.sh -i tests/lib/fake-pgdata bookworm tests/vm/guest/interface

#!/bin/bash
# tier: check  time: 200s
# SPDX-License-Identifier: GPL-2.0-only
#
# Servers, disks, probes and the module come and go on Debian 12's kernel, which
# checks its heap: walpf finds whom it should, holds nothing for longer than a
# second, and the kernel has nothing to complain about. The checks are in
# tests/vm/guest/lifetime.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

module=$(tests/vm/build-module bookworm 2>"$dir/build.log") ||
	bail_out "the module does not build: $(tail -n 3 "$dir/build.log")"
disk=$(tests/vm/make-disk -f ext4 -c full_page_writes=off bookworm)
tests/vm/boot -t 900 -k slub_debug=FZPU -d "$disk" -i "$module" \
	-i "$(tests/vm/build-tool bookworm)" -i tests/lib/tap.sh bookworm tests/vm/guest/lifetime

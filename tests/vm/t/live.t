#!/bin/bash
# tier: check  time: 120s
# SPDX-License-Identifier: GPL-2.0-only
#
# A recovery on Debian 12's kernel while settings change, counters are reset
# and read, and the cluster is unregistered and registered again, all at once:
# the result is the same, the counters add up, and the kernel has nothing to
# complain about. The checks are in tests/vm/guest/live.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

module=$(tests/vm/build-module bookworm 2>"$dir/build.log") ||
	bail_out "the module does not build: $(tail -n 3 "$dir/build.log")"
disk=$(tests/vm/make-disk -f ext4 -c full_page_writes=off bookworm)
tests/vm/boot -t 600 -d "$disk" -o "$dir/out" -i "$module" -i "$(tests/vm/build-tool bookworm)" \
	-i tests/lib/tap.sh bookworm tests/vm/guest/live
if ! cmp -s "$dir/out/digest" "${disk%/*}/digest"; then
	bail_out "the recovered cluster is not what it should be"
fi

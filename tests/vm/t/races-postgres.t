#!/bin/bash
# tier: all  time: 900s
# SPDX-License-Identifier: GPL-2.0-only
#
# The races of tests/vm/guest/races with PostgreSQL, on Debian's kernel by
# default. RACES is how often, of each kind; RACE_KINDS names some of them, and
# RACE_KERNEL another kernel: kasan or kcsan.
set -euo pipefail

races=${RACES:-20}
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh bookworm "${RACE_KERNEL:-}"

options=()
[ -n "$kernel" ] || options=(-k slub_debug=FZPU)
disk=$(tests/vm/make-disk -f ext4 -c full_page_writes=off bookworm)
truncate -s 400M "$dir/xfs"
boot_walpf "races postgres $races ${RACE_KINDS:-}" -t $((1200 + races * 300)) "${options[@]}" \
	-d "$disk" -d "$dir/xfs" -i "$(tests/vm/standin/build)"

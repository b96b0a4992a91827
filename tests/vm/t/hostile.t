#!/bin/bash
# tier: all  time: 420s
# SPDX-License-Identifier: GPL-2.0-only
#
# The owner of a cluster is an enemy: the checks are in tests/vm/guest/hostile.
# HOSTILE_CASES names some of them, HOSTILE_KERNEL another kernel: kasan or kcsan.
set -euo pipefail

# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh bookworm "${HOSTILE_KERNEL:-}"
options=()
[ -n "$kernel" ] || options=(-k slub_debug=FZPU)

truncate -s 512M "$dir/ext4"
truncate -s 400M "$dir/xfs"
boot_walpf "hostile ${HOSTILE_CASES:-all}" -t 1800 "${options[@]}" \
	-d "$dir/ext4" -d "$dir/xfs" -i "$(tests/vm/standin/build)" -i tests/lib/fake-pgdata

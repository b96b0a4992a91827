#!/bin/bash
# tier: check  time: 130s
# SPDX-License-Identifier: GPL-2.0-only
#
# What must not collide collides, on a kernel with KASAN and lockdep: the checks
# are in tests/vm/guest/races. RACES is how often, RACE_KINDS which; without,
# it is a few of them once, with `make check-debug` each of them 500 times.
# RACE_KERNEL is another kernel: kcsan, or stock for Debian's own.
set -euo pipefail

races=${RACES:-1}
kinds=${RACE_KINDS-}
[ -n "${RACES-}" ] || kinds=${kinds:-collide unregister kill rest umount load}
races_kernel=${RACE_KERNEL:-kasan}
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh bookworm "${races_kernel#stock}"
options=()
[ -n "$kernel" ] || options=(-k slub_debug=FZPU)

truncate -s 256M "$dir/ext4"
truncate -s 400M "$dir/xfs"
boot_walpf "races standin $races $kinds" -t $((1200 + races * 300)) "${options[@]}" \
	-d "$dir/ext4" -d "$dir/xfs" -i "$(tests/vm/standin/build)" -i tests/lib/fake-pgdata

#!/bin/bash
# tier: all  time: 400s
# SPDX-License-Identifier: GPL-2.0-only
#
# Those of the races in which walpf's threads and processes meet most, on a
# kernel with KCSAN: no two of them touch the same word unannounced.
set -euo pipefail

RACES=${RACES:-20} RACE_KERNEL=kcsan \
	RACE_KINDS="${RACE_KINDS:-collide unregister settings kill umount hotplug load}" exec tests/vm/t/races.t

#!/bin/bash
# tier: check  time: 180s
# SPDX-License-Identifier: GPL-2.0-only
#
# filesystems.t [SUITE]...: on Debian 12's kernel, or others: file systems with small
# blocks, those that are loaded after walpf, those that it refuses, and what becomes of
# it when probes are switched off. The checks are in tests/vm/guest/filesystems.
set -euo pipefail
# shellcheck source=tests/vm/suites.sh
. tests/vm/suites.sh

# $dir is that of guest.sh
# shellcheck disable=SC2031
run_suite()
{
	truncate -s 1G "$dir/xfs.img"
	truncate -s 200M "$dir/btrfs.img"
	built mkfs.btrfs -q "$dir/btrfs.img"
	boot_servers "filesystems" -d "$dir/xfs.img" -d "$dir/btrfs.img" -k 'memmap=400M!1G' \
		-i tests/lib/fake-pgdata
}

for_suites "every file system" "${@:-bookworm}"

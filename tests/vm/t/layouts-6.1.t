#!/bin/bash
# tier: check  time: 240s
# SPDX-License-Identifier: GPL-2.0-only
#
# On Debian 12's kernel, ext4 and xfs: walpf with a device that has no readahead,
# with pg_wal and a tablespace elsewhere, and with WAL that gives nothing to
# fetch. The checks are in tests/vm/guest/layouts.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

# expect WORKLOAD DISK: what its tables must contain, for the guest
expect()
{
	cp "${2%/*}/digest" "$dir/expect/$1.digest"
	cp "${2%/*}/checksum" "$dir/expect/$1.checksum"
}

replay_all()
{
	local layouts images empty=$dir/empty.img

	layouts=$(tests/vm/make-disk -f "$1" -W layouts -t 800 -c full_page_writes=off bookworm)
	images=$(tests/vm/make-disk -f "$1" -W images -t 1000 bookworm)
	expect layouts "$layouts"
	expect images "$images"
	boot_walpf layouts -t 900 -d "$layouts" -d "$layouts" -d "$layouts" -d "$layouts" \
		-d "$layouts" -d "$images" -d "$images" -d "$empty" -d "$empty" -d "$empty" \
		-i "$dir/expect"
}

mkdir "$dir/expect"
truncate -s 512M "$dir/empty.img"
for fs in ext4 xfs; do
	status=0
	replay_all "$fs" | sed 's/^/    /' || status=$?
	ok "$status" "$fs: every layout"
done
done_testing

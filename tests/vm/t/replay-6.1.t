#!/bin/bash
# tier: check  time: 75s
# SPDX-License-Identifier: GPL-2.0-only
#
# The ground that the module's tests stand on: Debian 12's kernel boots, its
# PostgreSQL recovers a crashed cluster from a slow disk there, and the result
# is what the same PostgreSQL makes of it outside the guest.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

for fs in ext4 xfs; do
	disk=$(tests/vm/make-disk -f "$fs" -t 1000 -c full_page_writes=off bookworm)
	try "$fs: recovered in a guest" \
		tests/vm/boot -t 180 -o "$out/$fs" -d "$disk" bookworm tests/vm/guest/replay -r 1 off
	is "$(<"$out/$fs/digest")" "$(<"${disk%/*}/digest")" "$fs: the files of the tables are what they should be"
	reads=$(jq .device_reads "$out/$fs/result.json")
	like "$reads" '^[0-9]{4}' "$fs: thousands of reads came from the disk"
	diag "$fs: $reads reads, redo took $(jq .redo_seconds "$out/$fs/result.json") s"
done
done_testing

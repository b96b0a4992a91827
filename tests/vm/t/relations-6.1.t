#!/bin/bash
# tier: all  time: 400s
# SPDX-License-Identifier: GPL-2.0-only
#
# What the sizes of files ask of look-ahead, on Debian 12's kernel: a recovery that
# comes to a new file every few blocks, each of which has to be found and opened
# first (PostgreSQL itself would open all of them before redo, but for its setting),
# and one of a table of more than one file, with WAL segments of 1 GB.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

# recover FS WORKLOAD TRANSACTIONS OPTION...: options of tests/vm/guest/replay
recover()
{
	row="$2, $1"
	disk=$(tests/vm/make-disk -f "$1" -W "$2" -t "$3" -c full_page_writes=off bookworm)
	out=$dir/$1-$2
	try "$row: recovered with walpf, which held no file afterwards" \
		boot_walpf "replay -r 20 ${*:4} walpf" -t 900 -o "$out" -d "$disk"
	is "$(<"$out/digest")" "$(<"${disk%/*}/digest")" "$row: the files of the tables are what they should be"
	diag "$row: redo took $(jq .redo_seconds "$out/result.json") s; $(jq -c '.clusters[0].counters
		| with_entries(select(.value != 0))' "$out/outcomes.json")"
}

counter()
{
	jq ".clusters[0].counters.$1" "$out/outcomes.json"
}

check_misses()
{
	local reads missed

	reads=$(counter startup_reads)
	missed=$(($(counter missed) + $(counter evicted_read)))
	ok $((reads < 1500)) "$row: $reads blocks were read"
	ok $((missed * 100 >= reads * 3)) "$row: less than 3 % of them were missed ($missed)"
}

for fs in ext4 xfs; do
	recover "$fs" relations 1000 -o recovery_init_sync_method=syncfs
	check_misses
	ok $(($(counter opened_files) < 2000)) "$row: $(counter opened_files) files were opened"
done
recover ext4 large 2000
check_misses
ok $(($(counter fetched) < 1500)) "$row: $(counter fetched) blocks were fetched, three of four beyond 1 GB"
is "$(jq '.clusters[0].facts.segment_bytes' "$out/status.json")" $((1 << 30)) "$row: segments of 1 GB are known"
done_testing

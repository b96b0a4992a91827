#!/bin/bash
# tier: check  time: 120s
# SPDX-License-Identifier: GPL-2.0-only
#
# The main job on Debian 12's kernel, ext4 and xfs: with the module loaded and
# the cluster registered, a recovery from a slow disk waits for few reads, its
# files are those of a recovery without the module, what became of each block is
# known, and unloading leaves a kernel that has nothing to complain about
# (tests/vm/boot looks).
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

guest()
{
	tests/vm/boot -t 180 -i "$module" -i "$tool" "$@"
}

# When nobody replays any more
outcome()
{
	jq ".clusters[0].counters.$1" "$out/$fs/outcomes.json"
}

# values HISTOGRAM: how many there are
values()
{
	jq ".clusters[0].histograms.$1 | add" "$out/$fs/outcomes.json"
}

# guest/replay has seen to it that all adds up
check_outcomes()
{
	local fetched reads missed wasted extents device stalls

	fetched=$(outcome fetched)
	reads=$(outcome startup_reads)
	missed=$(outcome missed)
	wasted=$(($(outcome evicted) + $(outcome unused)))
	extents=$(outcome extents)
	device=$(jq .device_reads "$out/$fs/result.json")
	ok $((reads < 1000 || missed * 50 >= reads)) \
		"$fs: less than 2 % of the startup process's reads were missed ($missed of $reads)"
	ok $((wasted * 33 >= fetched)) \
		"$fs: less than 3 % of what was fetched is evicted or unused ($wasted of $fetched)"
	ok $((($(outcome timely) + $(outcome shared)) * 10 < fetched * 9)) \
		"$fs: 9 of 10 blocks fetched were there in time ($(outcome timely))"
	ok $((extents > device || extents + 200 < device)) \
		"$fs: $extents extents were fetched, and the disk saw $device reads"
	is "$(values extent_blocks)" "$extents" "$fs: the sizes of all extents are known"
	stalls=$(values stall_us)
	ok $((stalls < $(outcome late) || stalls > $(slept_over))) "$fs: $stalls stalls were measured"
	ok $(($(values lead_us) > fetched || $(values lead_us) * 10 < fetched * 9)) \
		"$fs: $(values lead_us) leads were measured"
}

# Blocks read that were not there: of those that were missed or evicted it may be
# unknown how long it took, if WAL was waited for after that
slept_over()
{
	echo $(($(outcome late) + $(outcome missed) + $(outcome evicted_read)))
}

module=$(tests/vm/build-module bookworm 2>"$out/build.log") || {
	diag "$(tail -n 20 "$out/build.log")"
	bail_out "the module does not build"
}
tool=$(tests/vm/build-tool bookworm)

try "loads and unloads, three times" guest bookworm tests/vm/guest/load-unload
for fs in ext4 xfs; do
	disk=$(tests/vm/make-disk -f "$fs" -t 1000 -c full_page_writes=off bookworm)
	try "$fs: recovered with walpf" \
		guest -o "$out/$fs" -d "$disk" bookworm tests/vm/guest/replay -r 1 walpf
	is "$(<"$out/$fs/digest")" "$(<"${disk%/*}/digest")" "$fs: the files of the tables are what they should be"
	check_outcomes
	diag "$fs: redo took $(jq .redo_seconds "$out/$fs/result.json") s"
done
done_testing

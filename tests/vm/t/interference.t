#!/bin/bash
# tier: check  time: 150s
# SPDX-License-Identifier: GPL-2.0-only
#
# walpf must not be in the server's way: on a disk that does 500 reads a second,
# while walpf fetches as fast as it may, others' reads and writes of cached
# blocks of the same file take at most twice as long on average as without
# walpf, and never 50 ms. That holds while replay is held back, so that nobody
# but walpf reads from the disk, and while replay waits for the disk itself.
#
# A busy host slows an emulated processor down, or makes it stand still for
# longer than that. So reads of a file in memory are measured at the same time:
# when they were slower beside walpf, the rest may be as many times slower; and
# the slowest of them, or of any access without walpf, may be the bound. An access
# that took long without ever giving its processor away is not counted. What
# does not hold is measured once more. Everything is shown.
#
# Beside it, for comparison only, what advice does that nobody bounds.
set -euo pipefail
# shellcheck source=tests/vm/guest.sh
. tests/vm/guest.sh

iops=500
seconds=8
iolat=build/bench/iolat

[ -x $iolat ] || bail_out "$iolat is missing: make check-bins"

# What is claimed of walpf beside off; $suffix is that of both variants' names
# jq expands these
# shellcheck disable=SC2016
definitions='
	def rows($name): map(select(.variant == $name));
	def average($rows; $what): $rows | map(.[$what].avg_ms) | add / length;
	def is_whole: length == 6 and all(.replaying and .cached);
	def is_busy($suffix; $least):
		rows("walpf" + $suffix)[0] | .fetched > $least and .device_reads > $least;
	def is_twice_at_most($suffix; $what):
		rows("walpf" + $suffix) as $with | rows("off" + $suffix) as $without
		| ([1, average($with; "control") / average($without; "control")] | max) as $slower
		| average($with; $what) <= 2 * $slower * average($without; $what);
	def is_short($suffix; $what):
		rows("walpf" + $suffix)[0] as $with
		| [50, $with.control.max_ms, rows("off" + $suffix)[][$what].max_ms] as $bounds
		| $with[$what].switched_max_ms <= ($bounds | max);
'

# of CLAIM: prints whether it is true
of()
{
	jq -s "$definitions $1" "$dir/$fs/rows"
}

show()
{
	diag "$(jq -r 'def figures: "\(.avg_ms) / \(.max_ms) (\(.ops), \(.switched) switched, \(.switched_max_ms))";
		"'"$fs"' \(.variant): write \(.write | figures), read \(.read | figures), in memory \(.control | figures) ms avg / max; "
		+ "\(.device_reads) device reads, \(.queue) at a time, \(.fetched) fetched, \(.hints) hints"' \
		"$dir/$fs/rows")"
}

# claims_about SUFFIX TEXT PERCENT: a line of text and claim each; the disk does at
# least so much of what it could. While replay is held back, look-ahead gets to its
# lead, and no further.
claims_about()
{
	local access

	printf '%s\t%s\n' "$2: walpf kept the disk busy, $3 % at least" \
		"is_busy(\"$1\"; $((iops * seconds * $3 / 100)))"
	for access in read write; do
		printf '%s\t%s\n' "$2: ${access}s take at most twice as long on average" \
			"is_twice_at_most(\"$1\"; \"$access\")" \
			"$2: no $access waits for longer than 50 ms" \
			"is_short(\"$1\"; \"$access\")"
	done
}

claims()
{
	printf '%s\t%s\n' "recovery did not end, the blocks stayed cached" is_whole
	claims_about "" "replay held back" 30
	claims_about +replay "replay at work" 70
}

all_hold()
{
	local text claim

	while IFS=$'\t' read -r text claim; do
		[ "$(of "$claim")" = true ] || return 1
	done < <(claims)
}

check()
{
	local text claim

	while IFS=$'\t' read -r text claim; do
		try "$fs: $text" test "$(of "$claim")" = true
	done < <(claims)
}

measure()
{
	rm -rf "${dir:?}/$fs"
	boot_walpf "interference $seconds off walpf off advice off+replay walpf+replay" -m 1G -t 300 \
		-q $iops -d "$disk" -i $iolat -o "$dir/$fs"
}

for fs in ext4 xfs; do
	disk=$(tests/vm/make-disk -f "$fs" -c full_page_writes=off bookworm)
	for attempt in 1 2; do
		try "$fs: measured, attempt $attempt" measure
		[ -s "$dir/$fs/rows" ] || continue 2
		show
		! all_hold || break
	done
	check
done
done_testing

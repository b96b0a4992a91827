# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by scripts that run in a guest, after tap.sh and lib.sh: actors read WAL
# and blocks of a crashed cluster in /data/pg in place of a server, and the cluster
# is registered as "play".

ctl=/share/in/walpf-ctl
sys=/sys/kernel/walpf/clusters/play

counter()
{
	cat "$sys/stats/$1"
}

is_found()
{
	[ "$(<$sys/startup_pid)" != 0 ]
}

#
# What to read
#

# lsn_number LSN: those here are below 4 GB
lsn_number()
{
	echo $((16#${1#0/}))
}

# Sets $redo, the first WAL page to read, and $last, the last one
find_wal()
{
	local text

	text=$("$PGBIN/pg_controldata" /data/pg | sed -n "s/^Latest checkpoint's REDO location: *//p")
	redo=$(($(lsn_number "$text") / 8192 * 8192))
	text=$($ctl decode --start "$text" /data/pg/pg_wal 2>/dev/null | awk 'END { print $1 }')
	# shellcheck disable=SC2034 # for those who source this
	last=$(($(lsn_number "$text") / 8192 * 8192))
}

# wal LSN...: as what actors take
wal()
{
	local lsn

	for lsn; do
		printf 'pg_wal/%08X%08X%08X %d ' 1 0 $((lsn >> 24)) $((lsn & 0xffffff))
	done
}

# Sets $table, the largest one's file, %seen, its blocks that WAL refers to, and of
# these @blocks, in that order, those that are to be fetched but not at once, and
# @lsns, by which records
find_blocks()
{
	local relation lsn block flags

	table=$(cd /data/pg && find base -type f -printf '%s %p\n' | sort -rn | awk 'NR == 1 { print $2 }')
	relation=${table#base/}
	blocks=()
	lsns=()
	declare -gA seen=()
	while read -r lsn block flags; do
		[ -z "${seen[$block]:-}" ] || continue
		seen[$block]=1
		lsn=$(lsn_number "$lsn")
		if [ "$lsn" -gt $((redo + 65536)) ] && [ "$flags" = - ]; then
			blocks+=("$block")
			lsns+=("$lsn")
		fi
	done < <($ctl decode --refs --start "$(printf '0/%X' "$redo")" /data/pg/pg_wal 2>/dev/null |
		awk -v rel="1663/$relation" '$2 == rel && $3 == "main" { print $1, $4, $5 }')
}

# blocks_at BLOCK...: as what actors take
blocks_at()
{
	local block

	for block; do
		echo -n "$table $((block * 8192)) "
	done
}

#
# Who reads
#

begin()
{
	$ctl register --name play /data/pg >/dev/null
	install -m 755 /share/guest/actors /tmp/actors
	mkfifo /tmp/orders /tmp/answers
	"${AS_POSTGRES[@]}" /tmp/actors /data/pg </tmp/orders >/tmp/answers &
	actors=$!
	exec 3>/tmp/orders 4</tmp/answers
	# It is noticed by opening a segment, and its reads from then on
	startup_reads wal "$redo"
	wait_until 30 is_found
}

# act WHO FILE OFFSET...
act()
{
	local answer

	echo "$*" >&3
	read -r -t 60 -u 4 answer
	[ "$answer" = "done" ]
}

startup_reads()
{
	# shellcheck disable=SC2046 # a list of words
	act startup $("$@")
}

backend_reads()
{
	# shellcheck disable=SC2046 # a list of words
	act backend $("$@")
}

end()
{
	exec 3>&- 4<&-
	wait "$actors"
	rm /tmp/orders /tmp/answers
	try "the end of the process is noticed" wait_until 10 walpf_rests play
	is "$(<$sys/outstanding)" 0 "nothing is outstanding then"
	is "$(walpf_odds play)" "" "the counters add up"
}

# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by scripts that run in a guest, after tap.sh and lib.sh: standbys of
# tests/vm/make-servers on a slow disk, and what is claimed of each in a row. A
# standby is registered under its server's name.

# shellcheck source=tests/vm/guest/servers.sh
. /share/guest/servers.sh
# shellcheck source=tests/vm/guest/walpf.sh
. /share/guest/walpf.sh

milliseconds()
{
	echo $((${EPOCHREALTIME/./} / 1000))
}

# evict NAME [DIR...]: what the page cache has of its relations, and below those
evict()
{
	sync
	vmtouch -qe "${server_dir[$1]}/base" "${@:2}"
}

# copy_base NAME: its data directory, with so few buffers that most blocks that are
# replayed have left them when they come again
copy_base()
{
	cp -a /data/base "${server_dir[$1]}"
	server_set "$1" shared_buffers 4MB
	server_set "$1" restore_command ''
	[ "$(pg_version)" -lt 15 ] || server_set "$1" recovery_prefetch off
}

# work NAME SEED [UPDATES]: changes random blocks
work()
{
	on "$1" pg_sql "select from work($2, ${3:-1000})"
}

begin_row()
{
	row=$1
	started=$SECONDS
}

# Counted from here on: look-ahead is under way, or should be
count_from_now()
{
	"$WALPF_CTL" reset "$1"
}

# check_misses NAME LEAST: of at least so many reads of blocks, those of which nothing
# was cached
check_misses()
{
	local reads missed

	reads=$(walpf_counter "$1" startup_reads)
	missed=$(($(walpf_counter "$1" missed) + $(walpf_counter "$1" evicted_read)))
	ok $((reads < $2)) "$row: $reads blocks were read"
	ok $((missed * 100 >= reads * 3)) "$row: less than 3 % of them were missed ($missed)"
	try "$row: the counters add up" wait_until 10 adds_up "$1"
	walpf_show "$1" "$row: $((SECONDS - started)) s"
}

adds_up()
{
	local odds

	odds=$(walpf_odds "$1")
	echo "$odds"
	[ -z "$odds" ]
}

same_rows()
{
	is "$(on "$1" pg_checksum)" "$(on "$2" pg_checksum)" "$row: the rows are the same as upstream"
}

at_rest_soon()
{
	local start

	start=$(milliseconds)
	try "$row: at rest" wait_until 10 walpf_holds_nothing "$1"
	diag "$row: at rest after $(($(milliseconds) - start)) ms"
}

holds_no_file()
{
	[ "$(walpf_gauge "$1" held_files)" = 0 ]
}

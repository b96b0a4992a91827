# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by tests/bench/vm/run: what the scenarios are. choose_scenario and
# choose_profile set
#   about         for people
#   claim         what must hold, see tests/bench/vm/summary.jq: waits (redo waits for
#                 reads: walpf makes it nearly as fast as all cached), archive (the
#                 same, less strict), pressure (it reads no more), queries (others'
#                 take no longer than with PostgreSQL's own prefetch), free (walpf
#                 cannot help, and costs the startup process no instructions)
#   disk          options of tests/vm/make-disk
#   memory_mb     of the guest; "cached" gets as much as it needs
#   cache_mb      what of it the server and the page cache may use; empty: all
#   script        what the guest runs
#   replay        its options
#   variants      in their order
#   off_seconds   what reads one block at a time stops after so much redo
# shellcheck disable=SC2034

scenario_names=(
	all_cached all_shared all_images insert index_build vacuum small whole_table
	crash_noimages crash_images crash_rounds eight_indexes
	readahead_0 readahead_128 archive memory_pressure lag_catchup read_load
)
profile_names=(fast cloud slow iops)

choose_scenario()
{
	disk=() replay=() memory_mb=512 cache_mb='' off_seconds=20
	script=$WALPF_TOP/tests/vm/guest/replay
	claim=waits
	variants=(off pg_tuned walpf cached)
	case $1 in
	all_cached)
		is_free "everything in the page cache" -s 10 -t 40000 -c full_page_writes=off
		variants=(off+warm walpf+warm)
		;;
	all_shared)
		is_free "everything in shared_buffers" -s 1 -t 20000 -c full_page_writes=off
		variants=(off+warm walpf+warm)
		;;
	all_images)
		is_free "right after a checkpoint: images of all blocks" -W images -t 1000
		;;
	insert)
		is_free "insert only: COPY, and single rows" -W copy -t 100000
		;;
	index_build)
		is_free "two indexes built" -W index -s 15
		;;
	vacuum)
		is_free "a table and its index vacuumed, in the page cache" -W vacuum -s 5 \
			-c full_page_writes=off
		variants=(off+warm walpf+warm)
		;;
	small)
		is_free "a small database" -s 1 -t 10000
		;;
	crash_noimages)
		about="crash recovery, full_page_writes off"
		disk=(-s 50 -t 10000 -c full_page_writes=off)
		variants=(off pg_default pg_tuned walpf cached)
		;;
	crash_images)
		about="crash recovery, one checkpoint, full_page_writes on"
		disk=(-s 8 -t 20000) cache_mb=96
		replay=(-o shared_buffers=16MB)
		;;
	crash_rounds)
		about="recovery over three checkpoints, full_page_writes on"
		disk=(-W replica -s 8 -t 21000) cache_mb=96
		replay=(-o shared_buffers=16MB)
		;;
	whole_table)
		is_free "every row of a table larger than shared_buffers updated, twice, after a checkpoint" \
			-W whole -s 3 -t 2
		replay=(-o shared_buffers=64MB)
		variants=(off pg_tuned walpf)
		;;
	eight_indexes)
		about="rows inserted into a table with eight indexes"
		disk=(-W eight -s 20 -t 3000 -c full_page_writes=off)
		;;
	readahead_0 | readahead_128)
		about="crash recovery, full_page_writes off, readahead ${1#readahead_} kB"
		disk=(-s 50 -t 10000 -c full_page_writes=off)
		replay=(-a "${1#readahead_}")
		;;
	archive)
		about="recovery from an archive, cp, segments of 16 MB"
		claim=archive
		disk=(-W replica -s 8 -t 21000) memory_mb=1024 cache_mb=96
		replay=(-A -o shared_buffers=16MB)
		;;
	lag_catchup)
		about="a streaming replica that catches up, three checkpoints"
		script=$WALPF_TOP/tests/bench/vm/standby
		disk=(-W replica -s 8 -t 21000) cache_mb=128
		replay=(-o shared_buffers=16MB)
		;;
	read_load)
		about="a streaming replica that is asked while it replays"
		script=$WALPF_TOP/tests/bench/vm/standby
		claim=queries
		disk=(-W replica -s 8 -t 21000) cache_mb=128
		replay=(-c 2 -s 60 -o shared_buffers=16MB)
		variants=(off pg_tuned walpf)
		;;
	memory_pressure)
		about="the server may use 48 MB"
		claim=pressure
		disk=(-s 50 -t 10000 -c full_page_writes=off)
		replay=(-o shared_buffers=16MB -g 48M)
		variants=(off pg_tuned walpf)
		;;
	*)
		die "no such scenario: $1 (one of ${scenario_names[*]})"
		;;
	esac
}

# is_free ABOUT DISK-OPTION...
is_free()
{
	about=$1
	shift
	disk=("$@")
	claim=free
	memory_mb=1024
	variants=(off walpf)
}

# The disk, as a latency that weighs what it is called on a real machine: an
# emulated processor is some 16 times slower. choose_profile NAME EMULATED
choose_profile()
{
	local emulated=$2

	boot=() reads_per_s=
	case $1 in
	fast)
		profile_about="0.1 ms"
		storage=(-n $((emulated ? 1600000 : 100000)))
		;;
	cloud)
		profile_about="0.5 ms"
		storage=(-n 500000)
		[ "$emulated" = 0 ] || storage=(-r 1)
		;;
	slow)
		profile_about="8 ms"
		storage=(-r $((emulated ? 124 : 4)))
		;;
	iops)
		profile_about="0.5 ms, 8000 reads a second"
		storage=(-r 1)
		reads_per_s=$((emulated ? 500 : 8000))
		boot=(-q "$reads_per_s")
		;;
	*)
		die "no such profile: $1 (one of ${profile_names[*]})"
		;;
	esac
}

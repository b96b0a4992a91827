# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced, after lib.sh, by what measures replay in a guest: the ways of
# prefetching that are compared, what walpf says of itself, and the disk.

ctl=/share/in/walpf-ctl

# Before 15 there is no such setting, and nothing is prefetched
prefetch()
{
	if [ "$(pg_version)" -ge 15 ]; then
		settings+=(-c "recovery_prefetch=$1")
	elif [ "$1" != off ]; then
		say "this PostgreSQL has no recovery_prefetch"
		exit 1
	fi
}

# variant_settings VARIANT: adds to the array settings, for pg_start. VARIANT is
# off, walpf or cached, or pg_default or pg_tuned (PostgreSQL's own).
variant_settings()
{
	case $1 in
	off | walpf | cached) prefetch off ;;
	pg_default) prefetch try ;;
	pg_tuned)
		prefetch try
		settings+=(-c maintenance_io_concurrency=500 -c wal_decode_buffer_size=2MB)
		;;
	*)
		say "no such variant: $1"
		exit 2
		;;
	esac
}

walpf_begin()
{
	insmod /share/in/walpf.ko
	$ctl register --name demo /data/pg >/dev/null
}

# walpf_learn DIR: at redo's end
walpf_learn()
{
	$ctl stats --json demo >"$1/stats.json"
	$ctl status --json demo >"$1/status.json"
}

walpf_holds_no_file()
{
	[ "$(</sys/kernel/walpf/clusters/demo/held_files)" = 0 ]
}

# walpf_end DIR: quiet, with the whole of the recovery's counters
walpf_end()
{
	local odds

	wait_until 20 walpf_rests demo
	wait_until 5 walpf_holds_no_file
	$ctl stats --json demo >"$1/outcomes.json"
	odds=$(walpf_odds demo)
	[ -z "$odds" ] || {
		say "$odds"
		exit 1
	}
	$ctl unregister demo
	rmmod walpf
}

# Processor time of the startup process; nothing when there is none
startup_ns()
{
	local pid

	pid=$(pgrep -P "$PGPID" -f 'postgres: startup') || return 0
	cut -d' ' -f1 "/proc/$pid/schedstat" 2>/dev/null || true
}

# memory_disk NS: nullb0, as large as vda and with what is in it
memory_disk()
{
	# On some kernels the disk is named after this directory
	local config=/sys/kernel/config/nullb/nullb0

	modprobe null_blk nr_devices=0
	mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
	mkdir $config
	echo $(($(blockdev --getsize64 /dev/vda) >> 20)) >$config/size
	echo 1 >$config/memory_backed
	echo 512 >$config/hw_queue_depth
	echo 2 >$config/irqmode
	echo "$1" >$config/completion_nsec
	echo 1 >$config/power
	dd if=/dev/vda of=/dev/nullb0 bs=1M iflag=direct oflag=direct status=none
}

# mount_measured [NS]: mounts the cluster's disk on /data, without delay yet, and
# sets disk to its name. NS: it is moved to a memory disk, see memory_disk.
mount_measured()
{
	disk=vda
	if [ -n "${1:-}" ]; then
		memory_disk "$1"
		disk=nullb0
	fi
	mount_slow "$disk" /data 0
}

# leave_memory MB: of what is free, takes the rest away, as huge pages
leave_memory()
{
	local kb

	drop_caches
	kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
	echo $(((kb - $1 * 1024) / 2048)) >/proc/sys/vm/nr_hugepages
	say "left $(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo) MB of memory"
}

# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by scripts that run in a guest (or in a root tree: what needs no
# device works there too): slow disks, PostgreSQL as its own user, and figures.
# Functions fail by their status; the messages go to standard error.

PGBIN=$(echo /usr/lib/postgresql/*/bin)
PGLOG=${PGLOG:-/tmp/postgres.log}
PGPID=

say()
{
	echo "${0##*/}: $*" >&2
}

# wait_until SECONDS COMMAND [ARG...]: poll until the command succeeds
wait_until()
{
	local end=$((SECONDS + $1))

	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.3
	done
}

#
# Disks
#

# No udev runs in a guest: dmsetup has to make the device nodes itself
export DM_DISABLE_UDEV=1

delay_table()
{
	echo "0 $(blockdev --getsz "/dev/$1") delay /dev/$1 0 $2 /dev/$1 0 $3"
}

# mount_slow DISK DIR [READ-MS [WRITE-MS]]: mount it over a device that makes
# every read and write take that much longer, however many there are at once
# (before Linux 6.12: until the second timer tick after it, 8 ms for any 1 to 4)
mount_slow()
{
	dmsetup create "slow-$1" \
		--table "$(delay_table "$1" "${3:-0}" "${4:-0}")" &&
		mkdir -p "$2" &&
		mount "/dev/mapper/slow-$1" "$2"
}

# set_delay DISK READ-MS [WRITE-MS]: change it, mounted or not
set_delay()
{
	dmsetup suspend "slow-$1" &&
		dmsetup reload "slow-$1" --table "$(delay_table "$1" "$2" "${3:-0}")" &&
		dmsetup resume "slow-$1"
}

umount_slow()
{
	umount "/dev/mapper/slow-$1" &&
		dmsetup remove "slow-$1"
}

# Number of reads that a disk has completed
disk_reads()
{
	awk '{ print $1 }' "/sys/block/$1/stat"
}

# Reads that a slow disk has completed, and the milliseconds they took together
slow_reads()
{
	local device

	device=$(dmsetup info -c --noheadings -o blkdevname "slow-$1")
	awk '{ print $1, $4 }' "/sys/block/$device/stat"
}

# mean_read_ms BEFORE AFTER: of the reads between two answers of slow_reads
mean_read_ms()
{
	echo "$1 $2" |
		awk '{ n = $3 - $1; printf "%.2f\n", n ? ($4 - $2) / n : 0 }'
}

drop_caches()
{
	sync
	echo 3 >/proc/sys/vm/drop_caches
}

#
# PostgreSQL
#

# Not a function only: one that runs in the background is a process of its own,
# and signals would stop there. What a shell starts in the background ignores two of
# them: a server that has no handlers yet would not be stopped.
AS_POSTGRES=(env "--default-signal=INT,QUIT" setpriv --reuid=postgres --regid=postgres
	--init-groups --inh-caps=-all)

as_postgres()
{
	"${AS_POSTGRES[@]}" "$@"
}

pg_version()
{
	"$PGBIN/postgres" --version | sed "s/.*) \([0-9]*\).*/\1/"
}

# pg_start PGDATA [-c SETTING=VALUE...]: returns at once; see pg_wait_ready
pg_start()
{
	PGDATA=$1
	shift
	install -o postgres -m 644 /dev/null "$PGLOG" || return 1
	"${AS_POSTGRES[@]}" "$PGBIN/postgres" -D "$PGDATA" -c log_line_prefix='%n ' \
		-c logging_collector=off -c unix_socket_directories=/tmp \
		-c listen_addresses= "$@" >>"$PGLOG" 2>&1 </dev/null &
	PGPID=$!
}

pg_logged()
{
	grep -q "$1" "$PGLOG"
}

pg_logged_or_gone()
{
	pg_logged "$1" || ! kill -0 "$PGPID" 2>/dev/null
}

# pg_wait_log SECONDS REGEX: wait until the server's log has such a line
pg_wait_log()
{
	wait_until "$1" pg_logged_or_gone "$2" && pg_logged "$2" && return
	say "no '$2' in the server's log within $1 seconds:"
	tail -n 20 "$PGLOG" >&2
	return 1
}

# pg_wait_ready SECONDS: wait until recovery is over and clients may connect
pg_wait_ready()
{
	pg_wait_log "$1" 'database system is ready to accept connections'
}

# pg_stop [fast|immediate]
pg_stop()
{
	local signal=INT

	[ -n "$PGPID" ] || return 0
	[ "${1:-fast}" = fast ] || signal=QUIT
	kill -"$signal" "$PGPID" 2>/dev/null || true
	wait "$PGPID" || true
	PGPID=
}

pg_sql()
{
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -v ON_ERROR_STOP=1 -c "$1" "${2:-postgres}"
}

# A line for each table of the database: its name, rows, and a sum that
# depends on every row and not on their order
pg_checksum()
{
	as_postgres "$PGBIN/psql" -h /tmp -XAtq -F ' ' -v ON_ERROR_STOP=1 "${1:-postgres}" <<-'END'
		select format('select %L, count(*), coalesce(sum(hashtextextended(t::text, 0)), 0) from %I.%I t',
			n.nspname || '.' || c.relname, n.nspname, c.relname)
		from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'm') and n.nspname !~ '^pg_|^information_schema$'
		order by 1 \gexec
	END
}

# pg_digest PGDATA: a line for each file of a user table or index, while the
# server is stopped. Recovery from the same WAL gives the same files as long as
# nobody read the tables since; so this is strict, and fast in a guest.
pg_digest()
{
	(cd "$1" && find -L base pg_tblspc -type f -regextype posix-extended \
		-regex ".*/(1638[4-9]|1639[0-9]|16[4-9][0-9]{2}|1[7-9][0-9]{3}|[2-9][0-9]{4}|[1-9][0-9]{5,})(_vm)?(\.[0-9]+)?" |
		sort | xargs -d "\n" md5sum)
}

# The time, in seconds, at which the server logged such a line first
pg_log_time()
{
	awk -v regex="$1" '$0 ~ regex { print $1; exit }' "$PGLOG"
}

# How long redo took; empty when there was none
pg_redo_seconds()
{
	awk '/LOG:  redo starts at/ { start = $1 }
		/LOG:  redo done at/ { printf "%.3f\n", $1 - start }' "$PGLOG"
}

# Processor time of it, which PostgreSQL tells from 15 on; otherwise null
pg_redo_cpu_seconds()
{
	awk '/LOG:  redo done at .* CPU: user: / {
			cpu = substr($0, index($0, "user: "))
			split(cpu, word, " ")
			cpu = word[2] + word[5]
		}
		END { print cpu == "" ? "null" : cpu }' "$PGLOG"
}

# From where to where redo went
pg_redo_range()
{
	sed -n 's/.*LOG:  redo \(starts\|done\) at \([0-9A-F/]*\).*/\2/p' "$PGLOG" | paste -sd' '
}

#
# walpf
#

# walpf_sum FILE...: of the numbers in them
walpf_sum()
{
	local sum=0 file

	for file; do
		sum=$((sum + $(<"$file")))
	done
	echo "$sum"
}

# walpf_rests NAME: nobody replays in the cluster
walpf_rests()
{
	[ "$(</sys/kernel/walpf/clusters/"$1"/startup_pid)" = 0 ]
}

# walpf_odds NAME: at a quiet moment, the counters that are not the sum of their
# parts, of all those that should be; nothing if all are
walpf_odds()
(
	cd "/sys/kernel/walpf/clusters/$1/stats" || return
	while read -r total parts; do
		# shellcheck disable=SC2086 # a list of patterns
		[ "$(<"$total")" = "$(walpf_sum $parts)" ] ||
			echo "$total $(<"$total") is not the sum of" $parts "$(walpf_sum $parts)"
	done <<-'END'
		references fetched ../queued skipped_*
		fetched shared evicted unused unused_warming abandoned forgotten timely late ../outstanding
		startup_reads timely late evicted_read cached_other missed
		missed missed_*
	END
	[ "$(<../identity_errors)" = 0 ] || echo "identity_errors $(<../identity_errors): $(dmesg | grep 'do not add up' | tail -n 1)"
)

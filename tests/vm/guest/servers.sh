# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by scripts that run in a guest, after lib.sh: several servers at once,
# by names. One of the name N logs to /tmp/N.log.

declare -A server_dir server_port server_pid

# server_define NAME DIR PORT
server_define()
{
	server_dir[$1]=$2
	server_port[$1]=$3
	server_pid[$1]=
}

# on NAME FUNCTION [ARG...]: one of lib.sh, for that server instead of the only one
on()
{
	# shellcheck disable=SC2034 # of lib.sh
	local PGLOG=/tmp/$1.log PGPID=${server_pid[$1]} status=0
	local -x PGPORT=${server_port[$1]}

	"${@:2}" || status=$?
	server_pid[$1]=$PGPID
	return $status
}

# server_start NAME [-c SETTING=VALUE...]: returns when clients may connect
server_start()
{
	on "$1" pg_start "${server_dir[$1]}" "${@:2}"
	on "$1" pg_wait_log 400 'ready to accept \(connections\|read-only connections\|read only connections\)'
}

# server_set NAME SETTING VALUE: in its file of settings, for the next start
server_set()
{
	echo "$2 = '$3'" >>"${server_dir[$1]}/postgresql.conf"
}

# server_standby NAME UPSTREAM: makes it a standby at its next start
server_standby()
{
	server_set "$1" primary_conninfo "host=/tmp port=${server_port[$2]} user=postgres"
	install -o postgres -m 600 /dev/null "${server_dir[$1]}/standby.signal"
}

# wal_end NAME: where a primary's WAL ends
wal_end()
{
	on "$1" pg_sql 'select pg_current_wal_lsn()'
}

has_replayed()
{
	[ "$(on "$1" pg_sql "select pg_last_wal_replay_lsn() >= '$2'")" = t ]
}

has_received()
{
	[ "$(on "$1" pg_sql "select pg_last_wal_receive_lsn() >= '$2'")" = t ]
}

# wait_replayed NAME UPSTREAM: until a standby is where its upstream is now
wait_replayed()
{
	wait_until 400 has_replayed "$1" "$(wal_end "$2")"
}

wait_received()
{
	wait_until 400 has_received "$1" "$(wal_end "$2")"
}

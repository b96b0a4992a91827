#!/bin/bash
# tier: check  time: 10s
# SPDX-License-Identifier: GPL-2.0-only
#
# What walpf-ctl finds out about real clusters, against what each PostgreSQL
# itself says: pg_controldata, the value of shared_buffers out of many
# settings files, and a server that runs in a container.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
ctl=build/asan/walpf-ctl
settings=60
dir=$(mktemp -d)
server=
stop()
{
	# A signal that in-tree handles does not get through unshare
	[ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
	rm -rf "$dir"
}
trap stop EXIT
chmod 755 "$dir"

# in_tree SUITE SCRIPT: as the tree's postgres, with $dir at the same place
in_tree()
{
	# shellcheck disable=SC2016 # expanded in the tree
	tests/lib/in-tree -u postgres -b "$dir:$dir" "$1" \
		env DIR="$dir" bash -c 'PATH=$(echo /usr/lib/postgresql/*/bin):$PATH; cd "$DIR"; '"$2"
}

# make_cluster SUITE SEGMENT-MB: in $dir/SUITE/pg, with $dir/SUITE/control
make_cluster()
{
	mkdir -m 777 "$dir/$1"
	# shellcheck disable=SC2016 # expanded in the tree
	in_tree "$1" "initdb -A trust -N --wal-segsize=$2 -D $1/pg >/dev/null &&
		pg_controldata $1/pg >$1/control"
}

# A value; the second half of a position with all its digits, as walpf-ctl has it
controldata()
{
	sed -En "s,^$2: *,,; T; s,/([0-9A-F]+)\$,/0000000\1,; s,/0*([0-9A-F]{8})\$,/\1,; p" \
		"$dir/$1/control"
}

# same SUITE FACT LABEL
same()
{
	is "$(awk -v name="$2" '$1 == name { sub(/^[^ ]* +/, ""); print }' <<<"$out")" \
		"$(controldata "$1" "$3")" "$1: $3"
}

test_control()
{
	local suite=$1

	make_cluster "$suite" "$2"
	out=$($ctl register --dry-run "$dir/$suite/pg") || fail "$suite: inspected"
	same "$suite" system_id "Database system identifier"
	same "$suite" catalog_version "Catalog version number"
	same "$suite" cluster_state "Database cluster state"
	same "$suite" checkpoint_lsn "Latest checkpoint location"
	same "$suite" redo_lsn "Latest checkpoint's REDO location"
	same "$suite" timeline "Latest checkpoint's TimeLineID"
	same "$suite" block_size "Database block size"
	same "$suite" file_blocks "Blocks per segment of large relation"
	same "$suite" segment_bytes "Bytes per WAL segment"
}

# Settings files with one or more ways to write a value, and what they include
make_settings()
{
	awk -v n="$settings" -v dir="$dir/conf" '
		function pick(list, parts) { return parts[1 + int(rand() * split(list, parts, "|"))] }
		function value() {
			return pick("16|20000|131072|0x4000|040000|1000kB|64MB|1 GB|2GB|1.5GB|0.25GB|1.3MB|30.1MB|.5GB|1e3MB|262144kB|3145728 B")
		}
		function line(v) {
			v = value()
			if (v ~ /[ .]/ || rand() < 0.5)
				v = "\047" v "\047"
			return pick("|  |\t") pick("shared_buffers|Shared_Buffers|SHARED_BUFFERS") \
				pick("=| = | |\t=\t") v pick("||   |\t") pick("|# with = and \047|#")
		}
		BEGIN {
			srand(20)
			for (i = 1; i <= n; i++) {
				file = dir "/" i ".conf"
				print "# no. " i "\nwork_mem = 4MB" > file
				if (rand() < 0.3) {
					print line() > (dir "/" i ".inc")
					print "include \047" i ".inc\047" > file
				}
				for (j = 1 + int(rand() * 2); j; j--)
					print line() > file
				close(file)
			}
		}'
}

# Said by postgres itself, a line each; "refused" for files it does not like
ask_postgres()
{
	# shellcheck disable=SC2016 # expanded in the tree
	in_tree bookworm '
		for ((i = 1; i <= '"$settings"'; i++)); do
			cp conf/$i.inc bookworm/pg/ 2>/dev/null
			cp conf/$i.conf bookworm/pg/postgresql.conf
			postgres -D bookworm/pg -C shared_buffers 2>/dev/null || echo refused
		done'
}

test_settings()
{
	local i=0 said found wrong=0 compared=0

	mkdir -m 755 "$dir/conf"
	make_settings
	ask_postgres >"$dir/said"
	while read -r said; do
		i=$((i + 1))
		[ "$said" != refused ] || continue
		compared=$((compared + 1))
		cp "$dir/conf/$i.conf" "$dir/bookworm/pg/postgresql.conf"
		found=$($ctl register --dry-run "$dir/bookworm/pg" | awk '/^shared_buffers/ { print $2 }')
		[ "$found" != "$said" ] || continue
		wrong=$((wrong + 1))
		diag "postgres says $said, walpf-ctl $found:" "$(<"$dir/conf/$i.conf")"
	done <"$dir/said"
	is "$wrong" 0 "shared_buffers as postgres -C has it"
	ok $((compared < settings * 2 / 3)) "$compared of $settings settings files compared"
}

# Debian keeps the settings elsewhere; a server that was never started here, as
# a new standby, left no command line that tells where.
test_debian_settings()
{
	local data=$dir/lib/15/main said

	mkdir -p "$dir/lib/15"
	cp -a "$dir/bookworm/pg" "$data"
	rm -f "$data"/postgresql.conf "$data"/postmaster.opts
	# shellcheck disable=SC2016 # expanded by the shell of the namespace
	said=$(unshare -m --propagation private bash -c '
		mount -t tmpfs none /etc
		mkdir -p /etc/postgresql/15/main
		printf "%s\n" "data_directory = '\''$2'\''" "shared_buffers = 5MB" \
			>/etc/postgresql/15/main/postgresql.conf
		"$1" register --dry-run "$2"
		sed -i s/15/16/ /etc/postgresql/15/main/postgresql.conf
		"$1" register --dry-run "$2"' - "$PWD/$ctl" "$data" |
		awk '/^(config_file|shared_buffers)/ { print $2 }' | paste -sd' ')
	is "$said" "/etc/postgresql/15/main/postgresql.conf 640 postgresql.conf 16384" \
		"Debian's file is taken, unless it is for another cluster"
}

started()
{
	local end=$((SECONDS + 60))

	until grep -q 'ready to accept' "$dir/log"; do
		kill -0 "$server" && [ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.2
	done
}

# The link of pg_wal leads nowhere outside of the container
test_container()
{
	local all

	mv "$dir/bookworm/pg/pg_wal" "$dir/bookworm/inner"
	ln -s /inner "$dir/bookworm/pg/pg_wal"
	echo "shared_buffers = 2MB" >"$dir/bookworm/pg/postgresql.conf"
	: >"$dir/log"
	tests/lib/in-tree -u postgres -b "$dir:$dir" -b "$dir/bookworm/inner:/inner" bookworm \
		/usr/lib/postgresql/15/bin/postgres -D "$dir/bookworm/pg" -c listen_addresses= \
		-c unix_socket_directories=/tmp -c shared_buffers=3MB >"$dir/log" 2>&1 &
	server=$!
	if ! started; then
		fail "the server starts"
		diag "$(<"$dir/log")"
		return
	fi
	out=$($ctl register --dry-run "$dir/bookworm/pg") || fail "inspected while it runs"
	like "$out" "postmaster +[1-9]" "the running server is found"
	like "$out" "shared_buffers +384" "the running server's own value"
	like "$out" "pg_wal +[^ ]*/inner" "pg_wal is found below the server's root"
	all=$($ctl register --all --dry-run) || fail "register --all"
	like "$all" "system_id +$(controldata bookworm "Database system identifier")" \
		"register --all finds the server in the container"
	kill "$(awk '$1 == "postmaster" { print $2 }' <<<"$out")"
	wait "$server" || true
	server=
}

test_control bullseye 1
test_control bookworm 16
test_control trixie 64
test_control forky 16
test_settings
test_debian_settings
test_container
done_testing

#!/bin/bash
# tier: quick  time: 9s
# SPDX-License-Identifier: GPL-2.0-only
#
# What walpf-ctl finds out about a data directory, from made ones: every
# version, every kind of damage with its sentence, the settings files, names.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

ctl=build/asan/walpf-ctl
dir=$(mktemp -d)
server=
stop()
{
	[ -z "$server" ] || kill "$server"
	rm -rf "$dir"
}
trap stop EXIT

# inspect PATH: facts to $out, messages to $err, exit status to $status
inspect()
{
	status=0
	out=$($ctl register --dry-run "$1" 2>"$dir/err") || status=$?
	err=$(<"$dir/err")
}

fact()
{
	awk -v name="$1" '$1 == name { sub(/^[^ ]* +/, ""); print }' <<<"$out"
}

# refused SENTENCE-REGEX TEXT: the last inspection was
refused()
{
	is "$status" 1 "$2: exit status 1"
	like "$err" "$1" "$2: says so"
	is "$(wc -l <"$dir/err")" 1 "$2: in one sentence"
}

test_versions()
{
	local major

	for major in 10 11 12 13 14 15 16 17 18; do
		tests/lib/fake-pgdata "$dir/v$major" $major segment_bytes=1048576
		inspect "$dir/v$major"
		is "$status,$(fact major),$(fact system_id),$(fact segment_bytes),$(fact redo_lsn)" \
			"0,$major,$((7700000000000000000 + major)),1048576,0/01FFFFF0" \
			"version $major: understood"
		is "$(fact catalog_version),$(fact block_size),$(fact file_blocks),$(fact timeline)" \
			"$((202200000 + major)),8192,131072,3" "version $major: further fields"
	done
	is "$(fact checkpoint_lsn),$(fact cluster_state)" "0/02000028,in production" "state"
}

# damaged TEXT SENTENCE MAJOR [FIELD=VALUE...]
damaged()
{
	local text=$1 sentence=$2

	shift 2
	tests/lib/fake-pgdata "$dir/bad" "$@"
	inspect "$dir/bad"
	refused "$sentence" "$text"
	rm -r "$dir/bad"
}

test_damage()
{
	damaged "wrong checksum" 'global/pg_control: the checksum is wrong' 15 crc=bad
	damaged "short file" 'pg_control: shorter than' 15 length=200
	damaged "empty file" 'pg_control: shorter than' 15 length=0
	damaged "unknown control version" 'of version 2000, .*newer walpf' 18 version=2000
	damaged "other byte order" 'another byte order' 15 version=$((0x14050000))
	damaged "control file of another major" 'not that of PostgreSQL 17' 17 version=1300
	damaged "block size" 'blocks of 16384 bytes: walpf serves 8192 only' 15 block_size=16384
	damaged "WAL block size" 'WAL blocks of 4096 bytes' 15 wal_block_size=4096
	damaged "old server" 'PostgreSQL 9: .* serves 10 to 18' 9
	damaged "new server" 'PostgreSQL 19: .* serves 10 to 18' 19

	tests/lib/fake-pgdata "$dir/old" 15
	echo 9.6 >"$dir/old/PG_VERSION"
	inspect "$dir/old"
	refused 'PostgreSQL 9.6: ' "PG_VERSION of two numbers"
	echo fifteen >"$dir/old/PG_VERSION"
	inspect "$dir/old"
	refused 'no version number' "PG_VERSION without a number"
	rm "$dir/old/PG_VERSION"
	mkfifo "$dir/old/PG_VERSION"
	inspect "$dir/old"
	refused 'PG_VERSION: the file cannot be read' "PG_VERSION is a pipe"
}

test_not_a_data_directory()
{
	inspect "$dir/nothing"
	refused 'does not exist: name the data directory' "no such path"
	inspect /etc/passwd
	refused 'not a directory' "a file"
	mkdir "$dir/empty"
	inspect "$dir/empty"
	refused 'has no file PG_VERSION' "an empty directory"
	touch "$dir/empty/postgresql.conf"
	inspect "$dir/empty"
	refused 'name the data_directory of its postgresql.conf' "a directory of settings"
	tests/lib/fake-pgdata "$dir/lost" 15
	rmdir "$dir/lost/pg_wal"
	inspect "$dir/lost"
	refused 'pg_wal: the directory of WAL does not exist' "no pg_wal"
	touch "$dir/lost/pg_wal"
	inspect "$dir/lost"
	refused 'pg_wal: .* is not a directory' "pg_wal is a file"
	rm "$dir/lost/pg_wal"
	ln -s "$dir/empty" "$dir/lost/pg_wal"
	inspect "$dir/lost"
	is "$(fact pg_wal)" "$dir/empty" "pg_wal is an absolute link"
	ln -sfn ../v15/pg_wal "$dir/lost/pg_wal"
	inspect "$dir/lost"
	is "$(fact pg_wal)" "$dir/v15/pg_wal" "pg_wal is a relative link"
	ln -s "$dir/lost" "$dir/link"
	inspect "$dir/link/"
	is "$(fact pgdata)" "$dir/lost" "the data directory is a link"
}

# conf TEXT... on standard input goes into postgresql.conf; then inspect
conf()
{
	cat >"$dir/v15/postgresql.conf"
	inspect "$dir/v15"
}

buffers()
{
	conf <<<"$1"
	is "$(fact shared_buffers)" "$2" "settings: ${3:-$1}"
}

test_settings_syntax()
{
	buffers "" 16384 "default"
	buffers "shared_buffers = 1GB" 131072
	buffers "shared_buffers=512" 512
	buffers "shared_buffers 64MB # a remark" 8192
	buffers "  Shared_Buffers = '256 MB'" 32768
	buffers "shared_buffers = 1.5GB" 196608
	buffers "shared_buffers = 0x400" 1024
	buffers "shared_buffers = '1\\107B'" 131072 "an octal escape"
	buffers "#shared_buffers = 1GB" 16384
	buffers "shared_buffers = 1gb" 16384 "unknown unit: not taken"
	buffers "shared_buffers = 1GB 2GB" 16384 "two values: not taken"
	buffers "shared_buffers = '1GB" 16384 "no closing quote: not taken"
	buffers "my.shared_buffers = 1GB" 16384 "of an extension"
	buffers $'shared_buffers = 1GB\nshared_buffers = 2GB' 262144 "the last one wins"
	buffers $'shared_buffers = 1GB\r\n' 131072 "lines that end as in DOS"
}

test_settings_files()
{
	local v=$dir/v15

	mkdir "$v/conf.d"
	echo "shared_buffers = 1GB" >"$v/conf.d/b.conf"
	echo "shared_buffers = 2GB" >"$v/conf.d/a.conf"
	echo "shared_buffers = 4GB" >"$v/conf.d/.c.conf"
	echo "shared_buffers = 4GB" >"$v/conf.d/c.conf.bak"
	buffers "include_dir 'conf.d'" 131072 "include_dir, in order, without hidden and other files"
	buffers "include = 'conf.d/a.conf'" 262144
	buffers "include_if_exists '$v/conf.d/a.conf'" 262144 "include_if_exists by an absolute path"
	buffers "include 'postgresql.conf'" 16384 "a file that includes itself"
	mkfifo "$v/conf.d/d.conf"
	buffers "include_dir conf.d" 131072 "a pipe in include_dir"
	echo "shared_buffers = 3GB" >"$v/postgresql.auto.conf"
	buffers "shared_buffers = 1GB" 393216 "postgresql.auto.conf wins"
	rm "$v/postgresql.auto.conf"
}

# serve ARGUMENT...: a process with these, that looks like the server of v15
serve()
{
	(cd "$dir/v15" && exec -a postgres perl -e 'sleep 1000' -- "$@") &
	server=$!
	echo "$server" >"$dir/v15/postmaster.pid"
	until [[ $(tr '\0' ' ' <"/proc/$server/cmdline") == postgres* ]]; do
		sleep 0.05
	done
}

# served TEXT BLOCKS ARGUMENT...: shared_buffers of a server that runs with these
served()
{
	serve "${@:3}"
	buffers "shared_buffers = 1GB" "$2" "$1"
	kill "$server"
	wait "$server" || true
	server=
}

# left_behind TEXT BLOCKS ARGUMENTS: the same when it was stopped
left_behind()
{
	echo "/usr/bin/postgres $3" >"$dir/v15/postmaster.opts"
	buffers "shared_buffers = 1GB" "$2" "$1"
	rm "$dir/v15/postmaster.opts"
}

test_settings_arguments()
{
	mkdir "$dir/etc"
	echo "shared_buffers = 5GB" >"$dir/elsewhere.conf"
	echo "shared_buffers = 6GB" >"$dir/etc/postgresql.conf"

	served "the command line wins" 8192 -D /x -c shared-buffers=64MB --work_mem=1MB
	served "--shared_buffers" 8192 -D /x --shared_buffers=64MB
	served "-B" 1000 -B 1000
	served "-B without a blank" 1001 -B1001
	served "the last one wins" 8192 -B1001 -c shared_buffers=64MB
	served "no setting" 131072 -D "$dir/v15"
	served "config_file" 655360 -c "config_file=$dir/elsewhere.conf"
	served "the folder of -D" 786432 -D "$dir/etc"

	left_behind "arguments of long ago do not count" 131072 \
		'"-B" "1000" "-c" "shared-buffers=64MB"'
	left_behind "config_file of long ago" 655360 "\"-c\" \"config_file=$dir/elsewhere.conf\""
	left_behind "a config_file that is gone" 131072 '"-c" "config_file=/nonexistent.conf"'
	left_behind "the folder of -D of long ago" 786432 "\"-D\" \"$dir/etc\""
	left_behind "the folder of -D is gone" 131072 '"-D" "/nonexistent"'
	is "$(fact config_file)" postgresql.conf "the file is named"
}

decodes()
{
	conf <<<"$1"
	is "$(fact decode_buffer_bytes)" "$2" "decode buffer: ${3:-$1}"
}

test_decode_buffer()
{
	decodes "" 524288 "default"
	decodes "wal_decode_buffer_size = 2MB" 2097152
	decodes "wal_decode_buffer_size = 70000" 70000
	decodes "recovery_prefetch = off" 0
	decodes "recovery_prefetch = No" 0
	decodes "recovery_prefetch = try" 524288
	inspect "$dir/v14"
	is "$(fact decode_buffer_bytes)" 0 "decode buffer: there is none before 15"
}

# named PATH NAME
named()
{
	mkdir -p "$dir/${1%/*}"
	tests/lib/fake-pgdata "$dir/$1" 15
	inspect "$dir/$1"
	is "$(fact name)" "$2" "name of $1"
}

test_names()
{
	named shop/data shop-data
	named 15/main 15-main
	named 15/blue 15-blue
	named some/cluster cluster
	named "some/what is this" what_is_this
	named some/.hidden _hidden
	inspect "$dir/15/main/"
	is "$(fact name)" 15-main "name with a slash at the end"
}

test_tablespaces()
{
	mkdir "$dir/space"
	ln -s "$dir/space" "$dir/v15/pg_tblspc/16385"
	ln -s "$dir/nowhere" "$dir/v15/pg_tblspc/16386"
	touch "$dir/v15/pg_tblspc/other"
	inspect "$dir/v15"
	is "$(fact tablespace | sort)" "16385 $dir/space"$'\n'"16386 $dir/nowhere" "tablespaces"
}

test_arguments()
{
	local status=0

	$ctl register 2>"$dir/err" || status=$?
	is "$status" 2 "register without a directory"
	status=0
	$ctl register --all "$dir/v15" 2>"$dir/err" || status=$?
	is "$status" 2 "register with a directory and --all"
	status=0
	$ctl register --name "$(printf '%064d' 0)" "$dir/v15" 2>"$dir/err" || status=$?
	is "$status" 2 "register with too long a name"
	status=0
	$ctl set pg 2>"$dir/err" || status=$?
	is "$status" 2 "set without a setting"
	status=0
	$ctl stats --watch 0 2>"$dir/err" || status=$?
	is "$status" 2 "stats with an interval of nothing"
	[ ! -e /sys/kernel/walpf ] || return 0
	status=0
	$ctl list 2>"$dir/err" || status=$?
	is "$status" 3 "list without the module"
	like "$(<"$dir/err")" "is not loaded: run 'modprobe walpf'" "list without the module: says so"
}

test_versions
test_damage
test_not_a_data_directory
test_settings_syntax
test_settings_files
test_settings_arguments
test_decode_buffer
test_names
test_tablespaces
test_arguments
done_testing

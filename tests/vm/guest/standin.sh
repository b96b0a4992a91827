# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced, behind lib.sh, by scripts of a guest with a stand-in for a server: where
# things are, the cluster, and what walpf says of it, without starting a program.
# shellcheck disable=SC2034 # used by them

ctl=/share/in/walpf-ctl
standin=/share/in/standin
module=/share/in/walpf.ko
walpf=/sys/kernel/walpf
sys=$walpf/clusters/race
owner=$(id -u postgres)
template=/tmp/template
pg=/data/a/pg

# Whatever is waited for here takes milliseconds on a real machine
patience=60

#
# Without starting a program, as each takes a guest some 50 ms
#

# Nobody writes into it: reading is a pause
exec {never}<> <(:)

# pause MS: up to so long
pause()
{
	local ms=$((RANDOM % ($1 + 1)))

	read -rt "$((ms / 1000)).$(printf %03d $((ms % 1000)))" -u "$never" _ || true
}

now_ms()
{
	now=$((${EPOCHREALTIME/./} / 1000))
}

# value FILE: what is in it to $value; empty without such a file
value()
{
	value=
	{ read -r value <"$sys/$1" || true; } 2>/dev/null
}

# What is known when something did not come
show_all()
{
	diag "$(grep -r . "$sys" 2>&1 | grep -v ":0$" | sed "s|$sys/||")" \
		"$(ps --ppid 2 -p 2 --deselect -o pid,ppid,stat,wchan:20,comm)"
}

# until_value FILE TEST WORD: test value TEST WORD, such as -gt 5, or = idle
until_value()
{
	local end=$((SECONDS + patience))

	value "$1"
	until test "${value:-0}" "$2" "$3"; do
		if [ "$SECONDS" -ge "$end" ]; then
			diag "$1 is '$value', not $2 $3, after $patience s"
			show_all
			return 1
		fi
		read -rt 0.01 -u "$never" _ || true
		value "$1"
	done
}

#
# A cluster of the stand-in
#

fill_cluster()
{
	rm -rf "$pg"
	cp -a "$template" "$pg"
}

make_template()
{
	/share/in/fake-pgdata "$template" 15 segment_bytes=1048576 timeline=1
	# What is read once more is to be fetched once more
	printf "%s\n" "shared_buffers = 16" "recovery_prefetch = off" >"$template/postgresql.conf"
	"$standin" make "$template"
	chown -R postgres: "$template"
}

found()
{
	until_value startup_pid -gt "0"
}

goes_on()
{
	value stats/fetched
	until_value stats/fetched -gt "${value:-0}"
}


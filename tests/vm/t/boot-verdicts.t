#!/bin/bash
# tier: check  time: 60s
# SPDX-License-Identifier: GPL-2.0-only
#
# What the other tests here rely on: tests/vm/boot tells a guest that did its
# work from one that hangs, crashes or has a kernel that complained.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# verdict SCRIPT-TEXT STATUS NAME [BOOT-OPTION...]
verdict()
{
	local status=0

	echo "$1" >"$dir/verdict"
	tests/vm/boot -t 120 -l "$dir/console" "${@:4}" bookworm "$dir/verdict" "an argument" \
		>"$dir/stdout" 2>"$dir/stderr" || status=$?
	is "$status" "$2" "$3"
}

echo "carried" >"$dir/carried"
# shellcheck disable=SC2016
verdict 'echo "I got $1"; mv /share/in/carried /share/out/; exit 7' 7 \
	"the script's own status" -i "$dir/carried" -o "$dir/out"
is "$(<"$dir/stdout")" "I got an argument" "its output"
is "$(<"$dir/out/carried")" carried "a file to the guest and back"
verdict 'sleep 1000' 124 "the deadline" -t 5
verdict 'echo c >/proc/sysrq-trigger; sleep 100' 125 "a crash"
like "$(<"$dir/stderr")" 'Kernel panic' "the console is shown"
verdict 'echo "WARNING: all is lost" >/dev/kmsg' 125 "a complaint"
done_testing

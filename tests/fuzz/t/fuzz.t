#!/bin/bash
# tier: check  time: 75s
# SPDX-License-Identifier: GPL-2.0-only
#
# Replays the fuzzing corpus, then fuzzes each target for half of FUZZ_SECONDS.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/fuzz/lib.sh

seconds=${FUZZ_SECONDS:-60}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unpack_corpus "$dir"
mkdir -p build/fuzz/findings

# An input is lost with the machine of a CI: it is told in the log, packed.
tell_input()
{
	local packed

	packed=$(xz -9 -c "$1" | base64 -w 0)
	diag "input: $1, $(stat -c %s "$1") bytes"
	[ "${#packed}" -ge 4096 ] || diag "made by base64 -d | xz -d from:" "$packed"
}

# What the target said itself, the report and the stack
tell_finding()
{
	local log=$1 input

	diag "$(grep -m 1 -B 5 -A 14 "ERROR: " "$log" || tail -n 20 "$log")" \
		"$(grep "SUMMARY: " "$log" || true)"
	input=$(sed -n "s/.*Test unit written to //p" "$log" | tail -n 1)
	[ ! -e "$input" ] || tell_input "$input"
}

# try_target TEXT TARGET OPTION...
try_target()
{
	local text=$1 target=$2 status=0

	shift 2
	"build/fuzz/$target" "${fuzz_options[@]}" "$@" >"$dir/log" 2>&1 || status=$?
	ok "$status" "$target: $text"
	[ "$status" = 0 ] || tell_finding "$dir/log"
}

for target in raw structured; do
	try_target "the corpus is replayed without a finding" "$target" -runs=0 "$dir/$target"
	try_target "no new finding" "$target" -max_total_time=$((seconds / 2)) "$dir/$target"
done
ok "$(($(stat -c %s tests/fuzz/corpus.tar.xz) > 500 * 1024))" "the corpus is under 500 kB"
done_testing

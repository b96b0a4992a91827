#!/bin/bash
# tier: all  time: 150s
# SPDX-License-Identifier: GPL-2.0-only
#
# The demo, as small as it gets: what it leaves for programs that read it, the
# order of its runs, and what it refuses. How fast walpf is, only the full
# size can tell.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

json()
{
	jq -rc "$1" "$out/result.json"
}

try "the demo runs" env SIZE=small FS=ext4 RUNS=1 "OUT=$out" tests/vm/demo/run
[ -s "$out/result.json" ] || bail_out "it left no result.json"
is "$(json '[.runs[].variant] | join(" ")')" "off pg_default pg_tuned walpf cached" \
	"result.json: the variants in their order"
is "$(json '[.runs[].fs] | unique')" '["ext4"]' "result.json: the file system"
is "$(json '[.runs[] | .redo_seconds, .device_reads | type] | unique')" '["number"]' \
	"result.json: seconds and reads are numbers"
is "$(json '.walpf_stats | .references == .fetched +
	([to_entries[] | select(.key | startswith("skipped_")).value] | add)')" true \
	"result.json: walpf's counters, and their identity holds"
for variant in off pg_default pg_tuned walpf cached; do
	is "$(tail -n 1 "$out/ext4/$variant/timeline" | cut -d' ' -f1)" \
		"$(printf '%.3f' "$(jq .redo_seconds "$out/ext4/$variant/result.json")")" \
		"$variant: its line in the chart ends with redo"
done
is "$(head -c 8 "$out/chart.png" | tail -c 7 | tr -d '\r\n\032')" PNG "a chart in PNG"
like "$(<"$out/chart.svg")" '</svg>' "a chart in SVG"

refused=$(FS=btrfs OUT="$out" tests/vm/demo/run 2>&1) || true
is "$refused" "run: no such file system: btrfs (FS is ext4 or xfs)" "refuses another file system"
printf 'x\n' >>"$out/ext4/walpf.1/digest"
refused=$(tests/vm/demo/report "$out/ext4" "$out" 2>&1 >/dev/null) || true
like "$refused" "walpf: the recovered tables are not what they should be" \
	"refuses figures of a wrong recovery"
done_testing

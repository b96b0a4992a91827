#!/bin/bash
# tier: all  time: 3s
# SPDX-License-Identifier: GPL-2.0-only
#
# The benchmark's report, from runs made up: medians, spread, runs that were cut
# short, and that a claim which does not hold is told as such.
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

for program in jq gnuplot; do
	command -v $program >/dev/null || skip_all "$program is missing"
done
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
dir=$top/made_up
mkdir "$dir"

# facts CLAIM
facts()
{
	rm -rf "${dir:?}"/*
	echo "sum" >"$dir/digest"
	jq -n --arg claim "$1" '$ARGS.named + { scenario: "made_up", profile: "cloud",
		about: "made up", storage: "0.5 ms", accelerator: "tcg", kernel: "0", guest_memory_mb: 1,
		cluster: { wal_bytes: 10485760, data_bytes: 10485760 } }' >"$dir/facts.json"
}

# run NAME SECONDS MB STARTUP-NS READS
run()
{
	mkdir "$dir/$1"
	printf '0.000 0\n%s %s\n' "$2" "$3" >"$dir/$1/timeline"
	jq -n --argjson redo_seconds "$2" --argjson startup_ns "$4" --argjson device_reads "$5" \
		--argjson shortened "$([ "$3" = 10 ] && echo false || echo true)" \
		'$ARGS.named' >"$dir/$1/result.json"
}

# counters NAME JSON
counters()
{
	jq -n "{ clusters: [{ counters: $2 }] }" >"$dir/$1/outcomes.json"
}

report()
{
	verdict=0
	output=$(tests/bench/vm/report "$dir" 2>&1) || verdict=$?
}

result()
{
	jq -c "$1" "$dir/result.json"
}

waiting_runs()
{
	facts waits
	run off.1 100 5 1000 200
	run pg_tuned.2 6 10 1000 1000
	run walpf.3 5 10 1000 1010
	run walpf.4 4 10 1000 1010
	run walpf.5 4.8 10 1000 1010
	run cached.6 4 10 1000 0
}

waiting_runs
counters walpf.3 '{ fetched: 100, evicted: 1, unused: 1 }'
report
is "$verdict" 0 "claims that hold: status 0"
is "$(result '.variants | map(.variant)')" '["off","pg_tuned","walpf","cached"]' "the variants in their order"
is "$(result '.variants[2] | [.redo_seconds, .runs, .spread_percent]')" '[4.8,3,24]' "median and spread of three"
is "$(result '.variants[0] | [.shortened, .mb_per_s]')" '[true,0.05]' "a shortened run has a rate"
is "$(result '[.claims[].value]')" '[1.2,0.8,1.01,0.02]' \
	"not the reads of a shortened run are compared, but PostgreSQL's"
like "$(<"$dir/chart.svg")" '</svg>' "a chart"

printf 'text\n<!-- make bench-document -->\nold\n' >"$top/page"
tests/bench/vm/document "$top/page" "$top" "$top/hook"
like "$(<"$top/page")" "^text.*made up \| 0.5 ms \| 3 \| ~50 \(0\) \| - \| 1.5 \(0\) \| 1.2 \(24\) \| 4 \|" \
	"the page: its text, and a row"
is "$(grep -c ^old "$top/page" || true)" 0 "and not what was there"

waiting_runs
counters walpf.3 '{ fetched: 100, evicted: 2, unused: 1 }'
report
is "$verdict" 1 "a claim that does not hold: status 1"
like "$output" 'MISSED of what was fetched, evicted or unused: 0.03' "and told"

facts free
run off.1 1 10 1000000 0
run walpf.2 1 10 1010000 0
run off.3 1 10 1001000 0
run walpf.4 1 10 1012000 0
counters walpf.2 '{ fetched: 0, references: 10 }'
counters walpf.4 '{ fetched: 0, references: 10 }'
report
is "$verdict $(result '[.claims[] | [.value, .holds]]')" '0 [[1.01,true],[0,true],[0.2,true]]' \
	"instructions are compared by themselves"
mkdir "$dir/walpf.6"
cp "$dir"/walpf.2/* "$dir/walpf.6/"
echo "another" >"$dir/walpf.6/digest"
report
is "$verdict" 1 "a wrong recovery: status 1"
done_testing

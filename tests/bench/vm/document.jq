# SPDX-License-Identifier: GPL-2.0-only
#
# For tests/bench/vm/document: rows of its tables, from the results of scenarios
# (one array of all).

def rounded($digits): . * pow(10; $digits) | round / pow(10; $digits);
def of($name): .variants | map(select(.variant | sub("\\+warm$"; "") == $name)) | first;
def name: "`\(.scenario)`: \(.about)";

def times_cached($name): of("cached").mb_per_s as $limit | of($name)
	| if . == null then "-" else
		"\(if .shortened then "~" else "" end)\($limit / .mb_per_s | rounded(2)) (\(.spread_percent | round))" end;

def waiting: .[] | select(of("cached")) |
	"| \(name) | \(.storage) | \(of("walpf").runs) | \(times_cached("off")) | \(times_cached("pg_default")) " +
	"| \(times_cached("pg_tuned")) | \(times_cached("walpf")) | \(of("cached").redo_seconds | rounded(2)) " +
	"| \(if of("off").shortened then "-" else of("off").device_reads end) | \(of("walpf").device_reads) |";

def free: .[] | select(.claim == "free") | of("off") as $off | of("walpf") as $walpf |
	"| \(name) | \($walpf.runs) | \($off.startup_ns / 1e6 | rounded(2)) | \($walpf.startup_ns / 1e6 | rounded(2)) " +
	"| \($walpf.startup_ns / $off.startup_ns | rounded(4)) | \([$off, $walpf] | map(.startup_spread_percent) | max) " +
	"| \($walpf.counters.references) | \($walpf.counters.fetched) |";

def others: .[] | select(.claim == "queries" or .claim == "pressure") | name as $name | .variants[] |
	"| \($name) | \(.variant) | \(.mb_per_s | rounded(2)) | \(.latency_p50_ms // "-") | \(.latency_p99_ms // "-") | \(.device_reads) |";

def missed: .[] | name as $name | .storage as $storage | .claims[] | select(.holds | not) |
	"* \($name), \($storage): \(.text): \(.value), at most \(.bound)";


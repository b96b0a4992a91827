# SPDX-License-Identifier: GPL-2.0-only
#
# For tests/bench/vm/report: from the runs of a scenario (standard input, one
# object each) and its facts ($facts), medians with their spread, and which of
# the claims hold. Runs that were cut short are compared by their rate.

def median: sort | .[((length - 1) / 2 | floor)];
def rounded($digits): if type == "number" then . * pow(10; $digits) | round / pow(10; $digits) else . end;
def spread_percent: if length < 2 or median == 0 then 0
	else (max - min) / median * 100 | rounded(2) end;
def values_of($what): map(.[$what]) | map(select(. != null));
def median_of($what): values_of($what) | if length == 0 then null else median end;

def summary_of_variant:
	{
		variant: .[0].variant,
		runs: length,
		shortened: any(.shortened),
		mb_per_s: median_of("mb_per_s"),
		spread_percent: (values_of("mb_per_s") | spread_percent),
		redo_seconds: median_of("redo_seconds"),
		cpu_seconds: median_of("cpu_seconds"),
		startup_ns: median_of("startup_ns"),
		startup_spread_percent: (values_of("startup_ns") | spread_percent),
		device_reads: median_of("device_reads"),
		read_ms: median_of("read_ms"),
		latency_p50_ms: (map(.latency_ms) | map(select(. != null)) | median_of("p50")),
		latency_p99_ms: (map(.latency_ms) | map(select(. != null)) | median_of("p99")),
		counters: (values_of("counters") | if length == 0 then null else
			. as $all | .[0] | keys | map(. as $name | { ($name): ($all | median_of($name)) }) | add end)
	};

def claim($text; $value; $bound): { $text, $value, $bound, holds: ($value <= $bound) };

def share($part; $whole): if $whole == 0 then 0 else $part / $whole end;

# Outcomes are judged where the module tells them
def useless_claim: .walpf.counters | select(.evicted != null and .unused != null)
	| claim("of what was fetched, evicted or unused"; share(.evicted + .unused; .fetched) | rounded(4); 0.02);

# A run that was cut short has read less: then what PostgreSQL's own prefetch reads is compared
def reads_claim:
	(if .off.shortened then ["PostgreSQL tuned", .pg_tuned] else ["off", .off] end) as [$name, $than]
	| claim("device reads, times \($name)"; .walpf.device_reads / $than.device_reads | rounded(3); 1.03);

# What everything cached takes, or what the disk lets through
def limit_seconds: [.cached.redo_seconds, .walpf.device_reads / ($facts[0].reads_per_s // infinite)] | max;

def waits_claims($bound):
	claim("redo, times \(if $facts[0].reads_per_s then "what cache or disk allow" else "cached" end)";
		.walpf.redo_seconds / limit_seconds | rounded(3); $bound),
	claim("redo, times PostgreSQL tuned"; .pg_tuned.mb_per_s / .walpf.mb_per_s | rounded(3); 1),
	reads_claim, useless_claim;

def queries_claim: claim("p99 of the queries, times PostgreSQL tuned";
	.walpf.latency_p99_ms / .pg_tuned.latency_p99_ms | rounded(3); 1);

def free_claims:
	claim("instructions of the startup process, times off";
		.walpf.startup_ns / .off.startup_ns | rounded(4); 1.01),
	claim("blocks fetched, of those referenced";
		share(.walpf.counters.fetched; .walpf.counters.references) | rounded(4); 0.01),
	claim("spread of the instructions, per cent";
		[.off.startup_spread_percent, .walpf.startup_spread_percent] | max; 0.3);

# off+warm is off here
def claims($kind):
	map({ (.variant | sub("\\+warm$"; "")): . }) | add
	| if $kind == "waits" then waits_claims(1.25)
		elif $kind == "archive" then waits_claims(1.5)
		elif $kind == "free" then free_claims
		elif $kind == "queries" then queries_claim
		else reads_claim, useless_claim end;

group_by(.variant) | map(summary_of_variant) as $variants
| $facts[0] + {
	variants: ($order / " " | map(. as $name | first($variants[] | select(.variant == $name)))),
	claims: [$variants | claims($facts[0].claim)]
}

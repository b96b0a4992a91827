#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# decode.sh: how fast the decoder is. Four things, in turn, over the same
# segments (270 MB of a pgbench run, made once):
#   decoder   the decoder alone on mapped segments
#   crc       only the CRC-32C of each record, with the same library
#   ctl       walpf-ctl decode --stats
#   waldump   pg_waldump --stats
# and then the decoder's instructions per record, by callgrind. Prints a table
# and leaves build/bench/decode.json. ROUNDS=7 says how often. With --wal it only
# prints the folder of the segments.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=tests/lib/common.sh
. tests/lib/common.sh

suite=bookworm
rounds=${ROUNDS:-7}
out=build/bench

make_wal()
{
	say "writing 270 MB of WAL with pgbench, about a minute"
	chmod 777 "$1"
	tests/lib/in-tree -u postgres -b "$1:/out" -b "$PWD/tests/bench:/bench" "$suite" \
		/bench/pgbench-wal /out
}

# The tree's program with the tree's own libraries, on this system
run_waldump()
{
	local libs=$tree/lib/x86_64-linux-gnu:$tree/usr/lib/x86_64-linux-gnu

	"$tree"/lib64/ld-linux-x86-64.so.2 --library-path "$libs" \
		"$tree"/usr/lib/postgresql/*/bin/pg_waldump "$@"
}

# Wall and processor seconds of a command
timed()
{
	local TIMEFORMAT='%R %U %S'

	{ time "$@" >/dev/null 2>"$out/err"; } 2>&1 | awk '{ print $1, $2 + $3 }'
}

measure()
{
	case $1 in
	decoder | crc) build/bench/decode "$1" "${segments[@]}" | cut -d' ' -f1,2 ;;
	ctl) timed build/walpf-ctl decode --stats "$wal" ;;
	waldump) timed run_waldump --stats -p "$wal" -s "$first_lsn" -e "$last_lsn" ;;
	esac
}

# The LSN where the segment FILE of 16 MB, or the NTH behind it, begins
lsn_of()
{
	local name=${1##*/}

	printf '%X/%08X' $((16#${name:8:8})) $(((16#${name:16:8} + $2) << 24))
}

instructions()
{
	local file=$out/callgrind.out sum crc

	valgrind --tool=callgrind --callgrind-out-file="$file" --toggle-collect=walpf_wal_next \
		build/bench/decode decoder "${segments[8]}" >"$out/one" 2>"$out/err"
	sum=$(awk '/^(summary|totals):/ { print $2; exit }' "$file")
	crc=$(callgrind_annotate --threshold=100 "$file" 2>/dev/null |
		awk '/libisal/ { gsub(",", "", $1); sum += $1 } END { print sum + 0 }')
	read -r _ _ _ records _ <"$out/one"
	echo "$((sum / records)) $((crc / records))"
}

# name, bytes and "wall cpu" lines to JSON
summarise()
{
	jq -Rn --arg name "$1" --argjson bytes "$bytes" '
		def median: sort | .[length / 2 | floor];
		[inputs | split(" ") | map(tonumber)] |
		{ name: $name, wall_seconds: map(.[0]), cpu_seconds: map(.[1]),
		  mb_per_second: ($bytes / (map(.[1]) | median) / 1e6 | floor),
		  wall_mb_per_second: ($bytes / (map(.[0]) | median) / 1e6 | floor),
		  spread_percent: (map(.[1]) | (max - min) / median * 100 | floor) }'
}

report()
{
	jq -r '
		"\(.bytes / 1e6 | floor) MB of WAL in \(.segments) segments, " +
		"\(.records) records, \(.references) references; medians of \(.rounds) rounds",
		"",
		"            MB/s (cpu)  MB/s (wall)  spread",
		(.runs[] | "\(.name)                 "[:12] +
			"\(.mb_per_second)                 "[:12] +
			"\(.wall_mb_per_second)                 "[:13] + "\(.spread_percent) %"),
		"",
		"decoder : pg_waldump = \(.times_waldump)   (aim: at least 10)",
		"decoder : CRC alone  = \(.times_crc)   (time; aim: at most 2)",
		"CRC alone : pg_waldump = \(.crc_times_waldump)   (the most that is left with this library)",
		"instructions per record: \(.instructions_per_record), " +
		"\(.crc_instructions_per_record) of them in the CRC"' "$out/decode.json"
}

tree=$(tests/lib/tree "$suite")
wal=$(cached_dir bench/decode "$(hash_of tests/bench/pgbench-wal "$(basename "$tree")")" make_wal)
if [ "${1:-}" = --wal ]; then
	echo "$wal"
	exit
fi
segments=("$wal"/*)
first_lsn=$(lsn_of "${segments[0]}" 0)
last_lsn=$(lsn_of "${segments[-1]}" 1)
bytes=$(cat "${segments[@]}" | wc -c)
mkdir -p "$out"
rm -f "$out"/times.*
for ((round = 1; round <= rounds; round++)); do
	say "round $round of $rounds"
	for what in decoder crc ctl waldump; do
		measure $what >>"$out/times.$what"
	done
done
say "counting instructions"
read -r per_record crc_per_record < <(instructions)
read -r _ _ _ records references _ < <(build/bench/decode decoder "${segments[@]}")
for what in decoder crc ctl waldump; do
	summarise $what <"$out/times.$what"
done | jq -s --argjson bytes "$bytes" --argjson segments ${#segments[@]} \
	--argjson records "$records" --argjson references "$references" \
	--argjson rounds "$rounds" --argjson instructions "$per_record" \
	--argjson crc "$crc_per_record" '
	(map({ (.name): .mb_per_second }) | add) as $rate |
	{ bytes: $bytes, segments: $segments, records: $records, references: $references,
	  rounds: $rounds, runs: .,
	  times_waldump: ($rate.decoder / $rate.waldump * 10 | round / 10),
	  times_crc: ($rate.crc / $rate.decoder * 100 | round / 100),
	  crc_times_waldump: ($rate.crc / $rate.waldump * 10 | round / 10),
	  instructions_per_record: $instructions, crc_instructions_per_record: $crc }' \
	>"$out/decode.json"
report

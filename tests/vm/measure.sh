# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by what measures recoveries in guests (the demo, the benchmarks): what
# it tells on the way, and how replay went over time.

step()
{
	printf '[%2d:%02d] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*" >&2
}

# quietly LOG COMMAND [ARG...]: what a build says is for the one who has to mend it
quietly()
{
	local log=$1

	shift
	"$@" 2>"$log" || {
		cat "$log" >&2
		die "${1##*/} failed"
	}
}

lsn_bytes()
{
	local high=${1%/*} low=${1#*/}

	echo $(((16#$high << 32) | 16#$low))
}

# show_progress VARIANT FROM WAL-BYTES: reads what the guest prints, shows how far redo is
show_progress()
{
	local line lsn shown=$SECONDS pause=9 end=$'\n'

	[ ! -t 2 ] || pause=0 end=$'\r'
	while read -r line; do
		if ! [[ $line =~ elapsed\ time:\ ([0-9]+).*\ LSN:\ ([0-9A-F/]+) ]]; then
			echo "$line" >&2
		elif [ $((SECONDS - shown)) -gt "$pause" ]; then
			lsn=$(($(lsn_bytes "${BASH_REMATCH[2]}") - $2))
			shown=$SECONDS
			printf '%*s%s: %d %% of the WAL replayed in %d s%s' 10 "" "$1" \
				$((lsn * 100 / $3)) "${BASH_REMATCH[1]}" "$end" >&2
		fi
	done
}

# timeline LOG FROM: seconds since redo began, and MB of WAL replayed
timeline()
{
	local time lsn

	sed -n 's|^\([0-9.]*\) LOG:  redo .* at \([0-9A-F]*/[0-9A-F]*\).*|\1 \2|p
		s|^\([0-9.]*\) LOG:  redo in progress.* LSN: \([0-9A-F/]*\).*|\1 \2|p' "$1" |
		while read -r time lsn; do
			echo "$time $(($(lsn_bytes "$lsn") - $2))"
		done | awk '
			NR == 1 { start = $1 }
			{ printf "%.3f %.4f\n", $1 - start, $2 / 1048576 }'
}

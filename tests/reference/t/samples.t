#!/bin/bash
# tier: quick  time: 5s
# SPDX-License-Identifier: GPL-2.0-only
#
# The segments of tests/data decode to what pg_waldump said of them; and the
# comparison that pg*.t rest on sees a line that is missing, added or changed.
set -euo pipefail
cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

here=tests/reference
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# differences WANT GOT: how many lines differ, in all and the first of them
differences()
{
	awk -v want="$1" -v got="$2" -v marks=/dev/null -f "$here/lockstep.awk" |
		awk -F '\t' '{ n += $4; first = $5 " | " $6 } END { print n + 0, first }'
}

decode_sample()
{
	local segment

	segment=$(basename "$1"/0*.xz .xz)
	for list in records refs; do
		xzcat "$1/$list.xz" >"$tmp/want-$list"
	done
	xzcat "$1/$segment.xz" >"$tmp/$segment"
	build/walpf-ctl decode "$tmp/$segment" 2>"$tmp/stop" |
		awk -f "$here/decoded.awk" >"$tmp/got-records"
	build/walpf-ctl decode --refs "$tmp/$segment" 2>"$tmp/stop" |
		awk -v refs=1 -v dir="$tmp" -f "$here/decoded.awk" >"$tmp/got-refs"
	rm "$tmp/$segment"
}

compare_sample()
{
	local list

	decode_sample "$1"
	for list in records refs; do
		is "$(differences "$tmp/want-$list" "$tmp/got-$list")" "0 - | -" \
			"${1#tests/data/}: $(wc -l <"$tmp/got-$list") $list equal"
	done
}

# sees TEXT COUNT SED-SCRIPT: the comparison notices what sed does to a list
sees()
{
	sed "$3" "$tmp/want-refs" >"$tmp/changed"
	is "$(differences "$tmp/want-refs" "$tmp/changed" | cut -d' ' -f1)" "$2" \
		"the comparison sees $1"
}

[ -x build/walpf-ctl ] || bail_out "build/walpf-ctl is missing: make tools"
for dir in tests/data/pg*/mixed tests/data/pg*/torn; do
	compare_sample "$dir"
done
sees "that nothing changed" 0 ''
sees "the first line missing" 1 1d
sees "a line missing" 1 7d
sees "the last line missing" 1 "\$d"
sees "a line added" 1 9p
sees "another block" 1 '5s/\t\([0-9]*\)\t\([^\t]*\)$/\t9\1\t\2/'
sees "other flags" 1 '5s/[^\t]*$/image/'
done_testing

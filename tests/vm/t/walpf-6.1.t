#!/bin/bash
# tier: check  time: 120s
# SPDX-License-Identifier: GPL-2.0-only
#
# The main job on Debian 12's kernel, ext4 and xfs: with the module loaded and
# the cluster registered, a recovery from a slow disk waits for few reads, its
# files are those of a recovery without the module, and unloading leaves a
# kernel that has nothing to complain about (tests/vm/boot looks).
set -euo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

guest()
{
	tests/vm/boot -t 180 -i "$module" -i "$tool" "$@"
}

counter()
{
	jq ".clusters[0].counters.$1" "$out/$fs/stats.json"
}

module=$(tests/vm/build-module bookworm 2>"$out/build.log") || {
	diag "$(tail -n 20 "$out/build.log")"
	bail_out "the module does not build"
}
tool=$(tests/vm/build-tool bookworm)

try "loads and unloads, three times" guest bookworm tests/vm/guest/load-unload
for fs in ext4 xfs; do
	disk=$(tests/vm/make-disk -f "$fs" -t 1000 -c full_page_writes=off bookworm)
	try "$fs: recovered with walpf" \
		guest -o "$out/$fs" -d "$disk" bookworm tests/vm/guest/replay -r 1 walpf
	is "$(<"$out/$fs/digest")" "$(<"${disk%/*}/digest")" "$fs: the files of the tables are what they should be"
	reads=$(counter startup_reads)
	slept=$(counter startup_slept)
	try "$fs: less than 2 % of the startup process's reads slept ($slept of $reads)" \
		test $((slept * 50)) -lt "$reads"
	diag "$fs: redo took $(jq .redo_seconds "$out/$fs/result.json") s"
done
done_testing

# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# . tests/vm/guest.sh [SUITE [KERNEL]]
#
# Sourced by tests that boot a suite's kernel, Debian 12's by default, or one of
# tests/vm/debug-kernel, with walpf at hand: what each of them needs, from the
# root of the tree. Leaves a folder that goes when the test ends, $dir, and what
# it built for the guest, $module and $tool.
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
suite=${1:-bookworm}
kernel=${2:-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# built PROGRAM SUITE: print what it makes for the guest
built()
{
	"$@" 2>"$dir/build.log" && return
	diag "$(tail -n 20 "$dir/build.log")"
	return 1
}

module=$(built tests/vm/build-module "${kernel:+debug-}${kernel:-$suite}") ||
	bail_out "the module builds"
tool=$(built tests/vm/build-tool "$suite") || bail_out "walpf-ctl builds"

# boot_walpf "SCRIPT [ARG...]" OPTION...: run a script of tests/vm/guest, with
# options of tests/vm/boot; what it prints is the test's own
boot_walpf()
{
	local script

	read -ra script <<<"$1"
	shift
	# What a debug kernel knows of each byte takes memory
	tests/vm/boot ${kernel:+-K "$kernel" -m 3G} "$@" -i "$module" -i "$tool" \
		-i tests/lib/tap.sh "$suite" "tests/vm/guest/${script[0]}" "${script[@]:1}"
}

# boot_servers "SCRIPT [ARG...]" OPTION...: the same, with the servers of
# tests/vm/make-servers ($segment_mb: of a WAL segment) on the first disk, and an empty
# second one
boot_servers()
{
	local disk

	disk=$(tests/vm/make-servers ${segment_mb:+-S "$segment_mb"} "$suite")
	truncate -s 2G "$dir/empty.img"
	boot_walpf "$1" -t 1800 -d "$disk" -d "$dir/empty.img" \
		-i "${disk%/*}/middle.digest" "${@:2}"
}

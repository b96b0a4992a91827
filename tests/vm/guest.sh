# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# . tests/vm/guest.sh [SUITE]
#
# Sourced by tests that boot a suite's kernel, Debian 12's by default, with walpf
# at hand: what each of them needs, from the root of the tree. Leaves a folder
# that goes when the test ends, $dir, and what it built for the guest, $module
# and $tool.
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"
suite=${1:-bookworm}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# built PROGRAM: print what it makes for the guest
built()
{
	"$1" "$suite" 2>"$dir/build.log" && return
	diag "$(tail -n 20 "$dir/build.log")"
	return 1
}

module=$(built tests/vm/build-module) || bail_out "the module builds"
tool=$(built tests/vm/build-tool) || bail_out "walpf-ctl builds"

# boot_walpf SCRIPT OPTION...: run a script of tests/vm/guest, with options of
# tests/vm/boot; what it prints is the test's own
boot_walpf()
{
	local script=$1

	shift
	tests/vm/boot "$@" -i "$module" -i "$tool" -i tests/lib/tap.sh "$suite" \
		"tests/vm/guest/$script"
}

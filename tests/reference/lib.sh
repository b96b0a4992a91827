# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by the tests t/pg*.t: all cases of one server version, two at a time,
# and whether together they had every kind of record in them.

# shellcheck source=tests/lib/common.sh
. tests/lib/common.sh
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

# Kinds of record that this version can write and no case had
missing_kinds()
{
	local major

	major=$(awk -v suite="$1" '$1 == suite { print $3 }' tests/lib/suites)
	cat build/reference/"$1"-*/*/want/opcodes |
		awk -v major="$major" '
		FILENAME == "-" { seen[$1 " " $2]; next }
		!/^#/ && $3 <= major && major <= ($4 == "" ? 99 : $4) && !(($1 " " $2) in seen) {
			print $1, $2
		}' - tests/reference/kinds
}

# reference_test SUITE
reference_test()
{
	local suite=$1 out missing name line

	[ "$(id -u)" = 0 ] || skip_all "needs root, to run a server in a root tree"
	[ -x build/walpf-ctl ] || bail_out "build/walpf-ctl is missing: make tools"
	out=$(mktemp -d)
	# shellcheck disable=SC2064 # the folder of now
	trap "rm -rf '$out'" EXIT
	tests/lib/tree "$suite" >/dev/null || bail_out "there is no tree of $suite"
	rm -rf build/reference/"$suite"-*
	# shellcheck disable=SC2016 # expanded by that shell
	tests/reference/data --list "$suite" |
		xargs -P 2 -I {} bash -c 'tests/reference/check "$1" "$2" >"$3/$2" ||
			echo "not ok - $2: comes to an end" >>"$3/$2"' - "$suite" {} "$out"

	for name in $(tests/reference/data --list "$suite"); do
		while read -r line; do
			case $line in
			ok\ -\ *) pass "${line#ok - }" ;;
			not\ ok\ -\ *) fail "${line#not ok - }" ;;
			*) diag "${line#\# }" ;;
			esac
		done <"$out/$name"
	done
	missing=$(missing_kinds "$suite")
	is "$missing" "" "every kind of record that this version writes was there"
	done_testing
}

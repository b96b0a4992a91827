# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by shell tests: prints TAP (the Test Anything Protocol) for prove.
#
#   plan 3                      or done_testing at the end
#   ok $? "it worked"           passes when the status is 0
#   is "$got" "$want" "text"    passes when the two strings are equal
#   like "$got" REGEX "text"    passes when bash's =~ matches
#   try "text" COMMAND...      passes when the command does; shows its output if not
#   pass "text", fail "text"
#   diag "text"                 a remark, one or more lines
#   skip_all "reason"           only when something named is missing here
#   bail_out "reason"           fails: nothing further can be tested here
#
# The shell exits 1 when a test failed or the plan was not kept.

tap_count=0
tap_failed=0
tap_planned=

plan()
{
	tap_planned=$1
	echo "1..$1"
}

diag()
{
	printf "%s\n" "$@" | sed "s/^/# /" >&2
}

# The innermost line of a test, or else of what is not here
tap_caller()
{
	local i place=

	for ((i = 1; i < ${#BASH_SOURCE[@]}; i++)); do
		[ "${BASH_SOURCE[i]}" != "${BASH_SOURCE[0]}" ] || continue
		[[ -n $place && ${BASH_SOURCE[i]} != *.t ]] ||
			place="${BASH_SOURCE[i]##*/} line ${BASH_LINENO[i - 1]}"
		[[ ${BASH_SOURCE[i]} != *.t ]] || break
	done
	echo "$place"
}

ok()
{
	local status=$1 text=$2

	tap_count=$((tap_count + 1))
	if [ "$status" = 0 ]; then
		echo "ok $tap_count - $text"
		return 0
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $text"
	diag "failed: $text ($(tap_caller))"
	return 0
}

pass()
{
	ok 0 "$1"
}

fail()
{
	ok 1 "$1"
}

is()
{
	if [ "$1" = "$2" ]; then
		ok 0 "$3"
	else
		ok 1 "$3"
		diag "got:  $1"
		diag "want: $2"
	fi
}

try()
{
	local text=$1 out status=0

	shift
	out=$("$@" 2>&1) || status=$?
	ok "$status" "$text"
	[ "$status" = 0 ] || diag "exit status $status: $*" ${out:+"$out"}
}

like()
{
	if [[ $1 =~ $2 ]]; then
		ok 0 "$3"
	else
		ok 1 "$3"
		diag "got:     $1"
		diag "to match: $2"
	fi
}

skip_all()
{
	echo "1..0 # SKIP $1"
	tap_planned=0
	exit 0
}

# "Bail out!" would end the tests that follow, and their count, as well.
bail_out()
{
	fail "$1"
	[ -n "$tap_planned" ] || plan "$tap_count"
	exit 1
}

done_testing()
{
	if [ -z "$tap_planned" ]; then
		plan "$tap_count"
	fi
	[ "$tap_failed" = 0 ] && [ "$tap_count" = "$tap_planned" ]
}

# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# . tests/vm/suites.sh
#
# Sourced by tests that boot the kernels of several suites (tests/lib/suites), one
# after the other, each with its PostgreSQL.
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

[ "$(id -u)" = 0 ] || skip_all "must run as root"

# for_suites "WHAT" [SUITE[-VARIANT]]...: call run_suite SUITE for each, or all of them,
# with what tests/vm/guest.sh leaves; what it prints is a test of its own
for_suites()
{
	local what=$1 name status suites=("${@:2}")

	[ $# -gt 1 ] || mapfile -t suites < <(awk '/^[a-z]/ { print $1 }' tests/lib/suites)
	for suite in "${suites[@]}"; do
		name="$suite, "$(awk -v suite="${suite%%-*}" '$1 == suite {
			print "Linux " $2 " with PostgreSQL " $3 }' tests/lib/suites)
		# Not in a condition, where errors would not end it
		set +e
		(
			set -e
			# shellcheck source=tests/vm/guest.sh
			. tests/vm/guest.sh "$suite"
			run_suite "$suite"
		) | sed -u 's/^/    /'
		status=$?
		set -e
		ok "$status" "$name: $what"
	done
	done_testing
}

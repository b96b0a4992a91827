#!/bin/bash
# tier: quick  time: 1s
# SPDX-License-Identifier: GPL-2.0-only
#
# Every test names its tier and is executable.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh

try "every test has a valid tier line" tests/rows all

not_executable=$(find tests/*/t -name '*.t' ! -perm -111)
is "$not_executable" "" "every test is executable"

known=$(tests/rows all 2>/dev/null | sort)
present=$(find tests -path '*/t/*' -name '*.t' | sort)
is "$known" "$present" "no test is out of reach in a deeper folder"

# Seconds that the tests of a tier say they take
total_of()
{
	tests/rows --list | sed -n "s/^$1: .* \([0-9]*\) s\$/\1/p"
}

ok "$(($(total_of check-quick) > 180))" "the quick tests fit into 3 minutes"
# The other 6 minutes are for packages, trees and WAL that are made once.
ok "$(($(total_of check) > 34 * 60))" "those of make check fit into 34 of 40 minutes"

done_testing

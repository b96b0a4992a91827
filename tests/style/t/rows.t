#!/bin/bash
# tier: quick  time: 1s
# SPDX-License-Identifier: GPL-2.0-only
#
# Every test names its tier, is executable, and is shown in a table.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh

try "every test has a valid tier line" tests/rows all

not_executable=$(find tests/*/t -name '*.t' ! -perm -111)
is "$not_executable" "" "every test is executable"

known=$(tests/rows all 2>/dev/null | sort)
present=$(find tests -path '*/t/*' -name '*.t' | sort)
is "$known" "$present" "no test is out of reach in a deeper folder"

tests/rows --list | sed 's/^/# /'
done_testing

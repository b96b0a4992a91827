#!/bin/bash
# tier: check  time: 15s
# SPDX-License-Identifier: GPL-2.0-only
#
# Corpus, unit and property tests run at least 95 % of the decoder's lines.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh

table=$(tests/fuzz/coverage)
diag "$(awk '{ printf "%5.1f %%  %s\n", 100 * $1 / $2, $3 }' <<<"$table")"
ok "$(awk '$3 == "total" { print !($1 >= 0.95 * $2) }' <<<"$table")" \
	"at least 95 % of the lines of kmod/wal run"
is "$(awk '$3 != "total" && $1 < 0.9 * $2 { print $3 }' <<<"$table")" "" \
	"at least 90 % of every file"
done_testing

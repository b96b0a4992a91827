#!/bin/bash
# tier: check  time: 7s
# SPDX-License-Identifier: GPL-2.0-only
#
# A coarse sweep over devices, shared_buffers and page cache: walpf is nowhere
# slower than no prefetch, more memory nowhere makes it slower, and PostgreSQL's
# tuned prefetch is ahead of it only where the page cache has room for 3 % of the
# database. make bench-sim is the fine one.
set -euo pipefail
cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

table=$(mktemp)
trap 'rm -f "$table"' EXIT

# The least of the sweep's page caches, in blocks
least_cache()
{
	awk -F '\t' 'NF > 10 && $3 ~ /^[0-9]+$/ { print $3 }' "$table" | sort -n | head -n 1
}

status=0
build/sim/sim sweep made=update mb=64 grid=3 >"$table" || status=$?
failures=$(grep '^FAILED' "$table" || true)
is "$status" "$(grep -c '^FAILED' "$table")" "the exit status is the number of failures"
is "$(awk -F '\t' 'NF > 10' "$table" | wc -l)" 21 "20 points and a head"
is "$(grep 'slower than none' <<<"$failures" || true)" "" "nowhere slower than no prefetch"
is "$(grep 'slower than with less' <<<"$failures" || true)" "" "nowhere slower with more memory"
is "$(grep 'slower than tuned' <<<"$failures" | grep -v "cache=$(least_cache) " || true)" "" \
	"no slower than tuned where there is memory for its work"

command=$(sed -n 's/^FAILED[^:]*: //p' "$table" | head -n 1)
try "the command of a failure runs that point" bash -c "${command:-true}"
done_testing

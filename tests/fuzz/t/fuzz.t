#!/bin/bash
# tier: check  time: 75s
# SPDX-License-Identifier: GPL-2.0-only
#
# Replays the fuzzing corpus, then fuzzes each target for half of FUZZ_SECONDS.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/fuzz/lib.sh

seconds=${FUZZ_SECONDS:-60}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unpack_corpus "$dir"
mkdir -p build/fuzz/findings

for target in raw structured; do
	try "$target: the corpus is replayed without a finding" \
		build/fuzz/$target -runs=0 "${fuzz_options[@]}" "$dir/$target"
	try "$target: no new finding" \
		build/fuzz/$target -max_total_time=$((seconds / 2)) "${fuzz_options[@]}" \
		"$dir/$target"
done
ok "$(($(stat -c %s tests/fuzz/corpus.tar.xz) > 500 * 1024))" "the corpus is under 500 kB"
done_testing

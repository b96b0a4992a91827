#!/bin/bash
# tier: quick  time: 15s
# SPDX-License-Identifier: GPL-2.0-only
#
# Properties of the decoder, on generated WAL and on what real servers wrote
# (tests/data). SEED=N repeats a run.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
files=()
for packed in tests/data/*.xz; do
	[ -e "$packed" ] || continue
	file=$dir/$(basename "$packed" .xz)
	xz -dc "$packed" >"$file"
	files+=("$file")
done
CMOCKA_MESSAGE_OUTPUT=TAP build/tests/property/decode "${files[@]}"

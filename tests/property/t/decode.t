#!/bin/bash
# tier: quick  time: 30s
# SPDX-License-Identifier: GPL-2.0-only
#
# Properties of the decoder, on generated WAL and on what real servers wrote
# (tests/data). SEED=N repeats a run.
set -euo pipefail
cd "$(dirname "$0")/../../.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for packed in tests/data/*/*/????????????????????????.xz; do
	IFS=/ read -r _ _ version name _ <<<"$packed"
	xz -dc "$packed" >"$dir/$version-$name"
done
CMOCKA_MESSAGE_OUTPUT=TAP build/tests/property/decode "$dir"/*

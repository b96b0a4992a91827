#!/bin/bash
# tier: quick  time: 5s
# SPDX-License-Identifier: GPL-2.0-only
#
# No shell program has a finding of shellcheck.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/style/lib.sh

need_program shellcheck
mapfile -t files < <(shell_files)
plan "${#files[@]}"
for file in "${files[@]}"; do
	try "$file" shellcheck --external-sources --source-path=SCRIPTDIR:. "$file"
done
done_testing

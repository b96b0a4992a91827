#!/bin/bash
# tier: quick  time: 5s
# SPDX-License-Identifier: GPL-2.0-only
#
# No shell program has a finding of shellcheck.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/style/lib.sh

check_file()
{
	shellcheck --external-sources --source-path=SCRIPTDIR:. "$1"
}

need_program shellcheck
mapfile -t files < <(shell_files)
plan "${#files[@]}"
try_each check_file "${files[@]}"
done_testing

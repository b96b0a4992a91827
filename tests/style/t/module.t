#!/bin/bash
# tier: quick  time: 40s
# SPDX-License-Identifier: GPL-2.0-only
#
# The module builds from scratch against the installed headers without a
# single remark from W=1 or sparse. In a folder of its own: other builds with
# other flags stay valid.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/style/lib.sh

[ -e kmod/Kbuild ] || skip_all "there is no module in this tree (kmod/Kbuild)"
need_program sparse

out=$PWD/build/style/kmod
log=build/style/module.log
rm -rf "$out"
mkdir -p "$out"
plan 2
status=0
make -j"$(nproc)" modules KMOD_OUT="$out" W=1 C=2 >"$log" 2>&1 || status=$?
ok "$status" "builds with W=1 C=2"
[ "$status" = 0 ] || diag "$(tail -n 30 "$log")"
is "$(grep -E '(warning|error|undefined)' "$log" | head -n 20 || true)" "" \
	"without warnings of compiler, sparse and modpost"
done_testing

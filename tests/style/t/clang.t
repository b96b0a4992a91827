#!/bin/bash
# tier: quick  time: 12s
# SPDX-License-Identifier: GPL-2.0-only
#
# The module builds from scratch with clang and LLVM's tools against the installed
# headers, without a single remark from W=1. tests/vm/t/clang.t does so for newer
# kernels.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/style/lib.sh

[ -e kmod/Kbuild ] || skip_all "there is no module in this tree (kmod/Kbuild)"
for program in clang ld.lld llvm-ar; do
	need_program "$program"
done
plan 3
mapfile -t options < <(grep '^[A-Z]' tests/lib/clang-options)
# clang 14 zeroes variables when asked twice, and cannot guard returns
old=(CONFIG_CC_HAS_AUTO_VAR_INIT_ZERO_ENABLER=y CONFIG_RETHUNK= CONFIG_SLS=)
try_module clang W=1 "${options[@]}" "${old[@]}"
like "$(readelf -p .comment build/style/clang/walpf.ko)" 'clang version' "it was clang"
done_testing

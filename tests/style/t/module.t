#!/bin/bash
# tier: quick  time: 28s
# SPDX-License-Identifier: GPL-2.0-only
#
# The module builds from scratch against the installed headers without a
# single remark from W=1 or sparse.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/lib/tap.sh
. tests/style/lib.sh

[ -e kmod/Kbuild ] || skip_all "there is no module in this tree (kmod/Kbuild)"
need_program sparse
plan 2
try_module kmod W=1 C=2
done_testing

# SPDX-License-Identifier: GPL-2.0-only
#
# Benchmarks, each in a fragment of its own.

include tests/bench/plan.mk
include tests/bench/decode.mk

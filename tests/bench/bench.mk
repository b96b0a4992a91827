# SPDX-License-Identifier: GPL-2.0-only
#
# Benchmarks, each in a fragment of its own.

include $(filter-out tests/bench/bench.mk,$(wildcard tests/bench/*.mk))

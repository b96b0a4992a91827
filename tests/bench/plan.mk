# SPDX-License-Identifier: GPL-2.0-only
#
# Figures of the block memory, without a kernel or a server.

PLAN_BENCH := $(BUILD)/bench/plan
PLAN_BENCH_SRCS := $(wildcard tests/bench/plan*.c) tests/bench/buffers.c kmod/plan.c

$(PLAN_BENCH): $(PLAN_BENCH_SRCS) $(wildcard tests/bench/plan*.h tests/bench/buffers.h) kmod/plan.h kmod/wal/record.h
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -Ikmod -o $@ $(PLAN_BENCH_SRCS) -lm

.PHONY: bench-plan
bench-plan: $(PLAN_BENCH) ## cost and errors of the block memory, half a minute
	$(Q)$(PLAN_BENCH) cost
	$(Q)$(PLAN_BENCH) share 16384 100
	$(Q)$(PLAN_BENCH) share 16384 200

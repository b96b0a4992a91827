# SPDX-License-Identifier: GPL-2.0-only
#
# The simulator: decoder, plan and controller of the module over real WAL,
# against simulated devices and memory.

DEPS_DEBIAN += libisal-dev gnuplot-nox jq

SIM := $(BUILD)/sim/sim
SIM_SRCS := $(wildcard tests/sim/*.c) tests/bench/buffers.c tests/common/walgen.c \
	tools/common/crc32c_isal.c kmod/plan.c kmod/learn.c kmod/missed.c kmod/govern.c kmod/govern_device.c

CHECK_BINS += $(SIM)

$(SIM): $(SIM_SRCS) $(WAL_SRCS) $(wildcard tests/sim/*.h tests/bench/buffers.h kmod/*.h kmod/wal/*.h)
	@echo "  $@"
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -D_GNU_SOURCE -Ikmod -Itests/bench -Itests/common -Itests/sim \
		-o $@ $(SIM_SRCS) $(WAL_SRCS) -lisal -lm

.PHONY: bench-sim
bench-sim: $(SIM) ## the controller in the simulator: all devices and sizes, an hour on 2 processors
	$(Q)tests/sim/bench

.PHONY: calibrate-sim
calibrate-sim: $(SIM) ## the simulator compared with a run in the virtual machine (RESULT=build/demo/result.json)
	$(Q)tests/sim/calibrate $(or $(RESULT),$(BUILD)/demo/result.json)

.PHONY: plot-sim
plot-sim: $(SIM) ## docs/controller.png: what the controller does, simulated
	$(Q)$(SIM) run made=update mb=256 device=remote buffers=4000 cache=25000 cpu=200 \
	  variant=govern log=$(BUILD)/sim/steady.log >/dev/null
	$(Q)$(SIM) run made=phases mb=128 cpu=4000 variant=govern log=$(BUILD)/sim/phases.log >/dev/null
	$(Q)gnuplot -e "steady='$(BUILD)/sim/steady.log'; phases='$(BUILD)/sim/phases.log'; \
	  out='docs/controller.png'" tests/sim/plot.gp

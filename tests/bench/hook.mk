# SPDX-License-Identifier: GPL-2.0-only
#
# What the probe costs a read, in instructions of a guest.

DEPS_DEBIAN += jq mmdebstrap

READCOST := $(BUILD)/bench/readcost

$(READCOST): tests/bench/hook/readcost.c
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -D_GNU_SOURCE -static -o $@ $<

.PHONY: bench-hook
bench-hook: $(READCOST) ## what the probe costs a read, in a guest's instructions
	$(Q)tests/bench/hook/run

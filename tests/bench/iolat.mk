# SPDX-License-Identifier: GPL-2.0-only
#
# Latency of cached reads and writes, for tests/vm/t/interference.t. Static:
# it runs in guests.

IOLAT := $(BUILD)/bench/iolat
CHECK_BINS += $(IOLAT)

$(IOLAT): tests/bench/iolat.c
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -D_GNU_SOURCE -static -pthread -o $@ $<

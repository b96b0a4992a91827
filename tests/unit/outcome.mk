# SPDX-License-Identifier: GPL-2.0-only
#
# The tests of what outcomes are made of are programs of unit.mk's kind with
# more objects.

$(BUILD)/tests/unit/ledger: $(BUILD)/tests/san/kmod/ledger.o
$(BUILD)/tests/unit/missed: $(BUILD)/tests/san/kmod/missed.o
$(BUILD)/tests/unit/learn: $(patsubst %,$(BUILD)/tests/san/kmod/%.o,learn missed plan)

-include $(patsubst %,$(BUILD)/tests/san/kmod/%.d,ledger missed learn)

# SPDX-License-Identifier: GPL-2.0-only
#
# The tests of the controller are programs of unit.mk's kind with more objects.

GOVERN_OBJS := $(BUILD)/tests/san/kmod/govern.o $(BUILD)/tests/san/kmod/govern_device.o

$(BUILD)/tests/unit/govern $(BUILD)/tests/unit/govern_device: $(GOVERN_OBJS)

-include $(GOVERN_OBJS:.o=.d)

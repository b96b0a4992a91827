# SPDX-License-Identifier: GPL-2.0-only
#
# The test of the window is a program of unit.mk's kind with one more object.

$(BUILD)/tests/unit/window: $(BUILD)/tests/san/kmod/window.o

-include $(BUILD)/tests/san/kmod/window.d

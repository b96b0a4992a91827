# SPDX-License-Identifier: GPL-2.0-only
#
# The tests of the plan are programs of unit.mk's kind with one more object.

$(BUILD)/tests/unit/plan $(BUILD)/tests/unit/plan_model: $(BUILD)/tests/san/kmod/plan.o

-include $(BUILD)/tests/san/kmod/plan.d

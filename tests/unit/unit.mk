# SPDX-License-Identifier: GPL-2.0-only
#
# Unit and property tests of the decoder: one cmocka program a file, built with
# the sanitizers. tests/<area>/t/<name>.t runs build/tests/<area>/<name>.

DEPS_DEBIAN += libcmocka-dev libisal-dev xz-utils

UNIT_COMMON := $(wildcard tests/common/*.c)
UNIT_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*.c tests/property/*.c))
UNIT_SHARED_OBJS := $(patsubst %.c,$(BUILD)/tests/san/%.o,$(UNIT_COMMON) $(WAL_SRCS))
UNIT_CFLAGS = $(CFLAGS) -Ikmod -Itests/common -fsanitize=address,undefined \
	-fno-sanitize-recover=all -fno-omit-frame-pointer -MMD -MP

CHECK_BINS += $(UNIT_TESTS)

.SECONDARY: $(UNIT_SHARED_OBJS) $(UNIT_TESTS:$(BUILD)/%=$(BUILD)/tests/san/%.o)

$(BUILD)/tests/san/%.o: %.c
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(UNIT_CFLAGS) -c -o $@ $<

$(UNIT_TESTS): $(BUILD)/%: $(BUILD)/tests/san/%.o $(UNIT_SHARED_OBJS)
	@echo "  $@"
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(UNIT_CFLAGS) -o $@ $^ -lcmocka -lisal

include tests/unit/outcome.mk tests/unit/plan.mk tests/unit/govern.mk

-include $(wildcard $(BUILD)/tests/san/*/*/*.d $(BUILD)/tests/san/*/*/*/*.d)

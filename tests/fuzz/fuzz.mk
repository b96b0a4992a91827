# SPDX-License-Identifier: GPL-2.0-only
#
# Fuzzing of the decoder with libFuzzer, and the line coverage that corpus, unit
# and property tests reach together. The corpus is tests/fuzz/corpus.tar.xz.

DEPS_DEBIAN += clang llvm jq xz-utils libclang-rt-dev

FUZZ_CC ?= clang
FUZZ_SECONDS ?= 1800
FUZZ_TARGETS := raw structured
FUZZ_BINS := $(FUZZ_TARGETS:%=$(BUILD)/fuzz/%)
FUZZ_SAN := -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_CFLAGS = -O1 -g -fno-omit-frame-pointer -Wall -Wextra -Werror -Ikmod -Itests/common \
	-Itests/fuzz -MMD -MP $(FUZZ_SAN)
FUZZ_SRCS := tests/fuzz/judge.c $(wildcard tests/common/*.c) $(WAL_SRCS)
FUZZ_OBJS := $(FUZZ_SRCS:%.c=$(BUILD)/fuzz/obj/%.o)

CHECK_BINS += $(FUZZ_BINS)

# Coverage guides by the decoder and the targets; the rest only costs time.
$(BUILD)/fuzz/obj/%.o: FUZZ_GUIDE := -fsanitize=fuzzer-no-link
$(BUILD)/fuzz/obj/tests/common/%.o $(BUILD)/fuzz/obj/tests/fuzz/judge.o: FUZZ_GUIDE :=

$(BUILD)/fuzz/obj/%.o: %.c
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(FUZZ_CFLAGS) $(FUZZ_GUIDE) -c -o $@ $<

$(FUZZ_BINS): $(BUILD)/fuzz/%: $(BUILD)/fuzz/obj/tests/fuzz/%.o $(FUZZ_OBJS)
	@echo "  $@"
	$(Q)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $^ -lisal

$(BUILD)/fuzz/seed: $(BUILD)/tests/san/tests/fuzz/seed.o $(UNIT_SHARED_OBJS)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(UNIT_CFLAGS) -o $@ $^ -lisal

.SECONDARY: $(FUZZ_TARGETS:%=$(BUILD)/fuzz/obj/tests/fuzz/%.o)

# The same sources once more, compiled to count the lines that run.
COV_CFLAGS = $(FUZZ_CFLAGS) -fprofile-instr-generate -fcoverage-mapping
COV_SHARED := $(patsubst %.c,$(BUILD)/coverage/obj/%.o,$(wildcard tests/common/*.c) $(WAL_SRCS))
# Those of the module's other pure parts run no line of the decoder.
COV_PROGRAMS := $(filter-out tests/unit/plan% tests/unit/govern% $(patsubst %,tests/unit/%.c,window ledger missed learn histogram),$(wildcard tests/unit/*.c tests/property/*.c))
COV_TESTS := $(COV_PROGRAMS:%.c=$(BUILD)/coverage/%)
COV_FUZZ := $(FUZZ_TARGETS:%=$(BUILD)/coverage/tests/fuzz/%)

CHECK_BINS += $(COV_TESTS) $(COV_FUZZ)

$(BUILD)/coverage/obj/%.o: %.c
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(COV_CFLAGS) -c -o $@ $<

$(COV_TESTS): $(BUILD)/coverage/%: $(BUILD)/coverage/obj/%.o $(COV_SHARED)
	@echo "  $@"
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(COV_CFLAGS) -o $@ $^ -lcmocka -lisal

$(COV_FUZZ): $(BUILD)/coverage/%: $(BUILD)/coverage/obj/%.o \
		$(BUILD)/coverage/obj/tests/fuzz/judge.o $(COV_SHARED)
	@echo "  $@"
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(COV_CFLAGS) -fsanitize=fuzzer -o $@ $^ -lisal

.SECONDARY: $(COV_SHARED) $(COV_TESTS:$(BUILD)/coverage/%=$(BUILD)/coverage/obj/%.o) \
	$(COV_FUZZ:$(BUILD)/coverage/%=$(BUILD)/coverage/obj/%.o)

-include $(wildcard $(BUILD)/fuzz/obj/*/*/*.d $(BUILD)/coverage/obj/*/*/*.d)

.PHONY: fuzz coverage
fuzz: $(FUZZ_BINS) $(BUILD)/fuzz/seed ## fuzz the decoder for FUZZ_SECONDS and pack the corpus anew
	$(Q)FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/fuzz

coverage: $(COV_TESTS) $(COV_FUZZ) ## lines of kmod/wal that corpus, unit and property tests run
	$(Q)tests/fuzz/coverage

## FUZZ_SECONDS=1800  how long make fuzz goes on

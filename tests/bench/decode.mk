# SPDX-License-Identifier: GPL-2.0-only
#
# Speed of the decoder beside pg_waldump and the bare CRC.

DEPS_DEBIAN += valgrind jq libisal-dev mmdebstrap

DECODE_BENCH := $(BUILD)/bench/decode
DECODE_BENCH_SRCS := tests/bench/decode.c tools/common/crc32c_isal.c

$(DECODE_BENCH): $(DECODE_BENCH_SRCS) $(WAL_SRCS) $(wildcard kmod/wal/*.h)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -Ikmod -o $@ $(DECODE_BENCH_SRCS) $(WAL_SRCS) -lisal

.PHONY: bench-decode
bench-decode: $(DECODE_BENCH) $(BUILD)/walpf-ctl ## speed of the decoder beside pg_waldump's
	$(Q)tests/bench/decode.sh

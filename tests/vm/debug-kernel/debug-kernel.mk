# SPDX-License-Identifier: GPL-2.0-only
#
# Guests with kernels that watch themselves.

## RACES=number       how often check-debug lets each kind of race happen; default: 500
CHECK_DEBUG := tests/vm/t/races.t $(wildcard tests/vm/t/debug-*.t)

.PHONY: check-debug debug-kernels

debug-kernels: deps ## the kernels with KASAN and KCSAN, into the cache
	$(Q)for kind in kasan kcsan; do tests/vm/debug-kernel/make $$kind; done

check-debug: deps ## races, faults and fuzzing on kernels with KASAN, lockdep, KCSAN
	+$(Q)$(MAKE) check-bins
	$(Q)RACES=$${RACES:-500} FUZZ=$${FUZZ:-100000} prove --timer --verbose --exec '' $(CHECK_DEBUG)

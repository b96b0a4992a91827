# SPDX-License-Identifier: GPL-2.0-only
#
# WAL of real servers, and pg_waldump's view of it: tests/reference/.

DEPS_DEBIAN += mmdebstrap xz-utils

CHECK_BINS += $(BUILD)/walpf-ctl

.PHONY: reference-data
reference-data: ## WAL of PostgreSQL 13, 15, 17, 18 in the cache (minutes, once)
	$(Q)for suite in $$(awk '!/^#/ { print $$1 }' tests/lib/suites); do \
	  tests/reference/data $$suite; done

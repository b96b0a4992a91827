# SPDX-License-Identifier: GPL-2.0-only
#
# Recoveries in virtual machines, measured: see tests/bench/vm/run.

BENCH_DEPS := jq mmdebstrap xz-utils gnuplot-nox
DEPS_DEBIAN += $(BENCH_DEPS)

## SCENARIO=names     bench: only these; default: all (under 3 hours)
## PROFILE=name       bench: the disk, fast, cloud, slow or iops; default: each scenario's
SCENARIO ?=
PROFILE ?=
# Without being asked, the demo runs once and the benchmarks three times
BENCH_RUNS = $(if $(filter command environment,$(firstword $(origin RUNS))),$(RUNS),3)

.PHONY: bench bench-document
bench: ## recoveries in virtual machines, with and without walpf (RUNS: default 3)
	$(Q)NO_DEPS=$(NO_DEPS) packaging/deps $(BENCH_DEPS)
	$(Q)RUNS=$(BENCH_RUNS) PROFILE=$(PROFILE) tests/bench/vm/run $(SCENARIO)

bench-document: ## fills docs/performance.md from what bench and bench-hook left
	$(Q)tests/bench/vm/document docs/performance.md $(BUILD)/bench/vm $(BUILD)/bench/hook

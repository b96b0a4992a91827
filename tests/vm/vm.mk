# SPDX-License-Identifier: GPL-2.0-only
#
# Guests with stock Debian kernels: what they need on this machine, shortcuts,
# and the demo.

VM_SUITES := bullseye bookworm trixie forky

DEMO_DEPS := mmdebstrap jq xz-utils gnuplot-nox
DEPS_DEBIAN += $(DEMO_DEPS) btrfs-progs

## SUITE=name         the Debian suite of the vm- targets; default: bookworm
SUITE ?= bookworm
## FS=ext4|xfs        the file system of the demo; default: ext4
FS ?= ext4
## RUNS=number        how often the demo (default: 1) and bench (3) run each variant
RUNS ?= 1
SIZE ?= full

.PHONY: demo vm-trees vm-module

demo: ## a slow disk's recovery with and without walpf, in virtual machines
	$(Q)NO_DEPS=$(NO_DEPS) packaging/deps $(DEMO_DEPS)
	$(Q)FS=$(FS) RUNS=$(RUNS) SIZE=$(SIZE) tests/vm/demo/run

vm-trees: deps ## root trees of all suites and the guests' starters, into the cache
	$(Q)for suite in $(VM_SUITES); do tests/vm/initramfs $$suite; done

vm-module: deps ## walpf.ko for SUITE's stock kernel, in build/vm/SUITE/
	$(Q)tests/vm/build-module $(SUITE)

# SPDX-License-Identifier: GPL-2.0-only
#
# Guests with stock Debian kernels: what they need on this machine, and shortcuts.

VM_SUITES := bullseye bookworm trixie forky

DEPS_DEBIAN += mmdebstrap jq xz-utils

## SUITE=name         the Debian suite of the vm- targets; default: bookworm
SUITE ?= bookworm

.PHONY: vm-trees vm-module

vm-trees: deps ## root trees of all suites and the guests' starters, into the cache
	$(Q)for suite in $(VM_SUITES); do tests/vm/initramfs $$suite; done

vm-module: deps ## walpf.ko for SUITE's stock kernel, in build/vm/SUITE/
	$(Q)tests/vm/build-module $(SUITE)

# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the module (through the kernel's own kbuild), the tool and the tests.
# Everything made lands in build/; the source tree stays clean.
#
# Each folder owns a fragment, <folder>/<name>.mk, with paths relative to this
# file. A fragment may append to:
#   DEPS_DEBIAN  Debian packages it needs           CHECK_BINS  built before tests
#   TOOLS        programs for /sbin                 MAN_PAGES   built manual pages
#   COMPLETIONS  files for bash-completion, named after their command
# and defines its own targets. "target: ## text" makes a line of `make help`.

MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

ifeq ($(origin CC),default)
CC := gcc
endif
CFLAGS ?= -O2 -g -Wall -Wextra -Wshadow -Werror
PREFIX ?= /usr/local
DESTDIR ?=
BUILD := build
Q := $(if $(filter 1,$(V)),,@)

# dkms cannot ask anybody, so its file is the one place of the version.
VERSION := $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
WAL_SRCS := $(wildcard kmod/wal/*.c)
UNITS := $(wildcard packaging/*.service.in)
DEST = $(DESTDIR)$(PREFIX)
DKMS_SOURCE = $(DESTDIR)/usr/src/walpf-$(VERSION)

DEPS_DEBIAN :=
CHECK_BINS :=
TOOLS :=
MAN_PAGES :=
COMPLETIONS :=

# A named release must be installed; without a name the running kernel is meant,
# or else (in a container or a foreign kernel) the newest headers there are.
headers_of = $(firstword $(wildcard /lib/modules/$(1)/build /usr/src/linux-headers-$(1)))
headers_newest = $(lastword $(shell printf '%s\n' \
	$(filter-out %-common %-common-rt,$(wildcard /usr/src/linux-headers-*)) | sort -V))
ifndef KERNELDIR
ifdef KERNELRELEASE
KERNELDIR := $(call headers_of,$(KERNELRELEASE))
else
KERNELDIR := $(call headers_of,$(shell uname -r))
ifeq ($(KERNELDIR),)
KERNELDIR := $(headers_newest)
endif
endif
endif
KERNEL_OF_DIR = $(shell awk -F\" "/UTS_RELEASE/{print \$$2}" $(KERNELDIR)/include/generated/utsrelease.h 2>/dev/null)
KMOD_OUT ?= $(BUILD)/kmod/$(KERNEL_OF_DIR)
KBUILD_MAKE = +$(Q)$(MAKE) -C $(KERNELDIR) M=$(abspath $(KMOD_OUT))

.PHONY: all modules tools check check-quick check-all check-bins deps install \
	modules_install dkms_install uninstall style sparse shellcheck tags dist clean distclean help

all: tools modules ## the tool and the module

-include tools/walpf-ctl/tool.mk
-include tests/unit/unit.mk
-include tests/fuzz/fuzz.mk
-include tests/reference/reference.mk
-include tests/bench/bench.mk
-include tests/sim/sim.mk
-include tests/vm/vm.mk
-include tests/vm/debug-kernel/debug-kernel.mk
-include tests/packaging/packaging.mk
-include tests/style/style.mk

DEPS_DEBIAN += make gcc libc6-dev pkg-config perl

tools: $(TOOLS) ## the command line tool, in build/
	@:

# kbuild puts its products beside the sources, so it is given a tree of links.
modules: kmod-tree ## walpf.ko for KERNELDIR, in build/kmod/<release>/
	$(KBUILD_MAKE) modules
	@echo "  $(KMOD_OUT)/walpf.ko"

.PHONY: kmod-sources kmod-tree
kmod-sources:
	@test -e kmod/Kbuild || { echo >&2 \
	  "modules: kmod/Kbuild is missing: there is no module to build in this tree"; exit 1; }
	@test -n "$(KERNEL_OF_DIR)" || { echo >&2 \
	  "modules: no kernel headers in '$(KERNELDIR)': run 'make deps', or name them with KERNELDIR="; \
	  exit 1; }

kmod-tree: kmod-sources
	$(Q)mkdir -p $(KMOD_OUT)
	$(Q)find $(KMOD_OUT) -xtype l -delete
	$(Q)cp -rsf $(CURDIR)/{Kbuild,dkms.conf,kmod,include} $(KMOD_OUT)/

check-bins: $(CHECK_BINS) ## what the tests run, without running them
	@:

# The packages come first, in a make of their own: what they bring (headers,
# pkg-config files) is looked for when a make starts.
check-quick: deps ## quick tests: no root, no virtual machine, under 3 minutes
	+$(Q)$(MAKE) check-bins
	$(Q)tests/rows --run quick

check: deps ## all tests that fit into 40 minutes on 2 processors
	+$(Q)$(MAKE) check-bins
	$(Q)tests/rows --run check

check-all: deps ## every test there is
	+$(Q)$(MAKE) check-bins
	$(Q)tests/rows --run all

deps: ## install the Debian packages that are missing (NO_DEPS=1: only name them)
	$(Q)NO_DEPS=$(NO_DEPS) packaging/deps $(sort $(DEPS_DEBIAN))

install: tools $(MAN_PAGES) ## tool, manual, completion and systemd unit to DESTDIR and PREFIX
	$(Q)for f in $(TOOLS); do install -Dm755 $$f "$(DEST)/sbin/$${f##*/}"; done
	$(Q)for f in $(MAN_PAGES); do install -Dm644 $$f "$(DEST)/share/man/man$${f##*.}/$${f##*/}"; done
	$(Q)for f in $(COMPLETIONS); do \
	  install -Dm644 $$f "$(DEST)/share/bash-completion/completions/$${f##*/}"; done
	$(Q)for f in $(UNITS); do \
	  sed 's|@sbindir@|$(PREFIX)/sbin|' $$f | install -Dm644 /dev/stdin \
	    "$(DEST)/lib/systemd/system/$$(basename $$f .in)"; done

# Headers from a distribution want a signature but come without its key.
modules_install: modules ## walpf.ko to DESTDIR/lib/modules/<release>/updates
	$(KBUILD_MAKE) INSTALL_MOD_PATH=$(abspath $(DESTDIR)) INSTALL_MOD_DIR=updates \
	  $(if $(wildcard $(KERNELDIR)/certs/signing_key.*),,CONFIG_MODULE_SIG_ALL=) modules_install
	$(Q)if [ -z "$(DESTDIR)" ]; then depmod $(KERNEL_OF_DIR); fi

# With DESTDIR, for a package, that is all: its scripts call dkms.
dkms_install: ## instead of modules_install: have dkms build the module for every kernel
	$(Q)rm -rf "$(DKMS_SOURCE)"
	$(Q)mkdir -p "$(DKMS_SOURCE)"
	$(Q)cp -r COPYING Kbuild dkms.conf include kmod "$(DKMS_SOURCE)/"
	$(Q)[ -n "$(DESTDIR)" ] || packaging/dkms install walpf $(VERSION)

uninstall: ## remove what install, modules_install and dkms_install put there
	$(Q)for f in $(TOOLS); do rm -f "$(DEST)/sbin/$${f##*/}"; done
	$(Q)for f in $(MAN_PAGES); do rm -f "$(DEST)/share/man/man$${f##*.}/$${f##*/}"; done
	$(Q)for f in $(COMPLETIONS); do \
	  rm -f "$(DEST)/share/bash-completion/completions/$${f##*/}"; done
	$(Q)for f in $(UNITS); do rm -f "$(DEST)/lib/systemd/system/$$(basename $$f .in)"; done
	$(Q)[ -n "$(DESTDIR)" ] || packaging/dkms remove walpf $(VERSION)
	$(Q)rm -rf "$(DKMS_SOURCE)"
	$(Q)for f in "$(DESTDIR)"/lib/modules/*/updates/walpf.ko*; do \
	  [ -e "$$f" ] || continue; \
	  rm "$$f"; \
	  release=$${f%/updates/*}; \
	  [ -n "$(DESTDIR)" ] || depmod "$${release##*/}"; done

tags: ## an index for editors, from ctags
	$(Q)git ls-files '*.c' '*.h' | ctags -L -

dist: ## build/walpf-<version>.tar.gz of the committed tree
	$(Q)mkdir -p $(BUILD)
	$(Q)git archive --prefix=walpf-$(VERSION)/ -o $(BUILD)/walpf-$(VERSION).tar.gz HEAD
	@echo "  $(BUILD)/walpf-$(VERSION).tar.gz"

clean: ## remove build/
	$(Q)rm -rf $(BUILD)

distclean: clean ## and the tags, and what a bare kbuild run left between the sources
	$(Q)rm -f tags Module.symvers modules.order walpf.ko walpf.mod walpf.mod.c .*.cmd
	$(Q)find . -name .git -prune -o \
	  \( -name '*.o' -o -name '.*.cmd' -o -name '*.mod' \) -type f -exec rm -f {} +

help: ## this text
	@echo "walpf $(VERSION). Targets:"
	@awk -F ':.*## ' '/^[a-z][a-z_-]*:.*## /{printf "  %-16s %s\n", $$1, $$2}' \
	  $(wildcard $(MAKEFILE_LIST))
	@echo "Variables:"
	@sed -n 's/^## /  /p' $(wildcard $(MAKEFILE_LIST))

## KERNELDIR=dir      kernel headers or build tree; default: the running kernel's,
##                    else the newest installed linux-headers
## KERNELRELEASE=rel  the same by name
## DESTDIR= PREFIX=   where install puts things (PREFIX: /usr/local)
## CC= CFLAGS=        for everything but the module, which follows its kernel
## V=1 W=1 C=1        commands shown; more warnings and sparse for the module
## NO_DEPS=1          install no packages, only name the missing ones

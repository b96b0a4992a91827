# SPDX-License-Identifier: GPL-2.0-only
#
# walpf-ctl, plain and with the sanitizers (for tests), its manual and its
# completion. Every .c file of this folder belongs to it.

DEPS_DEBIAN += libisal-dev libsmartcols-dev mandoc jq xz-utils

CTL_SRCS := $(wildcard tools/walpf-ctl/*.c) tools/common/crc32c_isal.c $(WAL_SRCS)

# libnl is asked for only by files that include it.
CTL_USES_NL := $(shell grep -l '<netlink/' tools/walpf-ctl/*.[ch])
CTL_PKGS := libisal smartcols $(if $(CTL_USES_NL),libnl-genl-3.0)
DEPS_DEBIAN += $(if $(CTL_USES_NL),libnl-genl-3-dev)
CTL_CPPFLAGS := -D_GNU_SOURCE -DWALPF_VERSION='"$(VERSION)"' -Ikmod -Iinclude/uapi \
	$(shell pkg-config --silence-errors --cflags $(CTL_PKGS))
CTL_LIBS := $(shell pkg-config --silence-errors --libs $(CTL_PKGS))
CTL_SAN := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

CTL_OBJS := $(CTL_SRCS:%.c=$(BUILD)/ctl/%.o)
CTL_ASAN_OBJS := $(CTL_SRCS:%.c=$(BUILD)/asan/ctl/%.o)

TOOLS += $(BUILD)/walpf-ctl
MAN_PAGES += tools/walpf-ctl/walpf-ctl.8
COMPLETIONS += tools/walpf-ctl/completion/walpf-ctl
CHECK_BINS += $(BUILD)/walpf-ctl $(BUILD)/asan/walpf-ctl

$(BUILD)/ctl/%.o: %.c
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(CTL_CPPFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/asan/ctl/%.o: %.c
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(CTL_SAN) $(CTL_CPPFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/walpf-ctl: $(CTL_OBJS)
	@echo "  $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(CTL_LIBS)

$(BUILD)/asan/walpf-ctl: $(CTL_ASAN_OBJS)
	@echo "  $@"
	$(Q)$(CC) $(CFLAGS) $(CTL_SAN) $(LDFLAGS) -o $@ $^ $(CTL_LIBS)

-include $(CTL_OBJS:.o=.d) $(CTL_ASAN_OBJS:.o=.d)

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a setting by the name that operators use, and reads its value. What
 * a value does, and whether it is in range, is the registry's business.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "setting.h"

/* One change of settings at a time: each reads, changes and writes all. */
DEFINE_MUTEX(walpf_setting_mutex);

#define X(name, min, max, dflt, text) ", " #name
static const char unknown_setting[] = "no such setting: there are mode" WALPF_SETTINGS(X);
#undef X

#define X(NAME, word, text) " " word
static const char unknown_mode[] = "no such mode: use one of" WALPF_MODES(X);
#undef X

void walpf_setting_defaults(struct walpf_settings *settings)
{
	settings->mode = WALPF_MODE_FETCH;
#define X(name, min, max, dflt, text) settings->name = dflt;
	WALPF_SETTINGS(X)
#undef X
}

static const char *not_a_word(const char *setting)
{
#define X(name, min, max, dflt, text) \
	if (!strcmp(setting, #name)) \
		return #name " takes a number from " #min " to " #max;
	WALPF_SETTINGS(X)
#undef X
	return unknown_setting;
}

static u64 *find_number(struct walpf_settings *settings, const char *name)
{
#define X(setting, min, max, dflt, text) \
	if (!strcmp(name, #setting)) \
		return &settings->setting;
	WALPF_SETTINGS(X)
#undef X
	return NULL;
}

int walpf_setting_number(struct walpf_settings *settings, const char *name, u64 number,
			 const char **why)
{
	u64 *field = find_number(settings, name);

	if (field) {
		*field = number;
		return 0;
	}
	*why = strcmp(name, "mode") ? unknown_setting : unknown_mode;
	return -EINVAL;
}

int walpf_setting_word(struct walpf_settings *settings, const char *name, const char *word,
		       const char **why)
{
	u32 mode;

	if (strcmp(name, "mode")) {
		*why = not_a_word(name);
		return -EINVAL;
	}
	for (mode = 0; mode < WALPF_NR_MODES; mode++) {
		if (!strcmp(word, walpf_mode_name(mode))) {
			settings->mode = mode;
			return 0;
		}
	}
	*why = unknown_mode;
	return -EINVAL;
}

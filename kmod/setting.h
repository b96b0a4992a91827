/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings by name, for netlink and sysfs alike; their list with ranges and
 * defaults is WALPF_SETTINGS in cluster.h. Process context.
 */
#ifndef WALPF_SETTING_H
#define WALPF_SETTING_H

#include <linux/mutex.h>

#include "cluster.h"

/* Held from reading a cluster's settings to setting them again. */
extern struct mutex walpf_setting_mutex;

void walpf_setting_defaults(struct walpf_settings *settings);

/**
 * walpf_setting_number() - change a setting that is a number
 * @settings: changed on success; ranges are left to walpf_cluster_set()
 * @name: of the setting
 * @number: new value
 * @why: on failure, a constant sentence
 *
 * Return: 0 or -EINVAL.
 */
int walpf_setting_number(struct walpf_settings *settings, const char *name, u64 number,
			 const char **why);

/**
 * walpf_setting_word() - change a setting that is a word
 * @settings: changed on success
 * @name: of the setting
 * @word: new value
 * @why: on failure, a constant sentence
 *
 * Return: 0 or -EINVAL.
 */
int walpf_setting_word(struct walpf_settings *settings, const char *name, const char *word,
		       const char **why);

#endif

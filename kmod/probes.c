// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shows the probes below /sys/kernel/walpf/probes: a folder for each probed
 * function with its state, the reason for it, and the hits it missed.
 * Process context; what a probe does is hook.c's business.
 */
#include <linux/err.h>
#include <linux/kobject.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "hook.h"
#include "stats.h"

static struct kobject *probes_kobj;

static bool find_probe(const char *symbol, struct walpf_probe_info *info)
{
	unsigned int i;

	for (i = 0; walpf_hook_info(i, info); i++)
		if (!strcmp(info->symbol, symbol))
			return true;
	return false;
}

static ssize_t state_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct walpf_probe_info info;

	if (!find_probe(kobject_name(kobj), &info))
		return -ENODEV;
	return sysfs_emit(buf, "%s\n", walpf_probe_state_name(info.state));
}

static ssize_t emit_failure(char *buf, const struct walpf_probe_info *info)
{
	if (info->dead)
		return sysfs_emit(buf,
				  "reads do not reach it: is kernel.ftrace_enabled 1, and debugfs kprobes/enabled?\n");
	return sysfs_emit(buf, "the kernel refuses the probe with error %d\n", info->error);
}

static ssize_t reason_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct walpf_probe_info info;

	if (!find_probe(kobject_name(kobj), &info))
		return -ENODEV;
	switch (info.state) {
	case WALPF_PROBE_IDLE:
		return sysfs_emit(buf, "no startup process is observed\n");
	case WALPF_PROBE_ABSENT:
		return sysfs_emit(buf, "the file system is not loaded\n");
	case WALPF_PROBE_ARMED:
		return sysfs_emit(buf, "a startup process replays\n");
	case WALPF_PROBE_FAILED:
		break;
	}
	return emit_failure(buf, &info);
}

static ssize_t missed_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct walpf_probe_info info;

	if (!find_probe(kobject_name(kobj), &info))
		return -ENODEV;
	return sysfs_emit(buf, "%lu\n", info.missed);
}

static struct kobj_attribute state_attr = __ATTR_RO(state);
static struct kobj_attribute reason_attr = __ATTR_RO(reason);
static struct kobj_attribute missed_attr = __ATTR_RO(missed);

static struct attribute *probe_attrs[] = {
	&state_attr.attr,
	&reason_attr.attr,
	&missed_attr.attr,
	NULL
};

static const struct attribute_group probe_group = { .attrs = probe_attrs };

/* Two file systems now; hook.c's table may grow. */
#define PROBES_MAX	8

static struct kobject *probe_kobjs[PROBES_MAX];

static int add_probe(unsigned int i, const char *symbol)
{
	probe_kobjs[i] = kobject_create_and_add(symbol, probes_kobj);
	if (!probe_kobjs[i])
		return -ENOMEM;
	return sysfs_create_group(probe_kobjs[i], &probe_group);
}

int walpf_probes_init(void)
{
	struct walpf_probe_info info;
	unsigned int i;
	int err = 0;

	probes_kobj = kobject_create_and_add("probes", walpf_kobj);
	if (!probes_kobj)
		return -ENOMEM;
	for (i = 0; !err && i < PROBES_MAX && walpf_hook_info(i, &info); i++)
		err = add_probe(i, info.symbol);
	if (err)
		walpf_probes_exit();
	return err;
}

void walpf_probes_exit(void)
{
	unsigned int i;

	for (i = 0; i < PROBES_MAX; i++) {
		kobject_put(probe_kobjs[i]);
		probe_kobjs[i] = NULL;
	}
	kobject_put(probes_kobj);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shows the histograms below /sys/kernel/walpf: a file each, with the numbers
 * of all buckets in one line. Process context; values are added in any.
 */
#include <linux/kernel.h>

#include "cluster.h"
#include "histogram.h"

static const char *const names[] = {
#define X(name, text) #name,
	WALPF_HISTOGRAMS(X)
#undef X
};

const char *walpf_histogram_name(enum walpf_histogram_id i)
{
	return names[i];
}

void walpf_histogram_read(const struct walpf_cluster *cl, enum walpf_histogram_id i, u64 *counts)
{
	u32 bucket;

	for (bucket = 0; bucket < WALPF_BUCKETS; bucket++)
		counts[bucket] = atomic64_read(&cl->histograms[i].bucket[bucket]);
}

void walpf_histograms_reset(struct walpf_cluster *cl)
{
	u32 i, bucket;

	for (i = 0; i < WALPF_NR_HISTOGRAMS; i++)
		for (bucket = 0; bucket < WALPF_BUCKETS; bucket++)
			atomic64_set(&cl->histograms[i].bucket[bucket], 0);
}

struct histogram_attribute {
	struct kobj_attribute attr;
	enum walpf_histogram_id histogram;
};

static ssize_t histogram_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct histogram_attribute *ha = container_of(attr, struct histogram_attribute, attr);
	struct walpf_cluster *cl = container_of(kobj, struct walpf_cluster, kobj);
	u64 counts[WALPF_BUCKETS];
	int len = 0;
	u32 i;

	walpf_histogram_read(cl, ha->histogram, counts);
	for (i = 0; i < WALPF_BUCKETS; i++)
		len += sysfs_emit_at(buf, len, "%llu%c", counts[i],
				     i + 1 < WALPF_BUCKETS ? ' ' : '\n');
	return len;
}

#define X(name, text)							\
	static struct histogram_attribute histogram_##name = {		\
		__ATTR(name, 0444, histogram_show, NULL), WALPF_HISTOGRAM_##name \
	};
WALPF_HISTOGRAMS(X)
#undef X

static struct attribute *histogram_attrs[] = {
#define X(name, text) &histogram_##name.attr.attr,
	WALPF_HISTOGRAMS(X)
#undef X
	NULL
};

const struct attribute_group walpf_histograms_group = {
	.name = "histograms",
	.attrs = histogram_attrs,
};

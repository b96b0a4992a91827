// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums the counters, and shows them and everything else an operator may want
 * to read below /sys/kernel/walpf, one value per file.
 *
 * Nothing here takes the registry's lock: removing a cluster's directory
 * waits for those who are reading its files.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "cluster.h"
#include "outcome.h"
#include "setting.h"
#include "stats.h"

struct kobject *walpf_kobj;
struct kobject *walpf_clusters_kobj;

/* One reset at a time: two could leave a zero that is no sum. */
static DEFINE_MUTEX(reset_mutex);

u64 walpf_counter_total(const struct walpf_cluster *cl, enum walpf_count_id i)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(cl->counters, cpu)->count[i]);
	return sum;
}

/*
 * Between a block's outcome and its fetch being counted a zero may be the
 * greater one for a moment.
 */
u64 walpf_counter_read(const struct walpf_cluster *cl, enum walpf_count_id i)
{
	u64 zero = READ_ONCE(cl->counters_zero[i]);
	u64 sum;

	/* Zero first: it is the sum of a moment before. */
	smp_rmb();
	sum = walpf_counter_total(cl, i);
	return sum > zero ? sum - zero : 0;
}

u64 walpf_gauge_read(const struct walpf_cluster *cl, enum walpf_gauge i)
{
	if (i == WALPF_GAUGE_outstanding)
		return walpf_outcome_outstanding(cl);
	return READ_ONCE(cl->gauges[i]);
}

/* A counter that is the sum of those from @first to @last, and of what is to come. */
struct identity {
	const char *name;
	enum walpf_count_id total;
	enum walpf_count_id first;
	enum walpf_count_id last;
};

/* One that is a part of another comes before it. */
static const struct identity identities[] = {
	{ "missed", WALPF_COUNT_missed,
	  WALPF_COUNT_missed_pending, WALPF_COUNT_missed_untold },
	{ "startup_reads", WALPF_COUNT_startup_reads, WALPF_COUNT_timely, WALPF_COUNT_missed },
	{ "fetched", WALPF_COUNT_fetched, WALPF_COUNT_shared, WALPF_COUNT_late },
	{ "references", WALPF_COUNT_references,
	  WALPF_COUNT_fetched, WALPF_COUNT_skipped_observe },
};

/*
 * Counting goes on meanwhile. Where a total begins anew follows from where its
 * parts do, so that afterwards, too, it is their sum and what is to come.
 */
void walpf_counters_reset(struct walpf_cluster *cl)
{
	u64 zero[WALPF_NR_COUNTERS];
	int i, part;

	mutex_lock(&reset_mutex);
	for (i = 0; i < WALPF_NR_COUNTERS; i++)
		zero[i] = walpf_counter_total(cl, i);
	for (i = 0; i < ARRAY_SIZE(identities); i++) {
		zero[identities[i].total] = 0;
		for (part = identities[i].first; part <= identities[i].last; part++)
			zero[identities[i].total] += zero[part];
	}
	for (i = 0; i < WALPF_NR_COUNTERS; i++)
		WRITE_ONCE(cl->counters_zero[i], zero[i]);
	walpf_histograms_reset(cl);
	mutex_unlock(&reset_mutex);
}

/* Returns what a total has too much, or too little if negative. */
static s64 excess(const struct walpf_cluster *cl, const struct identity *id)
{
	s64 sum = walpf_counter_read(cl, id->total);
	int part;

	for (part = id->first; part <= id->last; part++)
		sum -= walpf_counter_read(cl, part);
	switch (id->total) {
	case WALPF_COUNT_references:
		return sum - walpf_gauge_get(cl, queued);
	case WALPF_COUNT_fetched:
		return sum - walpf_outcome_outstanding(cl);
	case WALPF_COUNT_missed:
		return sum - walpf_outcome_unsorted(cl);
	default:
		return sum;
	}
}

void walpf_counters_check(struct walpf_cluster *cl)
{
	u64 errors = walpf_gauge_get(cl, identity_errors);
	int i;

	mutex_lock(&reset_mutex);
	for (i = 0; i < ARRAY_SIZE(identities); i++) {
		s64 more = excess(cl, &identities[i]);

		if (!more)
			continue;
		pr_warn("cluster %s: the counters do not add up: %s is %lld more than its parts\n",
			cl->conf.pgdata, identities[i].name, more);
		walpf_gauge_set(cl, identity_errors, ++errors);
	}
	mutex_unlock(&reset_mutex);
}

static struct walpf_cluster *to_cluster(struct kobject *kobj)
{
	return container_of(kobj, struct walpf_cluster, kobj);
}

static ssize_t pgdata_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", to_cluster(kobj)->conf.pgdata);
}

static ssize_t pg_wal_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", to_cluster(kobj)->conf.pg_wal);
}

static ssize_t state_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	enum walpf_state state = walpf_cluster_status(to_cluster(kobj), NULL);

	return sysfs_emit(buf, "%s\n", walpf_state_name(state));
}

static ssize_t last_reason_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	char reason[WALPF_REASON_MAX];

	walpf_cluster_status(to_cluster(kobj), reason);
	return sysfs_emit(buf, "%s\n", reason);
}

static struct kobj_attribute pgdata_attr = __ATTR_RO(pgdata);
static struct kobj_attribute pg_wal_attr = __ATTR_RO(pg_wal);
static struct kobj_attribute state_attr = __ATTR_RO(state);
static struct kobj_attribute last_reason_attr = __ATTR_RO(last_reason);

struct gauge_attribute {
	struct kobj_attribute attr;
	enum walpf_gauge gauge;
	enum walpf_gauge_kind kind;
};

static ssize_t gauge_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct gauge_attribute *ga = container_of(attr, struct gauge_attribute, attr);
	u64 v = walpf_gauge_read(to_cluster(kobj), ga->gauge);

	if (ga->kind == WALPF_KIND_LSN)
		return sysfs_emit(buf, "%X/%08X\n", upper_32_bits(v), lower_32_bits(v));
	return sysfs_emit(buf, "%llu\n", v);
}

#define X(name, kind, text)						\
	static struct gauge_attribute gauge_##name = {			\
		__ATTR(name, 0444, gauge_show, NULL),			\
		WALPF_GAUGE_##name, WALPF_KIND_##kind			\
	};
WALPF_GAUGES(X)
#undef X

static struct attribute *cluster_attrs[] = {
	&pgdata_attr.attr,
	&pg_wal_attr.attr,
	&state_attr.attr,
	&last_reason_attr.attr,
#define X(name, kind, text) &gauge_##name.attr.attr,
	WALPF_GAUGES(X)
#undef X
	NULL
};

#define X(name, NAME, width, field)					\
	static ssize_t fact_##name##_show(struct kobject *kobj,		\
					  struct kobj_attribute *attr, char *buf) \
	{								\
		return sysfs_emit(buf, "%llu\n", (u64)to_cluster(kobj)->conf.field); \
	}								\
	static struct kobj_attribute fact_##name =			\
		__ATTR(name, 0444, fact_##name##_show, NULL);
WALPF_FACTS(X)
#undef X

static struct attribute *facts_attrs[] = {
#define X(name, NAME, width, field) &fact_##name.attr,
	WALPF_FACTS(X)
#undef X
	NULL
};

struct count_attribute {
	struct kobj_attribute attr;
	enum walpf_count_id counter;
};

static ssize_t count_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct count_attribute *ca = container_of(attr, struct count_attribute, attr);

	return sysfs_emit(buf, "%llu\n", walpf_counter_read(to_cluster(kobj), ca->counter));
}

#define X(name, text)							\
	static struct count_attribute count_##name = {			\
		__ATTR(name, 0444, count_show, NULL), WALPF_COUNT_##name \
	};
WALPF_COUNTERS(X)
#undef X

static struct attribute *stats_attrs[] = {
#define X(name, text) &count_##name.attr.attr,
	WALPF_COUNTERS(X)
#undef X
	NULL
};

static int set_from_text(struct walpf_cluster *cl, const char *name, const char *text,
			 const char **why)
{
	struct walpf_settings settings;
	u64 number;
	int err;

	walpf_cluster_settings(cl, &settings);
	if (kstrtoull(text, 0, &number))
		err = walpf_setting_word(&settings, name, text, why);
	else
		err = walpf_setting_number(&settings, name, number, why);
	return err ?: walpf_cluster_set(cl, &settings, why);
}

/* A write to a file in sysfs has no room for a sentence: errno must do. */
static ssize_t setting_store(struct kobject *kobj, struct kobj_attribute *attr,
			     const char *buf, size_t count)
{
	char text[32];
	const char *why;
	int err;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (strscpy(text, buf, sizeof(text)) < 0)
		return -EINVAL;
	mutex_lock(&walpf_setting_mutex);
	err = set_from_text(to_cluster(kobj), attr->attr.name, strim(text), &why);
	mutex_unlock(&walpf_setting_mutex);
	return err ?: count;
}

static ssize_t mode_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct walpf_settings settings;

	walpf_cluster_settings(to_cluster(kobj), &settings);
	return sysfs_emit(buf, "%s\n", walpf_mode_name(settings.mode));
}

static struct kobj_attribute setting_mode = __ATTR(mode, 0644, mode_show, setting_store);

#define X(name, min, max, dflt, text)					\
	static ssize_t setting_##name##_show(struct kobject *kobj,	\
					     struct kobj_attribute *attr, char *buf) \
	{								\
		struct walpf_settings settings;				\
									\
		walpf_cluster_settings(to_cluster(kobj), &settings);	\
		return sysfs_emit(buf, "%llu\n", settings.name);	\
	}								\
	static struct kobj_attribute setting_##name =			\
		__ATTR(name, 0644, setting_##name##_show, setting_store);
WALPF_SETTINGS(X)
#undef X

static struct attribute *settings_attrs[] = {
	&setting_mode.attr,
#define X(name, min, max, dflt, text) &setting_##name.attr,
	WALPF_SETTINGS(X)
#undef X
	NULL
};

static const struct attribute_group cluster_group = { .attrs = cluster_attrs };
static const struct attribute_group facts_group = { .name = "facts", .attrs = facts_attrs };
static const struct attribute_group stats_group = { .name = "stats", .attrs = stats_attrs };
static const struct attribute_group settings_group = {
	.name = "settings",
	.attrs = settings_attrs,
};

static const struct attribute_group *cluster_groups[] = {
	&cluster_group,
	&facts_group,
	&walpf_histograms_group,
	&settings_group,
	&stats_group,
	NULL
};

struct kobj_type walpf_cluster_ktype = {
	.release = walpf_cluster_release,
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = cluster_groups,
};

static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", WALPF_VERSION);
}

static struct kobj_attribute version_attr = __ATTR_RO(version);

int walpf_stats_init(void)
{
	int err = -ENOMEM;

	walpf_kobj = kobject_create_and_add("walpf", kernel_kobj);
	if (!walpf_kobj)
		return -ENOMEM;
	walpf_clusters_kobj = kobject_create_and_add("clusters", walpf_kobj);
	if (!walpf_clusters_kobj)
		goto err_walpf;
	err = sysfs_create_file(walpf_kobj, &version_attr.attr);
	if (err)
		goto err_clusters;
	err = walpf_probes_init();
	if (err)
		goto err_clusters;
	return 0;

err_clusters:
	kobject_put(walpf_clusters_kobj);
err_walpf:
	kobject_put(walpf_kobj);
	return err;
}

void walpf_stats_exit(void)
{
	walpf_probes_exit();
	kobject_put(walpf_clusters_kobj);
	kobject_put(walpf_kobj);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The histograms of a cluster: one list, from which sysfs, netlink and the
 * tool take their names. A bucket holds the values of as many bits: the first
 * one those that are 0, the next one 1, then 2 and 3, 4 to 7, and so on; the
 * last one everything above.
 */
#ifndef WALPF_HISTOGRAM_H
#define WALPF_HISTOGRAM_H

#include "wal/types.h"

/* X(name, text) */
#define WALPF_HISTOGRAMS(X)						\
	X(lead_us, "from asking for a block until the startup process read it") \
	X(device_us, "from asking for an extent until it came, of those waited for") \
	X(extent_blocks, "blocks in an extent")				\
	X(stall_us, "sleep of the startup process over a block that was late, evicted or missed")

enum walpf_histogram_id {
#define X(name, text) WALPF_HISTOGRAM_##name,
	WALPF_HISTOGRAMS(X)
#undef X
	WALPF_NR_HISTOGRAMS
};

/* The last bucket begins at 2^30: 18 minutes. */
#define WALPF_BUCKETS	32

static inline u32 walpf_histogram_bucket(u64 value)
{
	u32 bits = value ? 64 - (u32)__builtin_clzll(value) : 0;

	return bits < WALPF_BUCKETS ? bits : WALPF_BUCKETS - 1;
}

#ifdef __KERNEL__
#include <linux/atomic.h>
#include <linux/sysfs.h>

struct walpf_cluster;

struct walpf_histogram {
	atomic64_t bucket[WALPF_BUCKETS];
};

/**
 * walpf_histogram_add() - count a value by the name of the histogram
 * @cl: cluster
 * @name: a name out of WALPF_HISTOGRAMS
 * @value: the value
 *
 * Any context.
 */
#define walpf_histogram_add(cl, name, value)				\
	atomic64_inc(&(cl)->histograms[WALPF_HISTOGRAM_##name]		\
		     .bucket[walpf_histogram_bucket(value)])

const char *walpf_histogram_name(enum walpf_histogram_id i);

/**
 * walpf_histogram_read() - copy a histogram
 * @cl: cluster, referenced
 * @i: which
 * @counts: WALPF_BUCKETS numbers, filled
 *
 * Any context, no locks.
 */
void walpf_histogram_read(const struct walpf_cluster *cl, enum walpf_histogram_id i, u64 *counts);

/* Lets all histograms of a cluster begin at zero. */
void walpf_histograms_reset(struct walpf_cluster *cl);

/* The folder histograms in a cluster's directory. */
extern const struct attribute_group walpf_histograms_group;
#endif

#endif

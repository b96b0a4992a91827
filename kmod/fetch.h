/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns references into I/O: the only file besides segment.c that asks the
 * page cache for anything.
 */
#ifndef WALPF_FETCH_H
#define WALPF_FETCH_H

#include <linux/ioprio.h>
#include <linux/types.h>

#include "device.h"
#include "plan.h"
#include "relfile.h"
#include "wal/record.h"

/* Of everything that walpf asks for: behind the server. */
#define WALPF_FETCH_IOPRIO	IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 7)

struct mem_cgroup;
struct walpf_anchor;
struct walpf_cluster;
struct walpf_learn;

/**
 * struct walpf_want - a block to be fetched
 * @lsn: the record that refers to it
 * @length: its length in WAL, page headers included
 * @warming: nobody knows what the server's buffers hold
 * @rel: relation
 * @block: block number
 * @fork: fork
 */
struct walpf_want {
	u64 lsn;
	u32 length;
	bool warming;
	struct walpf_wal_rel rel;
	u32 block;
	u32 fork;
};

struct walpf_batch;
struct walpf_helper;

/**
 * struct walpf_fetch - what is in flight for a cluster; its worker's alone
 * @cl: the cluster
 * @files: its files
 * @learn: told of what is skipped
 * @shares: what it has in flight, and may have, at each device
 * @memcg: charged for what is fetched, NULL: nobody in particular
 * @observe: count only
 *
 * The rest is fetch.c's.
 */
struct walpf_fetch {
	struct walpf_cluster *cl;
	struct walpf_relfiles files;
	struct walpf_learn *learn;
	struct walpf_shares shares;
	struct mem_cgroup *memcg;
	bool observe;

	/* private: */
	struct workqueue_struct *queue;
	struct walpf_helper *helpers;
	struct walpf_batch *batch;
};

/**
 * walpf_fetch_batch() - fetch blocks, each of which ends in one counter
 * @f: fetch
 * @anchor: taken from the startup process
 * @wants: the blocks; sorted in place unless @near
 * @nr: how many
 * @near: replay is about to read them: keep their order
 *
 * Sleeps while more blocks are in flight than the devices bear. From the
 * cluster's worker only.
 *
 * Return: blocks fetched.
 */
u32 walpf_fetch_batch(struct walpf_fetch *f, const struct walpf_anchor *anchor,
		      struct walpf_want *wants, u32 nr, bool near);

/**
 * walpf_fetch_reap() - take note of what has come
 * @f: fetch
 *
 * Does not wait for any I/O.
 */
void walpf_fetch_reap(struct walpf_fetch *f);

/**
 * walpf_fetch_forget() - let go of everything that is in flight
 * @f: fetch
 *
 * Does not wait for any I/O, and does not stop it.
 */
void walpf_fetch_forget(struct walpf_fetch *f);

/**
 * walpf_fetch_skip() - count references that are not fetched
 * @cl: cluster
 * @verdict: why
 * @n: how many
 *
 * Any context.
 */
void walpf_fetch_skip(struct walpf_cluster *cl, enum walpf_plan_verdict verdict, u32 n);

int walpf_fetch_alloc(struct walpf_fetch *f, struct walpf_cluster *cl);
void walpf_fetch_free(struct walpf_fetch *f);

#endif

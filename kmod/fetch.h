/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns references into I/O: the only file besides segment.c that asks the
 * page cache for anything.
 */
#ifndef WALPF_FETCH_H
#define WALPF_FETCH_H

#include <linux/types.h>

#include "relfile.h"
#include "wal/record.h"
#include "window.h"

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

/**
 * struct walpf_fetch - what is in flight for a cluster; its worker's alone
 * @cl: the cluster
 * @files: its files
 * @learn: told of what is skipped
 * @observe: count only
 * @inflight_max: bound of @window, in blocks
 * @window: bound of @inflight, as the device bears it
 * @inflight: blocks asked for and not yet seen up to date
 *
 * The rest is fetch.c's.
 */
struct walpf_fetch {
	struct walpf_cluster *cl;
	struct walpf_relfiles files;
	struct walpf_learn *learn;
	bool observe;
	u32 inflight_max;
	struct walpf_window window;
	u32 inflight;

	/* private: */
	struct walpf_request *requests;
	u32 head;
	u32 tail;
};

/**
 * walpf_fetch_batch() - fetch blocks, each of which ends in one counter
 * @f: fetch
 * @anchor: taken from the startup process
 * @wants: the blocks; sorted in place unless @near
 * @nr: how many
 * @near: replay is about to read them: keep their order
 *
 * Sleeps while more blocks are in flight than the window has.
 *
 * Return: blocks fetched.
 */
u32 walpf_fetch_batch(struct walpf_fetch *f, const struct walpf_anchor *anchor,
		      struct walpf_want *wants, u32 nr, bool near);

/**
 * walpf_fetch_reap() - take note of what has come
 * @f: fetch
 *
 * Does not sleep.
 */
void walpf_fetch_reap(struct walpf_fetch *f);

/**
 * walpf_fetch_forget() - let go of everything that is in flight
 * @f: fetch
 *
 * Does not sleep, and does not stop any I/O.
 */
void walpf_fetch_forget(struct walpf_fetch *f);

int walpf_fetch_alloc(struct walpf_fetch *f, struct walpf_cluster *cl);
void walpf_fetch_free(struct walpf_fetch *f);

#endif

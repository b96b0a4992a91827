/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What became of the blocks that were fetched, and of those that were not.
 */
#ifndef WALPF_OUTCOME_H
#define WALPF_OUTCOME_H

#include <linux/types.h>

#include "missed.h"

struct file;
struct inode;
struct walpf_cluster;
struct walpf_want;

int walpf_outcome_alloc(struct walpf_cluster *cl);
void walpf_outcome_free(struct walpf_cluster *cl);

/**
 * walpf_outcome_expect() - a block is about to be asked of the page cache
 * @cl: cluster
 * @inode: its file
 * @block: its number within the file
 * @want: who wants it
 *
 * For the worker and its helpers, several at once.
 *
 * Return: a key for walpf_outcome_asked().
 */
u64 walpf_outcome_expect(struct walpf_cluster *cl, const struct inode *inode, u32 block,
			 const struct walpf_want *want);

/**
 * walpf_outcome_asked() - it was asked for
 * @cl: cluster
 * @key: of walpf_outcome_expect()
 * @cached: it is in the page cache now, or on its way
 *
 * The same.
 *
 * Return: true if it counts as fetched: its outcome will be told, or has been.
 */
bool walpf_outcome_asked(struct walpf_cluster *cl, u64 key, bool cached);

/**
 * struct walpf_passed - blocks that replay has passed unread
 * @unused: how many
 * @warming: those of them that were fetched while the server was warming
 */
struct walpf_passed {
	u32 unused;
	u32 warming;
};

/**
 * walpf_outcome_pass() - replay is certainly past a position
 * @cl: cluster
 * @lsn: the position
 * @part: of the table to look at, in buckets; WALPF_OUTCOME_ALL for all
 *
 * For the worker.
 *
 * Return: what was found unused.
 */
struct walpf_passed walpf_outcome_pass(struct walpf_cluster *cl, u64 lsn, u32 part);

#define WALPF_OUTCOME_ALL	U32_MAX

/**
 * walpf_outcome_abandon() - nobody will read what is outstanding
 * @cl: cluster without an observed startup process
 *
 * For the worker.
 */
void walpf_outcome_abandon(struct walpf_cluster *cl);

/**
 * walpf_outcome_begin() - a startup process is about to be observed
 * @cl: cluster without an observed startup process
 */
void walpf_outcome_begin(struct walpf_cluster *cl);

/**
 * walpf_outcome_lsn() - how far the reads say that replay is
 * @cl: cluster
 *
 * Return: the newest record whose block was fetched and has been read, or 0.
 */
u64 walpf_outcome_lsn(const struct walpf_cluster *cl);

/**
 * walpf_outcome_rewind() - replay went elsewhere: forget that
 * @cl: cluster
 */
void walpf_outcome_rewind(struct walpf_cluster *cl);

/**
 * walpf_outcome_missed() - a read that was missed and not looked into yet
 * @cl: cluster
 * @missed: filled
 *
 * For the worker.
 *
 * Return: false if there is none.
 */
bool walpf_outcome_missed(struct walpf_cluster *cl, struct walpf_missed *missed);

/* Blocks that were fetched and have no outcome yet. Any context. */
u32 walpf_outcome_outstanding(const struct walpf_cluster *cl);

/* Missed reads that walpf_outcome_missed() has not given yet. Any context. */
u32 walpf_outcome_unsorted(const struct walpf_cluster *cl);

/**
 * walpf_outcome_read() - the startup process reads a block of a relation
 * @cl: cluster
 * @file: the file
 * @pos: where
 *
 * For the probe handler, as what follows.
 */
void walpf_outcome_read(struct walpf_cluster *cl, const struct file *file, loff_t pos);

/**
 * walpf_outcome_judge() - the startup process does something else now
 * @cl: cluster
 * @waited: since its last read of a block it may have waited for something else
 *
 * Counts that read.
 */
void walpf_outcome_judge(struct walpf_cluster *cl, bool waited);

/**
 * walpf_outcome_other() - another process of the server reads
 * @cl: cluster
 * @file: the file
 * @pos: from where
 * @bytes: how much
 */
void walpf_outcome_other(struct walpf_cluster *cl, const struct file *file, loff_t pos,
			 size_t bytes);

#endif

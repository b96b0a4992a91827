/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What look-ahead learns from its mistakes: why a block that replay had to
 * read itself was not fetched, and how much of shared_buffers the block memory
 * should take for granted. Pure; used by a cluster's worker, and by those who
 * help it only to tell what was skipped.
 */
#ifndef WALPF_LEARN_H
#define WALPF_LEARN_H

#include "missed.h"
#include "plan.h"

/* Blocks that were skipped when they were to be fetched: 64 kB. */
#define WALPF_LEARN_SKIPPED	8192

/* Tablespaces seen last: few servers have more in use at once. */
#define WALPF_LEARN_SPACES	8

/**
 * struct walpf_learn - what is kept in order to learn
 * @plan: the block memory
 * @window: share of shared_buffers assumed now, in blocks
 *
 * The rest is private to learn.c.
 */
struct walpf_learn {
	struct walpf_plan *plan;
	u64 window;

	/* private: */
	u64 first;		/* the window at the beginning */
	u64 told;		/* the window that the plan was told last */
	u32 spaces[WALPF_LEARN_SPACES];
	u32 next_space;
	u64 skipped[WALPF_LEARN_SKIPPED];
};

/**
 * walpf_learn_init() - begin to learn
 * @learn: uninitialised
 * @plan: the block memory, initialised
 */
void walpf_learn_init(struct walpf_learn *learn, struct walpf_plan *plan);

/**
 * walpf_learn_space() - a tablespace is in use
 * @learn: learn
 * @spc: its number
 */
void walpf_learn_space(struct walpf_learn *learn, u32 spc);

/**
 * walpf_learn_skipped() - the plan wanted a block, but it was not fetched
 * @learn: learn
 * @ref: the block
 * @lsn: the record that refers to it
 * @verdict: why
 */
void walpf_learn_skipped(struct walpf_learn *learn, const struct walpf_wal_ref *ref, u64 lsn,
			 enum walpf_plan_verdict verdict);

/**
 * walpf_learn_missed() - why was a block not fetched that replay read itself?
 * @learn: learn
 * @missed: the read
 * @file_blocks: blocks per file of a relation
 * @behind: how far replay may be behind the WAL that it has read, in bytes
 *
 * Return: the reason, WALPF_SKIP_PASSED if it was to be fetched but was not
 * yet, or WALPF_PLAN_NR_VERDICTS if nothing is known of the block.
 */
enum walpf_plan_verdict walpf_learn_missed(const struct walpf_learn *learn,
					   const struct walpf_missed *missed, u32 file_blocks,
					   u64 behind);

/**
 * walpf_learn_window() - correct the assumed share of shared_buffers
 * @learn: learn
 * @missed_recent: blocks that were skipped as recent and had to be read
 * @unused: blocks that were fetched and not read
 *
 * Numbers since the last call. The share stays between a third of what it was
 * at first and four thirds of it, which is all of shared_buffers.
 */
void walpf_learn_window(struct walpf_learn *learn, u64 missed_recent, u64 unused);

#endif

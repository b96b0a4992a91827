/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Streams of references as different uses of a database would write them,
 * endless and the same in every run. Sizes are relative to shared_buffers.
 */
#ifndef WALPF_BENCH_PLAN_LOAD_H
#define WALPF_BENCH_PLAN_LOAD_H

#include "wal/types.h"

/* Blocks are numbered below this many times shared_buffers. */
#define LOAD_BLOCKS(buffers)	(12u * (buffers))

struct load_ref {
	u32 block;
	u8 flags;		/* WALPF_REF_* */
};

struct load {
	u32 buffers;		/* shared_buffers */
	u64 random;
	u32 step;
	u32 since;		/* references since the last checkpoint */
	u32 checkpoint;		/* how many checkpoints there were */
	u32 *imaged;		/* by block: the checkpoint it had an image after */
};

struct load_kind {
	const char *name;
	const char *text;
	void (*next)(struct load *load, struct load_ref *ref);
	u8 reads_per_ref;	/* blocks that standby queries read meanwhile */
};

extern const struct load_kind load_kinds[];
extern const u32 load_nr_kinds;

void load_init(struct load *load, u32 buffers);
void load_exit(struct load *load);
u32 load_random(struct load *load, u32 below);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * WAL written for the simulation.
 */
#ifndef WALPF_SIM_MADE_H
#define WALPF_SIM_MADE_H

#include "wal/types.h"

struct maker;

struct made_kind {
	const char *name;
	const char *text;
	void (*next)(struct maker *mk);
};

/* Ends with an entry without a name. */
extern const struct made_kind made_kinds[];

/* Where the WAL begins, and how much of it there is. */
struct made {
	u64 lsn;
	size_t len;
	u32 seg_size;
};

/* WAL of the kind @name over a table of @blocks; the caller frees it. */
u8 *made_wal(const char *name, u32 blocks, u32 mb, struct made *made);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shared_buffers under PostgreSQL's clock sweep. Blocks are small dense numbers.
 */
#ifndef WALPF_BENCH_BUFFERS_H
#define WALPF_BENCH_BUFFERS_H

#include "wal/types.h"

#define BUFFERS_NONE	0xffffffffu

struct buffers;

struct buffers *buffers_new(u32 nr_blocks, u32 nr_buffers);
void buffers_free(struct buffers *buffers);

/* Is a block in a buffer? */
bool buffers_have(const struct buffers *buffers, u32 block);

/*
 * Use a block: true if it was in a buffer. Else it is now, and @victim is the
 * block that had to go for it, or BUFFERS_NONE.
 */
bool buffers_use(struct buffers *buffers, u32 block, u32 *victim);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clock sweep as in PostgreSQL's freelist.c: a block comes in with usage 1,
 * each use adds one up to 5, the hand takes one off and evicts at 0.
 */
#include <stdlib.h>

#include "buffers.h"

#define MAX_USAGE	5

struct buffers {
	u32 nr;
	u32 used;
	u32 hand;
	u32 *block_of;		/* by buffer */
	u8 *usage;		/* by buffer */
	u32 *buffer_of;		/* by block */
};

struct buffers *buffers_new(u32 nr_blocks, u32 nr_buffers)
{
	struct buffers *buffers = calloc(1, sizeof(*buffers));

	if (!buffers)
		abort();
	buffers->nr = nr_buffers;
	buffers->block_of = malloc(nr_buffers * sizeof(u32));
	buffers->usage = calloc(nr_buffers, 1);
	buffers->buffer_of = malloc(nr_blocks * sizeof(u32));
	if (!buffers->block_of || !buffers->usage || !buffers->buffer_of)
		abort();
	for (u32 i = 0; i < nr_buffers; i++)
		buffers->block_of[i] = BUFFERS_NONE;
	for (u32 i = 0; i < nr_blocks; i++)
		buffers->buffer_of[i] = BUFFERS_NONE;
	return buffers;
}

void buffers_free(struct buffers *buffers)
{
	free(buffers->block_of);
	free(buffers->usage);
	free(buffers->buffer_of);
	free(buffers);
}

bool buffers_have(const struct buffers *buffers, u32 block)
{
	return buffers->buffer_of[block] != BUFFERS_NONE;
}

static u32 take(struct buffers *buffers)
{
	if (buffers->used < buffers->nr)
		return buffers->used++;
	for (;;) {
		u32 buffer = buffers->hand;

		buffers->hand = (buffers->hand + 1) % buffers->nr;
		if (!buffers->usage[buffer])
			return buffer;
		buffers->usage[buffer]--;
	}
}

bool buffers_use(struct buffers *buffers, u32 block, u32 *victim)
{
	u32 buffer = buffers->buffer_of[block];

	*victim = BUFFERS_NONE;
	if (buffer != BUFFERS_NONE) {
		if (buffers->usage[buffer] < MAX_USAGE)
			buffers->usage[buffer]++;
		return true;
	}
	buffer = take(buffers);
	*victim = buffers->block_of[buffer];
	if (*victim != BUFFERS_NONE)
		buffers->buffer_of[*victim] = BUFFERS_NONE;
	buffers->block_of[buffer] = block;
	buffers->buffer_of[block] = buffer;
	buffers->usage[buffer] = 1;
	return false;
}

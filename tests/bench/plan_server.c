// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clock sweep as in PostgreSQL's freelist.c: a block comes in with usage 1,
 * each use adds one up to 5, the hand takes one off and evicts at 0. Every
 * buffer counts as dirty: evicting it writes it into the page cache.
 */
#include <stdlib.h>

#include "plan_server.h"

#define MAX_USAGE	5
#define NONE		UINT32_MAX

struct server {
	u32 nr_buffers;
	u32 used_buffers;
	u32 hand;
	u32 *block_of;		/* by buffer */
	u8 *usage;		/* by buffer */
	u32 *buffer_of;		/* by block */
	u32 nr_cached;
	u32 used_cached;
	u32 *newer, *older;	/* by block; entry nr_blocks is the list's head */
	u32 head;
};

static u32 *numbers(u32 nr)
{
	u32 *array = malloc(nr * sizeof(*array));

	for (u32 i = 0; array && i < nr; i++)
		array[i] = NONE;
	return array;
}

struct server *server_new(u32 nr_blocks, u32 nr_buffers, u32 nr_cached)
{
	struct server *server = calloc(1, sizeof(*server));

	if (!server)
		abort();
	server->nr_buffers = nr_buffers;
	server->nr_cached = nr_cached;
	server->head = nr_blocks;
	server->block_of = numbers(nr_buffers);
	server->usage = calloc(nr_buffers, 1);
	server->buffer_of = numbers(nr_blocks);
	server->newer = numbers(nr_blocks + 1);
	server->older = numbers(nr_blocks + 1);
	if (!server->block_of || !server->usage || !server->buffer_of ||
	    !server->newer || !server->older)
		abort();
	server->newer[nr_blocks] = nr_blocks;
	server->older[nr_blocks] = nr_blocks;
	return server;
}

void server_free(struct server *server)
{
	free(server->block_of);
	free(server->usage);
	free(server->buffer_of);
	free(server->newer);
	free(server->older);
	free(server);
}

static void cache_remove(struct server *server, u32 block)
{
	server->older[server->newer[block]] = server->older[block];
	server->newer[server->older[block]] = server->newer[block];
	server->newer[block] = NONE;
	server->used_cached--;
}

/* Make a block the newest; head->older is the newest, head->newer the oldest. */
static bool cache_use(struct server *server, u32 block)
{
	u32 head = server->head;
	bool had = server->newer[block] != NONE;

	if (had)
		cache_remove(server, block);
	else if (server->used_cached == server->nr_cached)
		cache_remove(server, server->newer[head]);
	server->newer[block] = head;
	server->older[block] = server->older[head];
	server->newer[server->older[head]] = block;
	server->older[head] = block;
	server->used_cached++;
	return had;
}

static u32 buffer_take(struct server *server)
{
	if (server->used_buffers < server->nr_buffers)
		return server->used_buffers++;
	for (;;) {
		u32 buffer = server->hand;

		server->hand = (server->hand + 1) % server->nr_buffers;
		if (!server->usage[buffer])
			return buffer;
		server->usage[buffer]--;
	}
}

static void buffer_load(struct server *server, u32 block)
{
	u32 buffer = buffer_take(server);
	u32 victim = server->block_of[buffer];

	if (victim != NONE) {
		server->buffer_of[victim] = NONE;
		cache_use(server, victim);
	}
	server->block_of[buffer] = block;
	server->buffer_of[block] = buffer;
	server->usage[buffer] = 1;
}

bool server_buffered(const struct server *server, u32 block)
{
	return server->buffer_of[block] != NONE;
}

/* Looking whether a block is cached does not make it newer. */
enum server_source server_fetch(struct server *server, u32 block)
{
	if (server->newer[block] != NONE)
		return SERVER_CACHE;
	cache_use(server, block);
	return SERVER_DEVICE;
}

enum server_source server_read(struct server *server, u32 block, bool content)
{
	u32 buffer = server->buffer_of[block];

	if (buffer != NONE) {
		if (server->usage[buffer] < MAX_USAGE)
			server->usage[buffer]++;
		return SERVER_BUFFER;
	}
	buffer_load(server, block);
	if (content)
		return SERVER_NEW;
	return cache_use(server, block) ? SERVER_CACHE : SERVER_DEVICE;
}

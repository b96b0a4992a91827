// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every buffer counts as dirty: evicting it writes it into the page cache.
 */
#include <stdlib.h>

#include "buffers.h"
#include "plan_server.h"

#define NONE		UINT32_MAX

struct server {
	struct buffers *buffers;
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
	server->buffers = buffers_new(nr_blocks, nr_buffers);
	server->nr_cached = nr_cached;
	server->head = nr_blocks;
	server->newer = numbers(nr_blocks + 1);
	server->older = numbers(nr_blocks + 1);
	if (!server->newer || !server->older)
		abort();
	server->newer[nr_blocks] = nr_blocks;
	server->older[nr_blocks] = nr_blocks;
	return server;
}

void server_free(struct server *server)
{
	buffers_free(server->buffers);
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
	u32 victim;

	if (buffers_use(server->buffers, block, &victim))
		return SERVER_BUFFER;
	if (victim != BUFFERS_NONE)
		cache_use(server, victim);
	if (content)
		return SERVER_NEW;
	return cache_use(server, block) ? SERVER_CACHE : SERVER_DEVICE;
}

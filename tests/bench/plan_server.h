/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PostgreSQL server as far as the block memory's errors depend on it:
 * shared_buffers under the clock sweep, and a page cache behind it that is a
 * plain least-recently-used list. Blocks are small dense numbers.
 */
#ifndef WALPF_BENCH_PLAN_SERVER_H
#define WALPF_BENCH_PLAN_SERVER_H

#include "wal/types.h"

enum server_source {
	SERVER_BUFFER,		/* was in shared_buffers */
	SERVER_CACHE,		/* was in the page cache */
	SERVER_DEVICE,		/* had to be read */
	SERVER_NEW,		/* image or empty page: nothing to read */
};

struct server;

struct server *server_new(u32 nr_blocks, u32 nr_buffers, u32 nr_cached);
void server_free(struct server *server);

/* Replay, or a query, needs a block; @content: redo brings all of it. */
enum server_source server_read(struct server *server, u32 block, bool content);

/* Somebody asks for a block to be in the page cache. */
enum server_source server_fetch(struct server *server, u32 block);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page cache as Linux has it for files: an inactive and an active list. What
 * is read ahead comes to the inactive one and is evicted from its end; a second
 * access, or a return soon after eviction, makes a block active.
 */
#ifndef WALPF_SIM_CACHE_H
#define WALPF_SIM_CACHE_H

#include "wal/types.h"

struct cache;

struct cache *cache_new(u32 nr_blocks, u32 nr_cached);
void cache_free(struct cache *cache);

bool cache_has(const struct cache *cache, u32 block);

/* Read ahead: nobody has accessed it. */
void cache_add(struct cache *cache, u32 block);

/* Read or write it; returns whether it was there. */
bool cache_access(struct cache *cache, u32 block);

#endif

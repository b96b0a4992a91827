// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lists are rings by block number; behind the last block lie their heads,
 * whose older neighbour is the newest entry and whose newer one is the oldest.
 */
#include "cache.h"
#include "sim.h"

#define NONE	UINT32_MAX

enum list {
	INACTIVE,
	ACTIVE,
	NR_LISTS,
	ABSENT = NR_LISTS,
};

struct cache {
	u32 nr_blocks;
	u32 nr_cached;
	u32 nr[NR_LISTS];
	u32 *newer, *older;
	u8 *list;		/* by block: enum list */
	u8 *referenced;		/* by block: accessed once since it came to its list */
	u32 *evicted_at;	/* by block: evictions before its own; NONE */
	u32 evictions;
};

struct cache *cache_new(u32 nr_blocks, u32 nr_cached)
{
	struct cache *cache = sim_alloc(1, sizeof(*cache));

	cache->nr_blocks = nr_blocks;
	cache->nr_cached = nr_cached;
	cache->newer = sim_alloc(nr_blocks + NR_LISTS, sizeof(u32));
	cache->older = sim_alloc(nr_blocks + NR_LISTS, sizeof(u32));
	cache->evicted_at = sim_alloc(nr_blocks, sizeof(u32));
	cache->list = sim_alloc(nr_blocks, 1);
	cache->referenced = sim_alloc(nr_blocks, 1);
	for (u32 i = 0; i < nr_blocks; i++) {
		cache->list[i] = ABSENT;
		cache->evicted_at[i] = NONE;
	}
	for (u32 head = nr_blocks; head < nr_blocks + NR_LISTS; head++) {
		cache->newer[head] = head;
		cache->older[head] = head;
	}
	return cache;
}

void cache_free(struct cache *cache)
{
	free(cache->newer);
	free(cache->older);
	free(cache->evicted_at);
	free(cache->list);
	free(cache->referenced);
	free(cache);
}

bool cache_has(const struct cache *cache, u32 block)
{
	return cache->list[block] != ABSENT;
}

static u32 head_of(const struct cache *cache, enum list list)
{
	return cache->nr_blocks + list;
}

static void take_off(struct cache *cache, u32 block)
{
	cache->older[cache->newer[block]] = cache->older[block];
	cache->newer[cache->older[block]] = cache->newer[block];
	cache->nr[cache->list[block]]--;
	cache->list[block] = ABSENT;
}

static void put_on(struct cache *cache, u32 block, enum list list)
{
	u32 head = head_of(cache, list);

	cache->newer[block] = head;
	cache->older[block] = cache->older[head];
	cache->newer[cache->older[head]] = block;
	cache->older[head] = block;
	cache->list[block] = list;
	cache->referenced[block] = 0;
	cache->nr[list]++;
}

static u32 oldest(const struct cache *cache, enum list list)
{
	return cache->newer[head_of(cache, list)];
}

/* Below 1 GB the inactive list is to be half of all. */
static void balance(struct cache *cache)
{
	while (cache->nr[INACTIVE] < cache->nr[ACTIVE]) {
		u32 block = oldest(cache, ACTIVE);

		take_off(cache, block);
		put_on(cache, block, INACTIVE);
	}
}

static void evict(struct cache *cache)
{
	u32 block;

	balance(cache);
	block = oldest(cache, INACTIVE);
	take_off(cache, block);
	cache->evicted_at[block] = cache->evictions++;
}

/* Had the active list been that much shorter, it would not have been evicted. */
static bool is_refault(const struct cache *cache, u32 block)
{
	return cache->evicted_at[block] != NONE &&
	       cache->evictions - cache->evicted_at[block] <= cache->nr[ACTIVE];
}

void cache_add(struct cache *cache, u32 block)
{
	bool refault = is_refault(cache, block);

	if (cache->nr[INACTIVE] + cache->nr[ACTIVE] >= cache->nr_cached)
		evict(cache);
	put_on(cache, block, refault ? ACTIVE : INACTIVE);
}

static void mark_accessed(struct cache *cache, u32 block)
{
	if (cache->list[block] == ACTIVE || !cache->referenced[block]) {
		cache->referenced[block] = 1;
		return;
	}
	take_off(cache, block);
	put_on(cache, block, ACTIVE);
}

bool cache_access(struct cache *cache, u32 block)
{
	bool had = cache_has(cache, block);

	if (!had)
		cache_add(cache, block);
	mark_accessed(cache, block);
	return had;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hash table with linear probing; it doubles when it is five eighths full.
 */
#include <stdlib.h>

#include "blockset.h"
#include "ctl.h"

#define FIRST_LOG2_SIZE 12

/* Blocks of an entry, as a shift and a mask. */
#define GROUP_SHIFT 6
#define GROUP_MASK 63

/* From the key's lowest bits: group (26), fork (2), relation (32). */
struct blockset_entry {
	u64 key;
	u64 blocks;		/* 0: the entry is free */
};

static u64 slot_of(u64 key, u32 log2_size)
{
	/* 2^64 divided by the golden ratio: spreads neighbours over the table. */
	return key * 0x9e3779b97f4a7c15ull >> (64 - log2_size);
}

/* The entry with @key, or the free one where it belongs. */
static struct blockset_entry *find(struct blockset_entry *entries, u32 log2_size, u64 key)
{
	u64 mask = (1ull << log2_size) - 1;
	u64 at = slot_of(key, log2_size);

	while (entries[at].blocks && entries[at].key != key)
		at = (at + 1) & mask;
	return &entries[at];
}

static void grow(struct blockset *set)
{
	u32 log2_size = set->entries ? set->log2_size + 1 : FIRST_LOG2_SIZE;
	struct blockset_entry *entries = calloc(1ull << log2_size, sizeof(*entries));
	u64 i;

	if (!entries)
		exit(ctl_fail(NULL, "not enough memory for the set of blocks: "
			      "take less WAL at once, with --start and --end"));
	for (i = 0; set->entries && i < 1ull << set->log2_size; i++)
		if (set->entries[i].blocks)
			*find(entries, log2_size, set->entries[i].key) = set->entries[i];
	free(set->entries);
	set->entries = entries;
	set->log2_size = log2_size;
}

bool blockset_add(struct blockset *set, u32 rel, u8 fork, u32 block)
{
	u64 key = (u64)rel << 28 | (u64)(fork & 3) << 26 | block >> GROUP_SHIFT;
	u64 bit = 1ull << (block & GROUP_MASK);
	struct blockset_entry *entry;

	if (!set->entries || set->used >= 5ull << set->log2_size >> 3)
		grow(set);
	entry = find(set->entries, set->log2_size, key);
	if (entry->blocks & bit)
		return false;
	set->used += !entry->blocks;
	entry->key = key;
	entry->blocks |= bit;
	return true;
}

void blockset_free(struct blockset *set)
{
	free(set->entries);
	memset(set, 0, sizeof(*set));
}

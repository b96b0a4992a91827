// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bucket is a cache line of eight keys, so a look-up that finds nothing, as
 * most do, touches one line; what is known of the blocks lies in an array
 * beside the keys. Runs in the cluster's worker and in the probe handler, on
 * several processors at once.
 *
 * Concurrency, without a lock:
 *  1. A key is a fingerprint of the block and its state in the lowest two
 *     bits; 0 is a free place. Whoever changes a key by cmpxchg() decides what
 *     became of the block, and nobody else does.
 *  2. Adding reserves a free place, writes the entry and then publishes the
 *     key with release semantics: who reads a key with acquire semantics sees
 *     its entry. An entry is not written again until its key was taken away.
 *  3. Taking reads the key, then the entry, then changes the key to 0. If the
 *     place went to another block in between, the key is another one, the
 *     change fails and what was read is thrown away. If it went to the same
 *     block again, that one is taken with the entry of the former: counts stay
 *     right, a time may be wrong.
 *  4. No loop waits for somebody: who finds a place reserved passes it over,
 *     and a block is confirmed once, so that taking it fails once at most.
 *  5. The sweep's position belongs to the sweeping thread.
 */
#include <linux/atomic.h>

#include "fold.h"
#include "ledger.h"

#define STATE		3ull
#define RESERVED	STATE

/* An entry's flag, in the lowest bit of its LSN. */
#define WARMING		1ull

void walpf_ledger_init(struct walpf_ledger *ledger, void *mem, const u64 seed[2])
{
	*ledger = (struct walpf_ledger){
		.seed = { seed[0], seed[1] },
		.keys = mem,
		.entries = (void *)((u64 *)mem + WALPF_LEDGER_BUCKETS * WALPF_LEDGER_WAYS),
	};
}

u64 walpf_ledger_key(const struct walpf_ledger *ledger, u64 dev, u64 ino, u32 block)
{
	u64 h = walpf_fold(ino ^ ledger->seed[0], dev ^ ledger->seed[1]);

	h = walpf_fold((h + block) ^ ledger->seed[1], ledger->seed[0] ^ 0x9e3779b97f4a7c15ull);
	return h & ~STATE ? h & ~STATE : STATE + 1;
}

/* The number of a bucket's first place. */
static u32 first_place(u64 key)
{
	return (u32)((key >> 32) * WALPF_LEDGER_BUCKETS >> 32) * WALPF_LEDGER_WAYS;
}

bool walpf_ledger_add(struct walpf_ledger *ledger, u64 key, const struct walpf_entry *entry)
{
	u32 first = first_place(key), i;

	for (i = first; i < first + WALPF_LEDGER_WAYS; i++) {
		u64 *place = &ledger->keys[i];

		if (READ_ONCE(*place) || cmpxchg(place, 0, RESERVED))
			continue;
		WRITE_ONCE(ledger->entries[i].lsn, entry->lsn);
		WRITE_ONCE(ledger->entries[i].length, entry->length);
		WRITE_ONCE(ledger->entries[i].asked, entry->asked);
		/* See rule 2. */
		smp_store_release(place, key | WALPF_LEDGER_ASKING);
		return true;
	}
	return false;
}

bool walpf_ledger_confirm(struct walpf_ledger *ledger, u64 key)
{
	u32 first = first_place(key), i;
	u64 asking = key | WALPF_LEDGER_ASKING;

	for (i = first; i < first + WALPF_LEDGER_WAYS; i++)
		if (READ_ONCE(ledger->keys[i]) == asking)
			return cmpxchg(&ledger->keys[i], asking, key | WALPF_LEDGER_ASKED) ==
			       asking;
	return false;
}

static void read_entry(const struct walpf_ledger *ledger, u32 i, struct walpf_entry *entry)
{
	entry->lsn = READ_ONCE(ledger->entries[i].lsn);
	entry->length = READ_ONCE(ledger->entries[i].length);
	entry->asked = READ_ONCE(ledger->entries[i].asked);
}

/* A block that is confirmed meanwhile is still the same: it is tried again. */
static enum walpf_ledger_state take_place(struct walpf_ledger *ledger, u32 i, u64 key,
					  struct walpf_entry *entry)
{
	u64 *place = &ledger->keys[i];
	u64 seen;

	do {
		/* See rule 2. */
		seen = smp_load_acquire(place);
		if ((seen & ~STATE) != key)
			return WALPF_LEDGER_NONE;
		read_entry(ledger, i, entry);
	} while (cmpxchg(place, seen, 0) != seen);
	return seen & STATE;
}

enum walpf_ledger_state walpf_ledger_take(struct walpf_ledger *ledger, u64 key,
					  struct walpf_entry *entry)
{
	u32 first = first_place(key), i;

	for (i = first; i < first + WALPF_LEDGER_WAYS; i++)
		if ((READ_ONCE(ledger->keys[i]) & ~STATE) == key)
			return take_place(ledger, i, key, entry);
	return WALPF_LEDGER_NONE;
}

static bool is_passed(const struct walpf_entry *entry, u64 passed_lsn)
{
	return (entry->lsn & ~WARMING) + entry->length <= passed_lsn;
}

static void sweep_place(struct walpf_ledger *ledger, u32 i, u64 passed_lsn,
			struct walpf_ledger_swept *swept)
{
	struct walpf_entry entry;
	u64 key;

	/* See rule 2. */
	key = smp_load_acquire(&ledger->keys[i]);
	if (key <= RESERVED)
		return;
	read_entry(ledger, i, &entry);
	if (!is_passed(&entry, passed_lsn) || cmpxchg(&ledger->keys[i], key, 0) != key)
		return;
	swept->blocks++;
	swept->warming += entry.lsn & WARMING;
}

struct walpf_ledger_swept walpf_ledger_sweep(struct walpf_ledger *ledger, u32 buckets,
					     u64 passed_lsn)
{
	struct walpf_ledger_swept swept = {};
	u32 i;

	for (; buckets; buckets--) {
		for (i = 0; i < WALPF_LEDGER_WAYS; i++)
			sweep_place(ledger, ledger->sweep * WALPF_LEDGER_WAYS + i, passed_lsn,
				    &swept);
		ledger->sweep = (ledger->sweep + 1) % WALPF_LEDGER_BUCKETS;
	}
	return swept;
}

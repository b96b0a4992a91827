/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ledger: a table of blocks that were asked for and whose outcome is not
 * known yet. Pure: no allocation, no lock, bounded time; the same objects
 * build in userspace.
 */
#ifndef WALPF_LEDGER_H
#define WALPF_LEDGER_H

#include "wal/types.h"

/*
 * Room for 131,072 blocks, four times what may be fetched ahead by default: so
 * full that a bucket overflows it never is then, but for 1 block in 10,000. With
 * 24 bytes each, 3 MB.
 */
#define WALPF_LEDGER_WAYS	8u
#define WALPF_LEDGER_BUCKETS	16384u
#define WALPF_LEDGER_BYTES \
	((size_t)WALPF_LEDGER_BUCKETS * WALPF_LEDGER_WAYS * (8 + sizeof(struct walpf_entry)))

/**
 * struct walpf_entry - what is known of a block
 * @lsn: the record that wants it; lowest bit: fetched while the server was warming
 * @length: of the record, in bytes
 * @asked: when, in ticks of walpf_ledger_ticks()
 */
struct walpf_entry {
	u64 lsn;
	u32 length;
	u32 asked;
};

/**
 * struct walpf_ledger - the table
 *
 * All of it is private to ledger.c.
 */
struct walpf_ledger {
	u64 seed[2];
	u64 *keys;
	struct walpf_entry *entries;
	u32 sweep;		/* next bucket to look for what replay has passed */
};

/* What becomes of a block that is confirmed, or taken. */
enum walpf_ledger_state {
	WALPF_LEDGER_NONE,	/* it is not in the ledger */
	WALPF_LEDGER_ASKING,	/* the page cache was not asked yet, or just now */
	WALPF_LEDGER_ASKED,
};

/**
 * walpf_ledger_init() - prepare an empty table
 * @ledger: uninitialised
 * @mem: WALPF_LEDGER_BYTES of memory, zeroed, aligned to 64 bytes; the
 *	caller's to free after the last use
 * @seed: random, and secret: else files could be made whose blocks share a
 *	bucket
 */
void walpf_ledger_init(struct walpf_ledger *ledger, void *mem, const u64 seed[2]);

/**
 * walpf_ledger_key() - the name under which a block is in the table
 * @ledger: a ledger
 * @dev: device and generation of its inode
 * @ino: inode number
 * @block: number within the file
 *
 * Two blocks have the same one with a chance of 2^-62.
 *
 * Return: never 0.
 */
u64 walpf_ledger_key(const struct walpf_ledger *ledger, u64 dev, u64 ino, u32 block);

/* A coarse clock that fits in 32 bits: 65 us a tick, round after 78 hours. */
static inline u32 walpf_ledger_ticks(u64 ns)
{
	return (u32)(ns >> 16);
}

/**
 * walpf_ledger_add() - enter a block that is about to be asked for
 * @ledger: a ledger
 * @key: its key, which is not in the ledger
 * @entry: copied
 *
 * Return: false if there is no room.
 */
bool walpf_ledger_add(struct walpf_ledger *ledger, u64 key, const struct walpf_entry *entry);

/**
 * walpf_ledger_confirm() - the block is in the page cache, or on its way
 * @ledger: a ledger
 * @key: of walpf_ledger_add()
 *
 * Return: false if somebody has taken it meanwhile.
 */
bool walpf_ledger_confirm(struct walpf_ledger *ledger, u64 key);

/**
 * walpf_ledger_take() - take a block out of the table
 * @ledger: a ledger
 * @key: its key
 * @entry: filled if it was there
 *
 * Of several that try at once one succeeds. Any context.
 *
 * Return: the state it was in.
 */
enum walpf_ledger_state walpf_ledger_take(struct walpf_ledger *ledger, u64 key,
					  struct walpf_entry *entry);

/**
 * struct walpf_ledger_swept - what was taken out by a sweep
 * @blocks: how many
 * @warming: those of them that were fetched while the server was warming
 */
struct walpf_ledger_swept {
	u32 blocks;
	u32 warming;
};

/**
 * walpf_ledger_sweep() - take out what replay has passed, in a part of the table
 * @ledger: a ledger
 * @buckets: how many to look at, from where the last sweep ended
 * @passed_lsn: records that end here or before are replayed; U64_MAX takes all
 *
 * One thread at a time.
 */
struct walpf_ledger_swept walpf_ledger_sweep(struct walpf_ledger *ledger, u32 buckets,
					     u64 passed_lsn);

#endif

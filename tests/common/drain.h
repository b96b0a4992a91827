/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Drives the decoder over WAL in memory, in pieces of any size, and keeps
 * what it gives out as one line of digits a record, so that two runs can be
 * compared. Aborts when memory is short.
 */
#ifndef WALPF_TESTS_DRAIN_H
#define WALPF_TESTS_DRAIN_H

#include "wal/stream.h"

/**
 * struct wal_bytes - WAL in memory
 * @at: the bytes
 * @lsn: position of the first one
 * @len: how many
 * @seg_size: segment size
 */
struct wal_bytes {
	const u8 *at;
	u64 lsn;
	size_t len;
	u32 seg_size;
};

/* A small pseudo-random generator (xorshift) with its state. */
struct rng {
	u64 state;
};

u64 rng_next(struct rng *rng);

/* Below @bound. */
u64 rng_below(struct rng *rng, u64 bound);

/*
 * Seeded from the environment's SEED or else the clock; prints which, as a
 * TAP comment.
 */
void rng_seed(struct rng *rng);

/**
 * struct seen - a record as it was given out
 * @lsn: position
 * @end_lsn: position behind it
 * @digest: over all that the decoder tells of it, event included
 */
struct seen {
	u64 lsn;
	u64 end_lsn;
	u64 digest;
};

/**
 * struct seen_list - what a run gave out
 * @at: @nr records
 * @status: why it ended; WALPF_WAL_NEED: no more bytes
 * @stop_lsn: where it stopped
 * @room: allocated entries of @at
 */
struct seen_list {
	struct seen *at;
	size_t nr;
	enum walpf_wal_status status;
	u64 stop_lsn;
	size_t room;
};

void seen_free(struct seen_list *seen);

/* The first record at or behind @lsn, seen->nr if there is none. */
size_t seen_from(const struct seen_list *seen, u64 lsn);

/**
 * drain() - start at a position and decode to the end of the bytes
 * @seen: uninitialised; filled
 * @bytes: the WAL
 * @start_lsn: for walpf_wal_start()
 * @piece: longest piece; each is of a random length up to it, and lies at
 *	the end of an allocation of its own. 0: all bytes in one piece, where
 *	they are.
 * @rng: for the lengths; may be NULL if @piece is 0
 */
void drain(struct seen_list *seen, const struct wal_bytes *bytes, u64 start_lsn, size_t piece,
	   struct rng *rng);

#endif

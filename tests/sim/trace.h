/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The WAL that is replayed in the simulation: what the decoder (kmod/wal/)
 * made of segments of a real server, or of WAL written for the purpose. It is
 * decoded once and then repeated without an end. A spread of n replays it on a
 * database n times as large: each time a block of a large relation is named,
 * another one of n takes its place.
 */
#ifndef WALPF_SIM_TRACE_H
#define WALPF_SIM_TRACE_H

#include "wal/record.h"

/**
 * struct trace_record - a record
 * @lsn: position within one repetition
 * @len: bytes of WAL up to the next record
 * @ref: its first reference
 * @nr_refs: how many
 */
struct trace_record {
	u64 lsn;
	u32 len;
	u32 ref;
	u32 nr_refs;
};

/**
 * struct trace_ref - a reference
 * @block: dense number in a database of spread 1: neighbours are neighbours
 * @flags: WALPF_REF_*
 * @wide: it belongs to a relation that is spread
 */
struct trace_ref {
	u32 block;
	u8 flags;
	bool wide;
};

/**
 * struct trace - WAL, decoded
 * @records: @nr_records of them
 * @refs: @nr_refs of them
 * @span: bytes of WAL in one repetition
 * @base_blocks: blocks named in it, gaps of relations included
 * @spread: see above
 * @wal, @wal_len, @wal_lsn, @seg_size: the bytes
 */
struct trace {
	struct trace_record *records;
	struct trace_ref *refs;
	u64 nr_records;
	u64 nr_refs;
	u64 span;
	u32 base_blocks;
	u32 spread;
	u8 *wal;
	size_t wal_len;
	u64 wal_lsn;
	u32 seg_size;
};

/* What a reference comes to in a certain repetition. */
struct trace_block {
	u32 block;
	u8 flags;
};

/* All segments of a folder that follow each other. */
void trace_load(struct trace *trace, const char *folder, u32 spread);

/* WAL of @kind (made.h) with @blocks of table, about @mb megabytes. */
void trace_make(struct trace *trace, const char *kind, u32 blocks, u32 mb);

void trace_free(struct trace *trace);

/* Decodes the bytes once more; returns the references, to be compared. */
u64 trace_decode_again(const struct trace *trace);

/* How many blocks the database has. */
u32 trace_blocks(const struct trace *trace);

/* The record at @index, counted over all repetitions, and where it begins. */
static inline const struct trace_record *trace_at(const struct trace *trace, u64 index)
{
	return &trace->records[index % trace->nr_records];
}

static inline u64 trace_lsn(const struct trace *trace, u64 index)
{
	return index / trace->nr_records * trace->span + trace_at(trace, index)->lsn;
}

/* The @i-th reference of the record at @index. */
struct trace_block trace_ref_at(const struct trace *trace, u64 index, u32 i);

/* As the decoder would give it. */
struct walpf_wal_ref trace_wal_ref(struct trace_block block);

#endif

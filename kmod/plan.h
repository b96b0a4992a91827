/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which references are worth a fetch: the block memory, and the reasons for
 * which a reference is skipped. Pure: no allocation, no lock, no I/O, bounded
 * time; the same objects build in userspace. One user at a time, any context.
 *
 *	walpf_plan_init(&plan, mem, walpf_plan_size(&conf), &conf);
 *	walpf_plan_resync(&plan, lsn);		where decoding begins or goes on
 *	for each record: for each reference:
 *		walpf_plan_ref(&plan, ref, lsn, replay_lsn);
 *
 * Records that create, truncate or drop files need no attention here. New or
 * extended files begin with images and empty pages; a dropped relation leaves
 * room in shared_buffers, its number is not used again while it is remembered.
 */
#ifndef WALPF_PLAN_H
#define WALPF_PLAN_H

#include "wal/record.h"
#include "wal/types.h"

/*
 * X(NAME, name, text). name is the suffix of the counter (skipped_<name>) in
 * /sys, netlink and the tool, and the order is that of the counters in
 * stats.h. IMAGE to RECENT and PASSED are decided here, from the record
 * stream alone; the others by whoever tries to fetch.
 */
#define WALPF_SKIP_REASONS(X)						\
	X(IMAGE, image, "a full-page image replaces the block")		\
	X(INIT, init, "redo starts from an empty page")			\
	X(PENDING, pending, "an earlier record, ahead of replay or shortly before, brings it") \
	X(RECENT, recent, "very likely still in shared_buffers")	\
	X(CACHED, cached, "already in the page cache")			\
	X(MISSING, missing, "no such file")				\
	X(EOF, eof, "beyond the end of the file")			\
	X(REFUSED, refused, "not a regular file of the owner inside the cluster") \
	X(SPACE, space, "unknown tablespace")				\
	X(MEMORY, memory, "asked, but the kernel read nothing")		\
	X(PASSED, passed, "replay was there first")			\
	X(OBSERVE, observe, "observe mode: would have been fetched")

/* What becomes of a reference: references = fetched + queued + every skip. */
enum walpf_plan_verdict {
	WALPF_PLAN_FETCH,
#define X(NAME, name, text) WALPF_SKIP_##NAME,
	WALPF_SKIP_REASONS(X)
#undef X
	WALPF_PLAN_NR_VERDICTS
};

/* The block memory's bounds, in bytes; see walpf_plan_size(). */
#define WALPF_PLAN_SIZE_MIN	(1u << 20)
#define WALPF_PLAN_SIZE_MAX	(32u << 20)

/**
 * struct walpf_plan_conf - what is known at registration
 * @shared_buffers: in blocks; 0 if unknown, PostgreSQL's default then
 * @size_max: the most bytes of memory, 0: WALPF_PLAN_SIZE_MAX
 * @seed: random, and secret: else WAL could be written that aims all its
 *	blocks at one bucket
 */
struct walpf_plan_conf {
	u64 shared_buffers;
	u64 size_max;
	u64 seed[2];
};

struct walpf_plan_bucket;
struct walpf_plan_epoch;

/**
 * struct walpf_plan_span - the newest epochs that hold so many blocks
 * @limit: the most distinct blocks
 * @nr: blocks referenced last in the epochs from @edge on
 * @edge: the oldest epoch
 */
struct walpf_plan_span {
	u32 limit;
	u32 nr;
	u32 edge;
};

/**
 * struct walpf_plan - the block memory
 * @once: the window: a block is taken to be in shared_buffers until so many
 *	distinct others were referenced
 * @kept: the same for blocks that were referenced again since they came, or
 *	began as an image or empty page
 * @bytes: memory in use, of what the caller gave
 *
 * The rest is private to plan.c.
 */
struct walpf_plan {
	struct walpf_plan_span once;
	struct walpf_plan_span kept;
	size_t bytes;

	/* private: */
	u64 seed[2];
	struct walpf_plan_bucket *buckets;
	struct walpf_plan_epoch *epochs;
	u32 nr_buckets;
	u32 unit;		/* blocks referenced in one epoch */
	u32 now;		/* the epoch that is being filled */
	u32 replayed;		/* the epoch that replay is in */
	u32 sweep;		/* next bucket to rid of outdated entries */
	u64 shared_buffers;
	u64 unknown;		/* blocks to go until the server is not warming */
	u64 last_lsn;
};

/**
 * walpf_plan_size() - memory that a plan needs
 * @conf: shared_buffers and size_max count
 *
 * Return: bytes, from WALPF_PLAN_SIZE_MIN to size_max (or _MIN, if that is
 * more).
 */
size_t walpf_plan_size(const struct walpf_plan_conf *conf);

/**
 * walpf_plan_init() - prepare a plan that remembers nothing
 * @plan: uninitialised
 * @mem: memory, the caller's to free after the last use of @plan; any
 *	alignment and content
 * @bytes: its size, at least WALPF_PLAN_SIZE_MIN
 * @conf: copied
 *
 * Clears all of @mem. The server counts as warming.
 */
void walpf_plan_init(struct walpf_plan *plan, void *mem, size_t bytes,
		     const struct walpf_plan_conf *conf);

/**
 * walpf_plan_ref() - judge a reference, and remember its block
 * @plan: a plan
 * @ref: one of the record's references
 * @lsn: the record's position; never falls without walpf_plan_resync()
 * @replay_lsn: how far replay certainly is
 *
 * Return: WALPF_PLAN_FETCH or WALPF_SKIP_{IMAGE,INIT,PENDING,RECENT,PASSED}.
 */
enum walpf_plan_verdict walpf_plan_ref(struct walpf_plan *plan, const struct walpf_wal_ref *ref,
				       u64 lsn, u64 replay_lsn);

/**
 * walpf_plan_undo() - forget one block
 * @plan: a plan
 * @ref: the block
 *
 * The next reference to it is judged as if it were the first. Not needed
 * because a fetch failed: replay then reads the block itself, so that later
 * references find it in shared_buffers all the same.
 */
void walpf_plan_undo(struct walpf_plan *plan, const struct walpf_wal_ref *ref);

/**
 * walpf_plan_last() - how was a block judged when it was referenced last?
 * @plan: a plan
 * @ref: the block
 *
 * Return: WALPF_PLAN_FETCH or WALPF_SKIP_{PENDING,RECENT}, PENDING also for an
 * image or empty page; WALPF_PLAN_NR_VERDICTS if it is not remembered.
 */
enum walpf_plan_verdict walpf_plan_last(const struct walpf_plan *plan,
					const struct walpf_wal_ref *ref);

/**
 * walpf_plan_resync() - decoding goes on at another position
 * @plan: a plan
 * @lsn: position of the next record
 *
 * Back: what was learned from records at @lsn or behind it is forgotten, so
 * that they are judged afresh. Forward: the memory ages by as many blocks as
 * the records left out can have named; when that is all of it, the server is
 * warming again. The first call only says where decoding begins.
 */
void walpf_plan_resync(struct walpf_plan *plan, u64 lsn);

/**
 * walpf_plan_reset() - forget everything: another startup process
 * @plan: a plan
 * @cold: the server has just started, its shared_buffers are empty; else
 *	nobody knows what they hold, and the server is warming
 */
void walpf_plan_reset(struct walpf_plan *plan, bool cold);

/**
 * walpf_plan_set_window() - correct the assumed share of shared_buffers
 * @plan: a plan
 * @blocks: window wanted, bounded by the memory and by shared_buffers
 */
void walpf_plan_set_window(struct walpf_plan *plan, u64 blocks);

/**
 * walpf_plan_warming() - may shared_buffers hold what we never saw referenced?
 * @plan: a plan
 *
 * Return: true until shared_buffers' worth of distinct blocks was referenced
 * since the memory began; never if the server began cold.
 */
bool walpf_plan_warming(const struct walpf_plan *plan);

/**
 * walpf_plan_verdict_name() - the verdict as one lower-case word
 * @verdict: any value
 *
 * Return: a constant string, "unknown" if out of range.
 */
const char *walpf_plan_verdict_name(enum walpf_plan_verdict verdict);

/**
 * walpf_plan_verdict_text() - the verdict as a sentence without a full stop
 * @verdict: any value
 *
 * Return: a constant string.
 */
const char *walpf_plan_verdict_text(enum walpf_plan_verdict verdict);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A simulated recovery: the startup process on one processor (replay.c),
 * walpf's worker on another (worker.c), one device, shared_buffers and a page
 * cache. Whoever is behind in time goes on next.
 * Times are nanoseconds; one seed gives one result.
 */
#ifndef WALPF_SIM_SIM_H
#define WALPF_SIM_SIM_H

#include <stdio.h>
#include <stdlib.h>

#include "buffers.h"
#include "cache.h"
#include "device.h"
#include "govern.h"
#include "learn.h"
#include "plan.h"
#include "trace.h"

#define SIM_NEVER	UINT64_MAX

/* X(NAME, name, text) */
#define SIM_VARIANTS(X)							\
	X(NONE, none, "no prefetch")					\
	X(PG, pg, "PostgreSQL's recovery_prefetch, default: 512 kB, 10 reads")	\
	X(TUNED, tuned, "the same, tuned: 2 MB, 500 reads")		\
	X(FIXED, fixed, "walpf at the limits, no controller")		\
	X(GOVERN, govern, "walpf with its controller")			\
	X(CACHED, cached, "everything in the page cache")

enum sim_variant {
#define X(NAME, name, text) SIM_##NAME,
	SIM_VARIANTS(X)
#undef X
	SIM_NR_VARIANTS
};

const char *sim_variant_name(enum sim_variant variant);
enum sim_variant sim_variant_find(const char *name);

/**
 * struct sim_conf - what is simulated
 * @trace: the WAL
 * @records: how many records are replayed
 * @device: kind of storage
 * @variant: who prefetches
 * @buffers: shared_buffers, in blocks
 * @cache: page cache, in blocks
 * @cpu_percent: time that replay's processor needs, 100: a common one
 * @limits: the operator's, of walpf
 * @device_limits: the same
 * @near_bytes: walpf keeps the order of what is nearer to replay than this, 0: as the module
 * @window: of the plan, in parts of a hundred of shared_buffers; 0: its own
 * @wait: with too much in flight, walpf waits for a request that has one in so many before it
 * @learn: the plan's window follows its mistakes, as in the module
 * @touch: what is found cached is marked as accessed
 * @seed: of the device
 * @log: a line for each epoch of the controller, or NULL
 */
struct sim_conf {
	const struct trace *trace;
	u64 records;
	const struct device_kind *device;
	enum sim_variant variant;
	u32 buffers;
	u32 cache;
	u32 cpu_percent;
	struct walpf_govern_limits limits;
	struct walpf_govern_device_limits device_limits;
	u64 near_bytes;
	u32 window;
	u32 wait;
	bool learn;
	bool touch;
	u64 seed;
	FILE *log;
};

/* X(name, text): counters of a run; those of blocks as in the module */
#define SIM_COUNTERS(X)							\
	X(references, "decoded ahead of replay")			\
	X(fetched, "blocks")						\
	X(skipped_images, "")						\
	X(skipped_pending, "")						\
	X(skipped_new, "")						\
	X(skipped_recent, "")						\
	X(skipped_cached, "")						\
	X(passed, "replay was there first")				\
	X(timely, "")							\
	X(late, "")							\
	X(evicted, "")							\
	X(lost, "cached when decoded, not when read")			\
	X(unused, "")							\
	X(startup_reads, "blocks that replay read: not in shared_buffers")	\
	X(cached_other, "of these: in the page cache, not fetched")	\
	X(missed, "of these: not in the page cache, not fetched")	\
	X(missed_recent, "skipped as recent, not in shared_buffers when read")	\
	X(stall_ns, "that replay waited for blocks")			\
	X(late_ns, "of these: for late ones")				\
	X(read_ns, "of these: for its own reads")				\
	X(worker_ns, "that walpf's worker was busy")			\
	X(resyncs, "")							\
	X(switched, "times that the controller went on or off")		\
	X(off_ns, "that fetching was off")

struct sim_counters {
#define X(name, text) u64 name;
	SIM_COUNTERS(X)
#undef X
};

/**
 * struct sim_result - what came of it
 * @ns: from the first record to the last
 * @refs: references replayed
 * @bytes: WAL replayed
 * @device_reads: requests
 * @device_blocks: blocks of them
 * @counters: see above
 */
struct sim_result {
	u64 ns;
	u64 refs;
	u64 bytes;
	u64 device_reads;
	u64 device_blocks;
	struct sim_counters counters;
};

/* What look-ahead did about a block that replay has not come to yet. */
enum sim_mark {
	SIM_UNKNOWN,
	SIM_FETCHED,
	SIM_FOUND,		/* it was cached */
	SIM_RECENT,		/* taken to be in shared_buffers */
};

struct worker;

/* PostgreSQL's own prefetch: how far it may be, and where it is. */
struct pg_prefetch {
	u64 distance;
	u32 depth;
	u64 index;
	u64 *inflight;		/* a ring of the records that were prefetched for */
	u32 head, tail;
	u32 recent[4];
	u32 nr_recent;
};

/**
 * struct sim - a run
 * @ready_at: by block: when it is up to date in the page cache
 * @marks: by block: enum sim_mark
 * @index: the next record to be replayed
 * @now: replay's time
 */
struct sim {
	struct sim_conf conf;
	struct device device;
	struct buffers *buffers;
	struct cache *cache;
	u64 *ready_at;
	u8 *marks;
	u64 index;
	u64 now;
	struct pg_prefetch pg;
	struct worker *worker;
	struct sim_counters n;
	u64 refs;
};

void sim_run(const struct sim_conf *conf, struct sim_result *result);

/* replay.c: one record. */
void replay_init(struct sim *sim);
void replay_step(struct sim *sim);

/* Where replay is, for walpf: the beginning of a page of WAL. */
u64 sim_replay_lsn(const struct sim *sim);

/* worker.c: its time, one step of it, and what replay tells it of. */
void worker_init(struct sim *sim);
void worker_exit(struct sim *sim);
u64 worker_now(const struct sim *sim);
void worker_step(struct sim *sim);
void worker_replayed(struct sim *sim);

void *sim_alloc(size_t nr, size_t size);

/* Somebody asks for a block to be read ahead: false if it is cached. */
static inline bool sim_wants_read(struct sim *sim, u32 block)
{
	if (cache_has(sim->cache, block))
		return false;
	cache_add(sim->cache, block);
	return true;
}

#endif

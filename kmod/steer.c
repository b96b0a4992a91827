// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks the controller once an epoch. The host's memory is shared evenly: each
 * cluster whose replay is followed is told its part of what is available, and
 * of what the operator allows all of them.
 *
 * Locking:
 *  1. struct walpf_steer is the worker's alone.
 *  2. nr_active is how many clusters share: any of them may see the others
 *     come and go, and has it right an epoch later.
 */
#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>

#include "compat/memcg.h"
#include "outcome.h"
#include "steer.h"
#include "wal/record.h"

static unsigned int memory_mb;
module_param(memory_mb, uint, 0644);
MODULE_PARM_DESC(memory_mb,
		 "most memory for what all clusters have fetched ahead of replay, in MB; 0: a part of what is available");

/* The longest epoch at rest: a device may take a quarter of it for a block. */
#define REST_MS		1000

static atomic_t nr_active = ATOMIC_INIT(0);

static u32 sharers(void)
{
	return max(atomic_read(&nr_active), 1);
}

/* Blocks; at least one, so that the controller can work with it. */
static u64 host_limit(void)
{
	u64 bytes = (u64)READ_ONCE(memory_mb) << 20;

	return bytes ? max_t(u64, bytes / WALPF_BLCKSZ / sharers(), 1) : U64_MAX;
}

static u64 available(const struct walpf_steer *steer)
{
	u64 host = max(si_mem_available(), 0l) / sharers();

	return (min(host, walpf_memcg_max(steer->memcg)) << PAGE_SHIFT) / WALPF_BLCKSZ;
}

static struct walpf_govern_limits limits_of(const struct walpf_settings *set)
{
	return (struct walpf_govern_limits){
		.lead_bytes = set->lead_bytes,
		.budget = min(set->lead_blocks, host_limit()),
	};
}

static void count(struct walpf_steer *steer)
{
	int i;

	for (i = 0; i < WALPF_NR_COUNTERS; i++) {
		u64 total = walpf_counter_total(steer->cl, i);

		steer->since[i] = total - steer->total[i];
		steer->total[i] = total;
	}
}

static void begin_epoch(struct walpf_steer *steer)
{
	steer->begun = jiffies;
	steer->lsn = walpf_gauge_get(steer->cl, replay_lsn);
	steer->outstanding = 0;
	steer->lead_spent = false;
	steer->budget_spent = false;
}

static void show(const struct walpf_steer *steer)
{
	walpf_gauge_set(steer->cl, effective_lead_bytes, steer->gov.lead_bytes);
	walpf_gauge_set(steer->cl, effective_lead_blocks, steer->gov.budget);
	walpf_gauge_set(steer->cl, effective_lead_ms, steer->gov.speed ?
			steer->gov.lead_bytes * 1000 / steer->gov.speed : 0);
	walpf_gauge_set(steer->cl, replay_speed, steer->gov.speed);
}

static void share_memory(struct walpf_steer *steer, bool active)
{
	if (active != steer->active)
		atomic_add(active ? 1 : -1, &nr_active);
	steer->active = active;
}

void walpf_steer_begin(struct walpf_steer *steer, struct walpf_cluster *cl,
		       const struct walpf_settings *set, struct mem_cgroup *memcg)
{
	struct walpf_govern_limits limits;

	steer->cl = cl;
	steer->memcg = memcg;
	steer->resting = false;
	share_memory(steer, true);
	limits = limits_of(set);
	walpf_govern_init(&steer->gov, &limits);
	count(steer);
	begin_epoch(steer);
	show(steer);
}

void walpf_steer_end(struct walpf_steer *steer)
{
	steer->memcg = NULL;
	share_memory(steer, false);
}

void walpf_steer_moved(struct walpf_steer *steer, u64 lsn)
{
	steer->lsn = lsn;
}

#define since(name) (steer->since[WALPF_COUNT_##name])

static u32 epoch_ms(const struct walpf_steer *steer)
{
	return jiffies_to_msecs(jiffies - steer->begun);
}

void walpf_steer_rest(struct walpf_steer *steer, bool rest)
{
	steer->resting = rest;
	walpf_startup_usage(steer->cl, &steer->usage);
	count(steer);
	begin_epoch(steer);
}

static u64 blocks_between(const struct walpf_startup_usage *before,
			  const struct walpf_startup_usage *now)
{
	return (now->read_bytes - before->read_bytes) / WALPF_BLCKSZ;
}

static bool has_read_enough(const struct walpf_steer *steer)
{
	struct walpf_startup_usage now = steer->usage;

	walpf_startup_usage(steer->cl, &now);
	return blocks_between(&steer->usage, &now) >= WALPF_GOVERN_ON_READS;
}

/* At rest it lasts until there is something to judge. */
static bool is_over(const struct walpf_steer *steer)
{
	u32 ms = epoch_ms(steer);

	if (steer->resting && ms < REST_MS && !has_read_enough(steer))
		return false;
	return ms >= WALPF_GOVERN_EPOCH_MS;
}

/*
 * What the startup process did not compute it waited for: for the device, if it read
 * from one. What it has computed since the last tick is not known yet.
 */
static struct walpf_govern_seen look_at_rest(struct walpf_steer *steer)
{
	struct walpf_startup_usage before = steer->usage;
	/* 0 would be: not known. */
	struct walpf_govern_seen seen = { .ms = epoch_ms(steer), .read_us = 1 };
	u64 computed_us;

	walpf_startup_usage(steer->cl, &steer->usage);
	seen.missed = blocks_between(&before, &steer->usage);
	computed_us = div_u64(steer->usage.ran_ns - before.ran_ns, NSEC_PER_USEC) +
		      USEC_PER_SEC / HZ;
	if (seen.ms * 1000ull > computed_us)
		seen.read_us = seen.ms * 1000ull - computed_us;
	seen.available = available(steer);
	walpf_count(steer->cl, resting_reads, seen.missed);
	return seen;
}

static struct walpf_govern_seen look(struct walpf_steer *steer)
{
	u64 replay_lsn = walpf_gauge_get(steer->cl, replay_lsn);

	count(steer);
	return (struct walpf_govern_seen){
		.ms = epoch_ms(steer),
		.replay_bytes = replay_lsn > steer->lsn ? replay_lsn - steer->lsn : 0,
		.references = since(references),
		.skipped_images = since(skipped_image),
		.skipped_pending = since(skipped_pending),
		.skipped_new = since(skipped_init) + since(skipped_eof),
		.skipped_recent = since(skipped_recent),
		.skipped_cached = since(skipped_cached),
		.skipped_files = since(skipped_missing) + since(skipped_refused) +
			since(skipped_space),
		.fetched = since(fetched) + since(skipped_observe),
		.refused = since(skipped_memory),
		.timely = since(timely),
		.late = since(late),
		.shared = since(shared),
		/* Those that look-ahead itself found gone it fetches again. */
		.evicted = since(evicted_read),
		.unused = since(unused),
		.lost = since(missed_cached),
		.missed = since(missed),
		.late_us = since(slept_late_us),
		.read_us = since(slept_missed_us),
		.latency_us = walpf_gauge_get(steer->cl, latency_us),
		.available = available(steer),
		.outstanding = steer->outstanding,
		.lead_spent = steer->lead_spent,
		.budget_spent = steer->budget_spent,
	};
}

bool walpf_steer_turn(struct walpf_steer *steer, const struct walpf_settings *set)
{
	struct walpf_govern_limits limits;
	struct walpf_govern_seen seen;

	if (!is_over(steer))
		return false;
	limits = limits_of(set);
	seen = steer->resting ? look_at_rest(steer) : look(steer);
	walpf_govern_epoch(&steer->gov, &limits, &seen);
	begin_epoch(steer);
	show(steer);
	return steer->gov.rewind;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The startup process: record by record, block by block, one read at a time;
 * and PostgreSQL's prefetch, which works in the same process.
 */
#include <string.h>

#include "sim.h"

/*
 * What a common processor needs, in nanoseconds: a record, a reference in it,
 * a byte of WAL; to read a block from the page cache, with a buffer freed for
 * it; for the prefetch to look a block up, to give advice, and what the kernel
 * has to do about it then.
 */
#define RECORD_NS	700
#define REF_NS		400
#define BYTES_PER_NS	5
#define READ_NS		4000
#define LOOKUP_NS	150
#define ADVISE_NS	1000
#define ASK_NS		3500

#define PG_DEFAULT_DEPTH	10
#define PG_DEFAULT_DISTANCE	(512u << 10)
#define PG_TUNED_DEPTH		500
#define PG_TUNED_DISTANCE	(2u << 20)

/* The prefetch may not have more records than this in flight. */
#define PG_RING		1024u

static void work(struct sim *sim, u64 ns)
{
	sim->now += ns * sim->conf.cpu_percent / 100;
}

/* Returns for how long. */
static u64 wait_until(struct sim *sim, u64 at)
{
	u64 ns = at > sim->now ? at - sim->now : 0;

	sim->n.stall_ns += ns;
	sim->now += ns;
	return ns;
}

/* In the page cache: perhaps not up to date yet. */
static void read_cached(struct sim *sim, u32 block)
{
	u64 waited = wait_until(sim, sim->ready_at[block]);

	if (sim->marks[block] != SIM_FETCHED)
		sim->n.cached_other++;
	else if (waited)
		sim->n.late++;
	else
		sim->n.timely++;
	if (sim->marks[block] == SIM_FETCHED)
		sim->n.late_ns += waited;
}

static void read_device(struct sim *sim, u32 block)
{
	sim->ready_at[block] = device_read(&sim->device, sim->now, block, 1);
	sim->n.read_ns += wait_until(sim, sim->ready_at[block]);
	if (sim->marks[block] == SIM_FETCHED) {
		sim->n.evicted++;
	} else {
		sim->n.missed++;
		sim->n.lost += sim->marks[block] == SIM_FOUND;
		sim->n.missed_recent += sim->marks[block] == SIM_RECENT;
	}
}

static void replay_ref(struct sim *sim, struct trace_block ref)
{
	bool content = ref.flags & (WALPF_REF_APPLY | WALPF_REF_INIT);
	u32 victim;

	if (ref.flags & WALPF_REF_IGNORED)
		return;
	work(sim, REF_NS);
	sim->refs++;
	if (buffers_use(sim->buffers, ref.block, &victim))
		return;
	/* Replay changes every block, so a buffer that is freed is written. */
	if (victim != BUFFERS_NONE)
		cache_access(sim->cache, victim);
	if (content)
		return;
	if (cache_access(sim->cache, ref.block))
		read_cached(sim, ref.block);
	else
		read_device(sim, ref.block);
	sim->n.startup_reads++;
	sim->marks[ref.block] = SIM_UNKNOWN;
	work(sim, READ_NS);
}

/* It remembers the last few blocks it asked for, and does not ask again. */
static bool pg_is_recent(struct pg_prefetch *pg, u32 block)
{
	for (u32 i = 0; i < 4; i++)
		if (pg->recent[i] == block)
			return true;
	pg->recent[pg->nr_recent++ % 4] = block;
	return false;
}

static void pg_ask(struct sim *sim, u32 block)
{
	struct pg_prefetch *pg = &sim->pg;

	work(sim, ADVISE_NS);
	pg->inflight[pg->head++ % PG_RING] = pg->index;
	if (sim_wants_read(sim, block)) {
		work(sim, ASK_NS);
		sim->ready_at[block] = device_read(&sim->device, sim->now, block, 1);
	}
}

static void pg_record(struct sim *sim)
{
	const struct trace_record *rec = trace_at(sim->conf.trace, sim->pg.index);

	for (u32 i = 0; i < rec->nr_refs; i++) {
		struct trace_block ref = trace_ref_at(sim->conf.trace, sim->pg.index, i);

		if (ref.flags & (WALPF_REF_APPLY | WALPF_REF_INIT | WALPF_REF_IMPLIED))
			continue;
		if (pg_is_recent(&sim->pg, ref.block))
			continue;
		work(sim, LOOKUP_NS);
		if (!buffers_have(sim->buffers, ref.block))
			pg_ask(sim, ref.block);
	}
	sim->pg.index++;
}

/* A read counts as done when replay comes to its record. */
static void pg_ahead(struct sim *sim)
{
	const struct trace *trace = sim->conf.trace;
	struct pg_prefetch *pg = &sim->pg;
	u64 limit = trace_lsn(trace, sim->index) + pg->distance;

	while (pg->tail != pg->head && pg->inflight[pg->tail % PG_RING] <= sim->index)
		pg->tail++;
	if (pg->index < sim->index)
		pg->index = sim->index;
	while (pg->head - pg->tail < pg->depth && pg->index < sim->conf.records &&
	       trace_lsn(trace, pg->index) < limit)
		pg_record(sim);
}

void replay_init(struct sim *sim)
{
	struct pg_prefetch *pg = &sim->pg;

	memset(pg->recent, 0xff, sizeof(pg->recent));
	pg->inflight = sim_alloc(PG_RING, sizeof(*pg->inflight));
	if (sim->conf.variant == SIM_PG) {
		pg->depth = PG_DEFAULT_DEPTH;
		pg->distance = PG_DEFAULT_DISTANCE;
	} else if (sim->conf.variant == SIM_TUNED) {
		pg->depth = PG_TUNED_DEPTH;
		pg->distance = PG_TUNED_DISTANCE;
	}
}

void replay_step(struct sim *sim)
{
	const struct trace_record *rec = trace_at(sim->conf.trace, sim->index);

	if (sim->pg.depth)
		pg_ahead(sim);
	work(sim, RECORD_NS + rec->len / BYTES_PER_NS);
	for (u32 i = 0; i < rec->nr_refs; i++)
		replay_ref(sim, trace_ref_at(sim->conf.trace, sim->index, i));
	sim->index++;
}

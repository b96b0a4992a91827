// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf's worker, as kmod/lookahead.c and kmod/fetch.c go about it, with the
 * module's own plan and controller: decode up to the lead or the budget, sort
 * and merge what is far ahead, keep the number of blocks in flight. Its own
 * time, on its own processor.
 */
#include <stdlib.h>
#include <string.h>

#include "least.h"
#include "sim.h"

#define BATCH_MAX	512u
#define BATCH_MIN	32u
#define NEAR_BYTES	(64u << 10)
#define EXTENT_MAX	32u
#define REQUESTS	8192u
#define MARKS		(1u << 20)
#define TIMED		8u

/* Nanoseconds of its processor: a record, a reference, one asked, a wake-up. */
#define RECORD_NS	250
#define REF_NS		60
#define LOOK_NS		300
#define ASK_NS		4000
#define WAKE_NS		20000

#define MS		1000000ull
#define EPOCH_NS	(WALPF_GOVERN_EPOCH_MS * MS)

struct want {
	u64 index;
	u32 block;
};

struct request {
	u64 asked;
	u64 done;
	u32 blocks;
	u32 inflight;
};

struct mark {
	u64 index;
	u32 block;
	enum sim_mark kind;
};

/**
 * struct worker - its state
 * @now: its time; SIM_NEVER: it sleeps until replay is at @wake_lsn
 * @busy_from: when it woke up
 * @index: the next record to decode
 * @wants: gathered, @nr_wants of them; being asked for from @next on if
 *	@asking
 * @requests: ring of what is in flight
 * @marks: ring of what is fetched or was found cached, and not yet passed
 * @outstanding: of these: fetched
 * @most_marks: the most of those, since the last epoch
 * @seen: counters at the last epoch
 */
struct worker {
	u64 now;
	u64 wake_lsn;
	u64 index;
	struct walpf_plan plan;
	void *plan_mem;
	struct walpf_learn learn;
	struct want wants[BATCH_MAX + WALPF_MAX_REFS + WALPF_MAX_IMPLIED];
	u32 nr_wants;
	u32 next;
	bool asking;
	struct request requests[REQUESTS];
	u32 head, tail;
	u32 inflight;
	u32 sent;
	struct mark *marks;
	u32 marks_head, marks_tail;
	u32 outstanding;
	u32 most_marks;
	bool lead_spent;
	bool budget_spent;
	bool controlled;
	struct walpf_govern govern;
	struct walpf_govern_device device;
	u64 epoch_at;
	u64 epoch_lsn;
	struct sim_counters seen;
};

static void work(struct sim *sim, u64 ns)
{
	ns = ns * sim->conf.cpu_percent / 100;
	sim->worker->now += ns;
	sim->n.worker_ns += ns;
}

static u64 lead_of(const struct sim *sim)
{
	const struct worker *w = sim->worker;

	return w->controlled ? w->govern.lead_bytes : sim->conf.limits.lead_bytes;
}

static u64 budget_of(const struct sim *sim)
{
	const struct worker *w = sim->worker;

	return w->controlled ? w->govern.budget : sim->conf.limits.budget;
}

static u32 inflight_of(const struct sim *sim)
{
	const struct worker *w = sim->worker;

	return w->controlled ?
		walpf_govern_device_inflight(&w->device, &sim->conf.device_limits) :
		sim->conf.device_limits.inflight;
}

u64 worker_now(const struct sim *sim)
{
	return sim->worker ? sim->worker->now : SIM_NEVER;
}

static u64 lookahead_lsn(const struct sim *sim)
{
	return trace_lsn(sim->conf.trace, sim->worker->index);
}

static u32 outstanding(const struct worker *w)
{
	return w->outstanding;
}

static void pass_mark(struct sim *sim, const struct mark *mark)
{
	if (mark->kind == SIM_FETCHED)
		sim->worker->outstanding--;
	if (sim->marks[mark->block] != mark->kind)
		return;
	sim->n.unused += mark->kind == SIM_FETCHED;
	sim->marks[mark->block] = SIM_UNKNOWN;
}

static void pass_marks(struct sim *sim)
{
	struct worker *w = sim->worker;

	while (w->marks_tail != w->marks_head) {
		const struct mark *mark = &w->marks[w->marks_tail % MARKS];

		if (mark->index >= sim->index)
			return;
		pass_mark(sim, mark);
		w->marks_tail++;
	}
}

static void add_mark(struct sim *sim, u64 index, u32 block, enum sim_mark kind)
{
	struct worker *w = sim->worker;

	/* Fetched again: the first time was in vain. */
	sim->n.evicted += kind == SIM_FETCHED && sim->marks[block] == SIM_FETCHED;
	sim->marks[block] = kind;
	w->marks[w->marks_head++ % MARKS] = (struct mark){ index, block, kind };
	w->outstanding += kind == SIM_FETCHED;
	if (w->outstanding > w->most_marks)
		w->most_marks = w->outstanding;
}

/* All that came, in whatever order: the oldest may be the slowest. */
static void reap(struct worker *w)
{
	u32 i, to = w->tail;

	for (i = w->tail; i != w->head; i++) {
		const struct request *rq = &w->requests[i % REQUESTS];

		if (rq->done <= w->now)
			w->inflight -= rq->blocks;
		else
			w->requests[to++ % REQUESTS] = *rq;
	}
	w->head = to;
}

/*
 * One that is slow is passed by those behind it, if it is not what is waited for.
 * How long it took is known only of what was, as in the module.
 */
static void wait_for_room(struct sim *sim)
{
	struct worker *w = sim->worker;
	u32 older = (w->head - w->tail) / sim->conf.wait;
	const struct request *rq = &w->requests[(w->tail + older) % REQUESTS];
	const struct walpf_govern_sample sample = {
		.asked_us = rq->asked / 1000,
		.now_us = most(rq->done, w->now) / 1000,
		.inflight = rq->inflight,
	};

	w->now = most(rq->done, w->now);
	if (w->controlled && rq->asked != SIM_NEVER)
		walpf_govern_device_sample(&w->device, &sim->conf.device_limits, &sample);
	reap(w);
}

static void ask(struct sim *sim, u32 block, u32 nr)
{
	struct worker *w = sim->worker;
	bool timed = w->device.learning || w->sent % TIMED == 0;
	u64 done;

	work(sim, ASK_NS);
	done = device_read(&sim->device, w->now, block, nr);
	for (u32 i = 0; i < nr; i++)
		sim->ready_at[block + i] = done;
	w->inflight += nr;
	w->sent++;
	sim->n.fetched += nr;
	w->requests[w->head++ % REQUESTS] = (struct request){
		.asked = timed ? w->now : SIM_NEVER,
		.done = done,
		.blocks = nr,
		.inflight = w->inflight,
	};
}

static void found_cached(struct sim *sim, const struct want *want)
{
	sim->n.skipped_cached++;
	if (sim->conf.touch)
		cache_access(sim->cache, want->block);
	if (sim->marks[want->block] != SIM_FETCHED)
		add_mark(sim, want->index, want->block, SIM_FOUND);
}

/* Skips what needs no fetch; false at the end. */
static bool find_next(struct sim *sim)
{
	struct worker *w = sim->worker;

	for (; w->next < w->nr_wants; w->next++) {
		const struct want *want = &w->wants[w->next];

		work(sim, LOOK_NS);
		if (want->index < sim->index)
			sim->n.passed++;
		else if (!sim_wants_read(sim, want->block))
			found_cached(sim, want);
		else
			return true;
	}
	return false;
}

/* Asks for the next blocks that are neighbours; the first is not cached yet. */
static void ask_extent(struct sim *sim)
{
	struct worker *w = sim->worker;
	u32 max = inflight_of(sim) < EXTENT_MAX ? inflight_of(sim) : EXTENT_MAX;
	const struct want *first = &w->wants[w->next];
	u32 nr = 0;

	do {
		add_mark(sim, w->wants[w->next].index, first->block + nr, SIM_FETCHED);
		w->next++;
		nr++;
	} while (nr < max && w->next < w->nr_wants &&
		 w->wants[w->next].block == first->block + nr &&
		 w->wants[w->next].index >= sim->index &&
		 sim_wants_read(sim, first->block + nr));
	ask(sim, first->block, nr);
}

static bool has_inflight_room(struct sim *sim)
{
	struct worker *w = sim->worker;

	reap(w);
	return w->inflight < inflight_of(sim) && w->head - w->tail < REQUESTS;
}

/* One request, or one wait. */
static void ask_step(struct sim *sim)
{
	struct worker *w = sim->worker;

	if (!has_inflight_room(sim)) {
		wait_for_room(sim);
		return;
	}
	if (find_next(sim)) {
		ask_extent(sim);
		return;
	}
	w->nr_wants = 0;
	w->asking = false;
}

static void count_skip(struct sim *sim, enum walpf_plan_verdict verdict)
{
	switch (verdict) {
	case WALPF_SKIP_IMAGE:
		sim->n.skipped_images++;
		break;
	case WALPF_SKIP_PENDING:
		sim->n.skipped_pending++;
		break;
	case WALPF_SKIP_INIT:
		sim->n.skipped_new++;
		break;
	case WALPF_SKIP_RECENT:
		sim->n.skipped_recent++;
		break;
	default:
		sim->n.passed++;
	}
}

static void skip(struct sim *sim, u32 block, enum walpf_plan_verdict verdict)
{
	count_skip(sim, verdict);
	if (verdict == WALPF_SKIP_RECENT && !sim->marks[block])
		sim->marks[block] = SIM_RECENT;
}

static void decode_record(struct sim *sim)
{
	const struct trace *trace = sim->conf.trace;
	struct worker *w = sim->worker;
	const struct trace_record *rec = trace_at(trace, w->index);

	work(sim, RECORD_NS + rec->nr_refs * REF_NS);
	for (u32 i = 0; i < rec->nr_refs; i++) {
		struct trace_block block = trace_ref_at(trace, w->index, i);
		struct walpf_wal_ref ref = trace_wal_ref(block);
		enum walpf_plan_verdict verdict =
			walpf_plan_ref(&w->plan, &ref, lookahead_lsn(sim), sim_replay_lsn(sim));

		sim->n.references++;
		if (verdict == WALPF_PLAN_FETCH)
			w->wants[w->nr_wants++] = (struct want){ w->index, block.block };
		else
			skip(sim, block.block, verdict);
	}
	w->index++;
}

static u64 near_bytes(const struct sim *sim)
{
	return sim->conf.near_bytes ? sim->conf.near_bytes : NEAR_BYTES;
}

static u64 distance(const struct sim *sim)
{
	u64 lsn = lookahead_lsn(sim), replay = sim_replay_lsn(sim);

	return lsn > replay ? lsn - replay : 0;
}

static bool is_near(const struct sim *sim)
{
	return distance(sim) < near_bytes(sim);
}

static bool is_full(const struct sim *sim)
{
	u64 speed = sim->worker->govern.speed;
	u64 most = speed ? distance(sim) * 1000 / speed : 0;

	if (most < BATCH_MIN)
		most = BATCH_MIN;
	return sim->worker->nr_wants >= (most < BATCH_MAX ? most : BATCH_MAX);
}

static int compare(const void *left, const void *right)
{
	const struct want *a = left, *b = right;

	return a->block < b->block ? -1 : a->block > b->block;
}

static void begin_asking(struct sim *sim)
{
	struct worker *w = sim->worker;

	if (!is_near(sim))
		qsort(w->wants, w->nr_wants, sizeof(*w->wants), compare);
	w->next = 0;
	w->asking = true;
}

static bool has_room(const struct sim *sim)
{
	const struct worker *w = sim->worker;

	return lookahead_lsn(sim) < sim_replay_lsn(sim) + lead_of(sim) &&
	       outstanding(w) + w->nr_wants < budget_of(sim) && w->index < sim->conf.records;
}

static void sleep_until(struct sim *sim, u64 lsn)
{
	sim->worker->now = SIM_NEVER;
	sim->worker->wake_lsn = lsn;
}

/* Where replay has passed an eighth of the budget: batches must not become small. */
static u64 budget_lsn(const struct sim *sim)
{
	const struct worker *w = sim->worker;
	u32 newest = w->marks_head - 1;
	u32 nr = least(newest - w->marks_tail, budget_of(sim) / 8);

	return trace_lsn(sim->conf.trace, w->marks[(w->marks_tail + nr) % MARKS].index);
}

/* Until replay is a sixteenth of the lead on, or of the budget's blocks has passed enough. */
static void rest(struct sim *sim)
{
	struct worker *w = sim->worker;

	if (outstanding(w) >= budget_of(sim)) {
		w->budget_spent = true;
		sleep_until(sim, budget_lsn(sim));
	} else {
		w->lead_spent = true;
		sleep_until(sim, sim_replay_lsn(sim) + lead_of(sim) / 16);
	}
}

/* What is outstanding counts no longer: it was passed, or is gone. */
static void forget_marks(struct worker *w)
{
	w->marks_tail = w->marks_head;
	w->outstanding = 0;
}

static void resync(struct sim *sim)
{
	struct worker *w = sim->worker;

	sim->n.resyncs++;
	forget_marks(w);
	w->nr_wants = 0;
	w->index = sim->index;
	walpf_plan_resync(&w->plan, sim_replay_lsn(sim));
}

static bool is_on(const struct sim *sim)
{
	return !sim->worker->controlled || walpf_govern_is_on(&sim->worker->govern);
}

void worker_step(struct sim *sim)
{
	struct worker *w = sim->worker;

	if (w->asking)
		ask_step(sim);
	else if (!is_on(sim))
		sleep_until(sim, SIM_NEVER);
	else if (w->index < sim->index)
		resync(sim);
	else if (is_full(sim) || (w->nr_wants && !has_room(sim)))
		begin_asking(sim);
	else if (has_room(sim))
		decode_record(sim);
	else
		rest(sim);
}

static void log_epoch(const struct sim *sim, const struct walpf_govern_seen *seen)
{
	const struct worker *w = sim->worker;

	fprintf(sim->conf.log, "%llu\t%u\t%llu\t%llu\t%u\t%u\t%s\t",
		(unsigned long long)(sim->now / MS), w->govern.lead_ms,
		(unsigned long long)w->govern.lead_bytes, (unsigned long long)w->govern.budget,
		w->device.inflight, w->device.latency_us,
		walpf_govern_reason_name(w->govern.reason));
	fprintf(sim->conf.log, "%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n",
		(unsigned long long)seen->replay_bytes, (unsigned long long)seen->fetched,
		(unsigned long long)seen->timely, (unsigned long long)seen->late,
		(unsigned long long)seen->evicted, (unsigned long long)seen->missed);
}

static struct walpf_govern_seen look(const struct sim *sim)
{
	const struct worker *w = sim->worker;
	const struct sim_counters *n = &sim->n, *was = &w->seen;

	return (struct walpf_govern_seen){
		.ms = (sim->now - (w->epoch_at - EPOCH_NS)) / MS,
		.replay_bytes = trace_lsn(sim->conf.trace, sim->index) - w->epoch_lsn,
		.references = n->references - was->references,
		.skipped_images = n->skipped_images - was->skipped_images,
		.skipped_pending = n->skipped_pending - was->skipped_pending,
		.skipped_new = n->skipped_new - was->skipped_new,
		.skipped_recent = n->skipped_recent - was->skipped_recent,
		.skipped_cached = n->skipped_cached - was->skipped_cached,
		.fetched = n->fetched - was->fetched,
		.timely = n->timely - was->timely,
		.late = n->late - was->late,
		.evicted = n->evicted - was->evicted,
		.lost = n->lost - was->lost,
		.unused = n->unused - was->unused,
		.missed = n->missed - was->missed,
		.late_us = (n->late_ns - was->late_ns) / 1000,
		.read_us = (n->read_ns - was->read_ns) / 1000,
		.latency_us = w->device.latency_us,
		.available = sim->conf.cache,
		.outstanding = w->most_marks,
		.lead_spent = w->lead_spent,
		.budget_spent = w->budget_spent,
	};
}

static void rewind_to_replay(struct sim *sim)
{
	resync(sim);
	sim->worker->asking = false;
	sim->worker->now = sim->now;
}

static void learn(struct sim *sim)
{
	struct worker *w = sim->worker;

	if (sim->conf.learn)
		walpf_learn_window(&w->learn, sim->n.missed_recent - w->seen.missed_recent,
				   sim->n.unused - w->seen.unused);
}

static void epoch(struct sim *sim)
{
	struct worker *w = sim->worker;
	struct walpf_govern_seen seen = look(sim);
	bool was_on = walpf_govern_is_on(&w->govern);

	walpf_govern_epoch(&w->govern, &sim->conf.limits, &seen);
	if (!was_on)
		sim->n.off_ns += seen.ms * MS;
	if (was_on != walpf_govern_is_on(&w->govern))
		sim->n.switched++;
	if (!was_on && walpf_govern_is_on(&w->govern))
		w->now = sim->now;
	if (w->govern.rewind && is_on(sim))
		rewind_to_replay(sim);
	if (sim->conf.log)
		log_epoch(sim, &seen);
	learn(sim);
	w->seen = sim->n;
	w->epoch_lsn = trace_lsn(sim->conf.trace, sim->index);
	w->epoch_at = sim->now + EPOCH_NS;
	w->most_marks = outstanding(w);
	w->lead_spent = false;
	w->budget_spent = false;
}

void worker_replayed(struct sim *sim)
{
	struct worker *w = sim->worker;

	pass_marks(sim);
	if (w->controlled && sim->now >= w->epoch_at)
		epoch(sim);
	if (w->now == SIM_NEVER && sim_replay_lsn(sim) >= w->wake_lsn)
		w->now = sim->now + WAKE_NS;
}

void worker_init(struct sim *sim)
{
	const struct walpf_plan_conf conf = {
		.shared_buffers = sim->conf.buffers,
		.seed = { 0x243f6a8885a308d3ull, 0x13198a2e03707344ull },
	};
	size_t bytes = walpf_plan_size(&conf);
	struct worker *w = sim_alloc(1, sizeof(*w));

	sim->worker = w;
	w->plan_mem = sim_alloc(1, bytes);
	w->marks = sim_alloc(MARKS, sizeof(*w->marks));
	w->controlled = sim->conf.variant == SIM_GOVERN;
	w->epoch_at = EPOCH_NS;
	walpf_plan_init(&w->plan, w->plan_mem, bytes, &conf);
	walpf_learn_init(&w->learn, &w->plan);
	if (sim->conf.window)
		walpf_plan_set_window(&w->plan, (u64)conf.shared_buffers * sim->conf.window / 100);
	walpf_plan_reset(&w->plan, true);
	walpf_plan_resync(&w->plan, trace_lsn(sim->conf.trace, 0));
	walpf_govern_init(&w->govern, &sim->conf.limits);
	walpf_govern_device_init(&w->device, &sim->conf.device_limits);
}

void worker_exit(struct sim *sim)
{
	free(sim->worker->plan_mem);
	free(sim->worker->marks);
	free(sim->worker);
}

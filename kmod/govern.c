// SPDX-License-Identifier: GPL-2.0-only
/*
 * The controller of a cluster is three rules, each of which acts on another
 * variable, so that they cannot work against each other:
 *
 *  lead	grows when blocks come late although look-ahead had nothing to do
 *		but wait for replay. When it had not, the device is what is slow,
 *		and more lead would help nothing.
 *  budget	shrinks to below what was outstanding when blocks were evicted or
 *		memory was refused, and the lead with it; grows when it was what
 *		made blocks come late.
 *  on, off	nothing is fetched while the reads that this spares replay would be
 *		a small part of its time.
 *
 * A change shows only once replay comes to the blocks that were fetched under
 * it, so until then nothing is judged. That, and a wide gap between what makes
 * the lead grow and what makes it shrink, is what keeps the values still.
 */
#include "govern.h"
#include "least.h"

/*
 * The lead in milliseconds of replay: half a second is a hundred times what
 * one read takes of a slow device; a minute is more than anybody has memory for.
 */
#define LEAD_MS_FIRST	20u
#define LEAD_MS_MIN	10u
#define LEAD_MS_MAX	60000u

/*
 * In bytes never less than makes two batches of references. Before replay's
 * speed is known, what a fast one needs for LEAD_MS_FIRST at least.
 */
#define LEAD_MIN	(256u << 10)
#define LEAD_FIRST	(1024u << 10)

/* The least budget, in blocks: what a device needs that is not to fall idle. */
#define BUDGET_MIN	64u

/*
 * What is fetched and not yet read may take so much of the memory to be had; or
 * 4 MB, if that is not more than a fourth of it. With so much it begins, before
 * anybody has told how much there is.
 */
#define MEMORY_SHARE	16
#define MEMORY_SMALL	4
#define MEMORY_MIN	512u

/*
 * Lead and budget are judged when the outcome of so many blocks is known, so many
 * of which were late or gone that it is no chance; or of very many. What replay
 * waited for is too much from one part in TOO_MUCH of its time on; of
 * blocks that were gone too many are one in TOO_MUCH. More lead makes for less
 * waiting for late blocks and more for gone ones, so it is changed only if one
 * outweighs the other by far.
 */
#define EVIDENCE	256u
#define EVENTS		16u
#define EVIDENCE_MAX	4096u
#define TOO_MUCH	64
#define OUTWEIGHS	4

/* Steps of lead and budget: STEP_MAX of STEPS at most; the lead grows to twice itself by that. */
#define STEPS		32u
#define STEP_MAX	8u

/* Replay may be slow just because the lead is wrong: it is not waited for longer. */
#define HOLD_MS		1000u

/* A large step is due at once if one block in MANY is gone, or that takes most of the time. */
#define MANY		8u
#define most_of(us)	((us) / 4 * 3)

/* So many blocks that were gone at once are no chance. */
#define FLOOD		8u

/* For so long it counts that lead or budget was spent: bursts follow on quiet times. */
#define SPENT_MS	1000u

/* A trial ends after so much of both; sooner where nothing was there to be fetched. */
#define TRIAL_MS	1000u
#define TRIAL_REFS	1024u
#define VAIN_MS		200u

/*
 * Off when the reads that fetching spares replay are less than one part in
 * OFF_SHARE of the time and of the references; on when replay waits for more
 * than one in ON_SHARE of the time, for at least WALPF_GOVERN_ON_READS blocks.
 */
#define OFF_SHARE	400u
#define ON_SHARE	100u

/* A read of which nothing is known: what a fast device needs. */
#define LATENCY_LEAST	50u

/* Of so many blocks whose outcome is known one in USEFUL must have been of use. */
#define SETTLED_MIN	256u
#define USEFUL		8u

/* How long it stays off after a trial in vain, and how long it must be worth it. */
#define RETRY_MIN_MS	500u
#define RETRY_MAX_MS	8000u
#define GOOD_MS		10000u

/* Sums of times do not wrap round. */
static u32 add_ms(u32 a, u32 b)
{
	return a + b < a ? ~0u : a + b;
}

static u64 settled(const struct walpf_govern_seen *seen)
{
	return seen->timely + seen->late + seen->shared + seen->evicted + seen->unused;
}

static u64 useful(const struct walpf_govern_seen *seen)
{
	return seen->timely + seen->late + seen->shared;
}

static u32 latency_of(const struct walpf_govern_seen *seen)
{
	return most(seen->latency_us, LATENCY_LEAST);
}

/* What may be in force, from what is aimed at. */
static void take_effect(struct walpf_govern *gov, const struct walpf_govern_limits *limits)
{
	u64 lead = LEAD_FIRST;

	if (gov->speed)
		lead = most(gov->speed * gov->lead_ms / 1000, LEAD_MIN);
	gov->lead_bytes = least(lead, limits->lead_bytes);
	gov->budget = least(least(gov->ceiling, gov->memory), limits->budget);
}

void walpf_govern_init(struct walpf_govern *gov, const struct walpf_govern_limits *limits)
{
	*gov = (struct walpf_govern){
		.lead_ms = LEAD_MS_FIRST,
		.ceiling = ~0ull,
		.memory = MEMORY_MIN,
		.lead_used_ms = ~0u,
		.budget_used_ms = ~0u,
		.retry_ms = RETRY_MIN_MS,
		.step = STEP_MAX,
	};
	take_effect(gov, limits);
}

/*
 * How fast replay is when nothing stops it: that is what the lead must bear.
 * Where it waits for a device it is slower, and a lead measured by that would
 * keep it so. Therefore it follows up at once, and down by a half in 2 s.
 */
static void see_speed(struct walpf_govern *gov, const struct walpf_govern_seen *seen)
{
	u64 speed = seen->replay_bytes * 1000 / seen->ms;

	if (!speed)
		return;
	if (speed > gov->speed)
		gov->speed = speed;
	else
		gov->speed -= (gov->speed - speed) / 32;
}

/* Memory that comes and goes by less than an eighth is not worth a change. */
static void see_memory(struct walpf_govern *gov, const struct walpf_govern_seen *seen)
{
	u64 small = least(seen->available / MEMORY_SMALL, MEMORY_MIN);
	u64 memory = most(most(seen->available / MEMORY_SHARE, small), BUDGET_MIN);

	if (memory < gov->memory || memory - memory / 8 > gov->memory)
		gov->memory = memory;
}

/* What replay waited for late blocks: half of the latency if nobody measured it. */
static u64 late_us(const struct walpf_govern_seen *seen)
{
	return seen->late_us ? seen->late_us : seen->late * latency_of(seen) / 2;
}

/* The same for blocks that were to be there and were not: as for any that replay read. */
static u64 gone_us(const struct walpf_govern_seen *seen)
{
	u64 gone = seen->evicted + seen->lost + seen->refused;
	u64 read = seen->evicted + seen->missed;

	return read && seen->read_us ? seen->read_us * gone / read : gone * latency_of(seen);
}

static void add_evidence(struct walpf_govern_evidence *ev, const struct walpf_govern_seen *seen)
{
	ev->us += (u64)seen->ms * 1000;
	ev->blocks += settled(seen) + seen->lost + seen->refused;
	ev->events += seen->late + seen->evicted + seen->lost + seen->refused;
	ev->gone += seen->evicted + seen->lost + seen->refused;
	ev->late_us += late_us(seen);
	ev->gone_us += gone_us(seen);
	if (seen->outstanding > ev->outstanding)
		ev->outstanding = seen->outstanding;
}

static bool is_enough(const struct walpf_govern_evidence *ev)
{
	return ev->blocks >= EVIDENCE_MAX || (ev->blocks >= EVIDENCE && ev->events >= EVENTS);
}

static bool is_too_late(const struct walpf_govern_evidence *ev)
{
	return ev->late_us * TOO_MUCH > ev->us && ev->late_us > ev->gone_us * OUTWEIGHS;
}

static bool is_too_far(const struct walpf_govern_evidence *ev)
{
	return (ev->gone_us * TOO_MUCH > ev->us || ev->gone * TOO_MUCH > ev->blocks) &&
	       ev->gone_us > ev->late_us * OUTWEIGHS;
}

/* The lead in force, whatever bound made it so. */
static u64 effective_ms(const struct walpf_govern *gov)
{
	return gov->speed ? gov->lead_bytes * 1000 / gov->speed : gov->lead_ms;
}

/* Steps become small where one way and the other take turns, and large again on a long way. */
static void take_step(struct walpf_govern *gov, bool up)
{
	if (up == gov->was_up)
		gov->step = least(gov->step + 1, STEP_MAX);
	else
		gov->step = most(gov->step / 2, 1);
	gov->was_up = up;
}

static bool is_severe(const struct walpf_govern_evidence *ev)
{
	return ev->gone * MANY > ev->blocks || ev->gone_us > most_of(ev->us);
}

static void shrink(struct walpf_govern *gov)
{
	u64 held = least(gov->budget, most(gov->evidence.outstanding, BUDGET_MIN));
	u64 lead = least(gov->lead_ms, effective_ms(gov));

	take_step(gov, false);
	if (is_severe(&gov->evidence))
		gov->step = STEP_MAX;
	gov->ceiling = most(held - held * gov->step / STEPS, BUDGET_MIN);
	gov->lead_ms = most(lead - lead * gov->step / STEPS, LEAD_MS_MIN);
}

static void grow_budget(struct walpf_govern *gov)
{
	take_step(gov, true);
	gov->ceiling += gov->ceiling * gov->step / STEPS + 1;
}

static void grow_lead(struct walpf_govern *gov)
{
	u64 lead = most(gov->lead_ms, effective_ms(gov));

	take_step(gov, true);
	gov->lead_ms = least(lead + lead * gov->step / STEP_MAX + 1, LEAD_MS_MAX);
}

/* What stopped look-ahead is let grow. If neither did, more of them would not help. */
static void grow(struct walpf_govern *gov, const struct walpf_govern_limits *limits)
{
	if (gov->budget_used_ms <= SPENT_MS && gov->ceiling <= gov->budget)
		grow_budget(gov);
	else if (gov->lead_used_ms <= SPENT_MS && gov->lead_bytes < limits->lead_bytes)
		grow_lead(gov);
}

/* What is outstanding now was fetched under the old values. */
static void hold(struct walpf_govern *gov)
{
	gov->hold = gov->evidence.outstanding;
	gov->held_ms = 0;
	gov->evidence = (struct walpf_govern_evidence){};
}

static bool is_held(struct walpf_govern *gov, const struct walpf_govern_seen *seen)
{
	u64 passed = settled(seen) + seen->refused;

	gov->held_ms = add_ms(gov->held_ms, seen->ms);
	if (!gov->hold || gov->held_ms > HOLD_MS)
		return false;
	gov->hold -= least(gov->hold, passed);
	return true;
}

static void see_outcomes(struct walpf_govern *gov, const struct walpf_govern_limits *limits,
			 const struct walpf_govern_seen *seen)
{
	struct walpf_govern_evidence *ev = &gov->evidence;

	gov->lead_used_ms = seen->lead_spent ? 0 : add_ms(gov->lead_used_ms, seen->ms);
	gov->budget_used_ms = seen->budget_spent ? 0 : add_ms(gov->budget_used_ms, seen->ms);
	if (is_held(gov, seen))
		return;
	add_evidence(ev, seen);
	if (!is_enough(ev))
		return;
	if (is_too_far(ev))
		shrink(gov);
	else if (is_too_late(ev))
		grow(gov, limits);
	hold(gov);
}

/*
 * More of what replay came to was gone than was there: so is, most likely, more
 * of what is still before it. Without another look at that, replay would have
 * to read it block by block.
 */
static void see_flood(struct walpf_govern *gov, const struct walpf_govern_seen *seen)
{
	u64 gone = seen->evicted + seen->lost;

	gov->rewind = walpf_govern_is_on(gov) && gone >= FLOOD &&
		gone * 2 > settled(seen) + seen->lost;
	if (!gov->rewind)
		return;
	gov->ceiling = most(least(gov->budget, seen->outstanding) / 2, BUDGET_MIN);
	hold(gov);
}

static void add_to_trial(struct walpf_govern_trial *trial, const struct walpf_govern_seen *seen)
{
	trial->ms += seen->ms;
	trial->references += seen->references;
	trial->fetched += seen->fetched;
	trial->cost_us += seen->fetched * latency_of(seen);
	trial->settled += settled(seen);
	trial->useful += useful(seen);
	trial->evicted += seen->evicted;
	trial->skipped[WALPF_GOVERN_CACHED] += seen->skipped_cached;
	trial->pending += seen->skipped_pending;
	trial->skipped[WALPF_GOVERN_IMAGES] += seen->skipped_images;
	trial->skipped[WALPF_GOVERN_NEW] += seen->skipped_new;
	trial->skipped[WALPF_GOVERN_BUFFERS] += seen->skipped_recent;
	trial->skipped[WALPF_GOVERN_FILES] += seen->skipped_files;
}

/*
 * What most of the references were not fetched for. A pending one is that of a
 * block that came as an image or a new page shortly before.
 */
static enum walpf_govern_reason main_reason(struct walpf_govern_trial *trial)
{
	enum walpf_govern_reason best = WALPF_GOVERN_CACHED, i;
	bool new = trial->skipped[WALPF_GOVERN_NEW] > trial->skipped[WALPF_GOVERN_IMAGES];

	trial->skipped[new ? WALPF_GOVERN_NEW : WALPF_GOVERN_IMAGES] += trial->pending;
	for (i = WALPF_GOVERN_CACHED; i < WALPF_GOVERN_NR_REASONS; i++)
		if (trial->skipped[i] > trial->skipped[best])
			best = i;
	return best;
}

static enum walpf_govern_reason judge(struct walpf_govern_trial *trial)
{
	if (trial->settled >= SETTLED_MIN && trial->useful * USEFUL < trial->settled)
		return trial->evicted * 2 > trial->settled - trial->useful ? WALPF_GOVERN_EVICTED :
									    WALPF_GOVERN_UNUSED;
	if (trial->fetched * OFF_SHARE < trial->references &&
	    trial->cost_us * OFF_SHARE < trial->ms * 1000)
		return main_reason(trial);
	return WALPF_GOVERN_NONE;
}

static bool is_over(const struct walpf_govern_trial *trial)
{
	return trial->references >= TRIAL_REFS &&
	       trial->ms >= (trial->fetched ? TRIAL_MS : VAIN_MS);
}

static void try_on(struct walpf_govern *gov, const struct walpf_govern_seen *seen)
{
	add_to_trial(&gov->trial, seen);
	if (!is_over(&gov->trial))
		return;
	gov->reason = judge(&gov->trial);
	if (walpf_govern_is_on(gov)) {
		gov->good_ms = add_ms(gov->good_ms, least(gov->trial.ms, GOOD_MS));
	} else {
		gov->retry_ms = gov->good_ms >= GOOD_MS ? RETRY_MIN_MS :
			least(gov->retry_ms * 2, RETRY_MAX_MS);
		gov->off_ms = 0;
		gov->good_ms = 0;
	}
	gov->trial = (struct walpf_govern_trial){};
}

/* What replay waited for in this epoch that fetching could have spared it. */
static u64 missed_us(const struct walpf_govern_seen *seen)
{
	u64 read = seen->evicted + seen->missed;

	return read && seen->read_us ? seen->read_us * seen->missed / read :
				       seen->missed * latency_of(seen);
}

/*
 * Nothing is decoded while it is off. If fetching would be of use, replay is
 * seen to read blocks from the device; if it is not, nothing is lost.
 */
static void try_off(struct walpf_govern *gov, const struct walpf_govern_seen *seen)
{
	gov->off_ms = add_ms(gov->off_ms, seen->ms);
	if (gov->off_ms < gov->retry_ms || seen->missed < WALPF_GOVERN_ON_READS)
		return;
	if (missed_us(seen) * ON_SHARE < (u64)seen->ms * 1000)
		return;
	gov->reason = WALPF_GOVERN_NONE;
	gov->hold = 0;
	gov->evidence = (struct walpf_govern_evidence){};
}

void walpf_govern_epoch(struct walpf_govern *gov, const struct walpf_govern_limits *limits,
			const struct walpf_govern_seen *seen)
{
	if (!seen->ms)
		return;
	see_speed(gov, seen);
	see_memory(gov, seen);
	see_outcomes(gov, limits, seen);
	see_flood(gov, seen);
	if (walpf_govern_is_on(gov))
		try_on(gov, seen);
	else
		try_off(gov, seen);
	take_effect(gov, limits);
}

bool walpf_govern_is_ahead(const struct walpf_govern *gov)
{
	return gov->lead_used_ms <= SPENT_MS || gov->budget_used_ms <= SPENT_MS;
}

static const char *const names[WALPF_GOVERN_NR_REASONS] = {
#define X(NAME, word, text) [WALPF_GOVERN_##NAME] = #word,
	WALPF_GOVERN_REASONS(X)
#undef X
};

static const char *const texts[WALPF_GOVERN_NR_REASONS] = {
#define X(NAME, word, text) [WALPF_GOVERN_##NAME] = text,
	WALPF_GOVERN_REASONS(X)
#undef X
};

const char *walpf_govern_reason_name(enum walpf_govern_reason reason)
{
	return (u32)reason < WALPF_GOVERN_NR_REASONS ? names[reason] : "unknown";
}

const char *walpf_govern_reason_text(enum walpf_govern_reason reason)
{
	return (u32)reason < WALPF_GOVERN_NR_REASONS ? texts[reason] : "unknown";
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The block memory: a set-associative table of hashed block identities, a
 * cache line per bucket, and a ring of epochs that dates its entries.
 *
 * An epoch is the time in which so many distinct blocks were referenced. It
 * knows how many blocks were referenced in it last, so the sum over the newest
 * epochs is the number of distinct blocks referenced since: a block's depth in
 * a least-recently-used list, to an epoch's precision. A span is the newest
 * epochs whose sum fits into the assumed share of shared_buffers.
 *
 * Everything forgotten, pushed out or mistaken here costs a fetch that finds
 * the page cached, or a fetch not made. Nothing here can cause a wrong one.
 */
#include "fold.h"
#include "plan.h"

/*
 * An entry, from the top: 20 bits of hash, never 0; 10 bits of epoch; 2 flags.
 * 0 is a free entry. A block never seen matches one of 16 tags by chance in 1
 * of 65,536 cases.
 *
 * AHEAD: it was an image or empty page that redo had not come to when the
 * block was last referenced. KEPT: it began so, or was referenced again soon.
 */
#define WAYS		16
#define TAG_SHIFT	12
#define AGE_SHIFT	2
#define AGE_MASK	1023u
#define AHEAD		1u
#define KEPT		2u

#define NR_EPOCHS	(AGE_MASK + 1)

/*
 * Entries older than REACH epochs count as free. Each bucket is swept once in
 * SWEEP epochs, so an entry is gone before its age wraps round and looks new:
 * REACH + SWEEP < NR_EPOCHS.
 */
#define REACH		511u
#define SWEEP		512u

/* PostgreSQL's default (128 MB) and upper limit of shared_buffers, in blocks. */
#define BUFFERS_DEFAULT	16384u
#define BUFFERS_MAX	0x3fffffffu

/*
 * Room for blocks that are not in the window but ahead of replay: 256 k
 * blocks, 2 GB, more than the budget of blocks fetched ahead will be.
 */
#define AHEAD_ENTRIES	(256u << 10)

/*
 * The window's share of shared_buffers. PostgreSQL's clock sweep is no LRU list:
 * a block used once is taken after two rounds of the hand, and these are short
 * while most buffers are in steady use; one used again survives more rounds.
 * So the latter are kept for half as long again, and also blocks that began as
 * an image or empty page: the page cache has those only once they have left
 * shared_buffers, so that a needless fetch of one is always a device read.
 *
 * Too large a share lets replay read blocks itself, most of them from the page
 * cache; too small a one reads what nobody needs. "plan share" of tests/bench
 * measures both. Standby queries displace blocks unseen: then less is right.
 */
#define share_once(buffers)	((buffers) / 4 * 3)
#define share_kept(window)	((window) / 2 * 3)

/* Less would make epochs so short that sweeping the table is the main cost. */
#define WINDOW_MIN	64u

/*
 * WAL per block named: that of an insert into a table and of little else. Servers
 * write 100 to 1,700 bytes, so a jump lets the memory age too much rather than
 * too little, but does not make it forget all at once.
 */
#define BYTES_PER_REF	64u

struct walpf_plan_bucket {
	u32 entry[WAYS];
};

/**
 * struct walpf_plan_epoch - when an entry was referenced last
 * @first_lsn: the epoch's first record
 * @nr: blocks referenced in this epoch last
 * @before: blocks referenced in all epochs before it, each once an epoch
 * @forgotten: the memory of it was taken back
 */
struct walpf_plan_epoch {
	u64 first_lsn;
	u64 before;
	u32 nr;
	bool forgotten;
};

/* Where a block's entry is, or would be. */
struct place {
	struct walpf_plan_bucket *bucket;
	u32 tag;
	u32 *entry;		/* NULL: not remembered */
};

static u32 entry_make(u32 tag, u32 age, u32 flags)
{
	return tag << TAG_SHIFT | age << AGE_SHIFT | flags;
}

static u32 entry_age(u32 entry)
{
	return entry >> AGE_SHIFT & AGE_MASK;
}

/* How many epochs before the present one. */
static u32 distance(const struct walpf_plan *plan, u32 age)
{
	return (plan->now - age) & AGE_MASK;
}

static bool age_alive(const struct walpf_plan *plan, u32 age)
{
	return distance(plan, age) <= REACH && !plan->epochs[age].forgotten;
}

static bool span_has(const struct walpf_plan *plan, const struct walpf_plan_span *span, u32 age)
{
	return distance(plan, age) <= distance(plan, span->edge);
}

/* Was some record of the epoch behind @lsn? */
static bool age_ends_after(const struct walpf_plan *plan, u32 age, u64 lsn)
{
	return age == plan->now || plan->epochs[(age + 1) & AGE_MASK].first_lsn > lsn;
}

/* Keyed, so that nobody can choose blocks that share a bucket. */
static u64 hash(const struct walpf_plan *plan, const struct walpf_wal_ref *ref)
{
	u64 block = (u64)ref->rel.rel << 32 | ref->block;
	u64 space = (u64)ref->rel.spc << 32 | ref->rel.db;
	u64 h = walpf_fold(block ^ plan->seed[0], space ^ plan->seed[1]);

	return walpf_fold((h + ref->fork) ^ plan->seed[1], plan->seed[0] ^ 0x9e3779b97f4a7c15ull);
}

static struct place find(const struct walpf_plan *plan, const struct walpf_wal_ref *ref)
{
	u64 h = hash(plan, ref);
	struct place place = {
		.bucket = &plan->buckets[(h >> 32) * plan->nr_buckets >> 32],
		.tag = (u32)h >> TAG_SHIFT,
	};
	u32 i;

	if (!place.tag)
		place.tag = 1;
	for (i = 0; i < WAYS; i++)
		if (place.bucket->entry[i] >> TAG_SHIFT == place.tag)
			place.entry = &place.bucket->entry[i];
	return place;
}

/* A free entry, or else the one whose block was referenced longest ago. */
static u32 *oldest(const struct walpf_plan *plan, struct walpf_plan_bucket *bucket)
{
	u32 i, most = 0;

	for (i = 0; i < WAYS; i++) {
		u32 entry = bucket->entry[i];
		u32 age = entry ? distance(plan, entry_age(entry)) : NR_EPOCHS;

		if (age * WAYS + i > most)
			most = age * WAYS + i;
	}
	return &bucket->entry[most % WAYS];
}

/* Let the oldest epochs go until the rest fits. */
static void span_trim(const struct walpf_plan *plan, struct walpf_plan_span *span)
{
	while (span->nr > span->limit && span->edge != plan->now) {
		span->nr -= plan->epochs[span->edge].nr;
		span->edge = (span->edge + 1) & AGE_MASK;
	}
}

/* The same in both directions, after blocks were taken back or the limit changed. */
static void span_fit(const struct walpf_plan *plan, struct walpf_plan_span *span)
{
	span_trim(plan, span);
	while (distance(plan, span->edge) < REACH) {
		u32 before = (span->edge - 1) & AGE_MASK;

		if (span->nr + plan->epochs[before].nr > span->limit)
			return;
		span->nr += plan->epochs[before].nr;
		span->edge = before;
	}
}

/* No span reaches further than the entries do. */
static void span_tick(const struct walpf_plan *plan, struct walpf_plan_span *span)
{
	if (distance(plan, span->edge) < REACH)
		return;
	span->nr -= plan->epochs[span->edge].nr;
	span->edge = (span->edge + 1) & AGE_MASK;
}

/* @nr more blocks were referenced last in the present epoch. */
static void count(struct walpf_plan *plan, u32 nr)
{
	plan->epochs[plan->now].nr += nr;
	plan->once.nr += nr;
	plan->kept.nr += nr;
	span_trim(plan, &plan->once);
	span_trim(plan, &plan->kept);
}

/* @nr fewer blocks were referenced last in an epoch. */
static void discount(struct walpf_plan *plan, u32 age, u32 nr)
{
	plan->epochs[age].nr -= nr;
	if (span_has(plan, &plan->once, age))
		plan->once.nr -= nr;
	if (span_has(plan, &plan->kept, age))
		plan->kept.nr -= nr;
}

/* Free what is out of reach, in the part of the table whose turn it is. */
static void sweep(struct walpf_plan *plan)
{
	u32 i, todo;

	for (todo = plan->nr_buckets / SWEEP + 1; todo; todo--) {
		u32 *entry = plan->buckets[plan->sweep].entry;

		for (i = 0; i < WAYS; i++)
			if (distance(plan, entry_age(entry[i])) > REACH)
				entry[i] = 0;
		plan->sweep = plan->sweep + 1 == plan->nr_buckets ? 0 : plan->sweep + 1;
	}
}

/* Begin an epoch. */
static void tick(struct walpf_plan *plan, u64 lsn)
{
	u64 before = plan->epochs[plan->now].before + plan->epochs[plan->now].nr;

	span_tick(plan, &plan->once);
	span_tick(plan, &plan->kept);
	plan->now = (plan->now + 1) & AGE_MASK;
	if (plan->now == plan->replayed)
		plan->replayed = (plan->now + 1) & AGE_MASK;
	plan->epochs[plan->now] = (struct walpf_plan_epoch){
		.first_lsn = lsn,
		.before = before,
	};
	sweep(plan);
}

/* Replay has come to where the next epoch begins. */
static void follow_replay(struct walpf_plan *plan, u64 replay_lsn)
{
	while (plan->replayed != plan->now) {
		u32 next = (plan->replayed + 1) & AGE_MASK;

		if (plan->epochs[next].first_lsn > replay_lsn)
			return;
		plan->replayed = next;
	}
}

/* Is it in the window as seen from where replay is? Then shared_buffers holds it now. */
static bool is_held(const struct walpf_plan *plan, u32 entry)
{
	u32 limit = entry & KEPT ? plan->kept.limit : plan->once.limit;

	return plan->epochs[plan->replayed].before -
	       plan->epochs[entry_age(entry)].before < limit;
}

/* What the memory says of a block: RECENT, PENDING, or FETCH if nothing. */
static enum walpf_plan_verdict recall(const struct walpf_plan *plan, const u32 *entry,
				      u64 replay_lsn)
{
	u32 age;

	if (!entry)
		return WALPF_PLAN_FETCH;
	age = entry_age(*entry);
	if (!age_alive(plan, age))
		return WALPF_PLAN_FETCH;
	if (span_has(plan, *entry & KEPT ? &plan->kept : &plan->once, age))
		return *entry & AHEAD && age_ends_after(plan, age, replay_lsn) ?
			WALPF_SKIP_PENDING : WALPF_SKIP_RECENT;
	/*
	 * It will have left shared_buffers when replay comes here, but replay
	 * has yet to bring it in for the earlier record, or it is there still:
	 * until then there is nothing to ask for, and afterwards the page cache
	 * has what the server wrote back.
	 */
	if (plan->epochs[age].first_lsn > replay_lsn || is_held(plan, *entry))
		return WALPF_SKIP_PENDING;
	return WALPF_PLAN_FETCH;
}

/* The flags of a block that was just referenced. */
static u32 flags_after(const struct walpf_wal_ref *ref, const u32 *entry,
		       enum walpf_plan_verdict known)
{
	if (ref->flags & (WALPF_REF_APPLY | WALPF_REF_INIT))
		return AHEAD | KEPT;
	if (known == WALPF_SKIP_PENDING)
		return (*entry & AHEAD) | KEPT;
	if (known == WALPF_SKIP_RECENT)
		return KEPT;
	return 0;
}

/* Date the block's entry to the present epoch. */
static void touch(struct walpf_plan *plan, struct place *place, u32 flags)
{
	if (!place->entry)
		place->entry = oldest(plan, place->bucket);
	else if (age_alive(plan, entry_age(*place->entry)))
		discount(plan, entry_age(*place->entry), 1);
	*place->entry = entry_make(place->tag, plan->now, flags);
	count(plan, 1);
}

enum walpf_plan_verdict walpf_plan_ref(struct walpf_plan *plan, const struct walpf_wal_ref *ref,
				       u64 lsn, u64 replay_lsn)
{
	enum walpf_plan_verdict known;
	struct place place;

	/* Redo leaves the block alone, so it comes into no buffer either. */
	if (ref->flags & WALPF_REF_IGNORED)
		return WALPF_SKIP_IMAGE;
	if (plan->epochs[plan->now].nr >= plan->unit)
		tick(plan, lsn);
	plan->last_lsn = lsn;
	follow_replay(plan, replay_lsn);
	place = find(plan, ref);
	known = recall(plan, place.entry, replay_lsn);
	touch(plan, &place, flags_after(ref, place.entry, known));
	if (known == WALPF_PLAN_FETCH && plan->unknown)
		plan->unknown--;
	if (ref->flags & WALPF_REF_APPLY)
		return WALPF_SKIP_IMAGE;
	if (ref->flags & WALPF_REF_INIT)
		return WALPF_SKIP_INIT;
	if (known == WALPF_PLAN_FETCH && replay_lsn >= lsn)
		return WALPF_SKIP_PASSED;
	return known;
}

void walpf_plan_undo(struct walpf_plan *plan, const struct walpf_wal_ref *ref)
{
	struct place place = find(plan, ref);

	if (!place.entry)
		return;
	if (age_alive(plan, entry_age(*place.entry)))
		discount(plan, entry_age(*place.entry), 1);
	*place.entry = 0;
}

enum walpf_plan_verdict walpf_plan_last(const struct walpf_plan *plan,
					const struct walpf_wal_ref *ref)
{
	struct place place = find(plan, ref);

	if (!place.entry || !age_alive(plan, entry_age(*place.entry)))
		return WALPF_PLAN_NR_VERDICTS;
	if (*place.entry & AHEAD)
		return WALPF_SKIP_PENDING;
	return *place.entry & KEPT ? WALPF_SKIP_RECENT : WALPF_PLAN_FETCH;
}

/*
 * An epoch's last record may be the next one's first, if it names several
 * blocks: the epoch that ends where @lsn begins goes too.
 */
static void forget_epochs(struct walpf_plan *plan, u64 lsn)
{
	u32 back;

	for (back = 0; back <= REACH; back++) {
		u32 age = (plan->now - back) & AGE_MASK;

		if (back && plan->epochs[(age + 1) & AGE_MASK].first_lsn < lsn)
			return;
		discount(plan, age, plan->epochs[age].nr);
		plan->epochs[age].forgotten = true;
	}
}

static void forget_from(struct walpf_plan *plan, u64 lsn)
{
	forget_epochs(plan, lsn);
	span_fit(plan, &plan->once);
	span_fit(plan, &plan->kept);
}

/* An epoch of blocks that nobody saw. */
static void age_by(struct walpf_plan *plan, u64 blocks, u64 lsn)
{
	u32 nr = plan->kept.limit;

	if (blocks < nr)
		nr = blocks;
	else
		plan->unknown = plan->shared_buffers;
	tick(plan, lsn);
	count(plan, nr);
}

void walpf_plan_resync(struct walpf_plan *plan, u64 lsn)
{
	if (plan->last_lsn && lsn <= plan->last_lsn)
		forget_from(plan, lsn);
	else if (plan->last_lsn)
		age_by(plan, (lsn - plan->last_lsn) / BYTES_PER_REF, lsn);
	plan->last_lsn = lsn;
	tick(plan, lsn);
	plan->replayed = plan->now;
}

void walpf_plan_reset(struct walpf_plan *plan, bool cold)
{
	forget_from(plan, 0);
	tick(plan, 0);
	plan->replayed = plan->now;
	plan->last_lsn = 0;
	plan->unknown = cold ? 0 : plan->shared_buffers;
}

bool walpf_plan_warming(const struct walpf_plan *plan)
{
	return plan->unknown > 0;
}

/*
 * An epoch is 1/64 of the window. While that is less than 512 blocks it is up
 * to an eighth: REACH epochs should hold AHEAD_ENTRIES, too.
 */
static u32 unit_of(u32 window)
{
	u32 unit = window / 8 < 512 ? window / 8 : 512;

	return window / 64 > unit ? window / 64 : unit;
}

/* At most ten of a bucket's 16 entries: fuller, many buckets overflow. */
static u32 limit_of(const struct walpf_plan *plan, u64 blocks)
{
	u64 most = (u64)plan->nr_buckets * 10;

	if (blocks > most)
		return most;
	return blocks > WINDOW_MIN ? blocks : WINDOW_MIN;
}

void walpf_plan_set_window(struct walpf_plan *plan, u64 blocks)
{
	if (blocks > plan->shared_buffers)
		blocks = plan->shared_buffers;
	plan->once.limit = limit_of(plan, blocks);
	plan->kept.limit = limit_of(plan, share_kept(blocks));
	plan->unit = unit_of(plan->once.limit);
	span_fit(plan, &plan->once);
	span_fit(plan, &plan->kept);
}

static u64 buffers_of(const struct walpf_plan_conf *conf)
{
	if (!conf->shared_buffers)
		return BUFFERS_DEFAULT;
	return conf->shared_buffers < BUFFERS_MAX ? conf->shared_buffers : BUFFERS_MAX;
}

size_t walpf_plan_size(const struct walpf_plan_conf *conf)
{
	u64 entries = buffers_of(conf) * 2 + AHEAD_ENTRIES;
	u64 bytes = entries * sizeof(u32);
	u64 most = conf->size_max ? conf->size_max : WALPF_PLAN_SIZE_MAX;

	if (bytes > most)
		bytes = most;
	return bytes > WALPF_PLAN_SIZE_MIN ? bytes : WALPF_PLAN_SIZE_MIN;
}

void walpf_plan_init(struct walpf_plan *plan, void *mem, size_t bytes,
		     const struct walpf_plan_conf *conf)
{
	const size_t line = sizeof(struct walpf_plan_bucket);
	const size_t ring = NR_EPOCHS * sizeof(struct walpf_plan_epoch);
	size_t skip = -(uintptr_t)mem % line;

	memset(mem, 0, bytes);
	*plan = (struct walpf_plan){
		.bytes = bytes,
		.seed = { conf->seed[0], conf->seed[1] },
		.epochs = (void *)((u8 *)mem + skip),
		.buckets = (void *)((u8 *)mem + skip + ring),
		.nr_buckets = (bytes - skip - ring) / line,
		.shared_buffers = buffers_of(conf),
		.unknown = buffers_of(conf),
	};
	walpf_plan_set_window(plan, share_once(plan->shared_buffers));
}

static const char *const names[WALPF_PLAN_NR_VERDICTS] = {
	[WALPF_PLAN_FETCH] = "fetch",
#define X(NAME, name, text) [WALPF_SKIP_##NAME] = #name,
	WALPF_SKIP_REASONS(X)
#undef X
};

static const char *const texts[WALPF_PLAN_NR_VERDICTS] = {
	[WALPF_PLAN_FETCH] = "worth a fetch",
#define X(NAME, name, text) [WALPF_SKIP_##NAME] = text,
	WALPF_SKIP_REASONS(X)
#undef X
};

const char *walpf_plan_verdict_name(enum walpf_plan_verdict verdict)
{
	return (u32)verdict < WALPF_PLAN_NR_VERDICTS ? names[verdict] : "unknown";
}

const char *walpf_plan_verdict_text(enum walpf_plan_verdict verdict)
{
	return (u32)verdict < WALPF_PLAN_NR_VERDICTS ? texts[verdict] : "unknown";
}

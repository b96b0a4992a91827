// SPDX-License-Identifier: GPL-2.0-only
/*
 * The block memory: a set-associative table of hashed block identities, a
 * cache line per bucket, and a ring of epochs that dates its entries.
 *
 * An epoch is the time in which so many distinct blocks were referenced. It
 * knows how many blocks were referenced in it last, so the sum over the newest
 * epochs is the number of distinct blocks referenced since: a block's depth in
 * a least-recently-used list, to an epoch's precision. The window is the
 * newest epochs whose sum fits into the assumed share of shared_buffers.
 *
 * Everything forgotten, pushed out or mistaken here costs a fetch that finds
 * the page cached, or a fetch not made. Nothing here can cause a wrong one.
 */
#include "plan.h"

/*
 * An entry, from the top: 21 bits of hash, never 0; 10 bits of epoch; 1 bit
 * "born": the content comes from an image or an empty page. 0 is a free entry.
 * A block never seen matches one of 16 tags by chance in 1 of 130,000 cases.
 */
#define WAYS		16
#define TAG_SHIFT	11
#define AGE_SHIFT	1
#define AGE_MASK	1023u
#define BORN		1u

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
 * The window's share of shared_buffers, in eighths. PostgreSQL's clock sweep is
 * no LRU list: a block used once is taken after two rounds of the hand, and
 * those are short when most buffers are in steady use. tests/bench/plan.c
 * measures the errors of both kinds.
 */
#define SHARE_8THS	5u

/* Fewer blocks than PostgreSQL's smallest shared_buffers make no window. */
#define WINDOW_MIN	16u

/*
 * The smallest record that names a block is longer than this per block named:
 * id, flags, length and number, the relation being the one before.
 */
#define BYTES_PER_REF	8u

struct walpf_plan_bucket {
	u32 entry[WAYS];
};

/**
 * struct walpf_plan_epoch - when an entry was referenced last
 * @first_lsn: the epoch's first record
 * @nr: blocks referenced in this epoch last; 0 once out of the window
 * @forgotten: the memory of it was taken back
 */
struct walpf_plan_epoch {
	u64 first_lsn;
	u32 nr;
	bool forgotten;
};

/* Where a block's entry is, or would be. */
struct place {
	struct walpf_plan_bucket *bucket;
	u32 tag;
	u32 *entry;		/* NULL: not remembered */
};

static u32 entry_make(u32 tag, u32 age, u32 born)
{
	return tag << TAG_SHIFT | age << AGE_SHIFT | born;
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

static bool age_in_window(const struct walpf_plan *plan, u32 age)
{
	return distance(plan, age) <= distance(plan, plan->edge);
}

/* Was some record of the epoch behind @lsn? */
static bool age_ends_after(const struct walpf_plan *plan, u32 age, u64 lsn)
{
	return age == plan->now || plan->epochs[(age + 1) & AGE_MASK].first_lsn > lsn;
}

static u64 fold(u64 a, u64 b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (u64)product ^ (u64)(product >> 64);
}

/* Keyed, so that nobody can choose blocks that share a bucket. */
static u64 hash(const struct walpf_plan *plan, const struct walpf_wal_ref *ref)
{
	u64 block = (u64)ref->rel.rel << 32 | ref->block;
	u64 space = (u64)ref->rel.spc << 32 | ref->rel.db;
	u64 h = fold(block ^ plan->seed[0], space ^ plan->seed[1]);

	return fold((h + ref->fork) ^ plan->seed[1], plan->seed[0] ^ 0x9e3779b97f4a7c15ull);
}

static struct place find(const struct walpf_plan *plan, const struct walpf_wal_ref *ref)
{
	u64 h = hash(plan, ref);
	struct place place = {
		.bucket = &plan->buckets[(h >> 32) * plan->nr_buckets >> 32],
		.tag = (u32)h >> TAG_SHIFT,
	};

	if (!place.tag)
		place.tag = 1;
	for (u32 i = 0; i < WAYS; i++)
		if (place.bucket->entry[i] >> TAG_SHIFT == place.tag)
			place.entry = &place.bucket->entry[i];
	return place;
}

/* A free entry, or else the one whose block was referenced longest ago. */
static u32 *oldest(const struct walpf_plan *plan, struct walpf_plan_bucket *bucket)
{
	u32 *found = bucket->entry;
	u32 most = 0;

	for (u32 i = 0; i < WAYS; i++) {
		u32 entry = bucket->entry[i];
		u32 age = entry ? distance(plan, entry_age(entry)) : NR_EPOCHS;

		if (age > most) {
			most = age;
			found = &bucket->entry[i];
		}
	}
	return found;
}

/* Let the window's oldest epochs go until the rest fits. */
static void trim(struct walpf_plan *plan)
{
	while (plan->resident > plan->window && plan->edge != plan->now) {
		plan->resident -= plan->epochs[plan->edge].nr;
		plan->epochs[plan->edge].nr = 0;
		plan->edge = (plan->edge + 1) & AGE_MASK;
	}
}

/* Free what is out of reach, in the part of the table whose turn it is. */
static void sweep(struct walpf_plan *plan)
{
	for (u32 todo = plan->nr_buckets / SWEEP + 1; todo; todo--) {
		u32 *entry = plan->buckets[plan->sweep].entry;

		for (u32 i = 0; i < WAYS; i++)
			if (distance(plan, entry_age(entry[i])) > REACH)
				entry[i] = 0;
		plan->sweep = plan->sweep + 1 == plan->nr_buckets ? 0 : plan->sweep + 1;
	}
}

/* Begin an epoch. */
static void tick(struct walpf_plan *plan, u64 lsn)
{
	if (distance(plan, plan->edge) == REACH) {
		plan->resident -= plan->epochs[plan->edge].nr;
		plan->epochs[plan->edge].nr = 0;
		plan->edge = (plan->edge + 1) & AGE_MASK;
	}
	plan->now = (plan->now + 1) & AGE_MASK;
	plan->epochs[plan->now] = (struct walpf_plan_epoch){ .first_lsn = lsn };
	sweep(plan);
	trim(plan);
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
	if (age_in_window(plan, age))
		return *entry & BORN && age_ends_after(plan, age, replay_lsn) ?
			WALPF_SKIP_PENDING : WALPF_SKIP_RECENT;
	/*
	 * It will have left shared_buffers when replay comes here, but replay
	 * has yet to bring it in for the earlier record: until then there is
	 * nothing to ask for, and afterwards the page cache has what the
	 * server wrote back.
	 */
	if (plan->epochs[age].first_lsn > replay_lsn)
		return WALPF_SKIP_PENDING;
	return WALPF_PLAN_FETCH;
}

/* Date the block's entry to the present epoch. */
static void touch(struct walpf_plan *plan, struct place *place, u32 born)
{
	u32 age;

	if (place->entry) {
		age = entry_age(*place->entry);
		if (age_alive(plan, age) && age_in_window(plan, age)) {
			plan->epochs[age].nr--;
			plan->resident--;
		}
	} else {
		place->entry = oldest(plan, place->bucket);
	}
	*place->entry = entry_make(place->tag, plan->now, born);
	plan->epochs[plan->now].nr++;
	plan->resident++;
	trim(plan);
}

enum walpf_plan_verdict walpf_plan_ref(struct walpf_plan *plan, const struct walpf_wal_ref *ref,
				       u64 lsn, u64 replay_lsn)
{
	enum walpf_plan_verdict known;
	struct place place;
	u32 born = 0;

	/* Redo leaves the block alone, so it comes into no buffer either. */
	if (ref->flags & WALPF_REF_IGNORED)
		return WALPF_SKIP_IMAGE;
	if (plan->epochs[plan->now].nr >= plan->unit)
		tick(plan, lsn);
	plan->last_lsn = lsn;
	place = find(plan, ref);
	known = recall(plan, place.entry, replay_lsn);
	if (ref->flags & (WALPF_REF_APPLY | WALPF_REF_INIT))
		born = BORN;
	else if (known == WALPF_SKIP_PENDING)
		born = *place.entry & BORN;
	touch(plan, &place, born);
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
	u32 age;

	if (!place.entry)
		return;
	age = entry_age(*place.entry);
	if (age_alive(plan, age) && age_in_window(plan, age)) {
		plan->epochs[age].nr--;
		plan->resident--;
	}
	*place.entry = 0;
}

/*
 * An epoch's last record may be the next one's first, if it names several
 * blocks: the epoch that ends where @lsn begins goes too.
 */
static void forget_from(struct walpf_plan *plan, u64 lsn)
{
	for (u32 back = 0; back <= REACH; back++) {
		u32 age = (plan->now - back) & AGE_MASK;

		if (back && plan->epochs[(age + 1) & AGE_MASK].first_lsn < lsn)
			return;
		plan->resident -= plan->epochs[age].nr;
		plan->epochs[age].nr = 0;
		plan->epochs[age].forgotten = true;
	}
}

/* An epoch of blocks that nobody saw. */
static void age_by(struct walpf_plan *plan, u64 blocks, u64 lsn)
{
	u32 nr = plan->window;

	if (blocks < nr)
		nr = blocks;
	else
		plan->unknown = plan->shared_buffers;
	tick(plan, lsn);
	plan->epochs[plan->now].nr = nr;
	plan->resident += nr;
}

void walpf_plan_resync(struct walpf_plan *plan, u64 lsn)
{
	if (plan->last_lsn && lsn <= plan->last_lsn)
		forget_from(plan, lsn);
	else if (plan->last_lsn)
		age_by(plan, (lsn - plan->last_lsn) / BYTES_PER_REF, lsn);
	plan->last_lsn = lsn;
	tick(plan, lsn);
}

void walpf_plan_reset(struct walpf_plan *plan, bool cold)
{
	forget_from(plan, 0);
	tick(plan, 0);
	plan->last_lsn = 0;
	plan->unknown = cold ? 0 : plan->shared_buffers;
}

bool walpf_plan_warming(const struct walpf_plan *plan)
{
	return plan->unknown > 0;
}

/*
 * An epoch is 1/64 of the window, or coarser while that is less than 1024
 * blocks: REACH epochs must hold what lies ahead of replay, too.
 */
static u32 unit_of(u32 window)
{
	u32 unit = window / 8 < 1024 ? window / 8 : 1024;

	return window / 64 > unit ? window / 64 : unit;
}

void walpf_plan_set_window(struct walpf_plan *plan, u64 blocks)
{
	/* At most ten of a bucket's 16 entries: fuller, many buckets overflow. */
	u64 most = (u64)plan->nr_buckets * 10;

	if (most > plan->shared_buffers)
		most = plan->shared_buffers;
	if (blocks > most)
		blocks = most;
	plan->window = blocks > WINDOW_MIN ? blocks : WINDOW_MIN;
	plan->unit = unit_of(plan->window);
	trim(plan);
}

static u64 buffers_of(const struct walpf_plan_conf *conf)
{
	if (!conf->shared_buffers)
		return BUFFERS_DEFAULT;
	return conf->shared_buffers < BUFFERS_MAX ? conf->shared_buffers : BUFFERS_MAX;
}

size_t walpf_plan_size(const struct walpf_plan_conf *conf)
{
	u64 entries = buffers_of(conf) * 3 / 2 + AHEAD_ENTRIES;
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
	walpf_plan_set_window(plan, plan->shared_buffers * SHARE_8THS / 8);
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

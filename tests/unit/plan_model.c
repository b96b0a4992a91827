// SPDX-License-Identifier: GPL-2.0-only
/*
 * The block memory against an exact model, on random streams with images,
 * rewinds and a replay that follows at a random distance. The model remembers
 * every block for ever, with its exact depth in the list of blocks by last use.
 *
 * A verdict is right if the model allows it. Where the memory is coarse the
 * model allows both: an epoch at the window's edge, and around a rewind. What
 * it does not allow is counted: chance matches, and blocks pushed out of a full
 * bucket. In a table with room both must be 0, in a full one rare.
 */
#include <stdlib.h>

#include "check.h"
#include "plan.h"

#define SEED	{ 0x2ffd72dbd01adfb7ull, 0xb8e1afed6a267e96ull }

struct block {
	u64 last_lsn;
	u32 last;		/* time of the last reference, 0: none */
	u32 rewinds;		/* how many there had been by then */
	bool seen;
	bool kept;
	u64 ahead_lsn;		/* the image that later references rest on */
	bool vague;		/* so near a rewind that it may be forgotten */
	u32 counted;		/* the count that it was in last */
};

struct model {
	struct walpf_plan plan;
	void *mem;
	u64 random;
	u32 nr_blocks;
	struct block *blocks;
	u32 now;		/* references so far */
	u32 steps;
	u32 *tree;		/* Fenwick tree: the last reference of a block */
	u32 *block_at;		/* by time */
	u64 *lsn_at;		/* by time */
	u32 rewinds;
	u32 counts;
	u64 lsn;
	u64 replay_lsn;
	u32 lag;
	/* Verdicts that the model does not allow, and how many it judged. */
	u32 lost;
	u32 false_recent;
	u32 checked;
	u32 verdicts[WALPF_PLAN_NR_VERDICTS];
};

struct shape {
	u64 shared_buffers;
	u64 size_max;
	u32 nr_blocks;
	u32 steps;
	u32 rewind_every;	/* references, on average; 0: never */
};

static u32 rnd(struct model *m, u32 below)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 7;
	m->random ^= m->random << 17;
	return (m->random >> 32) * below >> 32;
}

static void mark(struct model *m, u32 time, u32 add)
{
	for (; time <= m->steps; time += time & -time)
		m->tree[time] += add;
}

static u32 marks_to(const struct model *m, u32 time)
{
	u32 sum = 0;

	for (; time; time -= time & -time)
		sum += m->tree[time];
	return sum;
}

/* How many other blocks were referenced since. */
static u32 depth(const struct model *m, const struct block *b)
{
	return marks_to(m, m->now) - marks_to(m, b->last);
}

static u32 limit(const struct model *m, const struct block *b)
{
	return b->kept ? m->plan.kept.limit : m->plan.once.limit;
}

/* The memory may be less than it was by an epoch a rewind. */
static u32 slack(const struct model *m, const struct block *b)
{
	return m->plan.unit * (m->rewinds - b->rewinds);
}

static bool may_be_recent(const struct model *m, const struct block *b)
{
	return b->seen && depth(m, b) < limit(m, b) + slack(m, b);
}

/* Other blocks between its last reference and replay: the memory counts them by epochs. */
static u32 depth_of_replay(struct model *m, const struct block *b)
{
	u32 nr = 0;

	m->counts++;
	for (u32 time = b->last + 1; time <= m->now && m->lsn_at[time] <= m->replay_lsn; time++) {
		struct block *other = &m->blocks[m->block_at[time]];

		nr += other->counted != m->counts;
		other->counted = m->counts;
	}
	return nr;
}

static bool may_be_pending(struct model *m, const struct block *b)
{
	if (!b->seen)
		return false;
	return b->last_lsn > m->replay_lsn || b->ahead_lsn ||
	       depth_of_replay(m, b) < limit(m, b) + 2 * m->plan.unit + slack(m, b);
}

/* Out of the window, or in its last epoch; or too old for any memory. */
static bool may_be_unknown(const struct model *m, const struct block *b)
{
	u32 unit = m->plan.unit;

	if (!b->seen || b->vague || m->now - b->last > 500 * unit)
		return true;
	if (b->last_lsn > m->replay_lsn + 200ull * 2 * unit)
		return false;
	return depth(m, b) + unit >= limit(m, b);
}

static void check(struct model *m, const struct block *b, enum walpf_plan_verdict got)
{
	m->checked++;
	m->verdicts[got]++;
	switch (got) {
	case WALPF_SKIP_RECENT:
		m->false_recent += !may_be_recent(m, b);
		break;
	case WALPF_SKIP_PENDING:
		m->false_recent += !may_be_pending(m, b);
		break;
	case WALPF_PLAN_FETCH:
		assert_true(m->lsn > m->replay_lsn);
		m->lost += !may_be_unknown(m, b);
		break;
	case WALPF_SKIP_PASSED:
		assert_true(m->lsn <= m->replay_lsn);
		m->lost += !may_be_unknown(m, b);
		break;
	default:
		fail();
	}
}

static void remember(struct model *m, u32 block, u8 flags, enum walpf_plan_verdict got)
{
	bool born = flags & (WALPF_REF_APPLY | WALPF_REF_INIT);
	struct block *b = &m->blocks[block];

	if (b->seen)
		mark(m, b->last, -1);
	m->now++;
	mark(m, m->now, 1);
	m->block_at[m->now] = block;
	m->lsn_at[m->now] = m->lsn;
	b->kept = born || got == WALPF_SKIP_RECENT || got == WALPF_SKIP_PENDING;
	if (born)
		b->ahead_lsn = m->lsn;
	else if (got != WALPF_SKIP_PENDING)
		b->ahead_lsn = 0;
	b->seen = true;
	b->vague = false;
	b->last = m->now;
	b->last_lsn = m->lsn;
	b->rewinds = m->rewinds;
}

/* Half of the references go to an eighth of the blocks. */
static u32 choose(struct model *m)
{
	return rnd(m, rnd(m, 2) ? m->nr_blocks : m->nr_blocks / 8);
}

static u8 choose_flags(struct model *m)
{
	switch (rnd(m, 10)) {
	case 0:
		return WALPF_REF_IMAGE | WALPF_REF_APPLY;
	case 1:
		return WALPF_REF_INIT;
	default:
		return 0;
	}
}

/* Replay is up to 200 kB behind, about 2000 references, or rarely in front. */
static void follow(struct model *m)
{
	u64 most;

	if (!rnd(m, 3000))
		m->lag = rnd(m, 10) ? rnd(m, 200000) : 0;
	most = m->lsn > m->lag ? m->lsn - m->lag : 0;
	if (m->replay_lsn < most)
		m->replay_lsn = most;
}

static void step(struct model *m)
{
	u32 block = choose(m);
	u8 flags = choose_flags(m);
	struct walpf_wal_ref ref = {
		.rel = { 1663, 5, 16384 + block % 7 },
		.block = block,
		.flags = flags,
	};
	enum walpf_plan_verdict got;

	m->lsn += 1 + rnd(m, 200);
	follow(m);
	got = walpf_plan_ref(&m->plan, &ref, m->lsn, m->replay_lsn);
	if (flags & WALPF_REF_APPLY)
		assert_int_equal(got, WALPF_SKIP_IMAGE);
	else if (flags & WALPF_REF_INIT)
		assert_int_equal(got, WALPF_SKIP_INIT);
	else
		check(m, &m->blocks[block], got);
	remember(m, block, flags, got);
}

/*
 * Go back up to 1000 records: forget the blocks referenced since, and allow
 * those of the two epochs before that to be forgotten.
 */
static void rewind_some(struct model *m)
{
	u64 back = m->lsn - rnd(m, 100 * 1000);
	u32 time = m->now;

	for (; time && m->lsn_at[time] >= back; time--) {
		struct block *b = &m->blocks[m->block_at[time]];

		if (b->last == time)
			mark(m, time, -1);
		*b = (struct block){ 0 };
	}
	m->rewinds++;
	walpf_plan_resync(&m->plan, back);
	m->lsn = back;
	for (u32 i = 0; i < m->nr_blocks; i++)
		if (m->blocks[i].last + 3 * m->plan.unit > time)
			m->blocks[i].vague = true;
}

static void model_init(struct model *m, const struct shape *shape, u64 seed)
{
	struct walpf_plan_conf conf = {
		.shared_buffers = shape->shared_buffers,
		.size_max = shape->size_max,
		.seed = SEED,
	};
	size_t bytes = walpf_plan_size(&conf);

	*m = (struct model){
		.mem = malloc(bytes),
		.random = seed,
		.nr_blocks = shape->nr_blocks,
		.steps = shape->steps,
		.blocks = calloc(shape->nr_blocks, sizeof(struct block)),
		.tree = calloc(shape->steps + 1, sizeof(u32)),
		.block_at = calloc(shape->steps + 1, sizeof(u32)),
		.lsn_at = calloc(shape->steps + 1, sizeof(u64)),
		.lsn = 1 << 20,
		.replay_lsn = 1 << 20,
	};
	assert_non_null(m->blocks);
	assert_non_null(m->lsn_at);
	walpf_plan_init(&m->plan, m->mem, bytes, &conf);
	walpf_plan_resync(&m->plan, m->lsn);
}

static void model_exit(struct model *m)
{
	free(m->mem);
	free(m->blocks);
	free(m->tree);
	free(m->block_at);
	free(m->lsn_at);
}

static void run(struct model *m, const struct shape *shape, u64 seed)
{
	model_init(m, shape, seed);
	for (u32 i = 0; i < shape->steps; i++) {
		step(m);
		if (shape->rewind_every && !rnd(m, shape->rewind_every))
			rewind_some(m);
	}
	print_message("seed %llu: %u judged: %u fetch, %u pending, %u recent, %u passed; "
		      "%u lost, %u false\n", (unsigned long long)seed, m->checked,
		      m->verdicts[WALPF_PLAN_FETCH], m->verdicts[WALPF_SKIP_PENDING],
		      m->verdicts[WALPF_SKIP_RECENT], m->verdicts[WALPF_SKIP_PASSED],
		      m->lost, m->false_recent);
	for (u32 i = 0; i <= WALPF_SKIP_RECENT; i++)
		if (i != WALPF_SKIP_IMAGE && i != WALPF_SKIP_INIT)
			assert_true(m->verdicts[i] > m->checked / 1000);
}

/* Nothing is ever pushed out: no block in the window is lost. */
static void test_room(void **state)
{
	static const struct shape shape = {
		.shared_buffers = 1024, .nr_blocks = 4000, .steps = 300000,
	};
	struct model m;

	(void)state;
	for (u64 seed = 1; seed <= 3; seed++) {
		run(&m, &shape, seed);
		assert_int_equal(m.lost, 0);
		assert_int_equal(m.false_recent, 0);
		model_exit(&m);
	}
}

static void test_rewinds(void **state)
{
	static const struct shape shape = {
		.shared_buffers = 1024, .nr_blocks = 4000, .steps = 200000,
		.rewind_every = 5000,
	};
	struct model m;

	(void)state;
	for (u64 seed = 11; seed <= 13; seed++) {
		run(&m, &shape, seed);
		assert_int_equal(m.lost, 0);
		assert_int_equal(m.false_recent, 0);
		model_exit(&m);
	}
}

/*
 * 260,000 entries, windows of up to 10 of 16 ways, blocks enough to fill all
 * ways. One in 65,536 is the documented rate of chance matches; a Poisson
 * distribution of 10 on average exceeds 16 by 0.006, that is 0.6 in 1000.
 */
static void test_full(void **state)
{
	static const struct shape shape = {
		.shared_buffers = 1 << 20, .size_max = 1 << 20,
		.nr_blocks = 600000, .steps = 1500000,
	};
	struct model m;

	(void)state;
	run(&m, &shape, 21);
	assert_true(m.false_recent <= 3 * m.checked / 65536);
	assert_true(m.lost <= m.checked / 200);
	model_exit(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_rewinds),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The block memory: every skip rule that is decided from the record stream,
 * their borders, and what is forgotten when. plan_model.c checks the same
 * against an exact model.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan.h"

/* Of these follow a window of 768 blocks, 1152 for kept ones, epochs of 96. */
#define BUFFERS		1024
#define ONCE		768
#define KEPT		1152
#define UNIT		96

#define SEED		{ 0x9216d5d98979fb1bull, 0xd1310ba698dfb5acull }
#define NEVER		0ull	/* replay has not come anywhere */

/* Blocks that tests use only to let time pass. */
#define OTHERS		1000000u

struct plan_test {
	struct walpf_plan plan;
	void *mem;
	u64 lsn;
	u32 others;
};

static void begin_with(struct plan_test *t, const struct walpf_plan_conf *conf)
{
	size_t bytes = walpf_plan_size(conf);

	*t = (struct plan_test){ .mem = malloc(bytes), .lsn = 1000 };
	assert_non_null(t->mem);
	memset(t->mem, 0xff, bytes);
	walpf_plan_init(&t->plan, t->mem, bytes, conf);
	walpf_plan_resync(&t->plan, t->lsn + 1);
}

static int setup(void **state)
{
	static const struct walpf_plan_conf conf = { .shared_buffers = BUFFERS, .seed = SEED };
	struct plan_test *t = malloc(sizeof(*t));

	begin_with(t, &conf);
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct plan_test *t = *state;

	free(t->mem);
	free(t);
	return 0;
}

static struct walpf_wal_ref ref_of(u32 block, u8 flags)
{
	return (struct walpf_wal_ref){
		.rel = { 1663, 16384, 16385 },
		.block = block,
		.flags = flags,
	};
}

/* One record later, a reference. */
static enum walpf_plan_verdict judge(struct plan_test *t, u32 block, u8 flags, u64 replay_lsn)
{
	struct walpf_wal_ref ref = ref_of(block, flags);

	t->lsn += 100;
	return walpf_plan_ref(&t->plan, &ref, t->lsn, replay_lsn);
}

/* The same with replay already there. */
static enum walpf_plan_verdict replayed(struct plan_test *t, u32 block)
{
	return judge(t, block, 0, t->lsn + 100);
}

/* The names are compared, so that a failure shows them. */
#define assert_verdict(got, want)					\
	assert_string_equal(walpf_plan_verdict_name(got), want)

static void others(struct plan_test *t, u32 nr)
{
	while (nr--)
		judge(t, OTHERS + t->others++, 0, t->lsn);
}

static void test_flags(void **state)
{
	struct plan_test *t = *state;

	assert_verdict(judge(t, 1, 0, NEVER), "fetch");
	assert_verdict(judge(t, 2, WALPF_REF_IMAGE | WALPF_REF_APPLY, NEVER), "image");
	assert_verdict(judge(t, 3, WALPF_REF_INIT, NEVER), "init");
	assert_verdict(judge(t, 4, WALPF_REF_IMPLIED, NEVER), "fetch");
}

/* Such an image is only compared with what redo made of the block it read. */
static void test_image_without_apply(void **state)
{
	struct plan_test *t = *state;

	assert_verdict(judge(t, 1, WALPF_REF_IMAGE, NEVER), "fetch");
	assert_verdict(judge(t, 2, WALPF_REF_IMAGE | WALPF_REF_INIT, NEVER), "init");
}

/* Redo does not touch the block, so the next reference is the first. */
static void test_ignored(void **state)
{
	struct plan_test *t = *state;

	assert_verdict(judge(t, 1, WALPF_REF_IGNORED, NEVER), "image");
	assert_verdict(judge(t, 1, 0, NEVER), "fetch");
}

/* An image stays an image, whatever is known of the block. */
static void test_image_again(void **state)
{
	struct plan_test *t = *state;

	judge(t, 1, 0, NEVER);
	assert_verdict(judge(t, 1, WALPF_REF_APPLY, NEVER), "image");
	assert_verdict(judge(t, 1, WALPF_REF_INIT, t->lsn + 1000), "init");
}

static void test_pending(void **state)
{
	struct plan_test *t = *state;
	u64 image_lsn;

	judge(t, 1, WALPF_REF_APPLY, NEVER);
	image_lsn = t->lsn;
	judge(t, 2, WALPF_REF_INIT, NEVER);
	others(t, 2 * UNIT);
	assert_verdict(judge(t, 1, 0, image_lsn - 1), "pending");
	assert_verdict(judge(t, 1, 0, image_lsn - 1), "pending");
	assert_verdict(judge(t, 2, 0, image_lsn - 1), "pending");
}

static void test_pending_until_replayed(void **state)
{
	struct plan_test *t = *state;
	u64 image_lsn;

	judge(t, 1, WALPF_REF_APPLY, NEVER);
	image_lsn = t->lsn;
	others(t, 2 * UNIT);
	assert_verdict(judge(t, 1, 0, image_lsn + 100 * UNIT), "recent");
}

/* It has left shared_buffers when replay comes, but nothing can be read yet. */
static void test_pending_beyond_window(void **state)
{
	struct plan_test *t = *state;
	u64 before = t->lsn;

	judge(t, 1, WALPF_REF_APPLY, NEVER);
	judge(t, 2, 0, NEVER);
	others(t, 4 * KEPT);
	assert_verdict(judge(t, 1, 0, before), "pending");
	assert_verdict(judge(t, 2, 0, before), "pending");
}

static void test_beyond_window_replayed(void **state)
{
	struct plan_test *t = *state;

	judge(t, 1, WALPF_REF_APPLY, NEVER);
	judge(t, 2, 0, NEVER);
	others(t, 4 * KEPT);
	assert_verdict(replayed(t, 1), "passed");
	assert_verdict(judge(t, 2, 0, t->lsn - 1000), "fetch");
}

static void test_passed(void **state)
{
	struct plan_test *t = *state;

	assert_verdict(judge(t, 1, 0, t->lsn + 99), "fetch");
	assert_verdict(judge(t, 2, 0, t->lsn + 100), "passed");
	assert_verdict(judge(t, 3, WALPF_REF_INIT, t->lsn + 100), "init");
	assert_verdict(judge(t, 2, 0, t->lsn + 100), "recent");
}

/* Used once: certainly recent an epoch before the limit, never at it. */
static void test_window_border(void **state)
{
	struct plan_test *t = *state;

	others(t, 5 * ONCE);
	judge(t, 1, 0, NEVER);
	others(t, ONCE - UNIT);
	assert_verdict(judge(t, 1, 0, t->lsn - 1), "recent");
	others(t, KEPT);
	judge(t, 2, 0, t->lsn);
	others(t, ONCE);
	assert_verdict(judge(t, 2, 0, t->lsn - 1), "fetch");
}

/* Out of the window, but in it as seen from where replay is: the page cache will have it. */
static void test_held_at_replay(void **state)
{
	struct plan_test *t = *state;
	u64 replay_lsn;

	judge(t, 1, 0, t->lsn);
	judge(t, 2, 0, t->lsn);
	others(t, ONCE / 2);
	replay_lsn = t->lsn;
	for (u32 i = 0; i < ONCE; i++)
		judge(t, OTHERS + t->others++, 0, replay_lsn);
	assert_verdict(judge(t, 1, 0, replay_lsn), "pending");
	assert_verdict(judge(t, 2, 0, t->lsn), "fetch");
}

static void test_kept_border(void **state)
{
	struct plan_test *t = *state;

	others(t, 5 * ONCE);
	judge(t, 1, 0, NEVER);
	judge(t, 1, 0, NEVER);
	judge(t, 2, WALPF_REF_INIT, NEVER);
	others(t, KEPT - UNIT - 1);
	assert_verdict(judge(t, 1, 0, t->lsn - 1), "recent");
	assert_verdict(judge(t, 2, 0, t->lsn - 1), "recent");
	others(t, KEPT);
	assert_verdict(judge(t, 1, 0, t->lsn - 1), "fetch");
	assert_verdict(judge(t, 2, 0, t->lsn - 1), "fetch");
}

/* Only distinct blocks age others. */
static void test_hot_blocks(void **state)
{
	struct plan_test *t = *state;

	judge(t, 1, 0, NEVER);
	for (u32 i = 0; i < 20 * KEPT; i++)
		judge(t, 2 + i % (ONCE / 2), 0, t->lsn);
	assert_verdict(judge(t, 1, 0, t->lsn - 1), "recent");
}

/* But for ever nothing is remembered, or an age would come round again. */
static void test_out_of_reach(void **state)
{
	struct plan_test *t = *state;

	judge(t, 1, 0, NEVER);
	for (u32 i = 0; i < 512 * UNIT + ONCE; i++)
		judge(t, 2 + i % (ONCE / 2), 0, t->lsn);
	assert_verdict(judge(t, 1, 0, NEVER), "fetch");
}

/* At every distance around one, two and three rounds of the epochs. */
static void test_wrap_around(void **state)
{
	struct plan_test *t = *state;

	for (u32 block = 1; block <= 5 * UNIT; block++) {
		judge(t, block, 0, t->lsn);
		others(t, 1);
	}
	for (u32 round = 0; round < 3; round++) {
		others(t, 1024 * UNIT - 5 * UNIT);
		for (u32 block = 1; block <= 5 * UNIT; block++) {
			assert_verdict(judge(t, block, 0, t->lsn - 1), "fetch");
			others(t, 1);
		}
	}
}

static void test_distinct_identities(void **state)
{
	struct plan_test *t = *state;
	struct walpf_wal_ref refs[] = {
		{ .rel = { 1663, 16384, 16385 }, .block = 7 },
		{ .rel = { 1663, 16384, 16385 }, .block = 7, .fork = WALPF_FORK_VM },
		{ .rel = { 1663, 16384, 16386 }, .block = 7 },
		{ .rel = { 1663, 16385, 16385 }, .block = 7 },
		{ .rel = { 1664, 16384, 16385 }, .block = 7 },
		{ .rel = { 1663, 16384, 16385 }, .block = 8 },
		{ .rel = { 1663, 16384, 7 }, .block = 16385 },
		{ .rel = { 16384, 1663, 16385 }, .block = 7 },
	};

	for (u32 i = 0; i < NR(refs); i++)
		assert_verdict(walpf_plan_ref(&t->plan, &refs[i], t->lsn, NEVER), "fetch");
	for (u32 i = 0; i < NR(refs); i++)
		assert_verdict(walpf_plan_ref(&t->plan, &refs[i], t->lsn, NEVER), "recent");
}

/* What comes again after going back was never fetched: it must not be skipped. */
static void test_rewind(void **state)
{
	struct plan_test *t = *state;
	u64 back;

	for (u32 block = 0; block < 3 * UNIT; block++)
		judge(t, block, 0, NEVER);
	back = t->lsn + 100;
	for (u32 block = 3 * UNIT; block < 6 * UNIT; block++)
		judge(t, block, block & 1 ? WALPF_REF_APPLY : 0, NEVER);
	walpf_plan_resync(&t->plan, back);
	t->lsn = back - 100;
	for (u32 block = 3 * UNIT; block < 6 * UNIT; block++)
		assert_verdict(judge(t, block, 0, NEVER), "fetch");
	for (u32 block = 0; block < 2 * UNIT; block++)
		assert_verdict(judge(t, block, 0, NEVER), "recent");
}

static void test_rewind_often(void **state)
{
	struct plan_test *t = *state;
	u64 back;

	judge(t, 0, 0, NEVER);
	others(t, UNIT);
	back = t->lsn;
	for (u32 i = 0; i < 2000; i++) {
		assert_verdict(judge(t, 1, 0, NEVER), "fetch");
		assert_verdict(judge(t, 2, WALPF_REF_INIT, NEVER), "init");
		walpf_plan_resync(&t->plan, back + 50);
		t->lsn = back;
	}
	assert_verdict(judge(t, 1, 0, NEVER), "fetch");
	assert_verdict(judge(t, 0, 0, NEVER), "fetch");
}

/* A record that names many blocks may lie on both sides of an epoch's border. */
static void test_rewind_to_long_record(void **state)
{
	struct plan_test *t = *state;
	struct walpf_wal_ref ref;
	u64 lsn = 5000;

	others(t, UNIT - 10);
	for (u32 block = 0; block < 33; block++) {
		ref = ref_of(block, 0);
		assert_verdict(walpf_plan_ref(&t->plan, &ref, lsn, NEVER), "fetch");
	}
	walpf_plan_resync(&t->plan, lsn);
	for (u32 block = 0; block < 33; block++) {
		ref = ref_of(block, 0);
		assert_verdict(walpf_plan_ref(&t->plan, &ref, lsn, NEVER), "fetch");
	}
}

static void test_first_resync(void **state)
{
	struct plan_test *t = *state;

	walpf_plan_reset(&t->plan, true);
	walpf_plan_resync(&t->plan, 1ull << 40);
	assert_false(walpf_plan_warming(&t->plan));
}

static void test_forward_little(void **state)
{
	struct plan_test *t = *state;

	walpf_plan_reset(&t->plan, true);
	judge(t, 1, 0, NEVER);
	t->lsn += 64 * (ONCE - 2 * UNIT);
	walpf_plan_resync(&t->plan, t->lsn);
	assert_verdict(judge(t, 1, 0, t->lsn), "recent");
	assert_false(walpf_plan_warming(&t->plan));
}

static void test_forward_far(void **state)
{
	struct plan_test *t = *state;

	walpf_plan_reset(&t->plan, true);
	judge(t, 1, 0, NEVER);
	judge(t, 2, WALPF_REF_INIT, NEVER);
	t->lsn += 64 * (KEPT + 1);
	walpf_plan_resync(&t->plan, t->lsn);
	assert_verdict(judge(t, 1, 0, t->lsn), "fetch");
	assert_verdict(judge(t, 2, 0, t->lsn), "fetch");
	assert_true(walpf_plan_warming(&t->plan));
}

static void test_reset(void **state)
{
	struct plan_test *t = *state;

	for (u32 block = 0; block < 6 * UNIT; block++)
		judge(t, block, WALPF_REF_INIT, NEVER);
	walpf_plan_reset(&t->plan, false);
	assert_true(walpf_plan_warming(&t->plan));
	t->lsn = 100;
	for (u32 block = 0; block < 6 * UNIT; block++)
		assert_verdict(judge(t, block, 0, NEVER), "fetch");
	walpf_plan_reset(&t->plan, true);
	assert_false(walpf_plan_warming(&t->plan));
}

static void test_warming(void **state)
{
	struct plan_test *t = *state;

	assert_true(walpf_plan_warming(&t->plan));
	for (u32 i = 0; i < 3 * BUFFERS; i++)
		judge(t, i % (ONCE / 2), 0, t->lsn);
	assert_true(walpf_plan_warming(&t->plan));
	others(t, BUFFERS - ONCE / 2 - 1);
	assert_true(walpf_plan_warming(&t->plan));
	others(t, 1);
	assert_false(walpf_plan_warming(&t->plan));
}

static void test_undo(void **state)
{
	struct plan_test *t = *state;
	struct walpf_wal_ref ref = ref_of(1, 0);

	walpf_plan_undo(&t->plan, &ref);
	judge(t, 1, WALPF_REF_INIT, NEVER);
	judge(t, 2, 0, NEVER);
	walpf_plan_undo(&t->plan, &ref);
	walpf_plan_undo(&t->plan, &ref);
	assert_verdict(judge(t, 1, 0, NEVER), "fetch");
	assert_verdict(judge(t, 2, 0, NEVER), "recent");
}

/* A block taken back does not count towards the age of others. */
static void test_undo_counts(void **state)
{
	struct plan_test *t = *state;

	judge(t, 1, 0, NEVER);
	for (u32 i = 0; i < 3 * ONCE; i++) {
		struct walpf_wal_ref ref = ref_of(OTHERS + i, 0);

		judge(t, OTHERS + i, 0, t->lsn);
		walpf_plan_undo(&t->plan, &ref);
	}
	assert_verdict(judge(t, 1, 0, t->lsn - 1), "recent");
}

static void test_set_window(void **state)
{
	struct plan_test *t = *state;

	walpf_plan_set_window(&t->plan, 1ull << 50);
	assert_int_equal(t->plan.once.limit, BUFFERS);
	assert_int_equal(t->plan.kept.limit, BUFFERS / 2 * 3);
	judge(t, 1, 0, NEVER);
	others(t, 600);
	walpf_plan_set_window(&t->plan, 512);
	assert_verdict(judge(t, 1, 0, t->lsn - 1), "fetch");
	walpf_plan_set_window(&t->plan, 0);
	assert_true(t->plan.once.limit > 0);
	judge(t, 1, 0, t->lsn);
	assert_verdict(judge(t, 1, 0, t->lsn), "recent");
}

static void test_size(void **state)
{
	struct walpf_plan_conf conf = { 0 };

	(void)state;
	assert_in_range(walpf_plan_size(&conf), 1 << 20, 2 << 20);
	conf.shared_buffers = 1;
	assert_in_range(walpf_plan_size(&conf), 1 << 20, 2 << 20);
	conf.shared_buffers = 16 << 17;
	assert_in_range(walpf_plan_size(&conf), 8 << 20, 32 << 20);
	conf.shared_buffers = ~0ull;
	assert_int_equal(walpf_plan_size(&conf), WALPF_PLAN_SIZE_MAX);
	conf.size_max = 5 << 20;
	assert_int_equal(walpf_plan_size(&conf), 5 << 20);
	conf.size_max = 1;
	assert_int_equal(walpf_plan_size(&conf), WALPF_PLAN_SIZE_MIN);
}

/* The sanitizer watches both ends of the memory. */
static void test_memory(void **state)
{
	struct walpf_plan_conf conf = { .shared_buffers = BUFFERS };
	u8 *mem = malloc(WALPF_PLAN_SIZE_MIN + 1);

	(void)state;
	for (u32 skip = 0; skip < 2; skip++) {
		struct plan_test t = { .lsn = 1000 };

		walpf_plan_init(&t.plan, mem + skip, WALPF_PLAN_SIZE_MIN, &conf);
		assert_int_equal((uintptr_t)t.plan.buckets % 64, 0);
		others(&t, 300000);
	}
	free(mem);
}

/* The window of huge shared_buffers is as large as the memory allows. */
static void test_huge(void **state)
{
	struct walpf_plan_conf conf = { .shared_buffers = ~0ull, .size_max = 1 << 20 };
	struct plan_test t;

	(void)state;
	begin_with(&t, &conf);
	assert_in_range(t.plan.once.limit, 100000, 200000);
	assert_true(t.plan.kept.limit >= t.plan.once.limit);
	others(&t, 1000000);
	free(t.mem);
}

/* Regular numbers must not gather in few buckets, nor tags be alike. */
static u32 recalled(const struct walpf_plan_conf *conf, u32 nr, u32 stride, bool by_rel)
{
	struct plan_test t;
	u32 found = 0;

	begin_with(&t, conf);
	for (u32 pass = 0; pass < 2; pass++) {
		for (u32 i = 0; i < nr; i++) {
			struct walpf_wal_ref ref = ref_of(i * stride, 0);

			if (by_rel)
				ref.rel.rel = i * stride;
			found += walpf_plan_ref(&t.plan, &ref, t.lsn, NEVER) == WALPF_SKIP_RECENT;
		}
		if (!pass)
			assert_true(found < 20);
	}
	free(t.mem);
	return found;
}

static void test_hash_spreads(void **state)
{
	static const u32 strides[] = { 1, 2, 4, 32672, 1 << 12, 1 << 14, 0x9e3779b9 };
	struct walpf_plan_conf conf = { .shared_buffers = 131072, .seed = SEED };
	u32 nr = 90000;

	(void)state;
	for (u32 i = 0; i < NR(strides); i++) {
		assert_in_range(recalled(&conf, nr, strides[i], false), nr - 20, nr + 20);
		assert_in_range(recalled(&conf, nr, strides[i], true), nr - 20, nr + 20);
	}
	conf.seed[0] = 0;
	conf.seed[1] = 0;
	assert_in_range(recalled(&conf, nr, 1, false), nr - 20, nr + 20);
}

static void test_names(void **state)
{
	(void)state;
	assert_verdict(WALPF_PLAN_FETCH, "fetch");
	assert_verdict(WALPF_SKIP_IMAGE, "image");
	assert_verdict(WALPF_SKIP_OBSERVE, "observe");
	assert_verdict(WALPF_PLAN_NR_VERDICTS, "unknown");
	for (u32 i = 0; i < WALPF_PLAN_NR_VERDICTS; i++)
		assert_true(strlen(walpf_plan_verdict_text(i)) > strlen("unknown"));
	assert_string_equal(walpf_plan_verdict_text(WALPF_PLAN_NR_VERDICTS), "unknown");
}

#define test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(test_flags),
		test(test_image_without_apply),
		test(test_ignored),
		test(test_image_again),
		test(test_pending),
		test(test_pending_until_replayed),
		test(test_pending_beyond_window),
		test(test_beyond_window_replayed),
		test(test_passed),
		test(test_window_border),
		test(test_held_at_replay),
		test(test_kept_border),
		test(test_hot_blocks),
		test(test_out_of_reach),
		test(test_wrap_around),
		test(test_distinct_identities),
		test(test_rewind),
		test(test_rewind_often),
		test(test_rewind_to_long_record),
		test(test_first_resync),
		test(test_forward_little),
		test(test_forward_far),
		test(test_reset),
		test(test_warming),
		test(test_undo),
		test(test_undo_counts),
		test(test_set_window),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_hash_spreads),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

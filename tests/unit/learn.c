// SPDX-License-Identifier: GPL-2.0-only
/*
 * Why a block was missed, by the plan and by what was skipped later, and the
 * share of shared_buffers that follows from mistakes.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "learn.h"

#define BUFFERS		1024
#define WINDOW		768
#define FILE_BLOCKS	131072u
#define UNKNOWN		WALPF_PLAN_NR_VERDICTS

struct learn_test {
	struct walpf_plan plan;
	struct walpf_learn learn;
	void *mem;
};

static int setup(void **state)
{
	static const struct walpf_plan_conf conf = { .shared_buffers = BUFFERS, .seed = { 1, 2 } };
	struct learn_test *t = malloc(sizeof(*t));
	size_t bytes = walpf_plan_size(&conf);

	assert_non_null(t);
	t->mem = malloc(bytes);
	assert_non_null(t->mem);
	walpf_plan_init(&t->plan, t->mem, bytes, &conf);
	walpf_plan_resync(&t->plan, 1000);
	walpf_learn_init(&t->learn, &t->plan);
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct learn_test *t = *state;

	free(t->mem);
	free(t);
	return 0;
}

static struct walpf_wal_ref ref_of(u32 spc, u32 block, u8 flags)
{
	return (struct walpf_wal_ref){ { spc, 5, 16384 }, block, WALPF_FORK_MAIN, 0, flags };
}

static void refer(struct learn_test *t, u32 spc, u32 block, u8 flags)
{
	struct walpf_wal_ref ref = ref_of(spc, block, flags);

	walpf_plan_ref(&t->plan, &ref, 2000, 0);
}

static void skipped(struct learn_test *t, u32 block, u64 lsn, enum walpf_plan_verdict verdict)
{
	struct walpf_wal_ref ref = ref_of(WALPF_SPC_DEFAULT, block, 0);

	walpf_learn_skipped(&t->learn, &ref, lsn, verdict);
}

static enum walpf_plan_verdict why(const struct learn_test *t, bool in_base, u32 block, u64 lsn)
{
	struct walpf_missed missed = {
		.lsn = lsn,
		.file = "16384",
		.dir = "5",
		.in_base = in_base,
		.block = block,
	};

	return walpf_learn_missed(&t->learn, &missed, FILE_BLOCKS, 0);
}

static void test_reasons_of_the_plan(void **state)
{
	struct learn_test *t = *state;

	assert_int_equal(why(t, true, 1, 2000), UNKNOWN);
	refer(t, WALPF_SPC_DEFAULT, 1, 0);
	assert_int_equal(why(t, true, 1, 2000), WALPF_SKIP_PASSED);
	refer(t, WALPF_SPC_DEFAULT, 1, 0);
	assert_int_equal(why(t, true, 1, 2000), WALPF_SKIP_RECENT);
	refer(t, WALPF_SPC_DEFAULT, 2, WALPF_REF_INIT);
	assert_int_equal(why(t, true, 2, 2000), WALPF_SKIP_PENDING);
	refer(t, WALPF_SPC_DEFAULT, 3, WALPF_REF_IMAGE | WALPF_REF_APPLY);
	assert_int_equal(why(t, true, 3, 2000), WALPF_SKIP_PENDING);
}

/* The newest reason counts, as long as replay is not far behind its record. */
static void test_reasons_of_fetching(void **state)
{
	struct learn_test *t = *state;

	refer(t, WALPF_SPC_DEFAULT, 1, 0);
	skipped(t, 1, 100 * 8192, WALPF_SKIP_CACHED);
	assert_int_equal(why(t, true, 1, 90 * 8192), WALPF_SKIP_CACHED);
	assert_int_equal(why(t, true, 1, 101 * 8192), WALPF_SKIP_CACHED);
	assert_int_equal(why(t, true, 1, 200 * 8192), WALPF_SKIP_PASSED);
	skipped(t, 1, 150 * 8192, WALPF_SKIP_EOF);
	assert_int_equal(why(t, true, 1, 150 * 8192), WALPF_SKIP_EOF);
	assert_int_equal(why(t, true, 2, 150 * 8192), UNKNOWN);
}

/* WAL pages are numbered in 24 bits here. */
static void test_positions_wrap(void **state)
{
	struct learn_test *t = *state;
	const u64 round = 1ull << 37;

	skipped(t, 1, round + 8192, WALPF_SKIP_EOF);
	assert_int_equal(why(t, true, 1, round - 8192), WALPF_SKIP_EOF);
	assert_int_equal(why(t, true, 1, round + 100 * 8192), UNKNOWN);
	skipped(t, 2, round - 8192, WALPF_SKIP_EOF);
	assert_int_equal(why(t, true, 2, round + 100 * 8192), UNKNOWN);
}

static void test_tablespaces(void **state)
{
	struct learn_test *t = *state;

	refer(t, 20000, 1, WALPF_REF_INIT);
	assert_int_equal(why(t, false, 1, 2000), UNKNOWN);
	for (u32 spc = 20000; spc < 20000 + WALPF_LEARN_SPACES; spc++) {
		walpf_learn_space(&t->learn, spc);
		walpf_learn_space(&t->learn, spc);
	}
	assert_int_equal(why(t, false, 1, 2000), WALPF_SKIP_PENDING);
	assert_int_equal(why(t, true, 1, 2000), UNKNOWN);
	walpf_learn_space(&t->learn, 30000);
	assert_int_equal(why(t, false, 1, 2000), UNKNOWN);
}

static void test_share_follows_mistakes(void **state)
{
	struct learn_test *t = *state;

	assert_int_equal(t->learn.window, WINDOW);
	walpf_learn_window(&t->learn, 100, 0);
	assert_in_range(t->learn.window, WINDOW * 7 / 10, WINDOW * 9 / 10);
	assert_int_equal(t->plan.once.limit, t->learn.window);
	for (int i = 0; i < 50; i++)
		walpf_learn_window(&t->learn, 0, 100);
	assert_int_equal(t->learn.window, BUFFERS);
	assert_int_equal(t->plan.once.limit, BUFFERS);
}

/* Whatever it is told, the share stays within its bounds. */
static void test_share_is_bounded(void **state)
{
	struct learn_test *t = *state;

	for (int i = 0; i < 100; i++) {
		walpf_learn_window(&t->learn, UINT64_MAX / 2, 0);
		assert_in_range(t->learn.window, WINDOW / 3, BUFFERS);
	}
	assert_int_equal(t->learn.window, WINDOW / 3);
	for (int i = 0; i < 100; i++) {
		walpf_learn_window(&t->learn, 0, UINT64_MAX / 2);
		assert_in_range(t->learn.window, WINDOW / 3, BUFFERS);
	}
	assert_int_equal(t->learn.window, BUFFERS);
}

/* As few mistakes of both kinds as are put up with change nothing for long. */
static void test_share_rests(void **state)
{
	struct learn_test *t = *state;

	for (int i = 0; i < 10000; i++)
		walpf_learn_window(&t->learn, i % 2, 2);
	assert_in_range(t->learn.window, WINDOW / 2, BUFFERS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_reasons_of_the_plan, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reasons_of_fetching, setup, teardown),
		cmocka_unit_test_setup_teardown(test_positions_wrap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tablespaces, setup, teardown),
		cmocka_unit_test_setup_teardown(test_share_follows_mistakes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_share_is_bounded, setup, teardown),
		cmocka_unit_test_setup_teardown(test_share_rests, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

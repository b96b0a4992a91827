// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bound of blocks in flight, on devices that are a formula: latency as a
 * function of what is queued.
 */
#include "check.h"
#include "window.h"

#define MAX 256

typedef u32 device_fn(u32 queued);

/* Serves any number at once. */
static u32 parallel(u32 queued)
{
	(void)queued;
	return 2000;
}

/* The same, far away. */
static u32 distant(u32 queued)
{
	(void)queued;
	return 40000;
}

/* Does 500 a second. */
static u32 limited(u32 queued)
{
	return queued * 2000;
}

static void run(struct walpf_window *w, device_fn *device, int requests)
{
	for (int i = 0; i < requests; i++)
		walpf_window_seen(w, device(w->blocks), MAX);
}

static void test_grows_on_a_parallel_device(void **state)
{
	struct walpf_window w;

	(void)state;
	walpf_window_init(&w);
	assert_in_range(w.blocks, 1, 16);
	run(&w, parallel, 8);
	assert_int_equal(w.blocks, MAX);
	walpf_window_init(&w);
	run(&w, distant, 8);
	assert_int_equal(w.blocks, MAX);
}

/* 25 blocks at 500 a second are 50 ms; at no time more than twice that. */
static void test_keeps_a_short_queue(void **state)
{
	struct walpf_window w;

	(void)state;
	walpf_window_init(&w);
	for (int i = 0; i < 100000; i++) {
		run(&w, limited, 1);
		assert_in_range(w.blocks, 4, i < 100 ? 50 : 32);
	}
	run(&w, limited, 10);
	assert_in_range(w.blocks, 8, 32);
}

/* What was one slow answer is made good; what lasts is learned. */
static void test_follows_the_device(void **state)
{
	struct walpf_window w;

	(void)state;
	walpf_window_init(&w);
	run(&w, parallel, 100);
	walpf_window_seen(&w, 300000, MAX);
	assert_in_range(w.blocks, MAX / 2, MAX - 1);
	run(&w, parallel, 50);
	assert_int_equal(w.blocks, MAX);
	run(&w, limited, 100);
	assert_in_range(w.blocks, 4, 32);
	run(&w, distant, 5000);
	assert_int_equal(w.blocks, MAX);
}

static void test_obeys_the_operator(void **state)
{
	struct walpf_window w;

	(void)state;
	walpf_window_init(&w);
	for (int i = 0; i < 100; i++) {
		walpf_window_seen(&w, 2000, 3);
		assert_int_equal(w.blocks, 3);
	}
	walpf_window_seen(&w, UINT32_MAX, 3);
	assert_int_equal(w.blocks, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grows_on_a_parallel_device),
		cmocka_unit_test(test_keeps_a_short_queue),
		cmocka_unit_test(test_follows_the_device),
		cmocka_unit_test(test_obeys_the_operator),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

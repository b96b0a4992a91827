// SPDX-License-Identifier: GPL-2.0-only
/*
 * The controller of a device, on devices that are a formula: latency as a
 * function of what is in flight.
 */
#include "check.h"
#include "govern.h"

#define SECOND_US	1000000ull

static const struct walpf_govern_device_limits limits = { .inflight = 256 };

/* Microseconds that a request takes when so many are in flight. */
typedef u32 device_fn(u32 inflight);

static u64 random_state = 88172645463325252ull;

static u32 below(u32 bound)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 32) * bound >> 32;
}

/* Serves any number at once. */
static u32 parallel(u32 inflight)
{
	(void)inflight;
	return 100;
}

/* The same, far away. */
static u32 distant(u32 inflight)
{
	(void)inflight;
	return 40000;
}

/* The same, seen through timers of 4 ms and a busy host. */
static u32 blurred(u32 inflight)
{
	(void)inflight;
	return (below(3) + 1) * 4000 + below(4000);
}

/* Does 3000 in a second, none of them in less than 1 ms. */
static u32 limited(u32 inflight)
{
	u32 queued = inflight * 333;

	return queued > 1000 ? queued : 1000;
}

/* Does 500 in a second. */
static u32 slow(u32 inflight)
{
	return inflight * 2000;
}

/* Eight disks of 8 ms: the more are queued, the more of them have something to do. */
static u32 disks(u32 inflight)
{
	u32 busy = 8 * inflight / (inflight + 7);

	return inflight * 8000 / (busy ? busy : 1);
}

/* Half as much again or half less, by chance. */
static u32 noisy_disks(u32 inflight)
{
	u32 us = disks(inflight);

	return us / 2 + below(us);
}

/* A run: the bound is made full use of, and one request in each is seen. */
struct run {
	struct walpf_govern_device dev;
	u64 now_us;
	u32 least, most;
};

static void begin(struct run *run)
{
	*run = (struct run){ .now_us = SECOND_US };
	walpf_govern_device_init(&run->dev, &limits);
}

static void go(struct run *run, device_fn *device, u64 seconds)
{
	u64 until = run->now_us + seconds * SECOND_US;

	run->least = UINT32_MAX;
	run->most = 0;
	while (run->now_us < until) {
		u32 inflight = walpf_govern_device_inflight(&run->dev, &limits);
		u32 us = device(inflight);
		struct walpf_govern_sample sample = {
			.asked_us = run->now_us - us,
			.now_us = run->now_us,
			.inflight = inflight,
		};

		walpf_govern_device_sample(&run->dev, &limits, &sample);
		run->now_us += us / inflight + 1;
		run->least = inflight < run->least ? inflight : run->least;
		run->most = inflight > run->most ? inflight : run->most;
	}
}

static void test_begins_with_few(void **state)
{
	struct run run;

	(void)state;
	begin(&run);
	assert_in_range(run.dev.inflight, 1, 16);
	assert_int_equal(run.dev.latency_us, 0);
	assert_true(run.dev.learning);
}

static void test_grows_where_there_is_room(void **state)
{
	struct run run;

	(void)state;
	begin(&run);
	go(&run, parallel, 1);
	assert_int_equal(run.dev.inflight, 256);
	assert_int_equal(run.dev.best_us, 100);
	assert_false(run.dev.learning);
	begin(&run);
	go(&run, distant, 2);
	assert_int_equal(run.dev.inflight, 256);
	begin(&run);
	go(&run, blurred, 2);
	assert_int_equal(run.dev.inflight, 256);
}

/* A queue that brings nothing is short: never twice what it settles at. */
static void test_keeps_a_useless_queue_short(void **state)
{
	struct run run;

	(void)state;
	begin(&run);
	go(&run, limited, 10);
	go(&run, limited, 300);
	assert_in_range(run.least, 16, 64);
	assert_in_range(run.most, 16, 128);
	begin(&run);
	go(&run, slow, 10);
	go(&run, slow, 300);
	assert_in_range(run.least, 4, 16);
	assert_in_range(run.most, 16, 32);
}

static void test_keeps_a_queue_that_is_worth_it(void **state)
{
	struct run run;

	(void)state;
	begin(&run);
	go(&run, disks, 10);
	assert_in_range(run.dev.inflight, 32, 128);
	begin(&run);
	go(&run, noisy_disks, 20);
	assert_in_range(run.dev.inflight, 32, 128);
}

/* How often the bound is another one than a second ago. */
static u32 changes(struct run *run, device_fn *device, u32 seconds)
{
	u32 nr = 0;

	while (seconds--) {
		u32 was = run->dev.inflight;

		go(run, device, 1);
		nr += run->dev.inflight != was;
	}
	return nr;
}

static void test_is_steady(void **state)
{
	static device_fn *const devices[] = { parallel, distant, blurred, limited, slow, disks,
					    noisy_disks };

	(void)state;
	for (u32 i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		struct run run;

		begin(&run);
		go(&run, devices[i], 20);
		assert_in_range(changes(&run, devices[i], 300), 0, 20);
	}
}

static void test_follows_the_device(void **state)
{
	struct run run;

	(void)state;
	begin(&run);
	go(&run, parallel, 5);
	go(&run, limited, 10);
	assert_in_range(run.dev.inflight, 16, 64);
	go(&run, parallel, 60);
	assert_int_equal(run.dev.inflight, 256);
	go(&run, slow, 20);
	assert_in_range(run.dev.inflight, 4, 16);
	go(&run, distant, 120);
	assert_int_equal(run.dev.inflight, 256);
}

/* One slow answer is none. */
static void test_bears_a_hiccup(void **state)
{
	struct walpf_govern_sample sample;
	struct run run;

	(void)state;
	begin(&run);
	go(&run, parallel, 5);
	sample = (struct walpf_govern_sample){ run.now_us, run.now_us + 300000, 256 };
	walpf_govern_device_sample(&run.dev, &limits, &sample);
	assert_int_equal(run.dev.inflight, 256);
}

/* A bound that is not made use of does not grow. */
static void test_grows_only_if_used(void **state)
{
	struct run run;
	u32 was;

	(void)state;
	begin(&run);
	go(&run, limited, 10);
	was = run.dev.inflight;
	for (int i = 0; i < 10000; i++) {
		const struct walpf_govern_sample sample = {
			run.now_us + i * 1000, run.now_us + i * 1000 + 500, 2,
		};

		walpf_govern_device_sample(&run.dev, &limits, &sample);
	}
	assert_int_equal(run.dev.inflight, was);
}

static void test_obeys_the_operator(void **state)
{
	static const u32 bounds[] = { 1, 3, 16, 100, 8192 };

	(void)state;
	for (u32 i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		const struct walpf_govern_device_limits any = { .inflight = bounds[i] };
		struct run run;

		begin(&run);
		for (int k = 0; k < 10000; k++) {
			const struct walpf_govern_sample sample = {
				run.now_us + k * 100, run.now_us + k * 100 + 90,
				walpf_govern_device_inflight(&run.dev, &any),
			};

			walpf_govern_device_sample(&run.dev, &any, &sample);
			assert_in_range(walpf_govern_device_inflight(&run.dev, &any), 1, bounds[i]);
		}
		assert_int_equal(walpf_govern_device_inflight(&run.dev, &any), bounds[i]);
	}
}

/* Whatever it is told, and however the operator changes his mind. */
static void test_any_input_keeps_the_bound(void **state)
{
	struct run run;

	(void)state;
	begin(&run);
	for (int i = 0; i < 200000; i++) {
		const struct walpf_govern_device_limits any = {
			.inflight = below(1u << below(15)),
		};
		const struct walpf_govern_sample sample = {
			.asked_us = run.now_us - below(1u << below(28)),
			.now_us = run.now_us,
			.inflight = below(1u << below(32)),
		};

		walpf_govern_device_sample(&run.dev, &any, &sample);
		run.now_us += below(1u << below(25));
		assert_in_range(walpf_govern_device_inflight(&run.dev, &any), 1,
				any.inflight ? any.inflight : 1);
	}
}

static void test_ignores_nonsense(void **state)
{
	const struct walpf_govern_sample back = { 2 * SECOND_US, SECOND_US, 256 };
	const struct walpf_govern_sample ever = { 1, 3600 * SECOND_US, 256 };
	struct run run;

	(void)state;
	begin(&run);
	go(&run, parallel, 5);
	for (int i = 0; i < 1000; i++) {
		walpf_govern_device_sample(&run.dev, &limits, &back);
		walpf_govern_device_sample(&run.dev, &limits, &ever);
	}
	assert_int_equal(run.dev.inflight, 256);
	assert_int_equal(run.dev.latency_us, 100);
}

/* Requests that were let through in @seconds when asked as often as may be. */
static u32 paced(const struct walpf_govern_device_limits *any, u32 bytes, u64 seconds)
{
	struct walpf_govern_device dev;
	u64 now = 77 * SECOND_US, until = now + seconds * SECOND_US;
	u32 nr = 0;

	walpf_govern_device_init(&dev, any);
	while (now < until) {
		u32 wait = walpf_govern_device_pace(&dev, any, now, bytes);

		assert_in_range(wait, 0, SECOND_US + 1);
		nr += !wait;
		now += wait ? wait : 1;
	}
	return nr;
}

static void test_keeps_the_pace(void **state)
{
	struct walpf_govern_device_limits any = { .inflight = 256, .iops = 700 };

	(void)state;
	assert_in_range(paced(&any, 8192, 20), 13800, 14200);
	any.iops = 300000;
	assert_in_range(paced(&any, 8192, 2), 590000, 610000);
	any.iops = 1;
	assert_in_range(paced(&any, 8192, 20), 20, 22);
	any.iops = 0;
	any.bytes_per_s = 10000000;
	assert_in_range(paced(&any, 100000, 20), 1980, 2020);
	any.iops = 50;
	assert_in_range(paced(&any, 100000, 20), 990, 1010);
	any.iops = 0;
	any.bytes_per_s = 0;
	assert_int_equal(paced(&any, 100000, 1), 1000000);
}

/* A bucket that leaks @per_second: what has flowed in and not yet out. */
static double fill(double level, double seconds, double per_second, double units)
{
	level -= seconds * per_second;
	return (level > 0 ? level : 0) + units;
}

/* Requests of any size at any time: at no time more than the limits, and 10 ms' worth of both. */
static void test_keeps_both_paces(void **state)
{
	const struct walpf_govern_device_limits any = {
		.inflight = 256, .iops = 2000, .bytes_per_s = 50000000,
	};
	double requests = 0, bytes = 0;
	struct run run;
	u64 sent_us;

	(void)state;
	begin(&run);
	sent_us = run.now_us;
	for (int i = 0; i < 200000; i++) {
		u32 size = (below(32) + 1) * 8192;
		double seconds = (run.now_us - sent_us) / 1e6;

		if (!walpf_govern_device_pace(&run.dev, &any, run.now_us, size)) {
			requests = fill(requests, seconds, any.iops, 1);
			bytes = fill(bytes, seconds, any.bytes_per_s, size);
			sent_us = run.now_us;
			assert_true(requests <= any.iops * 0.01 + 2);
			assert_true(bytes <= any.bytes_per_s * 0.01 + 2 * 32 * 8192);
		}
		run.now_us += below(1u << below(16));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begins_with_few),
		cmocka_unit_test(test_grows_where_there_is_room),
		cmocka_unit_test(test_keeps_a_useless_queue_short),
		cmocka_unit_test(test_keeps_a_queue_that_is_worth_it),
		cmocka_unit_test(test_is_steady),
		cmocka_unit_test(test_follows_the_device),
		cmocka_unit_test(test_bears_a_hiccup),
		cmocka_unit_test(test_grows_only_if_used),
		cmocka_unit_test(test_obeys_the_operator),
		cmocka_unit_test(test_any_input_keeps_the_bound),
		cmocka_unit_test(test_ignores_nonsense),
		cmocka_unit_test(test_keeps_the_pace),
		cmocka_unit_test(test_keeps_both_paces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

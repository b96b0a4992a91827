// SPDX-License-Identifier: GPL-2.0-only
/*
 * The controller of a cluster, on replays that are a formula: what comes late
 * is a function of the lead, what is evicted one of what is outstanding.
 */
#include "check.h"
#include "govern.h"

#define MB		(1ull << 20)
#define SECOND		(1000 / WALPF_GOVERN_EPOCH_MS)
#define WORDS(x)	((enum walpf_govern_reason)(x))

static const struct walpf_govern_limits limits = { 256 * MB, 32768 };

/**
 * struct replay - a simulated replay
 * @speed: bytes in a second
 * @blocks: fetched in a second
 * @need_ms: a shorter lead makes blocks late
 * @room: if more blocks are outstanding, some are evicted
 * @cached, @images, @new, @recent, @files: references skipped in a second
 * @missed: in a second while nothing is fetched
 * @device_bound: the device is what look-ahead waits for
 * @unread: replay does not read what is fetched
 */
struct replay {
	u64 speed;
	u64 blocks;
	u32 need_ms;
	u64 room;
	u64 cached;
	u64 images;
	u64 new;
	u64 recent;
	u64 files;
	u64 missed;
	bool device_bound;
	bool unread;
};

static const struct replay ordinary = {
	.speed = 50 * MB, .blocks = 20000, .need_ms = 1, .room = UINT32_MAX,
};

/* Blocks ahead of replay, as far as lead and budget let them be. */
static u64 outstanding(const struct walpf_govern *gov, const struct replay *re)
{
	u64 ahead = re->blocks * gov->lead_bytes / re->speed;

	return ahead < gov->budget ? ahead : gov->budget;
}

static void see_fetched(struct walpf_govern_seen *seen, const struct walpf_govern *gov,
			const struct replay *re)
{
	u64 ahead = outstanding(gov, re);
	u64 ahead_ms = re->blocks ? ahead * 1000 / re->blocks : 0;

	seen->fetched = re->blocks / SECOND;
	seen->references = (re->blocks + re->cached + re->images + re->new + re->recent +
			    re->files) / SECOND;
	seen->skipped_cached = re->cached / SECOND;
	seen->skipped_images = re->images / SECOND;
	seen->skipped_new = re->new / SECOND;
	seen->skipped_recent = re->recent / SECOND;
	seen->skipped_files = re->files / SECOND;
	seen->outstanding = ahead;
	seen->lead_spent = ahead < gov->budget && !re->device_bound;
	seen->budget_spent = ahead >= gov->budget && !re->device_bound;
	if (ahead > re->room)
		seen->evicted = seen->fetched * (ahead - re->room) / ahead;
	if (ahead_ms < re->need_ms || re->device_bound)
		seen->late = (seen->fetched - seen->evicted) / 2;
	seen->timely = seen->fetched - seen->evicted - seen->late;
	if (re->unread) {
		seen->unused = seen->timely;
		seen->timely = 0;
	}
}

static void epoch(struct walpf_govern *gov, const struct replay *re)
{
	struct walpf_govern_seen seen = {
		.ms = WALPF_GOVERN_EPOCH_MS,
		.replay_bytes = re->speed / SECOND,
		.latency_us = 1000,
		.available = 4096 * MB / 8192,
	};

	if (walpf_govern_is_on(gov))
		see_fetched(&seen, gov, re);
	else
		seen.missed = re->missed / SECOND;
	walpf_govern_epoch(gov, &limits, &seen);
}

static void run(struct walpf_govern *gov, const struct replay *re, int epochs)
{
	while (epochs--)
		epoch(gov, re);
}

static void test_begins_within_limits(void **state)
{
	const struct walpf_govern_limits small = { 300000, 100 };
	struct walpf_govern gov;

	(void)state;
	walpf_govern_init(&gov, &small);
	assert_true(walpf_govern_is_on(&gov));
	assert_int_equal(gov.lead_bytes, 300000);
	assert_int_equal(gov.budget, 100);
}

static void test_lead_grows_when_late(void **state)
{
	struct replay re = ordinary;
	struct walpf_govern gov;

	(void)state;
	re.need_ms = 300;
	walpf_govern_init(&gov, &limits);
	run(&gov, &re, 3 * SECOND);
	assert_in_range(gov.lead_ms, 300, 700);
	assert_true(walpf_govern_is_ahead(&gov));
	assert_in_range(gov.lead_bytes, 15 * MB, 35 * MB);
}

/* More lead would help nothing: the device is what is slow. */
static void test_lead_rests_when_the_device_is_slow(void **state)
{
	struct replay re = ordinary;
	struct walpf_govern gov;
	u64 lead;

	(void)state;
	re.device_bound = true;
	walpf_govern_init(&gov, &limits);
	run(&gov, &re, 2 * SECOND);
	lead = gov.lead_bytes;
	run(&gov, &re, 60 * SECOND);
	assert_int_equal(gov.lead_bytes, lead);
	assert_false(walpf_govern_is_ahead(&gov));
}

static void test_shrinks_when_evicted(void **state)
{
	struct replay re = ordinary;
	struct walpf_govern gov;

	(void)state;
	re.need_ms = 300;
	walpf_govern_init(&gov, &limits);
	run(&gov, &re, 3 * SECOND);
	re.need_ms = 1;
	re.room = 1000;
	run(&gov, &re, 5 * SECOND);
	assert_in_range(outstanding(&gov, &re), 500, 1016);
	assert_true(gov.lead_bytes < 15 * MB);
}

static void test_shrinks_when_refused(void **state)
{
	struct walpf_govern gov;
	u64 lead, budget;

	(void)state;
	walpf_govern_init(&gov, &limits);
	run(&gov, &ordinary, SECOND);
	lead = gov.lead_ms;
	budget = gov.budget;
	for (int i = 0; i < 2 * SECOND; i++) {
		const struct walpf_govern_seen seen = {
			.ms = WALPF_GOVERN_EPOCH_MS, .replay_bytes = 5 * MB, .references = 2000,
			.fetched = 1000, .timely = 1000, .refused = 500, .latency_us = 1000,
			.available = 1 << 20, .outstanding = 400,
		};

		walpf_govern_epoch(&gov, &limits, &seen);
	}
	assert_true(gov.lead_ms < lead);
	assert_true(gov.budget < budget / 4);
}

/* What was cached when look-ahead came by was not fetched, but is gone all the same. */
static void test_shrinks_when_cached_blocks_go(void **state)
{
	struct walpf_govern gov;
	u64 budget;

	(void)state;
	walpf_govern_init(&gov, &limits);
	run(&gov, &ordinary, SECOND);
	budget = gov.budget;
	for (int i = 0; i < 2 * SECOND; i++) {
		const struct walpf_govern_seen seen = {
			.ms = WALPF_GOVERN_EPOCH_MS, .replay_bytes = 5 * MB, .references = 2000,
			.fetched = 500, .timely = 500, .skipped_cached = 1500, .lost = 100,
			.missed = 100, .latency_us = 1000, .available = 1 << 20, .outstanding = 400,
		};

		walpf_govern_epoch(&gov, &limits, &seen);
	}
	assert_true(gov.budget < budget / 4);
}

/* Not for some that are gone, nor when it is off; and only once for each flood. */
static void test_looks_again_when_most_is_gone(void **state)
{
	struct walpf_govern_seen seen = {
		.ms = WALPF_GOVERN_EPOCH_MS, .replay_bytes = MB, .references = 2000,
		.fetched = 1000, .timely = 1000, .evicted = 20, .latency_us = 1000,
		.available = 1 << 20, .outstanding = 1000,
	};
	struct walpf_govern gov;

	(void)state;
	walpf_govern_init(&gov, &limits);
	walpf_govern_epoch(&gov, &limits, &seen);
	assert_false(gov.rewind);
	seen.timely = 10;
	walpf_govern_epoch(&gov, &limits, &seen);
	assert_true(gov.rewind);
	assert_in_range(gov.budget, 64, 500);
	seen.timely = 1000;
	seen.evicted = 0;
	walpf_govern_epoch(&gov, &limits, &seen);
	assert_false(gov.rewind);
	gov.reason = WALPF_GOVERN_CACHED;
	seen.timely = 0;
	seen.evicted = 20;
	walpf_govern_epoch(&gov, &limits, &seen);
	assert_false(gov.rewind);
}

struct range {
	u64 least;
	u64 most;
};

static void widen(struct range *range, u64 value)
{
	if (!range->most || value < range->least)
		range->least = value;
	if (value > range->most)
		range->most = value;
}

/* Once found, the values move by one step at most; and seldom. */
static void steady(const struct replay *re)
{
	struct range lead = {}, budget = {};
	struct walpf_govern gov;
	u64 was;
	int changes = 0;

	walpf_govern_init(&gov, &limits);
	run(&gov, re, 20 * SECOND);
	for (int i = 0; i < 600 * SECOND; i++) {
		was = gov.budget;
		epoch(&gov, re);
		widen(&lead, gov.lead_bytes);
		widen(&budget, gov.budget);
		changes += gov.budget != was;
	}
	assert_true(walpf_govern_is_on(&gov));
	assert_true(lead.most <= lead.least * 4 / 3 + 1);
	assert_true(budget.most <= budget.least * 4 / 3 + 1);
	assert_in_range(changes, 0, 60);
}

static void test_is_steady(void **state)
{
	struct replay re = ordinary;

	(void)state;
	steady(&re);
	re.need_ms = 300;
	steady(&re);
	re.need_ms = 1;
	re.room = 900;
	steady(&re);
	re.need_ms = 40;
	re.room = 1000;
	steady(&re);
	re.device_bound = true;
	steady(&re);
}

/* There is no lead at which nothing is late and nothing evicted. */
static void test_is_bounded_between_two_evils(void **state)
{
	struct replay re = ordinary;
	struct range ahead = {};
	struct walpf_govern gov;

	(void)state;
	re.need_ms = 100;
	re.room = 1000;
	walpf_govern_init(&gov, &limits);
	run(&gov, &re, 20 * SECOND);
	for (int i = 0; i < 600 * SECOND; i++) {
		epoch(&gov, &re);
		widen(&ahead, outstanding(&gov, &re));
	}
	assert_true(ahead.most <= ahead.least * 2);
}

static void test_obeys_the_operator(void **state)
{
	struct walpf_govern_limits less = { MB, 128 };
	struct replay re = ordinary;
	struct walpf_govern_seen seen = { .ms = 100, .available = 1 << 20 };
	struct walpf_govern gov;

	(void)state;
	re.need_ms = 1000;
	walpf_govern_init(&gov, &limits);
	for (int i = 0; i < 20 * SECOND; i++) {
		epoch(&gov, &re);
		assert_true(gov.lead_bytes <= limits.lead_bytes);
		assert_true(gov.budget <= limits.budget);
	}
	walpf_govern_epoch(&gov, &less, &seen);
	assert_int_equal(gov.lead_bytes, MB);
	assert_int_equal(gov.budget, 128);
	run(&gov, &re, 1);
	assert_true(gov.lead_bytes > MB);
}

static void test_keeps_to_the_memory(void **state)
{
	struct walpf_govern_seen seen = { .ms = 100, .available = 64 * MB / 8192 };
	struct walpf_govern gov;

	(void)state;
	walpf_govern_init(&gov, &limits);
	assert_int_equal(gov.budget * 8192, 4 * MB);
	walpf_govern_epoch(&gov, &limits, &seen);
	assert_in_range(gov.budget * 8192, 4 * MB, 16 * MB);
	seen.available = 70 * MB / 8192;
	walpf_govern_epoch(&gov, &limits, &seen);
	assert_in_range(gov.budget * 8192, 4 * MB, 16 * MB);
	seen.available = 4096 * MB / 8192;
	walpf_govern_epoch(&gov, &limits, &seen);
	assert_int_equal(gov.budget, limits.budget);
	seen.available = 4 * MB / 8192;
	walpf_govern_epoch(&gov, &limits, &seen);
	assert_int_equal(gov.budget * 8192, MB);
	seen.available = 0;
	walpf_govern_epoch(&gov, &limits, &seen);
	assert_in_range(gov.budget, 1, 64);
}

static void turns_off(const struct replay *re, enum walpf_govern_reason reason)
{
	struct replay useful = ordinary;
	struct walpf_govern gov;

	walpf_govern_init(&gov, &limits);
	run(&gov, re, 3 * SECOND);
	assert_int_equal(gov.reason, reason);
	run(&gov, re, 600 * SECOND);
	assert_int_equal(gov.reason, reason);
	useful.missed = 2000;
	run(&gov, &useful, SECOND);
	assert_true(walpf_govern_is_on(&gov));
	run(&gov, &useful, 10 * SECOND);
	assert_true(walpf_govern_is_on(&gov));
}

static void test_turns_off_with_a_reason(void **state)
{
	const struct replay none = { .speed = 50 * MB, .need_ms = 1, .room = UINT32_MAX };
	struct replay re = none;

	(void)state;
	re.cached = 50000;
	re.images = 100;
	turns_off(&re, WALPF_GOVERN_CACHED);
	re = none;
	re.images = 20000;
	re.blocks = 5;
	turns_off(&re, WALPF_GOVERN_IMAGES);
	re = none;
	re.new = 50000;
	re.recent = 1000;
	turns_off(&re, WALPF_GOVERN_NEW);
	re = none;
	re.recent = 50000;
	turns_off(&re, WALPF_GOVERN_BUFFERS);
	re = none;
	re.files = 50000;
	turns_off(&re, WALPF_GOVERN_FILES);
	re = none;
	re.blocks = 20000;
	re.unread = true;
	turns_off(&re, WALPF_GOVERN_UNUSED);
}

/* One block in 500 is not much, unless its read is what replay spends its time with. */
static void test_judges_by_time(void **state)
{
	struct replay re = { .speed = 50 * MB, .need_ms = 1, .room = UINT32_MAX };
	struct walpf_govern gov;

	(void)state;
	re.recent = 50000;
	re.blocks = 100;
	walpf_govern_init(&gov, &limits);
	run(&gov, &re, 60 * SECOND);
	assert_true(walpf_govern_is_on(&gov));
}

static void test_stays_on_where_nothing_happens(void **state)
{
	const struct replay idle = { .speed = 1, .room = UINT32_MAX };
	struct walpf_govern gov;

	(void)state;
	walpf_govern_init(&gov, &limits);
	run(&gov, &idle, 600 * SECOND);
	assert_true(walpf_govern_is_on(&gov));
}

/* Blocks are missed all the time, yet fetching them is in vain. */
static void test_retries_seldom_in_vain(void **state)
{
	struct walpf_govern gov;
	int on = 0;

	(void)state;
	walpf_govern_init(&gov, &limits);
	for (int i = 0; i < 600 * SECOND; i++) {
		struct walpf_govern_seen seen = {
			.ms = WALPF_GOVERN_EPOCH_MS, .replay_bytes = MB, .latency_us = 1000,
			.available = 1 << 20, .missed = 50,
		};

		if (walpf_govern_is_on(&gov)) {
			on++;
			seen.references = 500;
			seen.fetched = 300;
			seen.evicted = 290;
			seen.timely = 10;
			seen.outstanding = 100;
		}
		walpf_govern_epoch(&gov, &limits, &seen);
		assert_true(walpf_govern_is_on(&gov) || gov.reason == WALPF_GOVERN_EVICTED);
	}
	assert_in_range(on, 60 * SECOND, 120 * SECOND);
}

static void test_few_misses_leave_it_off(void **state)
{
	struct replay re = { .speed = 50 * MB, .recent = 50000, .room = UINT32_MAX, .missed = 8 };
	struct walpf_govern gov;

	(void)state;
	walpf_govern_init(&gov, &limits);
	run(&gov, &re, 600 * SECOND);
	assert_int_equal(gov.reason, WALPF_GOVERN_BUFFERS);
}

/* Useful for so many seconds, useless for as many, in turn: how often it switches in 10 min */
static u32 switches(u32 seconds)
{
	const struct replay useless = { .speed = 50 * MB, .recent = 50000, .room = UINT32_MAX };
	struct replay useful = ordinary;
	struct walpf_govern gov;
	u32 nr = 0;

	useful.missed = 2000;
	walpf_govern_init(&gov, &limits);
	for (u32 i = 0; i < 600 * SECOND; i++) {
		bool was_on = walpf_govern_is_on(&gov);

		epoch(&gov, i / (seconds * SECOND) % 2 ? &useless : &useful);
		nr += was_on != walpf_govern_is_on(&gov);
	}
	return nr;
}

static void test_switches_seldom(void **state)
{
	(void)state;
	for (u32 seconds = 1; seconds <= 30; seconds++)
		assert_in_range(switches(seconds), 0, 150);
	assert_int_equal(switches(30), 19);
}

static u64 random_state = 88172645463325252ull;

static u64 below(u64 bound)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return bound ? random_state % bound : 0;
}

static void fill(struct walpf_govern_seen *seen, u64 bound)
{
	*seen = (struct walpf_govern_seen){
		.ms = below(5) ? below(1000) : 0, .replay_bytes = below(bound) * 1000,
		.references = below(bound), .skipped_images = below(bound),
		.skipped_pending = below(bound), .skipped_new = below(bound),
		.skipped_recent = below(bound),
		.skipped_cached = below(bound), .skipped_files = below(bound),
		.fetched = below(bound), .refused = below(bound), .timely = below(bound),
		.late = below(bound), .shared = below(bound), .evicted = below(bound),
		.unused = below(bound), .lost = below(bound), .missed = below(bound),
		.late_us = below(bound), .read_us = below(bound), .latency_us = below(bound),
		.available = below(bound), .outstanding = below(bound),
		.lead_spent = below(2), .budget_spent = below(2),
	};
}

static void test_any_input_keeps_the_bounds(void **state)
{
	struct walpf_govern gov;

	(void)state;
	walpf_govern_init(&gov, &limits);
	for (int i = 0; i < 200000; i++) {
		const struct walpf_govern_limits any = {
			1 + below(1ull << below(35)), 1 + below(1ull << below(27)),
		};
		struct walpf_govern_seen seen;

		fill(&seen, 1ull << below(32));
		walpf_govern_epoch(&gov, &any, &seen);
		if (!seen.ms)
			continue;
		assert_in_range(gov.lead_bytes, 1, any.lead_bytes);
		assert_in_range(gov.budget, 1, any.budget);
		assert_in_range(gov.reason, 0, WALPF_GOVERN_NR_REASONS - 1);
	}
}

static void test_reasons_have_names(void **state)
{
	(void)state;
	for (u32 i = 0; i < WALPF_GOVERN_NR_REASONS; i++) {
		assert_string_not_equal(walpf_govern_reason_name(WORDS(i)), "unknown");
		assert_true(strlen(walpf_govern_reason_text(WORDS(i))) > 10);
	}
	assert_string_equal(walpf_govern_reason_name(WALPF_GOVERN_CACHED), "cached");
	assert_string_equal(walpf_govern_reason_name(WORDS(99)), "unknown");
	assert_string_equal(walpf_govern_reason_text(WORDS(-1)), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begins_within_limits),
		cmocka_unit_test(test_lead_grows_when_late),
		cmocka_unit_test(test_lead_rests_when_the_device_is_slow),
		cmocka_unit_test(test_shrinks_when_evicted),
		cmocka_unit_test(test_shrinks_when_refused),
		cmocka_unit_test(test_shrinks_when_cached_blocks_go),
		cmocka_unit_test(test_looks_again_when_most_is_gone),
		cmocka_unit_test(test_is_steady),
		cmocka_unit_test(test_is_bounded_between_two_evils),
		cmocka_unit_test(test_obeys_the_operator),
		cmocka_unit_test(test_keeps_to_the_memory),
		cmocka_unit_test(test_turns_off_with_a_reason),
		cmocka_unit_test(test_judges_by_time),
		cmocka_unit_test(test_stays_on_where_nothing_happens),
		cmocka_unit_test(test_retries_seldom_in_vain),
		cmocka_unit_test(test_few_misses_leave_it_off),
		cmocka_unit_test(test_switches_seldom),
		cmocka_unit_test(test_any_input_keeps_the_bounds),
		cmocka_unit_test(test_reasons_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

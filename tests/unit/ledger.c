// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of blocks whose outcome is not known yet: what is entered comes
 * out once, by whoever is first, also with several threads at it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ledger.h"

static const u64 seed[2] = { 0x9216d5d98979fb1bull, 0xd1310ba698dfb5acull };

static int setup(void **state)
{
	struct walpf_ledger *ledger = malloc(sizeof(*ledger));
	void *mem = aligned_alloc(64, WALPF_LEDGER_BYTES);

	assert_non_null(ledger);
	assert_non_null(mem);
	memset(mem, 0, WALPF_LEDGER_BYTES);
	walpf_ledger_init(ledger, mem, seed);
	*state = ledger;
	return 0;
}

static int teardown(void **state)
{
	struct walpf_ledger *ledger = *state;

	free(ledger->keys);
	free(ledger);
	return 0;
}

static u64 key_of(const struct walpf_ledger *ledger, u32 block)
{
	return walpf_ledger_key(ledger, 8, 4711, block);
}

static bool add(struct walpf_ledger *ledger, u32 block, u64 lsn)
{
	struct walpf_entry entry = { .lsn = lsn, .length = 100, .asked = block };

	return walpf_ledger_add(ledger, key_of(ledger, block), &entry);
}

static enum walpf_ledger_state take(struct walpf_ledger *ledger, u32 block)
{
	struct walpf_entry entry = { 0 };
	enum walpf_ledger_state was = walpf_ledger_take(ledger, key_of(ledger, block), &entry);

	if (was)
		assert_int_equal(entry.asked, block);
	return was;
}

static u32 sweep_all(struct walpf_ledger *ledger, u64 lsn)
{
	return walpf_ledger_sweep(ledger, WALPF_LEDGER_BUCKETS, lsn).blocks;
}

static void test_comes_out_once(void **state)
{
	struct walpf_ledger *ledger = *state;

	assert_int_equal(take(ledger, 1), WALPF_LEDGER_NONE);
	assert_true(add(ledger, 1, 1000));
	assert_int_equal(take(ledger, 2), WALPF_LEDGER_NONE);
	assert_int_equal(take(ledger, 1), WALPF_LEDGER_ASKING);
	assert_int_equal(take(ledger, 1), WALPF_LEDGER_NONE);
	assert_int_equal(sweep_all(ledger, UINT64_MAX), 0);
}

static void test_is_confirmed(void **state)
{
	struct walpf_ledger *ledger = *state;

	assert_true(add(ledger, 1, 1000));
	assert_true(walpf_ledger_confirm(ledger, key_of(ledger, 1)));
	assert_int_equal(take(ledger, 1), WALPF_LEDGER_ASKED);
	assert_false(walpf_ledger_confirm(ledger, key_of(ledger, 1)));
}

/* Device, inode and block, each on its own, make another key. */
static void test_keys_differ(void **state)
{
	const struct walpf_ledger *ledger = *state;
	u64 keys[] = {
		walpf_ledger_key(ledger, 1, 1, 1), walpf_ledger_key(ledger, 2, 1, 1),
		walpf_ledger_key(ledger, 1, 2, 1), walpf_ledger_key(ledger, 1, 1, 2),
		walpf_ledger_key(ledger, 1ull << 32 | 1, 1, 1), walpf_ledger_key(ledger, 0, 0, 0),
	};

	for (size_t i = 0; i < NR(keys); i++) {
		assert_int_equal(keys[i] & 3, 0);
		assert_true(keys[i]);
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(keys[i], keys[j]);
	}
}

/* A record of 100 bytes at 1000 is replayed when 1100 is. */
static void test_sweeps_what_is_passed(void **state)
{
	struct walpf_ledger *ledger = *state;
	struct walpf_ledger_swept swept;

	assert_true(add(ledger, 1, 1000));
	assert_true(add(ledger, 2, 2000 | 1));
	assert_true(walpf_ledger_confirm(ledger, key_of(ledger, 2)));
	assert_int_equal(sweep_all(ledger, 1099), 0);
	assert_int_equal(sweep_all(ledger, 1100), 1);
	assert_int_equal(take(ledger, 1), WALPF_LEDGER_NONE);
	assert_int_equal(sweep_all(ledger, 2099), 0);
	swept = walpf_ledger_sweep(ledger, WALPF_LEDGER_BUCKETS, 2100);
	assert_int_equal(swept.blocks, 1);
	assert_int_equal(swept.warming, 1);
}

static void test_sweeps_in_parts(void **state)
{
	struct walpf_ledger *ledger = *state;
	u32 swept = 0;

	for (u32 block = 0; block < 1000; block++)
		assert_true(add(ledger, block, 1000));
	for (u32 part = 0; part < 64; part++) {
		u32 now = walpf_ledger_sweep(ledger, WALPF_LEDGER_BUCKETS / 64, 5000).blocks;

		assert_in_range(now, 0, 100);
		swept += now;
	}
	assert_int_equal(swept, 1000);
}

/* As many blocks as are fetched ahead by default lose hardly one. */
static void test_has_room(void **state)
{
	struct walpf_ledger *ledger = *state;
	u32 lost = 0;

	for (u32 block = 0; block < 32768; block++)
		lost += !add(ledger, block, 1000);
	assert_in_range(lost, 0, 32768 / 1000);
	assert_int_equal(sweep_all(ledger, UINT64_MAX), 32768 - lost);
}

/* When it is full it refuses, keeps what it has, and takes again when there is room. */
static void test_is_bounded(void **state)
{
	struct walpf_ledger *ledger = *state;
	const u32 places = WALPF_LEDGER_BUCKETS * WALPF_LEDGER_WAYS;
	u32 added = 0, taken = 0;

	for (u32 block = 0; block < 4 * places; block++)
		added += add(ledger, block, 1000);
	assert_in_range(added, places / 10 * 9, places);
	for (u32 block = 0; block < 4 * places; block++)
		taken += take(ledger, block) != WALPF_LEDGER_NONE;
	assert_int_equal(taken, added);
	assert_true(add(ledger, 1, 1000));
}

#define RACE_BLOCKS	2000u
#define RACE_ROUNDS	100u

struct race {
	struct walpf_ledger *ledger;
	u32 added;		/* by the worker */
	u32 got[3];		/* by the worker's sweep, and by two readers */
	bool end;
};

struct reader {
	struct race *race;
	u32 me;
};

static void *read_blocks(void *arg)
{
	const struct reader *reader = arg;
	struct race *race = reader->race;
	u32 block = 0;

	while (!__atomic_load_n(&race->end, __ATOMIC_ACQUIRE)) {
		race->got[reader->me] += take(race->ledger, block) != WALPF_LEDGER_NONE;
		block = (block + 1 + reader->me) % RACE_BLOCKS;
	}
	return NULL;
}

/* Enters each block again as soon as it is gone, and sweeps now and then. */
static void work(struct race *race)
{
	for (u32 round = 0; round < RACE_ROUNDS; round++) {
		for (u32 block = 0; block < RACE_BLOCKS; block++) {
			race->got[0] += take(race->ledger, block) != WALPF_LEDGER_NONE;
			race->added += add(race->ledger, block, round * 1000);
			walpf_ledger_confirm(race->ledger, key_of(race->ledger, block));
		}
		race->got[0] += sweep_all(race->ledger, round * 1000);
	}
}

static void test_each_is_counted_once(void **state)
{
	struct race race = { .ledger = *state };
	struct reader readers[2] = { { &race, 1 }, { &race, 2 } };
	pthread_t threads[2];

	for (u32 i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, read_blocks, &readers[i]), 0);
	work(&race);
	__atomic_store_n(&race.end, true, __ATOMIC_RELEASE);
	for (u32 i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	race.got[0] += sweep_all(race.ledger, UINT64_MAX);
	assert_int_equal(race.got[0] + race.got[1] + race.got[2], race.added);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_comes_out_once, setup, teardown),
		cmocka_unit_test_setup_teardown(test_is_confirmed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_keys_differ, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sweeps_what_is_passed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sweeps_in_parts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_has_room, setup, teardown),
		cmocka_unit_test_setup_teardown(test_is_bounded, setup, teardown),
		cmocka_unit_test_setup_teardown(test_each_is_counted_once, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

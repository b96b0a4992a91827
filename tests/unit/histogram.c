// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which bucket of a histogram a value is counted in.
 */
#include "check.h"
#include "histogram.h"

static void test_powers_of_two(void **state)
{
	(void)state;
	assert_int_equal(walpf_histogram_bucket(0), 0);
	for (u32 bucket = 1; bucket < WALPF_BUCKETS - 1; bucket++) {
		u64 first = 1ull << (bucket - 1);

		assert_int_equal(walpf_histogram_bucket(first), bucket);
		assert_int_equal(walpf_histogram_bucket(2 * first - 1), bucket);
	}
}

static void test_the_last_takes_the_rest(void **state)
{
	(void)state;
	assert_int_equal(walpf_histogram_bucket((1ull << 30) - 1), WALPF_BUCKETS - 2);
	assert_int_equal(walpf_histogram_bucket(1ull << 30), WALPF_BUCKETS - 1);
	assert_int_equal(walpf_histogram_bucket(UINT64_MAX), WALPF_BUCKETS - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_powers_of_two),
		cmocka_unit_test(test_the_last_takes_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

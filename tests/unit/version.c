// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of WAL formats against the thresholds of the format's description,
 * written down a second time, by magic instead of by era.
 */
#include "check.h"
#include "wal/version.h"

static const struct {
	u16 magic;
	const char *name;
	u8 major;
	bool run;
	u8 max_rmgr;
	u8 db_drop;
	u8 heap_rules;
} rows[] = {
	{ 0xd093, "9.6", 9, false, 21, 0x10, WALPF_HEAP_9_6 },
	{ 0xd097, "10", 10, false, 21, 0x10, WALPF_HEAP_9_6 },
	{ 0xd098, "11", 11, false, 21, 0x10, WALPF_HEAP_9_6 },
	{ 0xd101, "12", 12, false, 21, 0x10, WALPF_HEAP_9_6 },
	{ 0xd106, "13", 13, true, 21, 0x10, WALPF_HEAP_9_6 },
	{ 0xd10d, "14", 14, false, 21, 0x10, WALPF_HEAP_14 },
	{ 0xd110, "15", 15, true, 21, 0x20, WALPF_HEAP_14 },
	{ 0xd113, "16", 16, false, 21, 0x20, WALPF_HEAP_14 },
	{ 0xd115, "17 beta", 17, false, 21, 0x20, WALPF_HEAP_17 },
	{ 0xd116, "17", 17, true, 21, 0x20, WALPF_HEAP_17 },
	{ 0xd118, "18", 18, true, 21, 0x20, WALPF_HEAP_17 },
	{ 0xd120, "19 beta", 19, false, 22, 0x20, WALPF_HEAP_19 },
	{ 0xd121, "19 beta", 19, false, 22, 0x20, WALPF_HEAP_19 },
	{ 0xd122, "19", 19, false, 22, 0x20, WALPF_HEAP_19 },
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const struct walpf_wal_version *v = walpf_wal_version_find(rows[i].magic);

		assert_non_null(v);
		assert_int_equal(v->magic, rows[i].magic);
		assert_string_equal(v->name, rows[i].name);
		assert_int_equal(v->major, rows[i].major);
		assert_int_equal(v->run, rows[i].run);
		assert_int_equal(v->max_rmgr, rows[i].max_rmgr);
		assert_int_equal(v->db_drop, rows[i].db_drop);
		assert_int_equal(v->heap_rules, rows[i].heap_rules);
	}
}

static u8 want_apply(u16 magic)
{
	if (magic < 0xd095)
		return 0x00;
	return magic <= 0xd10d ? 0x04 : 0x02;
}

static void test_thresholds(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const struct walpf_wal_version *v = walpf_wal_version_find(rows[i].magic);
		u16 magic = rows[i].magic;

		assert_int_equal(v->image_apply, want_apply(magic));
		assert_int_equal(v->image_compressed, magic >= 0xd10e ? 0x1c : 0x02);
		assert_int_equal(v->xid_fragment, magic >= 0xd107);
		assert_int_equal(v->custom_rmgr, magic >= 0xd10e);
		assert_int_equal(v->page_flags, magic < 0xd11c ? 0x0f : 0x07);
		assert_int_equal(v->page_overwrite, magic < 0xd11c ? 0x08 : 0x04);
		assert_int_equal(v->db_create, magic < 0xd10e ? 0xff : 0x10);
	}
}

/* Every 16-bit value: the known ones are known, all others are refused. */
static void test_find(void **state)
{
	size_t known = 0;

	(void)state;
	for (u32 magic = 0; magic <= 0xffff; magic++) {
		const struct walpf_wal_version *v = walpf_wal_version_find(magic);

		if (known < NR(rows) && magic == rows[known].magic) {
			assert_non_null(v);
			known++;
		} else {
			assert_null(v);
		}
	}
	assert_int_equal(known, NR(rows));
}

static void test_walk(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; walpf_wal_version_at(i); i++)
		assert_int_equal(walpf_wal_version_at(i)->magic, rows[i].magic);
	assert_int_equal(i, NR(rows));
	assert_null(walpf_wal_version_at(i + 1));
	assert_null(walpf_wal_version_at(-1u));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_thresholds),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

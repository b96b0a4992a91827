// SPDX-License-Identifier: GPL-2.0-only
/*
 * Segment names both ways, for the smallest, the usual and the largest size.
 */
#include "check.h"
#include "wal/segname.h"

#define MB (1u << 20)

static const struct {
	u32 seg_size;
	const char *name;
	u32 tli;
	u64 segno;
} rows[] = {
	{ 1 * MB, "000000010000000000000000", 1, 0 },
	{ 1 * MB, "0000000100000000000000DA", 1, 0xda },
	{ 1 * MB, "000000010000000000000FFF", 1, 0xfff },
	{ 1 * MB, "000000010000000100000000", 1, 0x1000 },
	{ 1 * MB, "FFFFFFFFFFFFFFFF00000FFF", 0xffffffff, 0xfffffffffff },
	{ 16 * MB, "000000010000000000000025", 1, 0x25 },
	{ 16 * MB, "0000000100000000000000FF", 1, 0xff },
	{ 16 * MB, "00000002000000010000000A", 2, 0x10a },
	{ 16 * MB, "89ABCDEF01234567000000FE", 0x89abcdef, 0x1234567fe },
	{ 16 * MB, "FFFFFFFFFFFFFFFF000000FF", 0xffffffff, 0xffffffffff },
	{ 64 * MB, "000000010000000000000006", 1, 6 },
	{ 64 * MB, "00000001000000000000003F", 1, 63 },
	{ 64 * MB, "000000010000000200000001", 1, 129 },
	{ 1024 * MB, "000000010000000000000003", 1, 3 },
	{ 1024 * MB, "000000010000000500000002", 1, 22 },
	{ 1024 * MB, "FFFFFFFFFFFFFFFF00000003", 0xffffffff, 0x3ffffffff },
};

static void test_both_ways(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct walpf_segname seg = { 0 };
		char name[WALPF_SEGNAME_LEN + 1];

		assert_true(walpf_segname_parse(&seg, rows[i].name, rows[i].seg_size));
		assert_int_equal(seg.tli, rows[i].tli);
		assert_true(seg.segno == rows[i].segno);
		memset(name, 'x', sizeof(name));
		walpf_segname_format(name, &seg, rows[i].seg_size);
		assert_string_equal(name, rows[i].name);
	}
}

static void test_refused(void **state)
{
	static const struct {
		u32 seg_size;
		const char *name;
	} bad[] = {
		{ 1 * MB, "000000010000000000001000" },
		{ 16 * MB, "000000010000000000000100" },
		{ 64 * MB, "000000010000000000000040" },
		{ 1024 * MB, "000000010000000000000004" },
		{ 16 * MB, "0000000100000000FFFFFFFF" },
		{ 16 * MB, "" },
		{ 16 * MB, "0000000100000000" },
		{ 16 * MB, "00000001000000000000000" },
		{ 16 * MB, "0000000100000000000000011" },
		{ 16 * MB, "000000010000000000000001.partial" },
		{ 16 * MB, "000000010000000000000001.00000028.backup" },
		{ 16 * MB, "00000002.history" },
		{ 16 * MB, "xlogtemp.1234" },
		{ 16 * MB, "RECOVERYXLOG" },
		{ 16 * MB, "archive_status" },
		{ 16 * MB, "00000001000000000000002a" },
		{ 16 * MB, "00000001000000000000002G" },
		{ 16 * MB, "00000001000000000000002@" },
		{ 16 * MB, "00000001000000000000002/" },
		{ 16 * MB, "00000001000000000000002:" },
		{ 16 * MB, " 00000010000000000000002" },
		{ 16 * MB, "-00000010000000000000002" },
		{ 16 * MB, "0x0000010000000000000002" },
	};
	struct walpf_segname seg;

	(void)state;
	for (size_t i = 0; i < NR(bad); i++)
		assert_false(walpf_segname_parse(&seg, bad[i].name, bad[i].seg_size));
}

static void test_sizes(void **state)
{
	(void)state;
	for (u64 size = 1; size <= 0xffffffff; size <<= 1) {
		assert_int_equal(walpf_seg_size_valid(size), size >= MB && size <= 1024 * MB);
		assert_false(walpf_seg_size_valid(size + 4096));
		assert_false(walpf_seg_size_valid(3 * size));
	}
	assert_false(walpf_seg_size_valid(0));
	assert_false(walpf_seg_size_valid(0xffffffff));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_ways),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the name of a file that was read to the block of a relation.
 */
#include "check.h"
#include "missed.h"

#define FILE_BLOCKS 131072u

static bool parse(struct walpf_wal_ref *ref, const char *dir, bool in_base, const char *file,
		  u32 block)
{
	struct walpf_missed missed = { .in_base = in_base, .block = block };

	strncpy(missed.dir, dir, sizeof(missed.dir) - 1);
	strncpy(missed.file, file, sizeof(missed.file) - 1);
	return walpf_missed_ref(&missed, FILE_BLOCKS, ref);
}

static void test_names(void **state)
{
	static const struct {
		const char *dir, *file;
		bool in_base;
		struct walpf_wal_ref ref;
	} cases[] = {
		{ "5", "16384", true, { { 1663, 5, 16384 }, 7, WALPF_FORK_MAIN, 0, 0 } },
		{ "5", "16384_fsm", true, { { 1663, 5, 16384 }, 7, WALPF_FORK_FSM, 0, 0 } },
		{ "5", "16384_vm", true, { { 1663, 5, 16384 }, 7, WALPF_FORK_VM, 0, 0 } },
		{ "5", "16384_init", true, { { 1663, 5, 16384 }, 7, WALPF_FORK_INIT, 0, 0 } },
		{ "global", "1262", false, { { 1664, 0, 1262 }, 7, WALPF_FORK_MAIN, 0, 0 } },
		{ "5", "16384.2", false,
		  { { 0, 5, 16384 }, 2 * FILE_BLOCKS + 7, WALPF_FORK_MAIN, 0, 0 } },
		{ "4294967295", "4294967295_fsm.1", true,
		  { { 1663, UINT32_MAX, UINT32_MAX }, FILE_BLOCKS + 7, WALPF_FORK_FSM, 0, 0 } },
	};
	struct walpf_wal_ref ref;

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		assert_true(parse(&ref, cases[i].dir, cases[i].in_base, cases[i].file, 7));
		assert_int_equal(ref.rel.spc, cases[i].ref.rel.spc);
		assert_int_equal(ref.rel.db, cases[i].ref.rel.db);
		assert_int_equal(ref.rel.rel, cases[i].ref.rel.rel);
		assert_int_equal(ref.fork, cases[i].ref.fork);
		assert_int_equal(ref.block, cases[i].ref.block);
	}
}

static void test_other_names(void **state)
{
	static const char * const files[] = {
		"", ".1", "16384.", "16384.x", "16384x", "016384", "4294967296", "t3_16384",
		"16384_fsm.", "16384_fsmx", "16384_main", "pg_filenode.map", "PG_VERSION",
		"-1", "16384.4294967295", "99999999999999999999999", "16384.01",
	};
	struct walpf_wal_ref ref;

	(void)state;
	for (size_t i = 0; i < NR(files); i++)
		assert_false(parse(&ref, "5", true, files[i], 7));
	assert_false(parse(&ref, "", true, "16384", 7));
	assert_false(parse(&ref, "5x", true, "16384", 7));
	assert_false(parse(&ref, "globalx", true, "16384", 7));
	assert_false(parse(&ref, "pgsql_tmp", true, "16384", 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_other_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

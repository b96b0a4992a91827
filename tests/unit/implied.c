// SPDX-License-Identifier: GPL-2.0-only
/*
 * References that heap records do not name: one row for each kind of record
 * and version, and the geometry of both maps.
 */
#include "check.h"
#include "wal/implied.h"

#include <stdio.h>
#include <string.h>

#define HEAP2	9
#define HEAP	10

#define PG9_6	0xd093
#define PG10	0xd097
#define PG11	0xd098
#define PG12	0xd101
#define PG13	0xd106
#define PG14	0xd10d
#define PG15	0xd110
#define PG16	0xd113
#define PG17	0xd116
#define PG18	0xd118
#define PG19	0xd122

#define VM_BLOCKS	32672u
#define FSM_SLOTS	4069u

/*
 * A record of two heap references: 0 (the new block) in block 40000, whose
 * map page is 1, and, if @two, 1 (the old block) in block 5, of map page 0.
 */
struct row {
	u16 from, to;		/* magics, inclusive */
	u8 rmid, info;
	u8 flags_at;		/* offset of the flags in the main data */
	u8 flags;
	bool two;
	const char *want;	/* "vm:1 fsm:11" */
};

static const struct row rows[] = {
	/* insert */
	{ PG9_6, PG19, HEAP, 0x00, 2, 0x01, false, "vm:1" },
	{ PG9_6, PG19, HEAP, 0x80, 2, 0x01, false, "vm:1" },
	{ PG9_6, PG19, HEAP, 0x00, 2, 0xfe, false, "" },
	/* delete */
	{ PG9_6, PG19, HEAP, 0x10, 7, 0x01, false, "vm:1" },
	{ PG9_6, PG19, HEAP, 0x10, 7, 0x02, false, "" },
	/* update, also within its page */
	{ PG9_6, PG19, HEAP, 0x20, 7, 0x01, true, "vm:0" },
	{ PG9_6, PG19, HEAP, 0x20, 7, 0x02, true, "vm:1" },
	{ PG9_6, PG19, HEAP, 0x20, 7, 0x03, true, "vm:0 vm:1" },
	{ PG9_6, PG19, HEAP, 0x20, 7, 0x01, false, "vm:1" },
	{ PG9_6, PG19, HEAP, 0x20, 7, 0x03, false, "vm:1" },
	{ PG9_6, PG19, HEAP, 0x20, 7, 0xfc, true, "" },
	{ PG9_6, PG19, HEAP, 0xa0, 7, 0x03, true, "vm:0 vm:1" },
	{ PG9_6, PG19, HEAP, 0x40, 7, 0x01, false, "vm:1" },
	{ PG9_6, PG19, HEAP, 0x40, 7, 0x02, false, "vm:1" },
	/* lock */
	{ PG9_6, PG19, HEAP, 0x60, 7, 0x01, false, "vm:1" },
	{ PG9_6, PG19, HEAP, 0x60, 7, 0xfe, false, "" },
	/* truncate, confirm, in-place: no map */
	{ PG9_6, PG19, HEAP, 0x30, 7, 0xff, false, "" },
	{ PG9_6, PG19, HEAP, 0x50, 7, 0xff, false, "" },
	{ PG9_6, PG19, HEAP, 0x70, 7, 0xff, false, "" },
	/* multi-insert, lock-updated */
	{ PG9_6, PG19, HEAP2, 0x50, 0, 0x01, false, "vm:1" },
	{ PG9_6, PG19, HEAP2, 0x50, 0, 0xfe, false, "" },
	{ PG9_6, PG19, HEAP2, 0x60, 7, 0x01, false, "vm:1" },
	{ PG9_6, PG19, HEAP2, 0x60, 7, 0xfe, false, "" },
	/* rewrite, new-cid */
	{ PG9_6, PG19, HEAP2, 0x00, 1, 0xff, false, "" },
	{ PG9_6, PG19, HEAP2, 0x70, 1, 0xff, false, "" },
	/* clean, to 13; freeze and cleanup info beside it */
	{ PG9_6, PG13, HEAP2, 0x10, 0, 0x00, false, "fsm:11" },
	{ PG9_6, PG13, HEAP2, 0x20, 1, 0xff, false, "" },
	{ PG9_6, PG13, HEAP2, 0x30, 1, 0xff, false, "" },
	/* prune, vacuum, freeze of 14 to 16 */
	{ PG14, PG16, HEAP2, 0x10, 0, 0x00, false, "fsm:11" },
	{ PG14, PG16, HEAP2, 0x20, 0, 0x00, false, "fsm:11" },
	{ PG14, PG16, HEAP2, 0x30, 1, 0xff, false, "" },
	/* the three prunes of 17 and 18: flags in byte 1 */
	{ PG17, PG18, HEAP2, 0x10, 1, 0x1f, false, "" },
	{ PG17, PG18, HEAP2, 0x10, 1, 0x20, false, "fsm:11" },
	{ PG17, PG18, HEAP2, 0x20, 1, 0x40, false, "fsm:11" },
	{ PG17, PG18, HEAP2, 0x30, 1, 0x80, false, "fsm:11" },
	{ PG17, PG18, HEAP2, 0x10, 0, 0xff, false, "" },
	/* and of 19: 16 bits in bytes 0 and 1 */
	{ PG19, PG19, HEAP2, 0x10, 0, 0x20, false, "fsm:11" },
	{ PG19, PG19, HEAP2, 0x20, 0, 0x80, false, "fsm:11" },
	{ PG19, PG19, HEAP2, 0x30, 1, 0x01, false, "fsm:11" },
	{ PG19, PG19, HEAP2, 0x30, 1, 0x02, false, "fsm:11" },
	{ PG19, PG19, HEAP2, 0x10, 0, 0x1f, false, "" },
	{ PG19, PG19, HEAP2, 0x10, 1, 0xfc, false, "" },
};

/* What was implied, as a string; the named references must be untouched. */
static void implied_as_text(const struct walpf_wal_record *rec, u8 named, char *text, size_t room)
{
	size_t len = 0;

	*text = '\0';
	for (u8 i = named; i < rec->nr_refs; i++) {
		const struct walpf_wal_ref *ref = &rec->refs[i];

		assert_int_equal(ref->flags, WALPF_REF_IMPLIED);
		assert_int_equal(ref->id, 0xff);
		assert_int_equal(ref->rel.spc, 1663);
		assert_int_equal(ref->rel.db, 5);
		assert_int_equal(ref->rel.rel, 16384);
		len += snprintf(text + len, room - len, "%s%s:%u", len ? " " : "",
				ref->fork == WALPF_FORK_VM ? "vm" : "fsm", ref->block);
	}
}

static void add_ref(struct walpf_wal_record *rec, u8 id, u8 fork, u32 block)
{
	rec->refs[rec->nr_refs++] = (struct walpf_wal_ref){
		.rel = { .spc = 1663, .db = 5, .rel = 16384 },
		.block = block,
		.fork = fork,
		.id = id,
	};
}

static void imply(struct walpf_wal_record *rec, const u8 *main, u32 len, char *text, size_t room)
{
	u8 named = rec->nr_refs;

	rec->main = main;
	rec->main_len = len;
	rec->main_have = len;
	walpf_record_imply(rec);
	assert_in_range(rec->nr_refs, named, named + WALPF_MAX_IMPLIED);
	implied_as_text(rec, named, text, room);
}

static void test_rows(void **state)
{
	char text[64], got[128], want[128];

	(void)state;
	for (unsigned int i = 0; walpf_wal_version_at(i); i++) {
		const struct walpf_wal_version *version = walpf_wal_version_at(i);

		for (size_t k = 0; k < NR(rows); k++) {
			const struct row *row = &rows[k];
			struct walpf_wal_record rec = {
				.rmid = row->rmid,
				.info = row->info,
				.version = version,
			};
			u8 main[16] = { 0 };

			if (version->magic < row->from || version->magic > row->to)
				continue;
			main[row->flags_at] = row->flags;
			add_ref(&rec, 0, WALPF_FORK_MAIN, 40000);
			if (row->two)
				add_ref(&rec, 1, WALPF_FORK_MAIN, 5);
			imply(&rec, main, sizeof(main), text, sizeof(text));
			snprintf(got, sizeof(got), "row %zu, magic %x: %s", k, version->magic,
				 text);
			snprintf(want, sizeof(want), "row %zu, magic %x: %s", k, version->magic,
				 row->want);
			assert_string_equal(got, want);
		}
	}
}

/* 9/40: the map is block 0, the heap block 1; only the leaf is implied. */
static void test_visible(void **state)
{
	static const struct {
		u16 magic;
		u8 flags;
		const char *want;
	} visible[] = {
		{ PG11, 0x00, "" }, { PG11, 0x01, "fsm:11" }, { PG11, 0x02, "fsm:11" },
		{ PG12, 0x03, "fsm:11" }, { PG13, 0x01, "fsm:11" }, { PG14, 0x01, "fsm:11" },
		{ PG15, 0x03, "fsm:11" }, { PG16, 0x02, "fsm:11" }, { PG17, 0x01, "fsm:11" },
		{ PG18, 0x03, "fsm:11" }, { PG18, 0xfc, "" }, { PG19, 0xff, "" },
	};
	char got[64];

	(void)state;
	for (size_t i = 0; i < NR(visible); i++) {
		struct walpf_wal_record rec = {
			.rmid = HEAP2,
			.info = 0x40,
			.version = walpf_wal_version_find(visible[i].magic),
		};
		u8 main[5] = { 0, 0, 0, 0, visible[i].flags };

		add_ref(&rec, 0, WALPF_FORK_VM, 1);
		add_ref(&rec, 1, WALPF_FORK_MAIN, 40000);
		imply(&rec, main, sizeof(main), got, sizeof(got));
		assert_string_equal(got, visible[i].want);
	}
}

/* Minors from July 2026 on name the map page: then nothing is implied. */
static void test_named_map(void **state)
{
	static const struct {
		u8 rmid, info, flags_at, flags;
	} named[] = {
		{ HEAP, 0x00, 2, 1 }, { HEAP, 0x10, 7, 1 }, { HEAP, 0x20, 7, 3 },
		{ HEAP, 0x40, 7, 1 }, { HEAP, 0x60, 7, 1 }, { HEAP2, 0x50, 0, 1 },
	};
	char got[64];

	(void)state;
	for (size_t i = 0; i < NR(named); i++) {
		struct walpf_wal_record rec = {
			.rmid = named[i].rmid,
			.info = named[i].info,
			.version = walpf_wal_version_find(PG18),
		};
		u8 main[16] = { 0 };

		main[named[i].flags_at] = named[i].flags;
		add_ref(&rec, 0, WALPF_FORK_MAIN, 40000);
		add_ref(&rec, 1, WALPF_FORK_VM, 1);
		imply(&rec, main, sizeof(main), got, sizeof(got));
		assert_string_equal(got, "");
	}
}

/* Main data too short to hold the flags: none are set. */
static void test_short_main(void **state)
{
	static const u8 ones[16] = { 255, 255, 255, 255, 255, 255, 255, 255 };
	char got[64];

	(void)state;
	for (size_t k = 0; k < NR(rows); k++) {
		struct walpf_wal_record rec = {
			.rmid = rows[k].rmid,
			.info = rows[k].info,
			.version = walpf_wal_version_find(PG18),
		};

		add_ref(&rec, 0, WALPF_FORK_MAIN, 40000);
		imply(&rec, ones, 0, got, sizeof(got));
		assert_string_equal(got, "");
	}
}

static void test_not_heap(void **state)
{
	u8 main[16];
	char got[64];

	(void)state;
	memset(main, 0xff, sizeof(main));
	for (unsigned int rmid = 0; rmid < 256; rmid++) {
		for (unsigned int info = 0; info < 256; info += 16) {
			struct walpf_wal_record rec = {
				.rmid = rmid,
				.info = info,
				.version = walpf_wal_version_find(PG15),
			};

			if (rmid == HEAP || rmid == HEAP2)
				continue;
			add_ref(&rec, 0, WALPF_FORK_MAIN, 40000);
			imply(&rec, main, sizeof(main), got, sizeof(got));
			assert_string_equal(got, "");
		}
	}
}

static void test_no_refs(void **state)
{
	struct walpf_wal_record rec = {
		.rmid = HEAP,
		.info = 0x10,
		.version = walpf_wal_version_find(PG15),
	};
	u8 main[16];
	char got[64];

	(void)state;
	memset(main, 0xff, sizeof(main));
	imply(&rec, main, sizeof(main), got, sizeof(got));
	assert_string_equal(got, "");
}

/* Room for the implied ones is left even behind a full list. */
static void test_full_list(void **state)
{
	struct walpf_wal_record rec = {
		.rmid = HEAP,
		.info = 0x20,
		.version = walpf_wal_version_find(PG15),
	};
	u8 main[16] = { 0 };
	char got[64];

	(void)state;
	main[7] = 3;
	for (u8 id = 0; id < WALPF_MAX_REFS; id++)
		add_ref(&rec, id, WALPF_FORK_MAIN, id ? 5 : 40000);
	imply(&rec, main, sizeof(main), got, sizeof(got));
	assert_string_equal(got, "vm:0 vm:1");
}

static void test_vm_geometry(void **state)
{
	static const struct {
		u32 heap, vm;
	} pages[] = {
		{ 0, 0 }, { VM_BLOCKS - 1, 0 }, { VM_BLOCKS, 1 }, { 2 * VM_BLOCKS - 1, 1 },
		{ 0xfffffffe, 0xfffffffe / VM_BLOCKS },
	};
	char got[64], want[64];

	(void)state;
	for (size_t i = 0; i < NR(pages); i++) {
		struct walpf_wal_record rec = {
			.rmid = HEAP,
			.info = 0x10,
			.version = walpf_wal_version_find(PG15),
		};
		u8 main[8] = { 0, 0, 0, 0, 0, 0, 0, 1 };

		add_ref(&rec, 0, WALPF_FORK_MAIN, pages[i].heap);
		imply(&rec, main, sizeof(main), got, sizeof(got));
		snprintf(want, sizeof(want), "vm:%u", pages[i].vm);
		assert_string_equal(got, want);
	}
}

static void test_fsm_geometry(void **state)
{
	static const struct {
		u32 heap, fsm;
	} pages[] = {
		{ 0, 2 }, { 4068, 2 }, { 4069, 3 }, { 8137, 3 },
		/* the last leaf of the first middle node, and the next one */
		{ FSM_SLOTS * FSM_SLOTS - 1, FSM_SLOTS - 1 + 2 },
		{ FSM_SLOTS * FSM_SLOTS, FSM_SLOTS + 1 + 2 },
		{ 0xfffffffe, 1055533 + 259 + 2 },
	};
	char got[64], want[64];

	(void)state;
	for (size_t i = 0; i < NR(pages); i++) {
		struct walpf_wal_record rec = {
			.rmid = HEAP2,
			.info = 0x10,
			.version = walpf_wal_version_find(PG15),
		};
		u8 main[8] = { 0 };

		add_ref(&rec, 0, WALPF_FORK_MAIN, pages[i].heap);
		imply(&rec, main, sizeof(main), got, sizeof(got));
		snprintf(want, sizeof(want), "fsm:%u", pages[i].fsm);
		assert_string_equal(got, want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_visible),
		cmocka_unit_test(test_named_map),
		cmocka_unit_test(test_short_main),
		cmocka_unit_test(test_not_heap),
		cmocka_unit_test(test_no_refs),
		cmocka_unit_test(test_full_list),
		cmocka_unit_test(test_vm_geometry),
		cmocka_unit_test(test_fsm_geometry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events: each kind of record that changes files, with whole, short and
 * lying main data.
 */
#include "check.h"
#include "wal/event.h"

#include <stdlib.h>
#include <string.h>

#define XLOG		0
#define XACT		1
#define SMGR		2
#define DATABASE	4
#define TABLESPACE	5

#define PG13	0xd106
#define PG14	0xd10d
#define PG15	0xd110
#define PG19	0xd122

/* Main data of 32-bit words; the copy is exact, for sanitizers. */
static struct walpf_wal_event read_event(u16 magic, u8 rmid, u8 info, const u32 *words, u32 nr,
					 u32 main_len)
{
	static u8 *main;
	struct walpf_wal_event event;
	enum walpf_wal_event_type type;
	struct walpf_wal_record rec = {
		.rmid = rmid,
		.info = info,
		.version = walpf_wal_version_find(magic),
		.main_len = main_len,
		.main_have = 4 * nr,
	};

	free(main);
	main = malloc(4 * nr + !nr);
	assert_non_null(main);
	if (nr)
		memcpy(main, words, 4 * nr);
	rec.main = main;
	type = walpf_record_event(&rec, &event);
	assert_int_equal(type, event.type);
	return event;
}

#define EVENT(magic, rmid, info, ...)						\
	read_event(magic, rmid, info, (const u32[]){ __VA_ARGS__ },		\
		   NR(((const u32[]){ __VA_ARGS__ })), 4 * NR(((const u32[]){ __VA_ARGS__ })))

/* With every shorter main data there is no event. */
static void assert_needs(u32 words, u16 magic, u8 rmid, u8 info)
{
	u32 zero[16] = { 0 };

	for (u32 nr = 0; nr < words; nr++)
		assert_int_equal(read_event(magic, rmid, info, zero, nr, 4 * nr).type,
				 WALPF_EVENT_NONE);
	assert_int_not_equal(read_event(magic, rmid, info, zero, words, 4 * words).type,
			     WALPF_EVENT_NONE);
}

static void assert_rel(struct walpf_wal_rel rel, u32 spc, u32 db, u32 relnode)
{
	assert_int_equal(rel.spc, spc);
	assert_int_equal(rel.db, db);
	assert_int_equal(rel.rel, relnode);
}

static void test_create(void **state)
{
	struct walpf_wal_event event = EVENT(PG15, SMGR, 0x11, 1663, 5, 16384, 2);

	(void)state;
	assert_int_equal(event.type, WALPF_EVENT_CREATE);
	assert_rel(event.rel, 1663, 5, 16384);
	assert_int_equal(event.fork, 2);
	assert_needs(4, PG15, SMGR, 0x10);
}

static void test_truncate(void **state)
{
	struct walpf_wal_event event = EVENT(PG15, SMGR, 0x21, 77, 1663, 5, 16384, 7);

	(void)state;
	assert_int_equal(event.type, WALPF_EVENT_TRUNCATE);
	assert_rel(event.rel, 1663, 5, 16384);
	assert_int_equal(event.block, 77);
	assert_needs(5, PG15, SMGR, 0x20);
	assert_int_equal(EVENT(PG15, SMGR, 0x30, 0, 0, 0, 0, 0).type, WALPF_EVENT_NONE);
}

/* Commit, abort, and both of prepared transactions; time is words 0 and 1. */
static void test_drop(void **state)
{
	static const u8 infos[] = { 0x80, 0xa0, 0xb0, 0xc0, 0x81 };

	(void)state;
	for (size_t i = 0; i < NR(infos); i++) {
		struct walpf_wal_event event =
			EVENT(PG15, XACT, infos[i], 1, 2, 4, 2, 1663, 5, 16384, 1664, 0, 1262);

		assert_int_equal(event.type, WALPF_EVENT_DROP);
		assert_false(event.partial);
		assert_int_equal(event.nr_dropped, 2);
		assert_rel(walpf_event_dropped(&event, 0), 1663, 5, 16384);
		assert_rel(walpf_event_dropped(&event, 1), 1664, 0, 1262);
	}
}

static void test_drop_behind_others(void **state)
{
	struct walpf_wal_event event;

	(void)state;
	event = EVENT(PG15, XACT, 0x80, 1, 2, 0x5, 5, 1663, 1, 1663, 5, 16385);
	assert_int_equal(event.nr_dropped, 1);
	assert_rel(walpf_event_dropped(&event, 0), 1663, 5, 16385);
	event = EVENT(PG15, XACT, 0x80, 1, 2, 0x6, 3, 701, 702, 703, 1, 1663, 5, 16386);
	assert_int_equal(event.nr_dropped, 1);
	assert_rel(walpf_event_dropped(&event, 0), 1663, 5, 16386);
	event = EVENT(PG15, XACT, 0x80, 1, 2, 0xffffffff, 5, 1663, 0, 1, 1663, 5, 16387, 99);
	assert_int_equal(event.nr_dropped, 1);
	assert_rel(walpf_event_dropped(&event, 0), 1663, 5, 16387);
}

static void test_no_drop(void **state)
{
	(void)state;
	assert_int_equal(EVENT(PG15, XACT, 0x80, 1, 2, 0x3, 5, 1663, 0).type, WALPF_EVENT_NONE);
	assert_int_equal(EVENT(PG15, XACT, 0x00, 1, 2, 4, 1, 1, 1, 1).type, WALPF_EVENT_NONE);
	/* prepare, assignment, invalidations */
	assert_int_equal(EVENT(PG15, XACT, 0x90, 1, 2, 4, 1, 1, 1, 1).type, WALPF_EVENT_NONE);
	assert_int_equal(EVENT(PG15, XACT, 0xd0, 1, 2, 4, 1, 1, 1, 1).type, WALPF_EVENT_NONE);
	assert_int_equal(EVENT(PG15, XACT, 0xe0, 1, 2, 4, 1, 1, 1, 1).type, WALPF_EVENT_NONE);
	assert_int_equal(EVENT(PG15, XACT, 0x80, 1, 2).type, WALPF_EVENT_NONE);
}

/* More relations than were kept, or counts that lie, leave the event partial. */
static void test_partial_drop(void **state)
{
	struct walpf_wal_event event;

	(void)state;
	event = EVENT(PG15, XACT, 0x80, 1, 2, 4);
	assert_int_equal(event.type, WALPF_EVENT_DROP);
	assert_true(event.partial);
	assert_int_equal(event.nr_dropped, 0);
	event = EVENT(PG15, XACT, 0x80, 1, 2, 4, 2, 1663, 5, 16384, 1663, 5);
	assert_true(event.partial);
	assert_int_equal(event.nr_dropped, 1);
	assert_rel(walpf_event_dropped(&event, 0), 1663, 5, 16384);
	event = EVENT(PG15, XACT, 0x80, 1, 2, 4, 0xffffffff, 1663, 5, 16384);
	assert_true(event.partial);
	assert_int_equal(event.nr_dropped, 1);
	event = EVENT(PG15, XACT, 0x80, 1, 2, 5, 1);
	assert_true(event.partial);
	assert_int_equal(event.nr_dropped, 0);
	event = EVENT(PG15, XACT, 0x80, 1, 2, 6, 0xffffffff, 1, 1, 1, 1, 1);
	assert_true(event.partial);
	assert_int_equal(event.nr_dropped, 0);
	event = EVENT(PG15, XACT, 0x80, 1, 2, 6);
	assert_true(event.partial);
	event = EVENT(PG15, XACT, 0x80, 1, 2, 6, 0x40000000, 1, 1663, 5, 16384);
	assert_true(event.partial);
	assert_int_equal(event.nr_dropped, 0);
}

/* As many as fit into the main data that is kept, and one more. */
static void test_longest_drop(void **state)
{
	u32 words[WALPF_MAIN_MAX / 4] = { 0, 0, 4, 41 };
	struct walpf_wal_event event;

	(void)state;
	for (u32 i = 0; i < 41; i++)
		words[4 + 3 * i] = i;
	event = read_event(PG15, XACT, 0x80, words, NR(words), 16 + 41 * 12);
	assert_false(event.partial);
	assert_int_equal(event.nr_dropped, 41);
	assert_int_equal(walpf_event_dropped(&event, 40).spc, 40);
	words[3] = 42;
	event = read_event(PG15, XACT, 0x80, words, NR(words), 16 + 42 * 12);
	assert_true(event.partial);
	assert_int_equal(event.nr_dropped, 41);
}

static void test_database_create(void **state)
{
	struct walpf_wal_event event;

	(void)state;
	event = EVENT(PG13, DATABASE, 0x01, 16400, 1663, 1, 1663);
	assert_int_equal(event.type, WALPF_EVENT_DB_CREATE);
	assert_int_equal(event.rel.db, 16400);
	assert_int_equal(event.rel.spc, 1663);
	event = EVENT(PG15, DATABASE, 0x00, 16400, 1700, 1, 1663);
	assert_int_equal(event.type, WALPF_EVENT_DB_CREATE);
	assert_int_equal(event.rel.spc, 1700);
	assert_needs(2, PG15, DATABASE, 0x00);
}

/* 4/10 is a drop to 14, and a create from 15 on. */
static void test_database_opcodes(void **state)
{
	static const struct {
		u16 magic;
		u8 info;
		u8 want;
	} rows[] = {
		{ 0xd093, 0x10, WALPF_EVENT_DB_DROP }, { 0xd101, 0x10, WALPF_EVENT_DB_DROP },
		{ PG13, 0x10, WALPF_EVENT_DB_DROP }, { PG14, 0x10, WALPF_EVENT_DB_DROP },
		{ PG15, 0x10, WALPF_EVENT_DB_CREATE }, { PG19, 0x10, WALPF_EVENT_DB_CREATE },
		{ PG14, 0x20, WALPF_EVENT_NONE }, { PG15, 0x20, WALPF_EVENT_DB_DROP },
		{ PG19, 0x21, WALPF_EVENT_DB_DROP }, { PG15, 0x30, WALPF_EVENT_NONE },
		{ PG13, 0xf0, WALPF_EVENT_NONE },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct walpf_wal_event event =
			EVENT(rows[i].magic, DATABASE, rows[i].info, 16400, 1, 1663);

		assert_int_equal(event.type, rows[i].want);
		if (event.type == WALPF_EVENT_DB_DROP)
			assert_int_equal(event.rel.db, 16400);
	}
}

static void test_tablespace(void **state)
{
	struct walpf_wal_event event;

	(void)state;
	event = EVENT(PG15, TABLESPACE, 0x00, 16500, 0x7672732f);
	assert_int_equal(event.type, WALPF_EVENT_SPC_CREATE);
	assert_int_equal(event.rel.spc, 16500);
	event = EVENT(PG15, TABLESPACE, 0x10, 16500);
	assert_int_equal(event.type, WALPF_EVENT_SPC_DROP);
	assert_int_equal(event.rel.spc, 16500);
	assert_int_equal(EVENT(PG15, TABLESPACE, 0x20, 16500).type, WALPF_EVENT_NONE);
	assert_needs(1, PG15, TABLESPACE, 0x00);
	assert_needs(1, PG15, TABLESPACE, 0x10);
}

static void test_checkpoints(void **state)
{
	struct walpf_wal_event event;

	(void)state;
	event = EVENT(PG15, XLOG, 0x00, 0x28, 0x1, 3, 2, 1);
	assert_int_equal(event.type, WALPF_EVENT_SHUTDOWN);
	assert_true(event.lsn == 0x100000028);
	assert_int_equal(event.tli, 3);
	assert_int_equal(event.prev_tli, 2);
	event = EVENT(PG15, XLOG, 0x10, 0x28, 0x1, 3, 3, 1);
	assert_int_equal(event.type, WALPF_EVENT_CHECKPOINT);
	assert_true(event.lsn == 0x100000028);
	assert_int_equal(event.tli, 3);
	assert_needs(4, PG15, XLOG, 0x00);
	assert_needs(4, PG15, XLOG, 0x10);
}

static void test_end_of_recovery(void **state)
{
	struct walpf_wal_event event = EVENT(PG15, XLOG, 0x90, 9, 9, 4, 3);

	(void)state;
	assert_int_equal(event.type, WALPF_EVENT_END_OF_RECOVERY);
	assert_int_equal(event.tli, 4);
	assert_int_equal(event.prev_tli, 3);
	assert_true(event.lsn == 0);
	assert_needs(4, PG15, XLOG, 0x90);
}

static void test_switch(void **state)
{
	(void)state;
	assert_int_equal(read_event(PG15, XLOG, 0x40, NULL, 0, 0).type, WALPF_EVENT_SWITCH);
}

static void test_overwrite(void **state)
{
	struct walpf_wal_event event = EVENT(PG15, XLOG, 0xd0, 0x260015a8, 0, 1, 2);

	(void)state;
	assert_int_equal(event.type, WALPF_EVENT_OVERWRITE);
	assert_true(event.lsn == 0x260015a8);
	assert_needs(2, PG15, XLOG, 0xd0);
}

/* Whatever is not in the table above is no event. */
static void test_others(void **state)
{
	static const u8 xlog_events[] = { 0x00, 0x10, 0x40, 0x90, 0xd0 };
	u32 words[16] = { 0 };

	(void)state;
	for (unsigned int rmid = 0; rmid < 256; rmid++) {
		for (unsigned int info = 0; info < 256; info += 16) {
			bool known = rmid == XACT || rmid == SMGR || rmid == DATABASE ||
				rmid == TABLESPACE;

			if (rmid == XLOG)
				known = memchr(xlog_events, info, sizeof(xlog_events));
			if (!known)
				assert_int_equal(read_event(PG15, rmid, info, words, 16, 64).type,
						 WALPF_EVENT_NONE);
		}
	}
}

static void test_names(void **state)
{
	(void)state;
	for (int i = 0; i < WALPF_NR_EVENTS; i++) {
		assert_non_null(walpf_event_name(i));
		for (int k = 0; k < i; k++)
			assert_string_not_equal(walpf_event_name(i), walpf_event_name(k));
	}
	assert_string_equal(walpf_event_name(WALPF_NR_EVENTS), "unknown");
	assert_string_equal(walpf_event_name(-1), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_truncate),
		cmocka_unit_test(test_drop),
		cmocka_unit_test(test_drop_behind_others),
		cmocka_unit_test(test_no_drop),
		cmocka_unit_test(test_partial_drop),
		cmocka_unit_test(test_longest_drop),
		cmocka_unit_test(test_database_create),
		cmocka_unit_test(test_database_opcodes),
		cmocka_unit_test(test_tablespace),
		cmocka_unit_test(test_checkpoints),
		cmocka_unit_test(test_end_of_recovery),
		cmocka_unit_test(test_switch),
		cmocka_unit_test(test_overwrite),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

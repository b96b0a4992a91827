// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records that real servers wrote, each laid at its position on a page of
 * that server's version and run through the decoder.
 */
#include "check.h"
#include "hex.h"
#include "wal/event.h"
#include "wal/stream.h"

#include <stdlib.h>

#define PAGE 8192u
#define MB (1u << 20)

static u8 page_bytes[PAGE];
static struct walpf_wal wal;
static struct walpf_wal_event event;

static void make_page(u16 magic, u16 flags, u64 lsn)
{
	u32 tli = 1;

	memset(page_bytes, 0, sizeof(page_bytes));
	memcpy(page_bytes, &magic, 2);
	memcpy(page_bytes + 2, &flags, 2);
	memcpy(page_bytes + 4, &tli, 4);
	memcpy(page_bytes + 8, &lsn, 8);
}

/* Decodes the one record in @hex, and its event. */
static void decode(u16 magic, u16 flags, u32 seg_size, u64 lsn, const char *hex)
{
	const struct walpf_wal_config cfg = { .seg_size = seg_size };
	u64 page_lsn = lsn / PAGE * PAGE;

	make_page(magic, flags, page_lsn);
	hex_bytes(page_bytes + lsn % PAGE, PAGE - lsn % PAGE, hex);
	walpf_wal_init(&wal, &cfg);
	walpf_wal_start(&wal, lsn);
	walpf_wal_feed(&wal, page_lsn, page_bytes, PAGE);
	assert_status(walpf_wal_next(&wal), RECORD);
	assert_true(wal.rec.lsn == lsn);
	walpf_record_event(&wal.rec, &event);
}

static void assert_ref(u8 i, u32 rel, u8 fork, u32 block, u8 flags)
{
	const struct walpf_wal_ref *ref = &wal.rec.refs[i];

	assert_int_equal(ref->rel.spc, 1663);
	assert_int_equal(ref->rel.rel, rel);
	assert_int_equal(ref->fork, fork);
	assert_int_equal(ref->block, block);
	assert_int_equal(ref->flags, flags);
}

/* It names the map page that its flags imply, so none is added. */
static void test_heap_delete(void **state)
{
	(void)state;
	decode(0xd118, 0x0004, 64 * MB, 0x98d8380,
	       "3e000000a912000020838d0900000000100a00001ab812c7000000007f060000"
	       "050000001a400000000000000182000000000000ff08a91200000b001001");
	assert_int_equal(wal.rec.tot_len, 62);
	assert_int_equal(wal.rec.rmid, 10);
	assert_int_equal(wal.rec.info, 0x10);
	assert_int_equal(wal.rec.xid, 0x12a9);
	assert_int_equal(wal.rec.nr_refs, 2);
	assert_ref(0, 16410, WALPF_FORK_MAIN, 0, 0);
	assert_ref(1, 16410, WALPF_FORK_VM, 0, 0);
	assert_int_equal(wal.rec.refs[0].rel.db, 5);
	assert_int_equal(wal.rec.main_len, 8);
	assert_int_equal(wal.rec.main[7], 1);
	assert_int_equal(event.type, WALPF_EVENT_NONE);
}

static void test_compressed_image(void **state)
{
	(void)state;
	decode(0xd106, 0x0004, MB, 0x3c5f530,
	       "84000000ed01000060ebc50300000000b0000000e27eb4710010000051002c00"
	       "07741f7f060000743100001040000001000000020008012c00a01ff01f040420"
	       "010ce09f2000d0009f2000c09f2000b0209f2000a09f02170005100010000508"
	       "3404001004000408100300100003410810020010000208100130001000010810"
	       "07380000");
	assert_int_equal(wal.rec.tot_len, 132);
	assert_int_equal(wal.rec.rmid, 0);
	assert_int_equal(wal.rec.info, 0xb0);
	assert_int_equal(wal.rec.nr_refs, 1);
	assert_int_equal(wal.rec.refs[0].rel.db, 12660);
	assert_ref(0, 16400, WALPF_FORK_MAIN, 1, WALPF_REF_IMAGE | WALPF_REF_APPLY);
	assert_int_equal(wal.rec.main_len, 0);
}

static void test_database_drop(void **state)
{
	(void)state;
	decode(0xd110, 0x0004, 16 * MB, 0x13713da8,
	       "2600000032220000303d71130000000021040000ce8f5819ff0c214000000100"
	       "00007f060000");
	assert_int_equal(wal.rec.info, 0x21);
	assert_int_equal(wal.rec.main_len, 12);
	assert_int_equal(event.type, WALPF_EVENT_DB_DROP);
	assert_int_equal(event.rel.db, 16417);
}

static void test_top_level_xid(void **state)
{
	(void)state;
	decode(0xd110, 0x0004, 16 * MB, 0xaf72900,
	       "2b00000022220000d028f70a000000005001000011a0af11fc21220000ff0c21"
	       "2200000100000022220000");
	assert_int_equal(wal.rec.tot_len, 43);
	assert_int_equal(wal.rec.rmid, 1);
	assert_int_equal(wal.rec.xid, 0x2222);
	assert_int_equal(wal.rec.nr_refs, 0);
	assert_int_equal(wal.rec.main_len, 12);
}

static void test_overwrite(void **state)
{
	(void)state;
	decode(0xd110, 0x000c, 16 * MB, 0x26008018,
	       "2a000000000000007815002600000000d00000000742babeff10a81500260000"
	       "0000d00fec967c040300");
	assert_true(wal.rec.prev_lsn == 0x26001578);
	assert_int_equal(wal.rec.main_len, 16);
	assert_int_equal(event.type, WALPF_EVENT_OVERWRITE);
	assert_true(event.lsn == 0x260015a8);
}

static void test_switch(void **state)
{
	(void)state;
	decode(0xd110, 0x0004, 16 * MB, 0xb7efc00,
	       "180000000000000040f77e0b0000000040000000940409d7");
	assert_int_equal(wal.rec.tot_len, 24);
	assert_int_equal(event.type, WALPF_EVENT_SWITCH);
	assert_true(walpf_wal_want(&wal) == 0xc000000);
	assert_status(walpf_wal_next(&wal), NEED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heap_delete),
		cmocka_unit_test(test_compressed_image),
		cmocka_unit_test(test_database_drop),
		cmocka_unit_test(test_top_level_xid),
		cmocka_unit_test(test_overwrite),
		cmocka_unit_test(test_switch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

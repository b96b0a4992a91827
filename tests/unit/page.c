// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page headers: each check, their order, and headers that real servers wrote.
 */
#include "check.h"
#include "hex.h"
#include "wal/page.h"

#define SYSID 0x6b0d69965d299655ull

static const struct walpf_wal_expect expect_first = {
	.lsn = 0x25000000,
	.seg_size = 16 << 20,
};

/* 15, the first page of a segment. */
static void make_long(struct walpf_wal_page *page)
{
	*page = (struct walpf_wal_page){
		.magic = 0xd110,
		.flags = 0x0007,
		.tli = 1,
		.lsn = 0x25000000,
		.rem_len = 100,
		.sysid = SYSID,
		.seg_size = 16 << 20,
		.blcksz = 8192,
		.header = 40,
	};
}

static void make_short(struct walpf_wal_page *page)
{
	*page = (struct walpf_wal_page){
		.magic = 0xd110,
		.flags = 0x0005,
		.tli = 1,
		.lsn = 0x25002000,
		.header = 24,
	};
}

static enum walpf_wal_status check(const struct walpf_wal_page *page,
				   const struct walpf_wal_expect *expect, u64 *value)
{
	*value = 0;
	return walpf_page_check(page, expect, value);
}

static void test_parse_long(void **state)
{
	struct walpf_wal_page page;
	u8 head[40];

	(void)state;
	hex_bytes(head, sizeof(head),
		  "10d10600 01000000 0000002500000000 10000000 00000000"
		  "5596295d96690d6b 00000001 00200000");
	assert_int_equal(walpf_page_header_len(head), 40);
	walpf_page_parse(&page, head);
	assert_int_equal(page.magic, 0xd110);
	assert_int_equal(page.flags, 6);
	assert_int_equal(page.tli, 1);
	assert_int_equal(page.lsn, 0x25000000);
	assert_int_equal(page.rem_len, 16);
	assert_int_equal(page.sysid, 0x6b0d69965d299655ull);
	assert_int_equal(page.seg_size, 16 << 20);
	assert_int_equal(page.blcksz, 8192);
	assert_int_equal(page.header, 40);
}

static void test_parse_short(void **state)
{
	struct walpf_wal_page page;
	u8 head[24];

	(void)state;
	hex_bytes(head, sizeof(head),
		  "18d10500 02000000 0020001801000000 e8030000 00000000");
	assert_int_equal(walpf_page_header_len(head), 24);
	walpf_page_parse(&page, head);
	assert_int_equal(page.magic, 0xd118);
	assert_int_equal(page.flags, 5);
	assert_int_equal(page.tli, 2);
	assert_int_equal(page.lsn, 0x118002000);
	assert_int_equal(page.rem_len, 1000);
	assert_int_equal(page.sysid, 0);
	assert_int_equal(page.seg_size, 0);
	assert_int_equal(page.header, 24);
}

/* First pages of segments as servers wrote them (but for the last two sysids). */
static void test_real_headers(void **state)
{
	static const struct {
		const char *hex;
		u64 lsn;
		u32 seg_size;
	} rows[] = {
		{ "06d10600 01000000 0000a00d00000000 00000000 00000000"
		  "df47144d996d0d6b 00001000 00200000", 0x0da00000, 1 << 20 },
		{ "10d10600 01000000 0000002500000000 00000000 00000000"
		  "5596295d96690d6b 00000001 00200000", 0x25000000, 16 << 20 },
		{ "18d10600 01000000 0000001800000000 00000000 00000000"
		  "5596295d96690d6b 00000004 00200000", 0x18000000, 64 << 20 },
		{ "21d10200 01000000 0000e00d00000000 00000000 00000000"
		  "5596295d96690d6b 00002000 00200000", 0x0de00000, 2 << 20 },
	};
	struct walpf_wal_page page;
	u8 head[40];
	u64 value;

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct walpf_wal_expect expect = {
			.lsn = rows[i].lsn,
			.seg_size = rows[i].seg_size,
		};

		hex_bytes(head, sizeof(head), rows[i].hex);
		walpf_page_parse(&page, head);
		assert_status(check(&page, &expect, &value), RECORD);
		expect.seg_size *= 2;
		assert_status(check(&page, &expect, &value), PAGE_SEGMENT);
		assert_int_equal(value, rows[i].seg_size);
	}
}

static void test_good(void **state)
{
	struct walpf_wal_expect expect = expect_first;
	struct walpf_wal_page page;
	u64 value;

	(void)state;
	make_long(&page);
	assert_status(check(&page, &expect, &value), RECORD);
	expect.sysid = SYSID;
	expect.version = walpf_wal_version_find(0xd110);
	assert_status(check(&page, &expect, &value), RECORD);
	make_short(&page);
	expect.lsn = page.lsn;
	assert_status(check(&page, &expect, &value), RECORD);
}

static void test_magic(void **state)
{
	static const u16 unknown[] = { 1, 0xd092, 0xd094, 0xd099, 0xd10e, 0xd114, 0xd117,
				       0xd11c, 0xd123, 0x10d1, 0xffff };
	struct walpf_wal_page page;
	u64 value;

	(void)state;
	make_long(&page);
	page.magic = 0;
	assert_status(check(&page, &expect_first, &value), PAGE_EMPTY);
	for (size_t i = 0; i < NR(unknown); i++) {
		page.magic = unknown[i];
		assert_status(check(&page, &expect_first, &value), PAGE_MAGIC);
		assert_int_equal(value, unknown[i]);
	}
}

static void test_version(void **state)
{
	struct walpf_wal_expect expect = expect_first;
	struct walpf_wal_page page;
	u64 value;

	(void)state;
	make_long(&page);
	expect.version = walpf_wal_version_find(0xd113);
	assert_status(check(&page, &expect, &value), PAGE_VERSION);
	assert_int_equal(value, 0xd110);
}

/* 19 took the removable-blocks flag's bit for overwrite-contrecord. */
static void test_flags(void **state)
{
	static const struct {
		u16 magic;
		u16 legal;
	} rows[] = {
		{ 0xd093, 0x0f }, { 0xd106, 0x0f }, { 0xd118, 0x0f },
		{ 0xd120, 0x07 }, { 0xd121, 0x07 }, { 0xd122, 0x07 },
	};
	struct walpf_wal_page page;
	u64 value;

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		make_long(&page);
		page.magic = rows[i].magic;
		page.flags = rows[i].legal;
		assert_status(check(&page, &expect_first, &value), RECORD);
		for (unsigned int bit = 0; bit < 16; bit++) {
			if (rows[i].legal & 1 << bit)
				continue;
			page.flags = rows[i].legal | 1 << bit;
			assert_status(check(&page, &expect_first, &value), PAGE_FLAGS);
			assert_int_equal(value, page.flags);
		}
	}
}

static void test_long_header(void **state)
{
	struct walpf_wal_expect expect = expect_first;
	struct walpf_wal_page page;
	u64 value;

	(void)state;
	make_short(&page);
	page.lsn = expect.lsn;
	assert_status(check(&page, &expect, &value), PAGE_LONG);

	make_long(&page);
	expect.sysid = SYSID + 1;
	assert_status(check(&page, &expect, &value), PAGE_SYSTEM);
	assert_true(value == SYSID);

	expect.sysid = 0;
	page.seg_size = 1 << 20;
	assert_status(check(&page, &expect, &value), PAGE_SEGMENT);
	assert_int_equal(value, 1 << 20);

	page.seg_size = expect.seg_size;
	page.blcksz = 16384;
	assert_status(check(&page, &expect, &value), PAGE_BLOCK);
	assert_int_equal(value, 16384);
}

static void test_address(void **state)
{
	struct walpf_wal_expect expect = expect_first;
	struct walpf_wal_page page;
	u64 value;

	(void)state;
	make_long(&page);
	page.lsn -= 1 << 24;
	assert_status(check(&page, &expect, &value), PAGE_ADDRESS);
	assert_int_equal(value, 0x24000000);
	make_short(&page);
	expect.lsn = page.lsn + (1ull << 32);
	assert_status(check(&page, &expect, &value), PAGE_ADDRESS);
}

/* With everything wrong, mending one thing after another shows the next. */
static void test_order(void **state)
{
	const struct walpf_wal_expect expect = {
		.lsn = 0x25000000,
		.seg_size = 16 << 20,
		.sysid = SYSID,
		.version = walpf_wal_version_find(0xd110),
	};
	struct walpf_wal_page page = {
		.magic = 7,
		.flags = 0x12,
		.seg_size = 3,
		.blcksz = 4,
		.header = 40,
	};
	u64 value;

	(void)state;
	assert_status(check(&page, &expect, &value), PAGE_MAGIC);
	page.magic = 0xd113;
	assert_status(check(&page, &expect, &value), PAGE_VERSION);
	page.magic = 0xd110;
	assert_status(check(&page, &expect, &value), PAGE_FLAGS);
	page.flags = 2;
	assert_status(check(&page, &expect, &value), PAGE_SYSTEM);
	page.sysid = SYSID;
	assert_status(check(&page, &expect, &value), PAGE_SEGMENT);
	page.seg_size = 16 << 20;
	assert_status(check(&page, &expect, &value), PAGE_BLOCK);
	page.blcksz = 8192;
	assert_status(check(&page, &expect, &value), PAGE_ADDRESS);
	page.lsn = 0x25000000;
	assert_status(check(&page, &expect, &value), RECORD);
}

static void test_status_words(void **state)
{
	(void)state;
	for (int i = 0; i < WALPF_WAL_NR_STATUSES; i++) {
		const char *text = walpf_wal_status_text(i);

		assert_non_null(text);
		assert_true(text[0] && text[strlen(text) - 1] != '.');
		for (const char *c = walpf_wal_status_name(i); *c; c++)
			assert_true((*c >= 'A' && *c <= 'Z') || *c == '_');
		for (int k = 0; k < i; k++)
			assert_string_not_equal(walpf_wal_status_name(i),
						walpf_wal_status_name(k));
	}
	assert_string_equal(walpf_wal_status_name(WALPF_WAL_NR_STATUSES), "UNKNOWN");
	assert_string_equal(walpf_wal_status_name(-1), "UNKNOWN");
	assert_non_null(walpf_wal_status_text(-1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse_long),
		cmocka_unit_test(test_parse_short),
		cmocka_unit_test(test_real_headers),
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_magic),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_long_header),
		cmocka_unit_test(test_address),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_status_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decoder's state machine: records across pages and segments, starts in
 * the middle, given-up records, switches, the tail that grows, and each
 * reason to stop with the position that it names.
 */
#include "check.h"
#include "walgen.h"
#include "wal/stream.h"

#include <stdlib.h>
#include <string.h>

#define MB		(1u << 20)
#define PAGE		8192u
#define PG15		0xd110
#define PG18		0xd118
#define PG19		0xd122

/* A segment's start, so that the first page's header is long. */
#define SEG1		0x1000000ull
#define SEG2		(SEG1 + MB)

static struct walgen gen;
static struct walpf_wal *wal;
static bool reached[WALPF_WAL_NR_STATUSES];

static int setup(void **state)
{
	(void)state;
	wal = malloc(sizeof(*wal));
	walgen_init(&gen, PG15, MB, SEG1);
	return wal ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	walgen_free(&gen);
	free(wal);
	return 0;
}

static void start(u64 lsn)
{
	const struct walpf_wal_config cfg = { .seg_size = gen.seg_size };

	walpf_wal_init(wal, &cfg);
	walpf_wal_start(wal, lsn);
}

static void feed_to(u64 end)
{
	u64 want = walpf_wal_want(wal);

	assert_true(want < end);
	walpf_wal_feed(wal, want, walgen_at(&gen, want, end - want), end - want);
}

static enum walpf_wal_status next(void)
{
	enum walpf_wal_status status = walpf_wal_next(wal);

	assert_int_equal(status, wal->status);
	reached[status] = true;
	return status;
}

/* The next record is at @lsn; it is given all that was written. */
static void expect_record(u64 lsn)
{
	enum walpf_wal_status status = next();

	if (status == WALPF_WAL_NEED) {
		feed_to((gen.lsn / PAGE + 1) * PAGE);
		status = next();
	}
	assert_status(status, RECORD);
	assert_true(wal->rec.lsn == lsn);
}

/* Decoding stops at @lsn for this reason, and asking again changes nothing. */
static void check_stop(enum walpf_wal_status want, u64 lsn, int line)
{
	enum walpf_wal_status status = next();

	if (status == WALPF_WAL_NEED) {
		feed_to((walpf_wal_want(wal) / PAGE + 4) * PAGE);
		status = next();
	}
	if (status != want || wal->stop_lsn != lsn || next() != want)
		fail_msg("line %d: %s at %lx, not %s at %lx", line,
			 walpf_wal_status_name(status), wal->stop_lsn,
			 walpf_wal_status_name(want), lsn);
}

#define expect_stop(want, lsn) check_stop(WALPF_WAL_##want, lsn, __LINE__)

/* Nothing was written behind the last record. */
static void expect_tail(void)
{
	if (gen.lsn % PAGE)
		expect_stop(END, gen.lsn);
	else
		expect_stop(PAGE_EMPTY, gen.lsn);
}

static const struct walgen_block block0 = {
	.fork_flags = WALGEN_HAS_DATA,
	.data_len = 30,
	.spc = 1663,
	.db = 5,
	.rel = 16384,
	.block = 7,
};

/* The main data of test records; byte 2, an insert's flags, is 0. */
static u8 main_byte(size_t i)
{
	return i == 2 ? 0 : 7 * i;
}

/* A heap insert with @len bytes of main data. */
static u64 put(size_t len)
{
	u8 *main = malloc(len + 1);
	u64 lsn;

	for (size_t i = 0; i < len; i++)
		main[i] = main_byte(i);
	lsn = walgen_put(&gen, &(struct walgen_record){
		.xid = 700,
		.rmid = 10,
		.blocks = &block0,
		.nr_blocks = 1,
		.main = main,
		.main_len = len,
		.main_long = true,
	});
	free(main);
	return lsn;
}

/* The bytes that put() adds to its main data. */
#define PUT_OVERHEAD (24u + 20 + 30 + 5)

static void patch(u64 lsn, const void *bytes, size_t len)
{
	memcpy(walgen_at(&gen, lsn, len), bytes, len);
}

static void patch_u16(u64 lsn, u16 value)
{
	patch(lsn, &value, sizeof(value));
}

static void patch_u32(u64 lsn, u32 value)
{
	patch(lsn, &value, sizeof(value));
}

static void patch_u64(u64 lsn, u64 value)
{
	patch(lsn, &value, sizeof(value));
}

static void test_one_page(void **state)
{
	u64 first = put(3), second = put(100);

	(void)state;
	start(SEG1);
	assert_true(walpf_wal_want(wal) == SEG1);
	assert_status(next(), NEED);
	expect_record(first);
	assert_true(first == SEG1 + 40);
	assert_true(wal->rec.prev_lsn == SEG1 - 64);
	assert_int_equal(wal->rec.tot_len, PUT_OVERHEAD + 3);
	assert_true(wal->rec.end_lsn == first + PUT_OVERHEAD + 3);
	assert_int_equal(wal->rec.xid, 700);
	assert_int_equal(wal->rec.rmid, 10);
	assert_int_equal(wal->rec.info, 0);
	assert_int_equal(wal->rec.tli, 1);
	assert_int_equal(wal->rec.version->magic, PG15);
	assert_int_equal(wal->rec.nr_refs, 1);
	assert_int_equal(wal->rec.refs[0].block, 7);
	assert_int_equal(wal->rec.main_len, 3);
	assert_int_equal(wal->rec.main_have, 3);
	assert_int_equal(wal->rec.main[1], 7);
	expect_record(second);
	assert_true(wal->rec.prev_lsn == first);
	assert_int_equal(wal->rec.main_have, 100);
	expect_tail();
}

static void test_size_of_state(void **state)
{
	(void)state;
	assert_true(sizeof(struct walpf_wal) <= 4096);
}

static void test_all_versions(void **state)
{
	(void)state;
	for (unsigned int i = 0; walpf_wal_version_at(i); i++) {
		u64 first, last;

		walgen_free(&gen);
		walgen_init(&gen, walpf_wal_version_at(i)->magic, MB, SEG1);
		first = put(20000);
		last = put(3);
		start(SEG1);
		expect_record(first);
		assert_ptr_equal(wal->version, walpf_wal_version_at(i));
		assert_ptr_equal(wal->rec.version, walpf_wal_version_at(i));
		expect_record(last);
		expect_tail();
	}
}

/* Wherever the second record begins and ends near the page's end. */
static void test_around_page_end(void **state)
{
	(void)state;
	for (unsigned int left = 8; left <= 200; left += 8) {
		for (unsigned int len = 1; len < 30; len++) {
			u64 second, third;

			walgen_free(&gen);
			walgen_init(&gen, PG15, MB, SEG1);
			walgen_fill_page(&gen, left);
			second = put(len);
			third = put(len);
			start(SEG1);
			expect_record(SEG1 + 40);
			expect_record(second);
			assert_int_equal(wal->rec.main_have, len);
			assert_int_equal(wal->rec.main[len - 1], main_byte(len - 1));
			expect_record(third);
			expect_tail();
		}
	}
}

static void test_record_ends_page(void **state)
{
	u64 second;

	(void)state;
	walgen_fill_page(&gen, 0);
	assert_true(gen.lsn == SEG1 + PAGE);
	second = put(5);
	assert_true(second == SEG1 + PAGE + 24);
	start(SEG1);
	expect_record(SEG1 + 40);
	assert_true(wal->rec.end_lsn == SEG1 + PAGE);
	expect_record(second);
	expect_tail();
}

static void test_across_segments(void **state)
{
	u64 second, third;

	(void)state;
	put(MB - 3 * PAGE);
	second = put(MB + 5 * PAGE);
	third = put(8);
	assert_true(second < SEG2 && third > SEG2 + MB);
	start(SEG1);
	expect_record(SEG1 + 40);
	expect_record(second);
	expect_record(third);
	expect_tail();
}

static void test_byte_by_byte(void **state)
{
	u64 lsns[] = { put(3), put(9000), put(100), put(20000), put(0) };
	unsigned int seen = 0;

	(void)state;
	start(SEG1);
	while (seen < NR(lsns)) {
		if (next() == WALPF_WAL_RECORD) {
			assert_true(wal->rec.lsn == lsns[seen++]);
			continue;
		}
		assert_status(wal->status, NEED);
		feed_to(walpf_wal_want(wal) + 1);
	}
}

/* Pieces that begin before what is wanted are cut, or ignored as a whole. */
static void test_overlapping_feed(void **state)
{
	u64 lsn = put(300);

	(void)state;
	start(SEG1);
	walpf_wal_feed(wal, SEG1, walgen_at(&gen, SEG1, 100), 100);
	assert_status(next(), NEED);
	walpf_wal_feed(wal, SEG1, walgen_at(&gen, SEG1, 100), 100);
	assert_status(next(), NEED);
	assert_true(walpf_wal_want(wal) == SEG1 + 100);
	walpf_wal_feed(wal, SEG1 + 50, walgen_at(&gen, SEG1 + 50, 0), 0);
	assert_status(next(), NEED);
	walpf_wal_feed(wal, SEG1 + 50, walgen_at(&gen, SEG1 + 50, 1000), 1000);
	assert_status(next(), RECORD);
	assert_true(wal->rec.lsn == lsn);
}

static void test_main_data_kept(void **state)
{
	static const u32 lens[] = { 0, 1, 511, 512, 513, 8000, 100000 };

	(void)state;
	for (size_t i = 0; i < NR(lens); i++)
		put(lens[i]);
	start(SEG1);
	for (size_t i = 0; i < NR(lens); i++) {
		u32 have = lens[i] < 512 ? lens[i] : 512;

		if (next() == WALPF_WAL_NEED) {
			feed_to(gen.lsn);
			next();
		}
		assert_status(wal->status, RECORD);
		assert_int_equal(wal->rec.main_len, lens[i]);
		assert_int_equal(wal->rec.main_have, have);
		for (u32 k = 0; k < have; k++)
			assert_int_equal(wal->rec.main[k], main_byte(k));
	}
}

/* Main data pages behind the headers, after an image. */
static void test_main_behind_image(void **state)
{
	static const u8 main[] = "0123456789abcdefghijklmnop";
	struct walgen_block blocks[2] = { block0, block0 };
	u64 lsn;

	(void)state;
	blocks[0].fork_flags |= WALGEN_HAS_IMAGE;
	blocks[0].image_len = 8192;
	blocks[0].image_bits = walgen_apply_bit(PG15);
	blocks[1].id = 1;
	for (unsigned int left = 8; left < 300; left += 8) {
		walgen_free(&gen);
		walgen_init(&gen, PG15, MB, SEG1);
		walgen_fill_page(&gen, left);
		lsn = walgen_put(&gen, &(struct walgen_record){
			.rmid = 10,
			.info = 0x10,
			.blocks = blocks,
			.nr_blocks = 2,
			.main = main,
			.main_len = sizeof(main),
		});
		start(SEG1);
		expect_record(SEG1 + 40);
		expect_record(lsn);
		assert_int_equal(wal->rec.main_have, sizeof(main));
		assert_memory_equal(wal->rec.main, main, sizeof(main));
	}
}

/* The implied reference needs the flags, here pages behind the header. */
static void test_implied_in_stream(void **state)
{
	static const u8 main[8] = { [7] = 1 };
	struct walgen_block block = block0;
	u64 lsn;

	(void)state;
	block.data_len = 60000;
	block.block = 40000;
	lsn = walgen_put(&gen, &(struct walgen_record){
		.rmid = 10,
		.info = 0x10,
		.blocks = &block,
		.nr_blocks = 1,
		.main = main,
		.main_len = sizeof(main),
	});
	start(SEG1);
	expect_record(lsn);
	assert_int_equal(wal->rec.nr_refs, 2);
	assert_int_equal(wal->rec.refs[1].flags, WALPF_REF_IMPLIED);
	assert_int_equal(wal->rec.refs[1].fork, WALPF_FORK_VM);
	assert_int_equal(wal->rec.refs[1].block, 1);
}

/*
 * A first record of such a length that @rem bytes of it are on the page
 * behind the one where it began; on the page itself there is room for @room.
 */
static void check_resync(u64 first_page, unsigned int first_header, unsigned int second_header,
			 u32 rem)
{
	u64 second, third;

	walgen_free(&gen);
	walgen_init(&gen, PG15, MB, first_page);
	put(PAGE - first_header + rem - PUT_OVERHEAD);
	second = put(40);
	third = put(40);
	start(first_page + PAGE);
	expect_record(second);
	assert_true(second >= first_page + PAGE + second_header + rem);
	expect_record(third);
	expect_tail();
}

static void test_resync(void **state)
{
	static const u32 rems[] = { 1, 7, 8, 9, 16, 100, 4000 };

	(void)state;
	for (size_t i = 0; i < NR(rems); i++) {
		check_resync(SEG1, 40, 24, rems[i]);
		check_resync(SEG1 + PAGE, 24, 24, rems[i]);
		check_resync(SEG2 - PAGE, 24, 40, rems[i]);
	}
}

/* The rest of the record covers its page exactly, all but 8 bytes, and more. */
static void test_resync_boundaries(void **state)
{
	(void)state;
	for (int delta = -24; delta <= 64; delta++) {
		check_resync(SEG1, 40, 24, PAGE - 24 + delta);
		check_resync(SEG2 - PAGE, 24, 40, PAGE - 40 + delta);
		check_resync(SEG1, 40, 24, 2 * (PAGE - 24) + delta);
		check_resync(SEG1 + PAGE, 24, 24, 9 * (PAGE - 24) + delta);
	}
}

/* A page that continues a record of which nothing is left. */
static void test_resync_nothing_left(void **state)
{
	put(100);
	(void)state;
	patch_u16(SEG1 + 2, 0x0007);
	start(SEG1);
	expect_stop(PAGE_CONTINUES, SEG1);
	walpf_wal_retry(wal);
	expect_stop(PAGE_CONTINUES, SEG1);
}

/* In the middle of a record of many pages, and across a segment's start. */
static void test_resync_long_record(void **state)
{
	u64 first = put(2 * MB), second = put(10);

	(void)state;
	for (u64 page = SEG1 + PAGE; page < second; page += PAGE) {
		start(page);
		expect_record(second);
	}
	start(SEG1);
	expect_record(first);
	expect_record(second);
}

static void test_start_at_record(void **state)
{
	u64 lsns[] = { put(10), put(9000), put(10) };

	(void)state;
	for (size_t i = 0; i < NR(lsns); i++) {
		start(lsns[i]);
		assert_true(walpf_wal_want(wal) == lsns[i] / PAGE * PAGE);
		for (size_t k = i; k < NR(lsns); k++)
			expect_record(lsns[k]);
	}
}

static void test_bad_start(void **state)
{
	put(100);
	(void)state;
	start(SEG1 + 8);
	expect_stop(START, SEG1 + 8);
	start(SEG1 + 32);
	expect_stop(START, SEG1 + 32);
	start(SEG1 + 44);
	expect_stop(START, SEG1 + 44);
}

/* Behind the header of a page that continues a record, none can begin. */
static void test_start_at_continuation(void **state)
{
	put(9000);
	(void)state;
	start(SEG1 + PAGE + 24);
	expect_stop(PAGE_CONTINUES, SEG1 + PAGE);
}

static void check_aborted(u16 magic, unsigned int pages)
{
	struct walgen_record victim = { .rmid = 10, .main_long = true, .main_len = 100000 };
	u64 first, dropped, over, last;
	u8 *main = calloc(1, victim.main_len);

	victim.main = main;
	walgen_free(&gen);
	walgen_init(&gen, magic, MB, SEG1);
	first = put(100);
	dropped = walgen_abort(&gen, &victim, pages);
	free(main);
	over = gen.prev_lsn;
	assert_true(over == SEG1 + (pages + 1) * PAGE + 24);
	last = put(10);

	start(SEG1);
	expect_record(first);
	expect_record(over);
	assert_true(wal->rec.prev_lsn == first);
	assert_true(walpf_get_u64(wal->rec.main) == dropped);
	expect_record(last);
	expect_tail();

	for (u64 page = SEG1 + PAGE; page < over; page += PAGE) {
		start(page);
		expect_record(over);
		expect_record(last);
	}
}

static void test_aborted(void **state)
{
	static const u16 magics[] = { 0xd093, 0xd106, PG15, PG18, 0xd120, PG19 };

	(void)state;
	for (size_t i = 0; i < NR(magics); i++) {
		check_aborted(magics[i], 0);
		check_aborted(magics[i], 1);
		check_aborted(magics[i], 7);
	}
}

/* Given up with the fixed header split, before anything could be judged. */
static void test_aborted_in_header(void **state)
{
	static const u8 main[100];
	struct walgen_record victim = { .rmid = 10, .main = main, .main_len = 100 };
	u64 over, last;

	(void)state;
	for (unsigned int left = 8; left <= 24; left += 8) {
		walgen_free(&gen);
		walgen_init(&gen, PG15, MB, SEG1);
		walgen_fill_page(&gen, left);
		walgen_abort(&gen, &victim, 0);
		over = gen.prev_lsn;
		last = put(10);
		start(SEG1);
		expect_record(SEG1 + 40);
		expect_record(over);
		expect_record(last);
	}
}

/* The first record after a start is given up: no link to compare with. */
static void test_aborted_first(void **state)
{
	static const u8 main[9000];
	struct walgen_record victim = { .rmid = 10, .main = main, .main_len = 9000 };
	u64 dropped = walgen_abort(&gen, &victim, 0), over = gen.prev_lsn;

	(void)state;
	start(SEG1);
	expect_record(over);
	start(dropped);
	expect_record(over);
}

/* 18 marks pages with the bit that means "given up" in 19. */
static void test_flag_of_another_version(void **state)
{
	static const u8 zero[64];
	u64 lsn = put(30000);

	(void)state;
	start(SEG1);
	expect_record(lsn);
	walgen_free(&gen);
	walgen_init(&gen, PG19, MB, SEG1);
	put(30000);
	patch_u16(SEG1 + PAGE + 2, 0x0004);
	patch(SEG1 + PAGE + 24, zero, sizeof(zero));
	start(SEG1);
	expect_stop(END, SEG1 + PAGE + 24);
}

/* Given up and continued at once: no record can begin there. */
static void test_aborted_and_continued(void **state)
{
	put(9000);
	(void)state;
	patch_u16(SEG1 + PAGE + 2, 0x0009);
	start(SEG1);
	expect_stop(PAGE_CONTINUES, SEG1 + PAGE);
}

static void test_switch(void **state)
{
	u64 first = put(10), second = walgen_switch(&gen), third = put(10);

	(void)state;
	assert_true(third == SEG2 + 40);
	start(SEG1);
	feed_to(SEG1 + PAGE);
	expect_record(first);
	expect_record(second);
	assert_true(walpf_wal_want(wal) == SEG2);
	assert_status(next(), NEED);
	walpf_wal_feed(wal, SEG1 + PAGE, walgen_at(&gen, SEG1 + PAGE, PAGE), PAGE);
	assert_status(next(), NEED);
	expect_record(third);
	assert_true(wal->rec.prev_lsn == second);
	expect_tail();
}

/* The rest of the segment is in the same piece, zeros and all. */
static void test_switch_inside_piece(void **state)
{
	u64 first = walgen_switch(&gen), second = put(10);

	(void)state;
	start(SEG1);
	feed_to(SEG2 + PAGE);
	expect_record(first);
	expect_record(second);
}

/* The switch is the segment's last record, and one that crosses a page. */
static void test_switch_at_the_end(void **state)
{
	u64 first, second;

	(void)state;
	walgen_free(&gen);
	walgen_init(&gen, PG15, MB, SEG2 - PAGE);
	walgen_fill_page(&gen, 24);
	first = walgen_switch(&gen);
	second = put(10);
	assert_true(second == SEG2 + 40);
	start(SEG2 - PAGE);
	expect_record(SEG2 - PAGE + 24);
	expect_record(first);
	expect_record(second);

	walgen_free(&gen);
	walgen_init(&gen, PG15, MB, SEG2 - PAGE);
	walgen_fill_page(&gen, 8);
	first = walgen_switch(&gen);
	second = put(10);
	assert_true(second == SEG2 + MB + 40);
	start(SEG2 - PAGE);
	expect_record(SEG2 - PAGE + 24);
	expect_record(first);
	expect_record(second);
}

/* To 10, the pages behind a switch have headers and nothing else. */
static void test_start_behind_switch(void **state)
{
	walgen_switch(&gen);
	(void)state;
	start(SEG1 + PAGE);
	expect_stop(PAGE_EMPTY, SEG1 + PAGE);
	patch_u16(SEG1 + PAGE, PG15);
	patch_u64(SEG1 + PAGE + 8, SEG1 + PAGE);
	start(SEG1 + PAGE);
	expect_stop(END, SEG1 + PAGE + 24);
}

/* The tail grows: records appear where there were none. */
static void test_retry_at_tail(void **state)
{
	u64 lsn = put(10);

	(void)state;
	start(SEG1);
	expect_record(lsn);
	for (int i = 0; i < 200; i++) {
		u64 tail = gen.lsn;

		expect_tail();
		walpf_wal_retry(wal);
		assert_true(walpf_wal_want(wal) == tail / PAGE * PAGE);
		lsn = put(100);
		expect_record(lsn);
	}
}

/* A record of several pages of which only the first has been written. */
static void test_retry_half_record(void **state)
{
	u64 first = put(10), second = put(30000), third = put(10);
	u8 *saved = malloc(3 * PAGE);

	(void)state;
	memcpy(saved, walgen_at(&gen, SEG1 + PAGE, 3 * PAGE), 3 * PAGE);
	for (unsigned int pages = 0; pages < 3; pages++) {
		memset(walgen_at(&gen, SEG1 + PAGE, 3 * PAGE), 0, 3 * PAGE);
		memcpy(walgen_at(&gen, SEG1 + PAGE, 0), saved, pages * PAGE);
		start(SEG1);
		expect_record(first);
		expect_stop(PAGE_EMPTY, SEG1 + (pages + 1) * PAGE);
		memcpy(walgen_at(&gen, SEG1 + PAGE, 0), saved, 3 * PAGE);
		walpf_wal_retry(wal);
		assert_true(walpf_wal_want(wal) == SEG1);
		expect_record(second);
		expect_record(third);
	}
	free(saved);
}

/* Input ran out inside a record, and the file is read again. */
static void test_retry_without_stop(void **state)
{
	u64 first = put(10), second = put(9000);

	(void)state;
	for (u64 end = first + 80; end < second + 9000; end += 111) {
		start(SEG1);
		feed_to(end);
		while (next() == WALPF_WAL_RECORD)
			;
		assert_status(wal->status, NEED);
		walpf_wal_retry(wal);
		assert_true(walpf_wal_want(wal) <= second);
		if (end < second)
			expect_record(first);
		expect_record(second);
	}
}

/* While looking for a first record, a retry goes on where it was. */
static void test_retry_in_resync(void **state)
{
	u64 second;

	put(30000);
	second = put(10);
	(void)state;
	start(SEG1 + PAGE);
	feed_to(SEG1 + 2 * PAGE + 10);
	assert_status(next(), NEED);
	walpf_wal_retry(wal);
	assert_true(walpf_wal_want(wal) == SEG1 + 2 * PAGE);
	expect_record(second);
}

/*
 * Behind the received bytes, the recycled file's old ones: here the very
 * records of its former life, good but for their links.
 */
static void test_stale_tail(void **state)
{
	u8 *old = malloc(PAGE);
	u64 first, second;

	(void)state;
	put(100);
	put(100);
	put(100);
	memcpy(old, walgen_at(&gen, SEG1, PAGE), PAGE);
	walgen_free(&gen);
	walgen_init(&gen, PG15, MB, SEG1 + 16 * MB);
	first = put(100);
	memcpy(walgen_at(&gen, gen.lsn, PAGE - gen.lsn % PAGE), old + gen.lsn % PAGE,
	       PAGE - gen.lsn % PAGE);
	start(SEG1 + 16 * MB);
	expect_record(first);
	expect_stop(RECORD_PREV, gen.lsn);
	assert_true(wal->stop_value == SEG1 + 40);

	second = put(90);
	walpf_wal_retry(wal);
	expect_record(second);
	free(old);
}

static void test_stale_page(void **state)
{
	u64 second;

	(void)state;
	put(100);
	second = put(9000);
	patch_u64(SEG1 + PAGE + 8, SEG1 - 16 * MB + PAGE);
	start(SEG1);
	expect_record(SEG1 + 40);
	expect_stop(PAGE_ADDRESS, SEG1 + PAGE);
	assert_true(wal->stop_value == SEG1 - 16 * MB + PAGE);
	patch_u64(SEG1 + PAGE + 8, SEG1 + PAGE);
	walpf_wal_retry(wal);
	expect_record(second);
}

static void test_gap(void **state)
{
	put(100);
	(void)state;
	start(SEG1);
	walpf_wal_feed(wal, SEG1 + 8, walgen_at(&gen, SEG1 + 8, 100), 100);
	expect_stop(GAP, SEG1);
	assert_true(wal->stop_value == SEG1 + 8);
	walpf_wal_retry(wal);
	expect_record(SEG1 + 40);
}

/* The second page's header is spoilt: what is found there, and the reason. */
static void check_second_page(u64 offset, const void *bytes, size_t len,
			      enum walpf_wal_status want)
{
	u64 second;

	walgen_free(&gen);
	walgen_init(&gen, PG15, MB, SEG1);
	gen.tli = 3;
	put(100);
	second = put(9000);
	patch(SEG1 + PAGE + offset, bytes, len);
	start(SEG1);
	expect_record(SEG1 + 40);
	if (next() == WALPF_WAL_NEED) {
		feed_to(SEG1 + 3 * PAGE);
		next();
	}
	assert_string_equal(walpf_wal_status_name(wal->status), walpf_wal_status_name(want));
	assert_true(wal->stop_lsn == (want == WALPF_WAL_RECORD_CRC ? second : SEG1 + PAGE));
}

#define check_second_page_u16(offset, value, want)			\
	check_second_page(offset, &(u16){ value }, 2, WALPF_WAL_##want)
#define check_second_page_u32(offset, value, want)			\
	check_second_page(offset, &(u32){ value }, 4, WALPF_WAL_##want)

static void test_page_stops(void **state)
{
	(void)state;
	check_second_page_u16(0, 0, PAGE_EMPTY);
	check_second_page_u16(0, 0xd10e, PAGE_MAGIC);
	check_second_page_u16(0, 0xd113, PAGE_VERSION);
	check_second_page_u16(2, 0x0011, PAGE_FLAGS);
	check_second_page_u16(2, 0x0004, BREAK_FLAG);
	check_second_page_u32(4, 2, PAGE_TIMELINE);
	check_second_page_u32(8, SEG1, PAGE_ADDRESS);
	check_second_page_u32(16, 0, BREAK_LENGTH);
	check_second_page_u32(16, 5000, BREAK_LENGTH);
	check_second_page_u32(16, 0xffffffff, BREAK_LENGTH);
	check_second_page_u32(24, 0x12345678, RECORD_CRC);
}

/* A new timeline begins on a page: later is good, and shown. */
static void test_timeline_rises(void **state)
{
	u64 first, second, third;

	(void)state;
	first = put(100);
	gen.tli = 2;
	second = put(9000);
	gen.tli = 1;
	third = put(9000);
	start(SEG1);
	expect_record(first);
	assert_int_equal(wal->rec.tli, 1);
	expect_record(second);
	assert_int_equal(wal->rec.tli, 2);
	expect_stop(PAGE_TIMELINE, third / PAGE * PAGE + PAGE);
}

/* Jumping back is no fall of the timeline. */
static void test_timeline_after_start(void **state)
{
	u64 first = put(9000);

	(void)state;
	gen.tli = 2;
	put(9000);
	start(SEG1 + 2 * PAGE);
	feed_to(SEG1 + 3 * PAGE);
	next();
	walpf_wal_start(wal, SEG1);
	expect_record(first);
}

static void spoil_first_page(u64 offset, u32 value)
{
	walgen_free(&gen);
	walgen_init(&gen, PG15, MB, SEG1);
	put(100);
	patch_u32(SEG1 + offset, value);
	start(SEG1);
}

static void test_first_page_stops(void **state)
{
	const struct walpf_wal_config cfg = { .seg_size = MB, .sysid = 99 };

	(void)state;
	spoil_first_page(0, 0x0004d110);
	expect_stop(PAGE_LONG, SEG1);
	spoil_first_page(32, 16 * MB);
	expect_stop(PAGE_SEGMENT, SEG1);
	spoil_first_page(36, 4096);
	expect_stop(PAGE_BLOCK, SEG1);
	spoil_first_page(0, 0x0006d10e);
	expect_stop(PAGE_MAGIC, SEG1);
	assert_int_equal(wal->stop_value, 0xd10e);
	assert_null(wal->version);
	spoil_first_page(4, 1);
	walpf_wal_init(wal, &cfg);
	walpf_wal_start(wal, SEG1);
	expect_stop(PAGE_SYSTEM, SEG1);
}

/* Without a known system the first one found is the one. */
static void test_other_system_later(void **state)
{
	u64 first = put(100), second = walgen_switch(&gen);

	(void)state;
	gen.sysid++;
	put(100);
	start(SEG1);
	expect_record(first);
	expect_record(second);
	expect_stop(PAGE_SYSTEM, SEG2);
}

/* The second of three records is spoilt, and sealed again if @seal. */
static u64 spoil_record(size_t offset, const void *bytes, size_t len, bool seal)
{
	u64 second;

	walgen_free(&gen);
	walgen_init(&gen, PG15, MB, SEG1);
	put(100);
	second = put(100);
	patch(second + offset, bytes, len);
	if (seal)
		walgen_seal(walgen_at(&gen, second, 0), PUT_OVERHEAD + 100);
	put(100);
	start(SEG1);
	expect_record(SEG1 + 40);
	return second;
}

static void test_record_stops(void **state)
{
	u64 lsn;

	(void)state;
	lsn = spoil_record(0, &(u32){ 0 }, 4, false);
	expect_stop(END, lsn);
	lsn = spoil_record(0, &(u32){ 23 }, 4, false);
	expect_stop(RECORD_LENGTH, lsn);
	assert_int_equal(wal->stop_value, 23);
	lsn = spoil_record(0, &(u32){ 0x40000000 }, 4, false);
	expect_stop(RECORD_LENGTH, lsn);
	lsn = spoil_record(17, &(u8){ 22 }, 1, true);
	expect_stop(RECORD_RMGR, lsn);
	assert_int_equal(wal->stop_value, 22);
	lsn = spoil_record(8, &(u64){ SEG1 }, 8, true);
	expect_stop(RECORD_PREV, lsn);
	lsn = spoil_record(8, &(u64){ SEG1 + 48 }, 8, true);
	expect_stop(RECORD_PREV, lsn);
	lsn = spoil_record(60, &(u8){ 99 }, 1, false);
	expect_stop(RECORD_CRC, lsn);
	lsn = spoil_record(20, &(u8){ 99 }, 1, false);
	expect_stop(RECORD_CRC, lsn);
	lsn = spoil_record(18, &(u8){ 1 }, 1, false);
	expect_stop(RECORD_CRC, lsn);
	lsn = spoil_record(24, &(u8){ 40 }, 1, true);
	expect_stop(RECORD_BLOCKS, lsn);
}

/* The same when every byte comes alone: gathered records are judged alike. */
static void test_record_stops_gathered(void **state)
{
	static const struct {
		size_t offset;
		u8 value;
		bool seal;
		enum walpf_wal_status want;
	} rows[] = {
		{ 3, 0x40, false, WALPF_WAL_RECORD_LENGTH },
		{ 17, 22, true, WALPF_WAL_RECORD_RMGR },
		{ 8, 0x88, true, WALPF_WAL_RECORD_PREV },
		{ 60, 99, false, WALPF_WAL_RECORD_CRC },
		{ 24, 40, true, WALPF_WAL_RECORD_BLOCKS },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		u64 lsn = spoil_record(rows[i].offset, &rows[i].value, 1, rows[i].seal);

		start(lsn - (PUT_OVERHEAD + 100 + 7) / 8 * 8);
		while (next() <= WALPF_WAL_NEED) {
			assert_true(wal->status == WALPF_WAL_NEED || wal->rec.lsn < lsn);
			if (wal->status == WALPF_WAL_NEED)
				feed_to(walpf_wal_want(wal) + 1);
		}
		assert_string_equal(walpf_wal_status_name(wal->status),
				    walpf_wal_status_name(rows[i].want));
		assert_true(wal->stop_lsn == lsn);
	}
}

/* On the first record the link can only be told to point backwards. */
static void test_first_link(void **state)
{
	u64 first, second;

	(void)state;
	gen.prev_lsn = SEG1 + 40;
	put(100);
	start(SEG1);
	expect_stop(RECORD_PREV, SEG1 + 40);

	walgen_free(&gen);
	walgen_init(&gen, PG15, MB, SEG1);
	gen.prev_lsn = 0;
	first = put(100);
	gen.prev_lsn = 0;
	second = put(100);
	start(SEG1);
	expect_record(first);
	expect_stop(RECORD_PREV, second);
	start(second);
	expect_record(second);
}

/* A stop is left by a new start, without a memory of what was before. */
static void test_start_after_stop(void **state)
{
	u64 first = put(100);

	(void)state;
	start(SEG1 + 4 * PAGE);
	walgen_at(&gen, SEG1 + 4 * PAGE, PAGE);
	expect_stop(PAGE_EMPTY, SEG1 + 4 * PAGE);
	walpf_wal_start(wal, SEG1);
	expect_record(first);
}

static void test_every_status_reached(void **state)
{
	(void)state;
	for (int i = 0; i < WALPF_WAL_NR_STATUSES; i++)
		if (!reached[i])
			fail_msg("never reached: %s", walpf_wal_status_name(i));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_one_page),
		TEST(test_size_of_state),
		TEST(test_all_versions),
		TEST(test_around_page_end),
		TEST(test_record_ends_page),
		TEST(test_across_segments),
		TEST(test_byte_by_byte),
		TEST(test_overlapping_feed),
		TEST(test_main_data_kept),
		TEST(test_main_behind_image),
		TEST(test_implied_in_stream),
		TEST(test_resync),
		TEST(test_resync_boundaries),
		TEST(test_resync_nothing_left),
		TEST(test_resync_long_record),
		TEST(test_start_at_record),
		TEST(test_bad_start),
		TEST(test_start_at_continuation),
		TEST(test_aborted),
		TEST(test_aborted_in_header),
		TEST(test_aborted_first),
		TEST(test_flag_of_another_version),
		TEST(test_aborted_and_continued),
		TEST(test_switch),
		TEST(test_switch_inside_piece),
		TEST(test_switch_at_the_end),
		TEST(test_start_behind_switch),
		TEST(test_retry_at_tail),
		TEST(test_retry_half_record),
		TEST(test_retry_without_stop),
		TEST(test_retry_in_resync),
		TEST(test_stale_tail),
		TEST(test_stale_page),
		TEST(test_gap),
		TEST(test_page_stops),
		TEST(test_timeline_rises),
		TEST(test_timeline_after_start),
		TEST(test_first_page_stops),
		TEST(test_other_system_later),
		TEST(test_record_stops),
		TEST(test_record_stops_gathered),
		TEST(test_first_link),
		TEST(test_start_after_stop),
		TEST(test_every_status_reached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What must hold of the decoder on any WAL: on generated WAL of every
 * version and on the files named as arguments, real WAL that begins with a
 * segment's first page.
 */
#include "check.h"
#include "drain.h"
#include "walmix.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGE		8192u
#define MB		(1u << 20)

/* Enough of each to be under a few seconds with the sanitizers. */
#define MAX_STARTS	150
#define NR_FLIPS	3000
#define START_BYTES	(64 * PAGE)
#define SMALL_BYTES	(256u * 1024)

struct input {
	char name[64];
	struct wal_bytes bytes;
	u8 *memory;		/* the same bytes, writable */
	struct seen_list all;	/* what the decoder gives out of all of them */
	size_t written;		/* records in there, 0 if not known */
};

static struct input inputs[64];
static size_t nr_inputs;
static struct rng rng;

static void add_input(const char *name, u8 *memory, size_t len, u64 lsn, u32 seg_size)
{
	struct input *in = &inputs[nr_inputs++];

	if (nr_inputs == NR(inputs))
		abort();
	snprintf(in->name, sizeof(in->name), "%s", name);
	in->memory = memory;
	in->bytes = (struct wal_bytes){
		.at = memory,
		.lsn = lsn,
		.len = len,
		.seg_size = seg_size,
	};
	drain(&in->all, &in->bytes, lsn, 0, NULL);
	printf("# %s: %zu bytes, %zu records, then %s\n", in->name, len, in->all.nr,
	       walpf_wal_status_name(in->all.status));
}

/* Two segments, from a page before the end of one on. */
static void generate(u16 magic)
{
	struct walgen gen;
	char name[64];
	size_t len;
	u8 *exact;

	walgen_init(&gen, magic, MB, 0x1500000 - 20 * PAGE);
	walmix(&gen, &rng, 80 * PAGE);
	len = walgen_len(&gen);
	exact = malloc(len);
	if (!exact)
		abort();
	memcpy(exact, gen.bytes, len);
	snprintf(name, sizeof(name), "generated %04x", magic);
	add_input(name, exact, len, gen.start_lsn, MB);
	inputs[nr_inputs - 1].written = gen.records;
	walgen_free(&gen);
}

static void load(const char *path)
{
	FILE *file = fopen(path, "rb");
	const char *base = strrchr(path, '/');
	long len = 0;
	u8 *memory;

	if (file && fseek(file, 0, SEEK_END) == 0)
		len = ftell(file);
	if (len < (long)PAGE) {
		fprintf(stderr, "%s: not WAL that can be read\n", path);
		exit(1);
	}
	rewind(file);
	memory = malloc(len);
	if (!memory || fread(memory, 1, len, file) != (size_t)len)
		abort();
	fclose(file);
	add_input(base ? base + 1 : path, memory, len, walpf_get_u64(memory + 8),
		  walpf_get_u32(memory + 32));
}

static void fail_at(const struct input *in, u64 lsn, const char *what)
{
	fail_msg("%s: %s, at %" PRIX64 "/%08" PRIX64, in->name, what, lsn >> 32,
		 lsn & 0xffffffff);
}

/* The first @nr records of both are the same. */
static void expect_same(const struct input *in, const struct seen *got, const struct seen *want,
			size_t nr, bool digests)
{
	for (size_t i = 0; i < nr; i++)
		if (got[i].lsn != want[i].lsn || got[i].end_lsn != want[i].end_lsn ||
		    (digests && got[i].digest != want[i].digest))
			fail_at(in, want[i].lsn, "another record");
}

static void test_all_records_given_out(void **state)
{
	(void)state;
	assert_true(nr_inputs > 0);
	for (size_t i = 0; i < nr_inputs; i++) {
		const struct input *in = &inputs[i];

		if (in->written && in->all.nr != in->written)
			fail_msg("%s: %zu records of %zu", in->name, in->all.nr, in->written);
	}
}

/* Nothing between two records but padding, page headers and skipped pages. */
static void test_records_adjoin(void **state)
{
	(void)state;
	for (size_t i = 0; i < nr_inputs; i++) {
		const struct seen *at = inputs[i].all.at;

		for (size_t k = 1; k < inputs[i].all.nr; k++)
			if (at[k].lsn < at[k - 1].end_lsn || at[k].lsn % 8)
				fail_at(&inputs[i], at[k].lsn, "records overlap");
	}
}

static void check_pieces(const struct input *in, size_t len, size_t piece)
{
	struct wal_bytes bytes = in->bytes;
	struct seen_list whole, cut;

	bytes.len = len;
	drain(&whole, &bytes, bytes.lsn, 0, NULL);
	drain(&cut, &bytes, bytes.lsn, piece, &rng);
	if (cut.nr != whole.nr || cut.status != whole.status || cut.stop_lsn != whole.stop_lsn)
		fail_at(in, cut.stop_lsn, "another end when cut");
	expect_same(in, cut.at, whole.at, whole.nr, true);
	seen_free(&whole);
	seen_free(&cut);
}

static void test_any_cut(void **state)
{
	static const size_t pieces[] = { 13, 64, 1000, 9000, 100000 };

	(void)state;
	for (size_t i = 0; i < nr_inputs; i++) {
		size_t len = inputs[i].bytes.len;

		check_pieces(&inputs[i], len < SMALL_BYTES ? len : SMALL_BYTES, 1);
		for (size_t k = 0; k < NR(pieces); k++)
			check_pieces(&inputs[i], len, pieces[k]);
	}
}

/*
 * A page that a segment switch left unused, all of it or from the end of the
 * switch on: no record begins on it or goes on behind it, and it continues no
 * other. Nothing can be found from there.
 */
static bool is_unused(const struct input *in, u64 page, size_t next)
{
	const struct seen *at = in->all.at;
	const u8 *head = in->bytes.at + (page - in->bytes.lsn);
	u64 end = next ? (at[next - 1].end_lsn + 7) & ~7ull : page + PAGE;

	if (next < in->all.nr && at[next].lsn < page + PAGE)
		return false;
	if (end <= page)
		return !(walpf_get_u16(head + 2) & 1);
	return end < page + PAGE && walpf_get_u32(head + (end - page)) == 0;
}

static void check_start(const struct input *in, u64 page)
{
	size_t next = seen_from(&in->all, page), want;
	struct wal_bytes bytes = in->bytes;
	struct seen_list seen;

	if (page + START_BYTES < bytes.lsn + bytes.len)
		bytes.len = page + START_BYTES - bytes.lsn;
	for (want = next; want < in->all.nr; want++)
		if (in->all.at[want].end_lsn > bytes.lsn + bytes.len)
			break;
	drain(&seen, &bytes, page, 0, NULL);
	if (seen.nr != want - next && !is_unused(in, page, next))
		fail_at(in, page, "not a suffix from this page");
	expect_same(in, seen.at, in->all.at + next, seen.nr, true);
	seen_free(&seen);
}

static void test_any_start(void **state)
{
	(void)state;
	for (size_t i = 0; i < nr_inputs; i++) {
		const struct input *in = &inputs[i];
		u64 pages = in->bytes.len / PAGE;

		for (u64 k = 0; k < pages && k < MAX_STARTS; k++) {
			u64 page = pages <= MAX_STARTS ? k : rng_below(&rng, pages);

			check_start(in, in->bytes.lsn + page * PAGE);
		}
	}
}

static void test_any_record_as_start(void **state)
{
	(void)state;
	for (size_t i = 0; i < nr_inputs; i++) {
		const struct input *in = &inputs[i];

		for (size_t k = 0; in->all.nr && k < MAX_STARTS; k++) {
			size_t first = rng_below(&rng, in->all.nr);
			struct wal_bytes bytes = in->bytes;
			struct seen_list seen;

			bytes.len = in->all.at[first].end_lsn - bytes.lsn;
			drain(&seen, &bytes, in->all.at[first].lsn, 0, NULL);
			assert_int_equal(seen.nr, 1);
			expect_same(in, seen.at, in->all.at + first, 1, true);
			seen_free(&seen);
		}
	}
}

/* Some pages of an input, decoded whole and with a bit flipped. */
struct window {
	const struct input *in;
	struct wal_bytes bytes;
	struct seen_list intact;
	struct seen_list flipped;
};

static void open_window(struct window *win, const struct input *in, u64 page, u64 pages)
{
	u64 total = in->bytes.len / PAGE;

	win->in = in;
	if (page + pages > total)
		pages = total - page;
	win->bytes = in->bytes;
	win->bytes.at = in->memory + page * PAGE;
	win->bytes.lsn += page * PAGE;
	win->bytes.len = pages * PAGE;
	drain(&win->intact, &win->bytes, win->bytes.lsn, 0, NULL);
}

/* Where the record at @lsn is in the list; behind it if there is none. */
static size_t index_of(const struct seen_list *seen, u64 lsn)
{
	size_t i = seen_from(seen, lsn);

	return i < seen->nr && seen->at[i].lsn == lsn ? i : seen->nr;
}

/* What is given out is among what was there, from some record behind @lsn on. */
static void expect_part(const struct window *win, u64 lsn, bool digests)
{
	const struct seen_list *got = &win->flipped;
	size_t first;

	if (got->nr == 0)
		return;
	first = index_of(&win->intact, got->at[0].lsn);
	if (first + got->nr > win->intact.nr || got->at[0].lsn <= lsn)
		fail_at(win->in, lsn, "a flipped bit makes a record");
	expect_same(win->in, got->at, win->intact.at + first, got->nr, digests);
}

/* What is given out is all that was there before @lsn, and perhaps more of it. */
static void expect_prefix(const struct window *win, u64 lsn, size_t before, bool digests)
{
	size_t nr = win->flipped.nr;

	if (nr < before)
		fail_at(win->in, lsn, "a flipped bit hides an earlier record");
	if (nr > win->intact.nr)
		fail_at(win->in, lsn, "a flipped bit makes a record");
	expect_same(win->in, win->flipped.at, win->intact.at, nr, digests);
}

/* How many records end at or before @lsn. */
static size_t ended_by(const struct seen_list *seen, u64 lsn)
{
	size_t i;

	for (i = 0; i < seen->nr; i++)
		if (seen->at[i].end_lsn > lsn)
			break;
	return i;
}

/*
 * Up to the first record, a header says where records begin, and the very
 * first by which rules they are read: less may come, or later. Further on,
 * only the timeline, which is the record's too, can be another unnoticed.
 */
static void judge_header(const struct window *win, u64 page, u64 offset)
{
	if (win->intact.nr == 0 || page <= win->intact.at[0].lsn)
		expect_part(win, 0, false);
	else
		expect_prefix(win, page, ended_by(&win->intact, page), offset < 4 || offset >= 8);
}

/*
 * Nothing comes of a damaged record, and nothing behind it. But if it is the
 * first, and a later page says that a record was given up, its length may be
 * such that it is taken for that one: then the records from that page on come.
 */
static void judge_body(const struct window *win, u64 lsn)
{
	size_t before = ended_by(&win->intact, lsn);
	bool damaged = before < win->intact.nr && win->intact.at[before].lsn <= lsn;

	if (damaged && before == 0) {
		expect_part(win, lsn, true);
		return;
	}
	if (damaged && win->flipped.nr > before)
		fail_at(win->in, lsn, "a damaged record was given out");
	expect_prefix(win, lsn, before, true);
}

static void judge(const struct window *win, u64 lsn)
{
	u64 page = lsn / PAGE * PAGE, offset = lsn - page;

	if (offset < (page % win->bytes.seg_size ? 24 : 40))
		judge_header(win, page, offset);
	else
		judge_body(win, lsn);
}

static void flip(struct window *win, u64 bit)
{
	u8 *byte = (u8 *)win->bytes.at + bit / 8;

	*byte ^= 1 << bit % 8;
	drain(&win->flipped, &win->bytes, win->bytes.lsn, 0, NULL);
	*byte ^= 1 << bit % 8;
	judge(win, win->bytes.lsn + bit / 8);
	seen_free(&win->flipped);
}

static void test_any_flip(void **state)
{
	(void)state;
	for (size_t i = 0; i < nr_inputs; i++) {
		u64 pages = inputs[i].bytes.len / PAGE;

		for (unsigned int k = 0; k < NR_FLIPS / 100; k++) {
			struct window win = { 0 };

			open_window(&win, &inputs[i], rng_below(&rng, pages),
				    1 + rng_below(&rng, 6));
			for (unsigned int n = 0; n < 100; n++)
				flip(&win, rng_below(&rng, win.bytes.len * 8));
			seen_free(&win.intact);
		}
	}
}

static void test_every_header_flip(void **state)
{
	(void)state;
	for (size_t i = 0; i < nr_inputs; i++) {
		struct window win = { 0 };

		open_window(&win, &inputs[i], 0, 4);
		for (u64 page = 0; page < win.bytes.len / PAGE; page++)
			for (u64 bit = 0; bit < 40 * 8; bit++)
				flip(&win, page * PAGE * 8 + bit);
		seen_free(&win.intact);
	}
}

/* Every single bit of two pages. */
static void test_every_flip(void **state)
{
	struct window win = { 0 };

	(void)state;
	open_window(&win, &inputs[rng_below(&rng, nr_inputs)], 1, 2);
	for (u64 bit = 0; bit < win.bytes.len * 8; bit++)
		flip(&win, bit);
	seen_free(&win.intact);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_records_given_out),
		cmocka_unit_test(test_records_adjoin),
		cmocka_unit_test(test_any_cut),
		cmocka_unit_test(test_any_start),
		cmocka_unit_test(test_any_record_as_start),
		cmocka_unit_test(test_any_flip),
		cmocka_unit_test(test_every_header_flip),
		cmocka_unit_test(test_every_flip),
	};
	int failed;

	rng_seed(&rng);
	for (unsigned int i = 0; walpf_wal_version_at(i); i++)
		generate(walpf_wal_version_at(i)->magic);
	for (int i = 1; i < argc; i++)
		load(argv[i]);
	fflush(stdout);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	while (nr_inputs--) {
		seen_free(&inputs[nr_inputs].all);
		free(inputs[nr_inputs].memory);
	}
	return failed;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Record headers and block references: what is legal in which version is
 * read as it was written, and each inconsistency is refused.
 */
#include "check.h"
#include "walgen.h"
#include "wal/record.h"

#include <stdlib.h>
#include <string.h>

#define MAIN		0
#define VM		2

static const u16 all_magics[] = {
	0xd093, 0xd097, 0xd098, 0xd101, 0xd106, 0xd10d, 0xd110, 0xd113, 0xd116, 0xd118, 0xd122,
};

static enum walpf_wal_status parse(struct walpf_wal_record *rec, u16 magic,
				   const struct walgen_record *from)
{
	size_t body_len;
	u8 *body = walgen_body(from, magic, &body_len);
	enum walpf_wal_status status;
	u32 tot_len = 24 + body_len;
	u8 *bytes = calloc(1, tot_len);

	if (!bytes)
		abort();
	memcpy(bytes, &tot_len, sizeof(tot_len));
	bytes[16] = from->info;
	bytes[17] = from->rmid;
	memcpy(bytes + 24, body, body_len);
	free(body);
	rec->version = walpf_wal_version_find(magic);
	status = walpf_record_header(rec, bytes);
	if (status == WALPF_WAL_RECORD)
		status = walpf_record_blocks(rec, bytes,
					     tot_len < WALPF_HEADERS_MAX ? tot_len :
					     WALPF_HEADERS_MAX);
	free(bytes);
	return status;
}

static enum walpf_wal_status parse_blocks(struct walpf_wal_record *rec, u16 magic,
					  const struct walgen_block *blocks, unsigned int nr)
{
	const struct walgen_record from = {
		.rmid = 10,
		.blocks = blocks,
		.nr_blocks = nr,
		.main = "0123456789",
		.main_len = 10,
	};

	return parse(rec, magic, &from);
}

static enum walpf_wal_status parse_block(struct walpf_wal_record *rec, u16 magic,
					 const struct walgen_block *block)
{
	return parse_blocks(rec, magic, block, 1);
}

static enum walpf_wal_status parse_raw(struct walpf_wal_record *rec, u16 magic,
				       const void *body, size_t len)
{
	u8 bytes[256] = { 0 };
	u32 tot_len = 24 + len;

	memcpy(bytes, &tot_len, sizeof(tot_len));
	memcpy(bytes + 24, body, len);
	rec->version = walpf_wal_version_find(magic);
	assert_status(walpf_record_header(rec, bytes), RECORD);
	return walpf_record_blocks(rec, bytes, tot_len);
}

static struct walgen_block plain(u8 id)
{
	return (struct walgen_block){
		.id = id,
		.fork_flags = MAIN | WALGEN_HAS_DATA,
		.data_len = 20,
		.spc = 1663,
		.db = 5,
		.rel = 16384 + id,
		.block = 100 + id,
	};
}

/* An image with a hole of 100 bytes that is not stored, and not compressed. */
static struct walgen_block holed(u16 magic)
{
	struct walgen_block block = plain(0);

	block.fork_flags |= WALGEN_HAS_IMAGE;
	block.image_bits = WALGEN_HOLE | walgen_apply_bit(magic);
	block.image_len = 8092;
	block.hole_offset = 40;
	return block;
}

static struct walgen_block whole(u16 magic)
{
	struct walgen_block block = holed(magic);

	block.image_bits = walgen_apply_bit(magic);
	block.image_len = 8192;
	block.hole_offset = 0;
	return block;
}

static struct walgen_block compressed(u16 magic, u8 bits)
{
	struct walgen_block block = holed(magic);

	block.image_bits |= bits;
	block.image_len = 900;
	block.hole_len = 100;
	return block;
}

static void test_header(void **state)
{
	struct walpf_wal_record rec = { .version = walpf_wal_version_find(0xd110) };
	u8 head[24];

	(void)state;
	for (unsigned int i = 0; i < sizeof(head); i++)
		head[i] = i + 1;
	head[3] = 0;
	assert_status(walpf_record_header(&rec, head), RECORD);
	assert_int_equal(rec.tot_len, 0x030201);
	assert_int_equal(rec.xid, 0x08070605);
	assert_true(rec.prev_lsn == 0x100f0e0d0c0b0a09ull);
	assert_int_equal(rec.info, 0x11);
	assert_int_equal(rec.rmid, 0x12);
}

static void test_length(void **state)
{
	static const struct {
		u32 tot_len;
		bool good;
	} rows[] = {
		{ 0, false }, { 1, false }, { 23, false }, { 24, true },
		{ 0x3fffffff, true }, { 0x40000000, false }, { 0xffffffff, false },
	};
	struct walpf_wal_record rec = { .version = walpf_wal_version_find(0xd110) };

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		u8 head[24] = { 0 };

		memcpy(head, &rows[i].tot_len, 4);
		assert_int_equal(walpf_record_header(&rec, head),
				 rows[i].good ? WALPF_WAL_RECORD : WALPF_WAL_RECORD_LENGTH);
	}
}

static void test_rmgr(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(all_magics); i++) {
		u16 magic = all_magics[i];
		struct walpf_wal_record rec = { .version = walpf_wal_version_find(magic) };
		unsigned int highest = magic >= 0xd120 ? 22 : 21;

		for (unsigned int rmid = 0; rmid < 256; rmid++) {
			bool known = rmid <= highest || (magic >= 0xd10e && rmid >= 128);
			u8 head[24] = { 24 };

			head[17] = rmid;
			assert_int_equal(walpf_record_header(&rec, head),
					 known ? WALPF_WAL_RECORD : WALPF_WAL_RECORD_RMGR);
		}
	}
}

static void test_plain(void **state)
{
	struct walgen_block block = plain(3);
	struct walpf_wal_record rec;

	(void)state;
	for (size_t i = 0; i < NR(all_magics); i++) {
		assert_status(parse_block(&rec, all_magics[i], &block), RECORD);
		assert_int_equal(rec.nr_refs, 1);
		assert_int_equal(rec.refs[0].rel.spc, 1663);
		assert_int_equal(rec.refs[0].rel.db, 5);
		assert_int_equal(rec.refs[0].rel.rel, 16387);
		assert_int_equal(rec.refs[0].block, 103);
		assert_int_equal(rec.refs[0].fork, WALPF_FORK_MAIN);
		assert_int_equal(rec.refs[0].id, 3);
		assert_int_equal(rec.refs[0].flags, 0);
		assert_int_equal(rec.main_len, 10);
	}
}

static void test_none(void **state)
{
	struct walgen_record from = { .rmid = 8 };
	struct walpf_wal_record rec;

	(void)state;
	assert_status(parse(&rec, 0xd110, &from), RECORD);
	assert_int_equal(rec.nr_refs, 0);
	assert_int_equal(rec.main_len, 0);
	from.origin = true;
	assert_status(parse(&rec, 0xd110, &from), RECORD);
	assert_int_equal(rec.nr_refs, 0);
}

static void test_main_lengths(void **state)
{
	static const size_t lens[] = { 0, 1, 255, 256, 900, 928, 5000 };
	struct walpf_wal_record rec;
	u8 *data = calloc(1, 5000);

	(void)state;
	for (size_t i = 0; i < NR(lens); i++) {
		struct walgen_record from = { .main = data, .main_len = lens[i] };

		assert_status(parse(&rec, 0xd110, &from), RECORD);
		assert_int_equal(rec.main_len, lens[i]);
		from.main_long = true;
		assert_status(parse(&rec, 0xd110, &from), RECORD);
		assert_int_equal(rec.main_len, lens[i]);
	}
	free(data);
}

static void test_forks(void **state)
{
	struct walpf_wal_record rec;

	(void)state;
	for (unsigned int fork = 0; fork < 16; fork++) {
		struct walgen_block block = plain(0);

		block.fork_flags |= fork;
		assert_int_equal(parse_block(&rec, 0xd110, &block),
				 fork <= 3 ? WALPF_WAL_RECORD : WALPF_WAL_RECORD_BLOCKS);
		if (fork <= 3)
			assert_int_equal(rec.refs[0].fork, fork);
	}
}

static void test_init(void **state)
{
	struct walgen_block block = plain(0);
	struct walpf_wal_record rec;

	(void)state;
	block.fork_flags |= WALGEN_INIT;
	assert_status(parse_block(&rec, 0xd110, &block), RECORD);
	assert_int_equal(rec.refs[0].flags, WALPF_REF_INIT);
}

/* Under wal_consistency_checking a page birth carries an image, not applied. */
static void test_init_with_image(void **state)
{
	struct walgen_block block = holed(0xd110);
	struct walpf_wal_record rec;

	(void)state;
	block.fork_flags |= WALGEN_INIT;
	block.image_bits = WALGEN_HOLE;
	assert_status(parse_block(&rec, 0xd110, &block), RECORD);
	assert_int_equal(rec.refs[0].flags, WALPF_REF_INIT | WALPF_REF_IMAGE);
}

static void test_boundary_ids(void **state)
{
	struct walgen_block block;
	struct walpf_wal_record rec;

	(void)state;
	block = plain(32);
	assert_status(parse_block(&rec, 0xd110, &block), RECORD);
	assert_int_equal(rec.refs[0].id, 32);
	for (unsigned int id = 33; id < 252; id++) {
		block = plain(id);
		assert_status(parse_block(&rec, 0xd110, &block), RECORD_BLOCKS);
	}
}

static void test_all_ids(void **state)
{
	struct walgen_block blocks[34];
	struct walpf_wal_record rec;

	(void)state;
	for (unsigned int i = 0; i < NR(blocks); i++)
		blocks[i] = plain(i);
	assert_status(parse_blocks(&rec, 0xd110, blocks, 33), RECORD);
	assert_int_equal(rec.nr_refs, 33);
	for (unsigned int i = 0; i < 33; i++) {
		assert_int_equal(rec.refs[i].id, i);
		assert_int_equal(rec.refs[i].block, 100 + i);
		assert_int_equal(rec.refs[i].rel.rel, 16384 + i);
	}
	assert_status(parse_blocks(&rec, 0xd110, blocks, 34), RECORD_BLOCKS);
}

/* All fragments at once: the longest list of headers, 928 bytes with image
 * headers, which is as much as a decoder ever gathers.
 */
static void test_longest_headers(void **state)
{
	struct walgen_block blocks[33];
	struct walgen_record from = {
		.blocks = blocks,
		.nr_blocks = 33,
		.main = "x",
		.main_len = 1,
		.main_long = true,
		.origin = true,
		.top_xid = true,
	};
	struct walpf_wal_record rec;

	(void)state;
	for (unsigned int i = 0; i < 33; i++) {
		blocks[i] = compressed(0xd110, 4);
		blocks[i].id = i;
		blocks[i].block = i;
	}
	assert_status(parse(&rec, 0xd110, &from), RECORD);
	assert_int_equal(rec.nr_refs, 33);
	assert_int_equal(rec.refs[32].block, 32);
	assert_int_equal(rec.main_len, 1);
}

static void test_gap_in_ids(void **state)
{
	struct walgen_block blocks[] = { plain(0), plain(3), plain(31) };
	struct walpf_wal_record rec;

	(void)state;
	assert_status(parse_blocks(&rec, 0xd118, blocks, 3), RECORD);
	assert_int_equal(rec.nr_refs, 3);
	assert_ptr_equal(walpf_record_ref(&rec, 3), &rec.refs[1]);
	assert_ptr_equal(walpf_record_ref(&rec, 31), &rec.refs[2]);
	assert_null(walpf_record_ref(&rec, 1));
}

static void test_ids_not_rising(void **state)
{
	struct walgen_block same[] = { plain(1), plain(1) };
	struct walgen_block falling[] = { plain(0), plain(2), plain(1) };
	struct walpf_wal_record rec;

	(void)state;
	assert_status(parse_blocks(&rec, 0xd110, same, 2), RECORD_BLOCKS);
	assert_status(parse_blocks(&rec, 0xd110, falling, 3), RECORD_BLOCKS);
}

static void test_same_relation(void **state)
{
	struct walgen_block blocks[] = { plain(0), plain(1), plain(2), plain(3) };
	struct walpf_wal_record rec;

	(void)state;
	blocks[1].fork_flags |= WALGEN_SAME | VM;
	blocks[3].fork_flags |= WALGEN_SAME;
	assert_status(parse_blocks(&rec, 0xd118, blocks, 4), RECORD);
	assert_int_equal(rec.refs[1].rel.rel, 16384);
	assert_int_equal(rec.refs[1].rel.spc, 1663);
	assert_int_equal(rec.refs[1].fork, WALPF_FORK_VM);
	assert_int_equal(rec.refs[2].rel.rel, 16386);
	assert_int_equal(rec.refs[3].rel.rel, 16386);
	assert_int_equal(rec.refs[3].block, 103);
}

static void test_same_without_predecessor(void **state)
{
	struct walgen_block block = plain(0);
	struct walpf_wal_record rec;

	(void)state;
	block.fork_flags |= WALGEN_SAME;
	assert_status(parse_block(&rec, 0xd110, &block), RECORD_BLOCKS);
}

static void test_data_flag(void **state)
{
	struct walgen_block block = plain(0);
	struct walpf_wal_record rec;

	(void)state;
	block.data_len = 0;
	assert_status(parse_block(&rec, 0xd110, &block), RECORD_BLOCKS);
	block.fork_flags = MAIN;
	assert_status(parse_block(&rec, 0xd110, &block), RECORD);
	block.data_len = 1;
	assert_status(parse_block(&rec, 0xd110, &block), RECORD_BLOCKS);
}

static void expect_image(u16 magic, struct walgen_block block, u8 flags)
{
	struct walpf_wal_record rec;

	assert_status(parse_block(&rec, magic, &block), RECORD);
	assert_int_equal(rec.refs[0].flags, flags);
	assert_int_equal(rec.refs[0].block, 100);
	assert_int_equal(rec.main_len, 10);
}

static void test_images(void **state)
{
	const u8 restored = WALPF_REF_IMAGE | WALPF_REF_APPLY;

	(void)state;
	for (size_t i = 0; i < NR(all_magics); i++) {
		u16 magic = all_magics[i];

		expect_image(magic, holed(magic), restored);
		expect_image(magic, whole(magic), restored);
		expect_image(magic, compressed(magic, walgen_compressed_bit(magic)), restored);
	}
}

/* An image only for comparison; 9.6 knows none. */
static void test_images_not_applied(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(all_magics); i++) {
		struct walgen_block block = holed(all_magics[i]);

		block.image_bits = WALGEN_HOLE;
		expect_image(all_magics[i], block, all_magics[i] < 0xd095 ?
			     WALPF_REF_IMAGE | WALPF_REF_APPLY : WALPF_REF_IMAGE);
	}
}

static void test_compression_methods(void **state)
{
	const u8 restored = WALPF_REF_IMAGE | WALPF_REF_APPLY;

	(void)state;
	expect_image(0xd110, compressed(0xd110, 0x04), restored);
	expect_image(0xd110, compressed(0xd110, 0x08), restored);
	expect_image(0xd110, compressed(0xd110, 0x10), restored);
	expect_image(0xd122, compressed(0xd122, 0x10), restored);
	expect_image(0xd10d, compressed(0xd10d, 0x02), restored);
}

/* Compressed pages without a hole have no hole length in their header. */
static void test_compressed_without_hole(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(all_magics); i++) {
		u16 magic = all_magics[i];
		struct walgen_block block = compressed(magic, walgen_compressed_bit(magic));

		block.image_bits &= ~WALGEN_HOLE;
		block.hole_offset = 0;
		expect_image(magic, block, WALPF_REF_IMAGE | WALPF_REF_APPLY);
	}
}

/* One bit, two meanings: 02 is "compressed" to 14 and "applied" from 15 on. */
static void test_bits_of_another_era(void **state)
{
	struct walgen_block block = whole(0xd110);
	struct walpf_wal_record rec;

	(void)state;
	assert_status(parse_block(&rec, 0xd10d, &block), RECORD_BLOCKS);
	block = whole(0xd10d);
	assert_status(parse_block(&rec, 0xd110, &block), RECORD_BLOCKS);
}

static void refuse_image(u16 magic, struct walgen_block block)
{
	struct walpf_wal_record rec;

	assert_status(parse_block(&rec, magic, &block), RECORD_BLOCKS);
}

static void test_bad_holes(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(all_magics); i++) {
		u16 magic = all_magics[i];
		struct walgen_block block = holed(magic);

		block.hole_offset = 0;
		refuse_image(magic, block);
		block = holed(magic);
		block.image_len = 8192;
		refuse_image(magic, block);
		block.image_len = 8193;
		refuse_image(magic, block);
		block.image_len = 65535;
		refuse_image(magic, block);
		block = whole(magic);
		block.hole_offset = 1;
		refuse_image(magic, block);
		block = whole(magic);
		block.image_len = 8191;
		refuse_image(magic, block);
		block.image_len = 8193;
		refuse_image(magic, block);
		block.image_len = 0;
		refuse_image(magic, block);
	}
}

static void test_bad_compressed(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(all_magics); i++) {
		u16 magic = all_magics[i];
		u8 bit = walgen_compressed_bit(magic);
		struct walgen_block block = compressed(magic, bit);

		block.hole_len = 0;
		refuse_image(magic, block);
		block = compressed(magic, bit);
		block.hole_offset = 0;
		refuse_image(magic, block);
		block = compressed(magic, bit);
		block.image_len = 8192;
		refuse_image(magic, block);
		block.image_bits &= ~WALGEN_HOLE;
		block.hole_offset = 0;
		refuse_image(magic, block);
		block.image_len = 900;
		block.hole_offset = 7;
		refuse_image(magic, block);
	}
}

static void test_surplus(void **state)
{
	struct walgen_block block = plain(0);
	struct walgen_record from = {
		.blocks = &block,
		.nr_blocks = 1,
		.main = "x",
		.main_len = 1,
		.surplus = 1,
	};
	struct walpf_wal_record rec;

	(void)state;
	assert_status(parse(&rec, 0xd110, &from), RECORD_BLOCKS);
	from.surplus = 0;
	assert_status(parse(&rec, 0xd110, &from), RECORD);
}

/*
 * A record cut short is refused, unless what is left of it happens to be what
 * its first headers announce: here 40, 60, 60 and 60 bytes.
 */
static bool whole_when_cut(size_t len)
{
	static const size_t whole_lens[] = {
		0, 27 + 40, 47 + 60, 50 + 60, 55 + 60, 57 + 60 + 3,
	};

	for (size_t i = 0; i < NR(whole_lens); i++)
		if (len == whole_lens[i])
			return true;
	return false;
}

static void test_truncated(void **state)
{
	struct walgen_block blocks[] = { compressed(0xd118, 8), plain(1) };
	struct walgen_record from = {
		.blocks = blocks,
		.nr_blocks = 2,
		.main = "abc",
		.main_len = 3,
		.top_xid = true,
		.origin = true,
	};
	size_t len;
	u8 *body;

	(void)state;
	blocks[0].image_len = 20;
	body = walgen_body(&from, 0xd118, &len);
	for (size_t cut = 0; cut <= len; cut++) {
		struct walpf_wal_record rec;
		u8 *exact = malloc(24 + cut);

		assert_non_null(exact);
		memset(exact, 0, 24);
		memcpy(exact + 24, body, cut);
		rec.version = walpf_wal_version_find(0xd118);
		rec.tot_len = 24 + cut;
		assert_int_equal(walpf_record_blocks(&rec, exact, 24 + cut),
				 whole_when_cut(cut) ? WALPF_WAL_RECORD :
				 WALPF_WAL_RECORD_BLOCKS);
		free(exact);
	}
	free(body);
}

static void test_xid_fragment(void **state)
{
	static const u8 body[] = { 252, 1, 2, 3, 4, 255, 1, 'x' };
	struct walpf_wal_record rec;

	(void)state;
	for (size_t i = 0; i < NR(all_magics); i++)
		assert_int_equal(parse_raw(&rec, all_magics[i], body, sizeof(body)),
				 all_magics[i] >= 0xd107 ? WALPF_WAL_RECORD :
				 WALPF_WAL_RECORD_BLOCKS);
}

static void test_overrunning_fragments(void **state)
{
	static const struct {
		u8 len;
		u8 body[16];
	} rows[] = {
		{ 1, { 255 } },			/* no length */
		{ 2, { 255, 1 } },		/* no data */
		{ 2, { 255, 255 } },
		{ 3, { 255, 2, 0 } },
		{ 4, { 254, 1, 0, 0 } },	/* half a length */
		{ 5, { 254, 1, 0, 0, 0 } },
		{ 5, { 254, 0xff, 0xff, 0xff, 0xff } },
		{ 6, { 254, 0xff, 0xff, 0xff, 0xff, 0 } },
		{ 1, { 253 } },
		{ 2, { 253, 0 } },
		{ 4, { 252, 0, 0, 0 } },
		{ 1, { 0 } },
		{ 2, { 0, 0 } },
		{ 4, { 0, 0, 0, 0 } },
		{ 6, { 0, 0x10, 0, 0, 0, 0x20 } },
		{ 1, { 33 } },
		{ 1, { 251 } },
	};
	struct walpf_wal_record rec;

	(void)state;
	for (size_t i = 0; i < NR(rows); i++)
		assert_status(parse_raw(&rec, 0xd110, rows[i].body, rows[i].len), RECORD_BLOCKS);
}

/* The announced main data ends the list, even if it is empty. */
static void test_main_ends_list(void **state)
{
	static const u8 second[] = { 255, 0, 255, 1, 'x' };
	static const u8 empty[] = { 255, 0 };
	static const u8 empty_long[] = { 254, 0, 0, 0, 0 };
	struct walpf_wal_record rec;

	(void)state;
	assert_status(parse_raw(&rec, 0xd110, second, sizeof(second)), RECORD_BLOCKS);
	assert_status(parse_raw(&rec, 0xd110, empty, sizeof(empty)), RECORD);
	assert_status(parse_raw(&rec, 0xd110, empty_long, sizeof(empty_long)), RECORD);
}

/*
 * A hint that was logged without an image is nothing to redo; other records
 * and images stay what they are.
 */
static void test_ignored_hint(void **state)
{
	struct walgen_block bare = plain(0), image = holed(0xd110);
	struct walgen_record from = { .rmid = 0, .info = 0xa0, .nr_blocks = 1 };
	struct walpf_wal_record rec;

	(void)state;
	from.blocks = &bare;
	assert_status(parse(&rec, 0xd110, &from), RECORD);
	assert_int_equal(rec.refs[0].flags, WALPF_REF_IGNORED);
	from.info = 0xa1;
	assert_status(parse(&rec, 0xd110, &from), RECORD);
	assert_int_equal(rec.refs[0].flags, WALPF_REF_IGNORED);
	from.info = 0xb0;
	assert_status(parse(&rec, 0xd110, &from), RECORD);
	assert_int_equal(rec.refs[0].flags, 0);
	from.info = 0xa0;
	from.rmid = 10;
	assert_status(parse(&rec, 0xd110, &from), RECORD);
	assert_int_equal(rec.refs[0].flags, 0);
	from.rmid = 0;
	from.blocks = &image;
	assert_status(parse(&rec, 0xd110, &from), RECORD);
	assert_int_equal(rec.refs[0].flags, WALPF_REF_IMAGE | WALPF_REF_APPLY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_rmgr),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_main_lengths),
		cmocka_unit_test(test_forks),
		cmocka_unit_test(test_init),
		cmocka_unit_test(test_init_with_image),
		cmocka_unit_test(test_boundary_ids),
		cmocka_unit_test(test_all_ids),
		cmocka_unit_test(test_longest_headers),
		cmocka_unit_test(test_gap_in_ids),
		cmocka_unit_test(test_ids_not_rising),
		cmocka_unit_test(test_same_relation),
		cmocka_unit_test(test_same_without_predecessor),
		cmocka_unit_test(test_data_flag),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_images_not_applied),
		cmocka_unit_test(test_compression_methods),
		cmocka_unit_test(test_compressed_without_hole),
		cmocka_unit_test(test_bits_of_another_era),
		cmocka_unit_test(test_bad_holes),
		cmocka_unit_test(test_bad_compressed),
		cmocka_unit_test(test_surplus),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_xid_fragment),
		cmocka_unit_test(test_overrunning_fragments),
		cmocka_unit_test(test_main_ends_list),
		cmocka_unit_test(test_ignored_hint),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

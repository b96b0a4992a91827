// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: the input is a program for the WAL writer, so that what it
 * makes has right page headers, links and CRCs, and the decoder's innermost
 * parts are reached. As long as only legal records were written, each of them
 * must be given out.
 */
#include "judge.h"
#include "walgen.h"

#define MAX_BYTES	(64u * 1024)
#define MAX_MAIN	1024

int LLVMFuzzerTestOneInput(const u8 *data, size_t len);

struct reader {
	const u8 *at, *end;
};

struct writer {
	struct reader in;
	struct walgen gen;
	bool legal;		/* so far */
	size_t legal_records;
};

static u8 byte(struct reader *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

static u16 word(struct reader *in)
{
	u16 low = byte(in);

	return low | byte(in) << 8;
}

static const u8 *bytes_of(struct reader *in, size_t len)
{
	static const u8 zero[MAX_MAIN];
	const u8 *at = in->at;

	if ((size_t)(in->end - at) < len)
		return zero;
	in->at += len;
	return at;
}

static void read_image(struct reader *in, struct walgen_block *block, u16 magic)
{
	u8 shape = byte(in);

	block->image_bits = shape & 1;
	if (shape & 2)
		block->image_bits |= walgen_apply_bit(magic);
	block->image_len = 8192;
	if (shape & 4) {
		block->image_bits |= walgen_compressed_bit(magic);
		block->image_len = word(in) % 8192;
	}
	if (shape & 1) {
		block->image_len = word(in) % 8192;
		block->hole_offset = 1 + byte(in);
		block->hole_len = shape & 4 ? 1 + byte(in) : 0;
	}
}

/* A legal block reference. */
static void read_block(struct reader *in, struct walgen_block *block, bool first, u16 magic)
{
	u8 flags = byte(in);

	block->fork_flags = flags & (3 | WALGEN_INIT | WALGEN_HAS_IMAGE | WALGEN_HAS_DATA);
	if (!first)
		block->fork_flags |= flags & WALGEN_SAME;
	block->spc = 1663;
	block->db = byte(in);
	block->rel = byte(in);
	block->block = (u32)word(in) << 16 | word(in);
	if (flags & WALGEN_HAS_DATA)
		block->data_len = 1 + (flags & 4 ? word(in) % 20000 : byte(in));
	if (flags & WALGEN_HAS_IMAGE)
		read_image(in, block, magic);
}

static void read_record(struct reader *in, struct walgen_record *rec, struct walgen_block *blocks,
			u16 magic)
{
	static const u8 rmids[] = { 0, 1, 2, 4, 5, 9, 10, 21 };
	u8 shape = byte(in);
	u8 id = 0;

	rec->rmid = rmids[shape & 7];
	rec->info = byte(in);
	rec->nr_blocks = shape >> 3 == 31 ? 33 : shape >> 3 & 3;
	for (unsigned int i = 0; i < rec->nr_blocks; i++) {
		blocks[i] = (struct walgen_block){ .id = id };
		read_block(in, &blocks[i], i == 0, magic);
		id += rec->nr_blocks < 33 ? 1 + byte(in) % 10 : 1;
	}
	shape = byte(in);
	rec->main_len = shape & 1 ? word(in) % MAX_MAIN : byte(in) % 32;
	rec->main = bytes_of(in, rec->main_len);
	rec->main_long = shape & 2;
	rec->origin = shape & 4;
	rec->top_xid = shape & 8 && magic >= 0xd107;
	/* A switch is written by walgen_switch() only. */
	if (rec->rmid == 0 && (rec->info & 0xf0) == 0x40)
		rec->info = 0;
}

static void put_legal(struct writer *w)
{
	struct walgen_block blocks[WALGEN_MAX_BLOCKS];
	struct walgen_record rec = { .blocks = blocks };

	read_record(&w->in, &rec, blocks, w->gen.magic);
	walgen_put(&w->gen, &rec);
}

/* Any bytes behind a right fixed header, and more behind them. */
static void put_raw_body(struct writer *w)
{
	struct walgen_record rec = { .info = byte(&w->in), .rmid = byte(&w->in) };
	size_t len = byte(&w->in), more = word(&w->in) % 30000;
	u8 *body = calloc(1, len + more + 1);

	must(body);
	memcpy(body, bytes_of(&w->in, len), len);
	walgen_put_body(&w->gen, &rec, body, len + more);
	free(body);
	w->legal = false;
}

/* A legal record with some of its header bytes replaced, then sealed again. */
static void put_mended(struct writer *w)
{
	struct walgen_block blocks[WALGEN_MAX_BLOCKS];
	struct walgen_record rec = { .blocks = blocks };
	size_t len, at;
	u8 *body, changes = byte(&w->in) % 4;

	read_record(&w->in, &rec, blocks, w->gen.magic);
	body = walgen_body(&rec, w->gen.magic, &len);
	while (changes-- && len) {
		at = word(&w->in) % len;
		body[at] = byte(&w->in);
	}
	walgen_put_body(&w->gen, &rec, body, len);
	free(body);
	w->legal = false;
}

static void put_given_up(struct writer *w)
{
	static const u8 zero[4 * WALGEN_PAGE];
	unsigned int pages = byte(&w->in) % 3;
	struct walgen_record rec = { .rmid = 10, .main = zero };

	rec.main_len = (pages + 1) * WALGEN_PAGE + byte(&w->in);
	walgen_abort(&w->gen, &rec, pages);
}

static void put_switch(struct writer *w)
{
	u64 end = w->gen.lsn + 24, rest = w->gen.seg_size - end % w->gen.seg_size;

	if (rest + walgen_len(&w->gen) < MAX_BYTES)
		walgen_switch(&w->gen);
}

/* Leaves so few bytes on the page that the next record's header is split. */
static void fill_page(struct writer *w)
{
	if (w->gen.lsn % WALGEN_PAGE < 8000)
		walgen_fill_page(&w->gen, 8 * (byte(&w->in) % 16));
}

static void spoil(struct writer *w)
{
	u64 back = word(&w->in) % (walgen_len(&w->gen) + 1);

	if (back)
		*walgen_at(&w->gen, w->gen.lsn - back, 1) = byte(&w->in);
	w->legal = false;
	w->legal_records = 0;
}

static void spoil_page_header(struct writer *w)
{
	u64 page = w->gen.lsn / WALGEN_PAGE * WALGEN_PAGE;

	if (w->gen.lsn % WALGEN_PAGE)
		*walgen_at(&w->gen, page + byte(&w->in) % 40, 1) = byte(&w->in);
	w->legal = false;
	w->legal_records = 0;
}

static void step(struct writer *w)
{
	switch (byte(&w->in) % 16) {
	case 0 ... 4:
		put_legal(w);
		break;
	case 5 ... 6:
		put_raw_body(w);
		break;
	case 7 ... 9:
		put_mended(w);
		break;
	case 10:
		put_given_up(w);
		break;
	case 11:
		put_switch(w);
		break;
	case 12:
		fill_page(w);
		break;
	case 13:
		w->gen.tli++;
		break;
	case 14:
		spoil(w);
		break;
	default:
		spoil_page_header(w);
	}
	if (w->legal)
		w->legal_records = w->gen.records;
}

/* Version, segment size, and how far before a segment's end WAL begins. */
static void begin(struct writer *w)
{
	unsigned int version = byte(&w->in) % 14;
	u8 place = byte(&w->in);
	u64 lsn = 0x40000000ull * (1 + place % 4);

	walgen_init(&w->gen, walpf_wal_version_at(version)->magic, 1u << (20 + place / 4 % 11),
		    lsn - WALGEN_PAGE * (place / 44));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	struct writer w = {
		.in = { .at = data, .end = data + len },
		.legal = true,
	};
	struct wal_bytes bytes;
	size_t piece, records;
	u64 start;

	begin(&w);
	piece = 1 + 13 * (size_t)byte(&w.in);
	start = 1 + byte(&w.in) % 8;
	while (w.in.at < w.in.end && walgen_len(&w.gen) < MAX_BYTES)
		step(&w);
	bytes = (struct wal_bytes){
		.at = walgen_at(&w.gen, w.gen.start_lsn, WALGEN_PAGE),
		.lsn = w.gen.start_lsn,
		.len = walgen_len(&w.gen),
		.seg_size = w.gen.seg_size,
	};
	records = judge(&bytes, bytes.lsn, piece);
	must(records >= w.legal_records);
	judge(&bytes, bytes.lsn + start * WALGEN_PAGE, 0);
	walgen_free(&w.gen);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A random mix of records. What is written is legal in the version, and only
 * that: the decoder must give out all of it.
 */
#include "walmix.h"

enum { MAX_MAIN = 30000 };

static void choose_image(struct walgen_block *block, struct rng *rng, uint16_t magic)
{
	block->fork_flags |= WALGEN_HAS_IMAGE;
	if (rng_below(rng, 4))
		block->image_bits |= walgen_apply_bit(magic);
	switch (rng_below(rng, 4)) {
	case 0:
		block->image_len = 8192;
		break;
	case 1:
		block->image_bits |= WALGEN_HOLE;
		block->image_len = 1 + rng_below(rng, 8191);
		block->hole_offset = 1 + rng_below(rng, 200);
		break;
	case 2:
		block->image_bits |= walgen_compressed_bit(magic);
		block->image_len = 1 + rng_below(rng, 3000);
		break;
	default:
		block->image_bits |= WALGEN_HOLE | walgen_compressed_bit(magic);
		block->image_len = 1 + rng_below(rng, 3000);
		block->hole_offset = 1 + rng_below(rng, 200);
		block->hole_len = 1 + rng_below(rng, 5000);
	}
}

static void choose_block(struct walgen_block *block, struct rng *rng, uint16_t magic)
{
	block->fork_flags = rng_below(rng, 8) ? 0 : rng_below(rng, 4);
	block->spc = 1663;
	block->db = 5;
	block->rel = 16384 + rng_below(rng, 20);
	block->block = rng_below(rng, 100000);
	if (rng_below(rng, 2)) {
		block->fork_flags |= WALGEN_HAS_DATA;
		block->data_len = 1 + rng_below(rng, 300);
	}
	if (!rng_below(rng, 6))
		block->fork_flags |= WALGEN_INIT;
	if (!rng_below(rng, 6))
		choose_image(block, rng, magic);
}

static unsigned int choose_blocks(struct walgen_block *blocks, struct rng *rng, uint16_t magic)
{
	unsigned int nr = rng_below(rng, 10) ? rng_below(rng, 4) : rng_below(rng, 34);
	unsigned int id = nr < 30 ? rng_below(rng, 3) : 0;

	for (unsigned int i = 0; i < nr; i++) {
		blocks[i] = (struct walgen_block){ .id = id };
		choose_block(&blocks[i], rng, magic);
		if (i > 0 && rng_below(rng, 2))
			blocks[i].fork_flags |= WALGEN_SAME;
		id += 33 - id > nr - i ? 1 + rng_below(rng, 2) : 1;
	}
	return nr;
}

static size_t choose_main_len(struct rng *rng)
{
	switch (rng_below(rng, 20)) {
	case 0:
		return rng_below(rng, MAX_MAIN);
	case 1:
		return 0;
	case 2:
		return 256 + rng_below(rng, 1000);
	default:
		return rng_below(rng, 60);
	}
}

static void write_record(struct walgen *gen, struct rng *rng, bool abandon)
{
	static const uint8_t rmids[] = { 0, 1, 2, 4, 9, 9, 10, 10, 10, 11, 13, 20 };
	struct walgen_block blocks[33];
	uint8_t main[MAX_MAIN + 20000];
	struct walgen_record rec = {
		.xid = rng_next(rng),
		.info = rng_below(rng, 16) << 4,
		.rmid = rmids[rng_below(rng, sizeof(rmids))],
		.blocks = blocks,
		.nr_blocks = choose_blocks(blocks, rng, gen->magic),
		.main = main,
		.main_len = choose_main_len(rng),
		.main_long = !rng_below(rng, 5),
		.origin = !rng_below(rng, 10),
		.top_xid = gen->magic >= 0xd10d && !rng_below(rng, 10),
	};

	/* A switch is written by walgen_switch() only. */
	if (rec.rmid == 0 && rec.info == 0x40)
		rec.info = 0x50;
	for (size_t i = 0; i < sizeof(main); i++)
		main[i] = rng_next(rng);
	if (!abandon) {
		walgen_put(gen, &rec);
		return;
	}
	rec.main_len += 20000;
	walgen_abort(gen, &rec, rng_below(rng, 2));
}

void walmix(struct walgen *gen, struct rng *rng, size_t bytes)
{
	size_t end = walgen_len(gen) + bytes;
	bool switched = false;

	while (walgen_len(gen) < end) {
		uint64_t dice = rng_below(rng, 100);

		if (dice == 0 && gen->lsn % WALGEN_PAGE < 8000) {
			walgen_fill_page(gen, 8 * rng_below(rng, 8));
		} else if (dice == 1) {
			write_record(gen, rng, true);
		} else if (dice == 2) {
			gen->tli++;
		} else if (dice == 3 && !switched && gen->lsn % gen->seg_size > gen->seg_size / 2) {
			walgen_switch(gen);
			end += gen->lsn - gen->start_lsn < end ? 0 : bytes / 2;
			switched = true;
		} else {
			write_record(gen, rng, false);
		}
	}
}

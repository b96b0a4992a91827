// SPDX-License-Identifier: GPL-2.0-only
/*
 * WAL written for the simulation: what different uses of a database come to.
 * It is made byte by byte, so that the decoder reads it as any other.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "made.h"
#include "walgen.h"

#define MAGIC		0xd110		/* PostgreSQL 15 */
#define SEGMENT		(16u << 20)
#define RM_GENERIC	20
#define HEAP		16385
#define INDEX		16386
#define HOT		16387
#define IMAGE_BYTES	4000

struct maker {
	struct walgen gen;
	u64 random;
	u32 blocks;
	u32 step;
	u32 appended;
	u8 *imaged;
	u8 data[1024];
};

static u32 below(struct maker *mk, u32 bound)
{
	mk->random ^= mk->random << 13;
	mk->random ^= mk->random >> 7;
	mk->random ^= mk->random << 17;
	return (mk->random >> 32) * bound >> 32;
}

static struct walgen_block plain(u8 id, u32 rel, u32 block)
{
	return (struct walgen_block){
		.id = id, .spc = 1663, .db = 16384, .rel = rel, .block = block,
	};
}

static struct walgen_block with_image(struct walgen_block block)
{
	block.fork_flags |= WALGEN_HAS_IMAGE;
	block.image_len = IMAGE_BYTES;
	block.hole_offset = IMAGE_BYTES / 2;
	block.image_bits = WALGEN_HOLE | walgen_apply_bit(MAGIC);
	return block;
}

static void put(struct maker *mk, const struct walgen_block *blocks, u32 nr, u32 main_len)
{
	const struct walgen_record rec = {
		.rmid = RM_GENERIC,
		.blocks = blocks,
		.nr_blocks = nr,
		.main = mk->data,
		.main_len = main_len,
	};

	walgen_put(&mk->gen, &rec);
}

/* A row somewhere, its index leaf one time in two, a hot block one in four. */
static void put_update(struct maker *mk, bool images)
{
	struct walgen_block blocks[] = {
		plain(0, HEAP, below(mk, mk->blocks)),
		plain(0, INDEX, below(mk, mk->blocks / 4 + 1)),
		plain(0, HOT, below(mk, 8)),
	};

	for (u32 i = 0; i < 3; i++)
		if (images)
			blocks[i] = with_image(blocks[i]);
	put(mk, &blocks[0], 1, 200 + below(mk, 600));
	if (mk->step % 2)
		put(mk, &blocks[1], 1, 60);
	if (mk->step % 4 == 0)
		put(mk, &blocks[2], 1, 100);
}

static void make_update(struct maker *mk)
{
	put_update(mk, false);
}

/* pgbench's simple update: a row leaves its block for a hot one, an index leaf, the history. */
static void make_simple(struct maker *mk)
{
	struct walgen_block update[] = {
		plain(0, HOT, mk->step / 60 % 8), plain(1, HEAP, below(mk, mk->blocks)),
	};
	struct walgen_block leaf = plain(0, INDEX, below(mk, mk->blocks / 6 + 1));
	struct walgen_block history = plain(0, HOT, 8 + mk->step / 120 % 8);

	put(mk, update, 2, 140);
	put(mk, &leaf, 1, 20);
	put(mk, &history, 1, 60);
}

static void make_images(struct maker *mk)
{
	put_update(mk, true);
}

/* Sixty rows fill a page, then comes a new one. */
static void make_insert(struct maker *mk)
{
	struct walgen_block block = plain(0, HEAP, mk->appended);

	if (mk->step % 60 == 0) {
		block.block = ++mk->appended % mk->blocks;
		block.fork_flags |= WALGEN_INIT;
	}
	put(mk, &block, 1, 120);
}

/* Updates with an image of each block that is named first after a checkpoint. */
static void make_waves(struct maker *mk)
{
	struct walgen_block block = plain(0, HEAP, below(mk, mk->blocks));

	if (mk->step % (mk->blocks * 4) == 0)
		memset(mk->imaged, 0, mk->blocks);
	if (!mk->imaged[block.block])
		put(mk, (struct walgen_block[]){ with_image(block) }, 1, 200);
	else
		put(mk, &block, 1, 200 + below(mk, 600));
	mk->imaged[block.block] = 1;
}

/* Long stretches of inserts and of updates in turn. */
static void make_phases(struct maker *mk)
{
	if (mk->step / 50000 % 2)
		make_insert(mk);
	else
		make_update(mk);
}

/* A table from its beginning to its end, every row: neighbours follow each other. */
static void make_scan(struct maker *mk)
{
	struct walgen_block block = plain(0, HEAP, mk->step / 20 % mk->blocks);

	put(mk, &block, 1, 150);
}

const struct made_kind made_kinds[] = {
	{ "simple", "pgbench's simple updates, without images", make_simple },
	{ "update", "rows anywhere in a table, with an index", make_update },
	{ "images", "the same, all as full-page images", make_images },
	{ "waves", "rows anywhere, images after checkpoints", make_waves },
	{ "insert", "rows into new pages", make_insert },
	{ "phases", "inserts and updates in turn", make_phases },
	{ "scan", "every row of a table in its order", make_scan },
	{ NULL, NULL, NULL },
};

static const struct made_kind *find(const char *name)
{
	for (u32 i = 0; made_kinds[i].name; i++)
		if (!strcmp(made_kinds[i].name, name))
			return &made_kinds[i];
	errx(2, "no such kind of WAL: %s", name);
}

u8 *made_wal(const char *name, u32 blocks, u32 mb, struct made *made)
{
	struct maker mk = { .random = 88172645463325252ull, .blocks = blocks };
	const struct made_kind *kind = find(name);

	mk.imaged = calloc(blocks, 1);
	if (!mk.imaged)
		err(2, "memory");
	walgen_init(&mk.gen, MAGIC, SEGMENT, SEGMENT);
	while (walgen_len(&mk.gen) < (size_t)mb << 20) {
		kind->next(&mk);
		mk.step++;
	}
	free(mk.imaged);
	*made = (struct made){ mk.gen.start_lsn, walgen_len(&mk.gen), SEGMENT };
	return mk.gen.bytes;
}

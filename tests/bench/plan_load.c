// SPDX-License-Identifier: GPL-2.0-only
/*
 * The loads. A database is eight times shared_buffers where nothing else is
 * said; behind it lie the index, the history and a few blocks that every
 * transaction uses.
 */
#include <math.h>
#include <stdlib.h>

#include "plan_load.h"
#include "wal/record.h"

/* Layout of block numbers, in multiples of shared_buffers. */
#define HEAP		0
#define INDEX		8
#define HISTORY		10
#define HOT		11

/* References between two checkpoints, in multiples of shared_buffers. */
#define CHECKPOINT	4

void load_init(struct load *load, u32 buffers)
{
	*load = (struct load){
		.buffers = buffers,
		.random = 88172645463325252ull,
		.checkpoint = 1,
		.imaged = calloc(LOAD_BLOCKS(buffers), sizeof(u32)),
	};
	if (!load->imaged)
		abort();
}

void load_exit(struct load *load)
{
	free(load->imaged);
}

static u64 next_random(struct load *load)
{
	load->random ^= load->random << 13;
	load->random ^= load->random >> 7;
	load->random ^= load->random << 17;
	return load->random;
}

u32 load_random(struct load *load, u32 below)
{
	return (next_random(load) >> 32) * below >> 32;
}

static u32 part(const struct load *load, u32 multiple)
{
	return multiple * load->buffers;
}

/* One history block takes about 100 rows, then a new one begins empty. */
static void history(struct load *load, struct load_ref *ref)
{
	u32 row = load->step / 8;

	ref->block = part(load, HISTORY) + row / 100 % load->buffers;
	ref->flags = row % 100 ? 0 : WALPF_REF_INIT;
}

/*
 * Two transactions of pgbench's default script in eight steps: accounts, a
 * teller, the branch and the history; one update in two is not HOT and adds
 * an index leaf.
 */
static void next_pgbench(struct load *load, struct load_ref *ref)
{
	ref->flags = 0;
	switch (load->step++ % 8) {
	case 0:
	case 4:
		ref->block = load_random(load, part(load, 8));
		return;
	case 1:
		ref->block = part(load, INDEX) + load_random(load, part(load, 2));
		return;
	case 2:
	case 5:
		ref->block = part(load, HOT) + load_random(load, 64);
		return;
	case 3:
	case 6:
		ref->block = part(load, HOT) + 64 + load_random(load, 8);
		return;
	default:
		history(load, ref);
	}
}

static void next_images(struct load *load, struct load_ref *ref)
{
	next_pgbench(load, ref);
	if (++load->since == part(load, CHECKPOINT)) {
		load->since = 0;
		load->checkpoint++;
	}
	if (load->imaged[ref->block] == load->checkpoint)
		return;
	load->imaged[ref->block] = load->checkpoint;
	if (!ref->flags)
		ref->flags = WALPF_REF_IMAGE | WALPF_REF_APPLY;
}

/* Popularity falls as 1/rank; neighbours in rank are far apart on disk. */
static void next_zipf(struct load *load, struct load_ref *ref)
{
	u32 blocks = part(load, 8);
	double u = (double)load_random(load, 1u << 31) / (1u << 31);
	u64 rank = pow(blocks, u) - 1;

	ref->block = rank * 2654435761u % blocks;
	ref->flags = 0;
}

static void next_fits(struct load *load, struct load_ref *ref)
{
	ref->block = load_random(load, part(load, 8) / 10);
	ref->flags = 0;
}

static void next_tight(struct load *load, struct load_ref *ref)
{
	ref->block = load_random(load, part(load, 12) / 10);
	ref->flags = 0;
}

/* Ten rows of a block one after the other, then the next block, round again. */
static void next_cycle(struct load *load, struct load_ref *ref)
{
	ref->block = load->step++ / 10 % (part(load, 11) / 10);
	ref->flags = 0;
}

static void next_hot(struct load *load, struct load_ref *ref)
{
	bool hot = load_random(load, 10);

	ref->block = hot ? load_random(load, part(load, 7) / 10) :
		load_random(load, part(load, 8));
	ref->flags = 0;
}

const struct load_kind load_kinds[] = {
	{ "pgbench", "pgbench, uniform, database 10 x shared_buffers", next_pgbench, 0 },
	{ "images", "the same with images after checkpoints", next_images, 0 },
	{ "zipf", "popularity 1/rank over 8 x shared_buffers", next_zipf, 0 },
	{ "fits", "uniform over 0.8 x shared_buffers", next_fits, 0 },
	{ "tight", "uniform over 1.2 x shared_buffers", next_tight, 0 },
	{ "cycle", "round and round over 1.1 x shared_buffers", next_cycle, 0 },
	{ "hot", "9 in 10 over 0.7 x shared_buffers, else over 8 x", next_hot, 0 },
	{ "queries", "zipf, with one standby read per reference", next_zipf, 1 },
};

const u32 load_nr_kinds = sizeof(load_kinds) / sizeof(load_kinds[0]);

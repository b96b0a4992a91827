/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of block numbers of many relations, to tell first references from
 * repeated ones. 64 neighbours share an entry of 16 bytes.
 */
#ifndef WALPF_CTL_BLOCKSET_H
#define WALPF_CTL_BLOCKSET_H

#include "wal/types.h"

struct blockset_entry;

/* All zero is the empty set. */
struct blockset {
	struct blockset_entry *entries;
	u32 log2_size;
	u32 used;
};

/**
 * blockset_add() - add a block
 * @rel: a number for the relation
 * @fork: below 4
 *
 * Return: true if it was not in the set. Ends the program if not enough memory.
 */
bool blockset_add(struct blockset *set, u32 rel, u8 fork, u32 block);

void blockset_free(struct blockset *set);

#endif

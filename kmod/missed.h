/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A block that the startup process had to read from the device although
 * look-ahead is there, and which block that is. Pure.
 */
#ifndef WALPF_MISSED_H
#define WALPF_MISSED_H

#include "wal/record.h"
#include "wal/types.h"

/* Bytes of names that are kept: "4294967295_init.131071", "4294967295". */
#define WALPF_MISSED_FILE	24
#define WALPF_MISSED_DIR	12

/* Tablespaces of base/ and global/. */
#define WALPF_SPC_DEFAULT	1663
#define WALPF_SPC_GLOBAL	1664

/**
 * struct walpf_missed - a read as the probe handler saw it
 * @lsn: WAL page that the startup process had read before
 * @file: begin of the file's name, ends with 0
 * @dir: begin of its directory's name, the same
 * @in_base: the directory is in one named base
 * @block: number of the block within the file
 */
struct walpf_missed {
	u64 lsn;
	char file[WALPF_MISSED_FILE];
	char dir[WALPF_MISSED_DIR];
	bool in_base;
	u32 block;
};

/**
 * walpf_missed_ref() - which block of which relation it was
 * @missed: names may be anything
 * @file_blocks: blocks per file of a relation
 * @ref: filled; spc is 0 for a tablespace, as its files do not tell which
 *
 * Return: false if it is no relation's file.
 */
bool walpf_missed_ref(const struct walpf_missed *missed, u32 file_blocks,
		      struct walpf_wal_ref *ref);

#endif

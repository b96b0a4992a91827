/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pg_wal directory, or an archive's: which of its segments belong together.
 */
#ifndef WALPF_CTL_WAL_DIR_H
#define WALPF_CTL_WAL_DIR_H

#include "segment.h"

/**
 * wal_dir_list() - the segments that lead up to the newest
 * @path: the directory
 * @segs: filled with an array to be freed, each with its path
 * @nr: how many
 *
 * In the order of WAL, without a gap, ending with the newest timeline's last
 * segment: of a position that several timelines have, the newest timeline's,
 * as far as the newest timeline's history knows the others.
 *
 * Return: CTL_DONE, or CTL_FAILED after a message.
 */
int wal_dir_list(const char *path, struct segment **segs, size_t *nr);

/**
 * wal_dir_find() - the newest timeline's file of a segment
 * @seg: its lsn, size and least tli; on success its path and tli are filled
 * @path: the directory
 *
 * Says nothing when there is none.
 *
 * Return: true if there is one.
 */
bool wal_dir_find(struct segment *seg, const char *path);

#endif

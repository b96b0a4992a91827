/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One file with a WAL segment: what its name and its first page say. What
 * follows that page is the decoder's to judge.
 */
#ifndef WALPF_CTL_SEGMENT_H
#define WALPF_CTL_SEGMENT_H

#include "wal/page.h"

/**
 * struct segment - a segment file
 * @path: as given or found; owned
 * @lsn: position of its first byte
 * @tli: timeline, of its name or else of its first page
 * @size: segment size in bytes; the file may be shorter
 */
struct segment {
	char *path;
	u64 lsn;
	u32 tli;
	u32 size;
};

/* The last component of a path. */
const char *segment_base(const char *path);

/* All before it, "." if there is none; to be freed, NULL if not enough memory. */
char *segment_dir(const char *path);

/**
 * segment_probe() - find out what a file given by name is
 * @seg: filled on success; free seg->path
 * @path: the file
 * @size_hint: segment size for a file that was never written, 0: the file's
 *
 * Return: CTL_DONE, or CTL_FAILED after a message.
 */
int segment_probe(struct segment *seg, const char *path, u32 size_hint);

/**
 * segment_open() - open for reading
 * @path: the file
 * @bytes: filled with its length
 *
 * Return: a descriptor, or -1 after a message.
 */
int segment_open(const char *path, u64 *bytes);

/**
 * segment_peek() - read a file's first page header, quietly
 * @path: a file; anything may be in it
 * @page: filled on success
 *
 * Return: true if it is a segment's, of a known version.
 */
bool segment_peek(const char *path, struct walpf_wal_page *page);

#endif

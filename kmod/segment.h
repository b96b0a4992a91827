/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where WAL bytes come from: the segment files of a cluster, read ahead of
 * replay with readahead of our own.
 */
#ifndef WALPF_SEGMENT_H
#define WALPF_SEGMENT_H

#include <linux/types.h>

struct file;
struct walpf_anchor;
struct walpf_cluster;

/* The most that is read at once, in bytes; a power of two. */
#define WALPF_SEGMENT_PIECE	(128u << 10)

/**
 * struct walpf_segment - the segment that is being read; its worker's alone
 * @cl: the cluster
 * @file: the open segment, or NULL
 * @tli: its timeline
 * @segno: its number
 * @asked: readahead was asked for up to this offset in bytes
 * @step: bytes to read next time
 * @buf: WALPF_SEGMENT_PIECE bytes
 */
struct walpf_segment {
	struct walpf_cluster *cl;
	struct file *file;
	u32 tli;
	u64 segno;
	u32 asked;
	u32 step;
	u8 *buf;
};

/**
 * walpf_segment_read() - read a piece of WAL into @buf
 * @seg: segment
 * @anchor: taken from the startup process
 * @tli: timeline
 * @lsn: position of the first byte wanted
 *
 * Never reads across the end of a segment. The first piece after opening or
 * walpf_segment_careful() is one page, as what follows may be a recycled
 * file's old content; each further one is twice as long.
 *
 * Return: bytes read; 0 or -ENOENT if there are none (yet), -EFBIG if segments have
 * another size than the registered one, or an errno.
 */
int walpf_segment_read(struct walpf_segment *seg, const struct walpf_anchor *anchor,
		       u32 tli, u64 lsn);

/**
 * walpf_segment_careful() - begin with single pages again
 * @seg: segment
 */
void walpf_segment_careful(struct walpf_segment *seg);

/**
 * walpf_segment_close() - close the file, at once
 * @seg: segment
 */
void walpf_segment_close(struct walpf_segment *seg);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The name of a WAL segment file and the position it stands for
 * (access/xlog_internal.h). Pure arithmetic.
 */
#ifndef WALPF_WAL_SEGNAME_H
#define WALPF_WAL_SEGNAME_H

#include "types.h"

#define WALPF_SEGNAME_LEN	24	/* hex digits; a buffer needs one more */
#define WALPF_SEG_MIN		(1u << 20)
#define WALPF_SEG_MAX		(1u << 30)

/**
 * struct walpf_segname - what the name says
 * @tli: timeline
 * @segno: number of the segment; its first byte is at segno * segment size
 */
struct walpf_segname {
	u32 tli;
	u64 segno;
};

/**
 * walpf_seg_size_valid() - may a segment be so large?
 * @bytes: size
 *
 * Return: true for a power of two from 1 MB to 1 GB.
 */
bool walpf_seg_size_valid(u32 bytes);

/**
 * walpf_segname_parse() - read a file name
 * @seg: filled on success
 * @name: the name, NUL-terminated, without its directory
 * @seg_size: segment size in bytes, valid
 *
 * Return: true if it is the name of a segment of that size: exactly 24
 * upper-case hex digits whose last eight are in range.
 */
bool walpf_segname_parse(struct walpf_segname *seg, const char *name, u32 seg_size);

/**
 * walpf_segname_format() - write a file name
 * @name: WALPF_SEGNAME_LEN + 1 bytes
 * @seg: timeline and number
 * @seg_size: segment size in bytes, valid
 */
void walpf_segname_format(char *name, const struct walpf_segname *seg, u32 seg_size);

#endif

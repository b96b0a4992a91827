/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fast writing to standard output, for commands that print millions of
 * lines: a line is put together in the buffer itself. Not to be mixed with
 * stdio within a command, unless out_flush() comes between.
 *
 *	char *p = out_reserve(MAX_LINE);
 *
 *	p = put_u64(p, number);
 *	*p++ = '\n';
 *	out_commit(p);
 */
#ifndef WALPF_CTL_OUTPUT_H
#define WALPF_CTL_OUTPUT_H

#include "wal/types.h"

/* The most that may be reserved at once. */
#define OUT_RESERVE_MAX 16384

/* Bytes that the put functions may need. */
#define PUT_U64_MAX 20
#define PUT_LSN_MAX 17

/**
 * out_reserve() - a place for the next bytes
 * @len: the most that will be written there, at most OUT_RESERVE_MAX
 *
 * Return: the place, good until out_commit().
 */
char *out_reserve(size_t len);

/* @end: behind the last byte that was written to the place reserved. */
void out_commit(const char *end);

/* Write out what is in the buffer. */
void out_flush(void);

/**
 * out_close() - write out the rest, and tell if anything was lost
 *
 * Return: CTL_DONE, or CTL_FAILED after a message.
 */
int out_close(void);

/* Put a text, a decimal number, two hexadecimal digits, a position. */
char *put_text(char *p, const char *text);
char *put_u64(char *p, u64 v);
char *put_hex8(char *p, u8 v);
char *put_lsn(char *p, u64 lsn);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The decoder: pieces of WAL in, verified records out.
 *
 *	walpf_wal_init(&wal, &cfg);
 *	walpf_wal_start(&wal, lsn);
 *	for (;;) {
 *		switch (walpf_wal_next(&wal)) {
 *		case WALPF_WAL_RECORD:	use wal.rec; continue;
 *		case WALPF_WAL_NEED:	read at walpf_wal_want(&wal), then
 *					walpf_wal_feed() it; continue;
 *		default:		end of WAL, or damage: wal.status says
 *					which, wal.stop_lsn where
 *		}
 *	}
 *
 * Pieces may be of any size and be cut anywhere. Input is hostile: time is
 * bounded by the bytes fed, stack by a few small frames, there is no
 * allocation and no recursion, and a record's references are given out only
 * after its CRC-32C has matched. Not thread-safe: one user at a time.
 */
#ifndef WALPF_WAL_STREAM_H
#define WALPF_WAL_STREAM_H

#include "page.h"
#include "record.h"
#include "status.h"
#include "types.h"

/**
 * struct walpf_wal_config - what is known of the WAL beforehand
 * @seg_size: segment size in bytes, a valid one (segname.h)
 * @sysid: system identifier that long page headers must carry, 0: any, but
 *	all the same
 */
struct walpf_wal_config {
	u32 seg_size;
	u64 sysid;
};

/**
 * struct walpf_wal - the decoder's state
 * @rec: the record given out last
 * @status: what walpf_wal_next() returned last
 * @stop_lsn: where a stop was: the page or the record that is wrong
 * @stop_value: what was found there: the magic, flags, address, length …
 * @version: rules in force, NULL before the first page
 * @rec_lsn: where the record being looked for begins: everything before it
 *	was given out. A page's first byte stands for right behind its header
 *
 * The rest is private to stream.c. About 3 kB: lives in the caller's heap.
 */
struct walpf_wal {
	struct walpf_wal_record rec;
	enum walpf_wal_status status;
	u64 stop_lsn;
	u64 stop_value;
	const struct walpf_wal_version *version;
	u64 rec_lsn;

	/* private: */
	struct walpf_wal_config cfg;
	const u8 *in;			/* unread input, at position want_lsn */
	size_t in_len;
	u64 want_lsn;			/* next byte to take */
	u64 prev_lsn;			/* last complete record */
	u64 page_lsn;			/* the page taken last */
	u32 tli;			/* of the page taken last */
	u8 phase;
	bool resync;			/* no record's beginning is known yet */
	bool linked;			/* prev_lsn must match exactly */
	enum walpf_wal_status blocks;	/* what the fragment headers are worth */
	u32 page_have;			/* gathered bytes of a page header */
	u32 got;			/* taken bytes of the record */
	u32 crc;			/* over bytes 24 … got - 1 */
	u32 main_off;			/* main data's offset in the record */
	u8 page_head[WALPF_PAGE_LONG_HEADER];
	u8 head[WALPF_HEADERS_MAX];
	u8 main[WALPF_MAIN_MAX];
};

/**
 * walpf_wal_init() - prepare a decoder
 * @wal: uninitialised memory
 * @cfg: copied
 */
void walpf_wal_init(struct walpf_wal *wal, const struct walpf_wal_config *cfg);

/**
 * walpf_wal_start() - begin at a position, dropping all input and context
 * @wal: an initialised decoder
 * @lsn: the first byte of a page: begin at the first record that begins on
 *	it or, if an earlier record covers it, on a later page. Or the
 *	position of a record.
 */
void walpf_wal_start(struct walpf_wal *wal, u64 lsn);

/**
 * walpf_wal_want() - the position of the next byte that is needed
 * @wal: a started decoder
 *
 * Not always where the last piece ended: a segment switch leaves out the
 * rest of its segment, a retry goes back to the first byte of a page.
 *
 * Return: the position.
 */
u64 walpf_wal_want(const struct walpf_wal *wal);

/**
 * walpf_wal_feed() - give a piece of WAL
 * @wal: a started decoder that returned WALPF_WAL_NEED or was just started
 * @lsn: position of the first byte of @data
 * @data: stays the caller's, and readable until it is used up, that is until
 *	walpf_wal_next() returns something else than WALPF_WAL_RECORD
 * @len: bytes
 *
 * Bytes before walpf_wal_want() are ignored; a piece that begins behind it
 * ends in WALPF_WAL_GAP.
 */
void walpf_wal_feed(struct walpf_wal *wal, u64 lsn, const u8 *data, size_t len);

/**
 * walpf_wal_next() - decode up to the next record
 * @wal: a started decoder
 *
 * Return: WALPF_WAL_RECORD with @wal->rec filled; WALPF_WAL_NEED when the
 * input is used up; or the reason of a stop, again and again until
 * walpf_wal_start() or walpf_wal_retry().
 */
enum walpf_wal_status walpf_wal_next(struct walpf_wal *wal);

/**
 * walpf_wal_retry() - try again from the last complete record
 * @wal: a decoder that stopped, or whose input came from a file that may
 *	have been written since
 *
 * Input is dropped; the page of the unfinished record is wanted again from
 * its first byte. For the end of WAL, where more may be written any time.
 */
void walpf_wal_retry(struct walpf_wal *wal);

#endif

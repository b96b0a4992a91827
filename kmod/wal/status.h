/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why the decoder handed back control: two ways of going on, and every
 * reason for which reading WAL ends. Names and texts only; no state.
 */
#ifndef WALPF_WAL_STATUS_H
#define WALPF_WAL_STATUS_H

#include "types.h"

/*
 * X(name, text). The order is no ABI. All but the first two are stops:
 * the decoder stays where it is until it is restarted or told to retry.
 */
#define WALPF_WAL_STATUSES(X)						\
	X(RECORD, "a record")						\
	X(NEED, "more WAL is needed")					\
	X(END, "end of WAL: no record begins here")			\
	X(GAP, "the WAL given does not adjoin the WAL before it")	\
	X(START, "no record can begin at the start position")		\
	X(PAGE_EMPTY, "end of WAL: the page was never written")	\
	X(PAGE_MAGIC, "the page's magic is of no known PostgreSQL version") \
	X(PAGE_VERSION, "the page is of another PostgreSQL version")	\
	X(PAGE_FLAGS, "the page header has unknown flags")		\
	X(PAGE_ADDRESS, "end of WAL: the page is stale, its address is another") \
	X(PAGE_LONG, "the segment's first page has no long header")	\
	X(PAGE_SYSTEM, "the page is of another database system")	\
	X(PAGE_SEGMENT, "the page is of WAL with another segment size")	\
	X(PAGE_BLOCK, "the page is of WAL with another block size")	\
	X(PAGE_TIMELINE, "the page is of an older timeline than the one before") \
	X(PAGE_CONTINUES, "the page continues a record where one should begin") \
	X(BREAK_FLAG, "end of WAL: the next page does not continue the record") \
	X(BREAK_LENGTH, "end of WAL: the next page continues another record") \
	X(RECORD_LENGTH, "end of WAL: the record's length is impossible") \
	X(RECORD_RMGR, "end of WAL: the record's resource manager is unknown") \
	X(RECORD_PREV, "end of WAL: the record's link to the previous one is wrong") \
	X(RECORD_CRC, "end of WAL: the record's CRC is wrong")		\
	X(RECORD_BLOCKS, "the record's block headers are inconsistent")

enum walpf_wal_status {
#define X(name, text) WALPF_WAL_##name,
	WALPF_WAL_STATUSES(X)
#undef X
	WALPF_WAL_NR_STATUSES
};

/**
 * walpf_wal_status_name() - the status as one upper-case word
 * @status: any value
 *
 * Return: a constant string, "UNKNOWN" if @status is out of range.
 */
const char *walpf_wal_status_name(enum walpf_wal_status status);

/**
 * walpf_wal_status_text() - the status as a sentence without a full stop
 * @status: any value
 *
 * Return: a constant string.
 */
const char *walpf_wal_status_text(enum walpf_wal_status status);

#endif

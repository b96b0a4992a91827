/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * WAL page headers: layout and the checks that need nothing but the header
 * and what is expected of it. Source: XLogPageHeaderData and
 * XLogLongPageHeaderData in access/xlog_internal.h; order of checks:
 * XLogReaderValidatePageHeader() in xlogreader.c.
 */
#ifndef WALPF_WAL_PAGE_H
#define WALPF_WAL_PAGE_H

#include "status.h"
#include "types.h"
#include "version.h"

#define WALPF_WAL_PAGE			8192	/* XLOG_BLCKSZ; no other is supported */
#define WALPF_PAGE_SHORT_HEADER		24
#define WALPF_PAGE_LONG_HEADER		40

#define WALPF_PAGE_CONTINUES		0x0001	/* XLP_FIRST_IS_CONTRECORD */
#define WALPF_PAGE_LONG			0x0002	/* XLP_LONG_HEADER */

/**
 * struct walpf_wal_page - a parsed page header
 * @magic: xlp_magic
 * @flags: xlp_info
 * @tli: timeline of the first record on the page
 * @lsn: address of the page's first byte, as the page says
 * @rem_len: bytes still to come of a record begun earlier
 * @sysid: long headers: system identifier
 * @seg_size: long headers: segment size in bytes
 * @blcksz: long headers: WAL block size in bytes
 * @header: the header's own length in bytes
 */
struct walpf_wal_page {
	u16 magic;
	u16 flags;
	u32 tli;
	u64 lsn;
	u32 rem_len;
	u64 sysid;
	u32 seg_size;
	u32 blcksz;
	u32 header;
};

/**
 * struct walpf_wal_expect - what a page must agree with
 * @lsn: its position
 * @version: rules in force; NULL: any known version
 * @seg_size: segment size in bytes
 * @sysid: system identifier, 0: any
 */
struct walpf_wal_expect {
	u64 lsn;
	const struct walpf_wal_version *version;
	u32 seg_size;
	u64 sysid;
};

/**
 * walpf_page_header_len() - how long the header is, from its first bytes
 * @head: at least 4 bytes
 *
 * Return: WALPF_PAGE_SHORT_HEADER or WALPF_PAGE_LONG_HEADER.
 */
u32 walpf_page_header_len(const u8 *head);

/**
 * walpf_page_parse() - read a page header without judging it
 * @page: filled
 * @head: as many bytes as walpf_page_header_len() says
 */
void walpf_page_parse(struct walpf_wal_page *page, const u8 *head);

/**
 * walpf_page_check() - judge a page header
 * @page: a parsed one
 * @expect: what it must agree with
 * @value: on failure, the offending value
 *
 * Return: WALPF_WAL_RECORD if nothing is wrong, else the first reason in
 * PostgreSQL's order.
 */
enum walpf_wal_status walpf_page_check(const struct walpf_wal_page *page,
				       const struct walpf_wal_expect *expect, u64 *value);

#endif

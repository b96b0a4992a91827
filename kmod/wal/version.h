/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between PostgreSQL's major versions in the WAL format, as
 * one table keyed by the page magic. Nothing else in the decoder compares
 * magics. Source: XLOG_PAGE_MAGIC in access/xlog_internal.h, and the
 * headers named beside each field, of PostgreSQL 9.6 to 19rc1.
 */
#ifndef WALPF_WAL_VERSION_H
#define WALPF_WAL_VERSION_H

#include "types.h"

/* Which rules tell the free space map and visibility map accesses apart. */
enum walpf_wal_heap_rules {
	WALPF_HEAP_9_6,		/* to 13: 9/10 clean */
	WALPF_HEAP_14,		/* 14 to 16: 9/10 prune, 9/20 vacuum */
	WALPF_HEAP_17,		/* 17, 18: 9/10..30 prune, flags in byte 1 */
	WALPF_HEAP_19,		/* 19: the same with 16 bits of flags */
};

/**
 * struct walpf_wal_version - the rules of one WAL format
 * @magic: page magic (xlp_magic)
 * @name: PostgreSQL's major version, for people
 * @major: the same as a number, 9 for 9.6
 * @run: false if known by table only, never run against a real server here
 * @xid_fragment: block id 252 carries a top-level xid (14+, xlogrecord.h)
 * @custom_rmgr: resource managers 128 to 255 may occur (15+, rmgr.h)
 * @max_rmgr: highest built-in resource manager (rmgrlist.h)
 * @page_flags: legal page flags (xlog_internal.h)
 * @page_overwrite: page flag of an aborted record's replacement
 * @image_apply: image bit "redo restores it"; 0 if every image is restored
 * @image_compressed: image bits of all compression methods
 * @db_drop: info of the record that drops a database (dbcommands_xlog.h)
 * @db_create: info of the second kind of database create, 0xff if none
 * @heap_rules: see enum walpf_wal_heap_rules
 */
struct walpf_wal_version {
	u16 magic;
	u8 major;
	bool run;
	const char *name;
	bool xid_fragment;
	bool custom_rmgr;
	u8 max_rmgr;
	u8 page_flags;
	u8 page_overwrite;
	u8 image_apply;
	u8 image_compressed;
	u8 db_drop;
	u8 db_create;
	u8 heap_rules;
};

/**
 * walpf_wal_version_find() - the rules for a page magic
 * @magic: xlp_magic of a page
 *
 * Return: the rules, or NULL: unknown, which a caller must refuse.
 */
const struct walpf_wal_version *walpf_wal_version_find(u16 magic);

/**
 * walpf_wal_version_at() - walk the table
 * @i: index from 0
 *
 * Return: the i-th row in rising order of magic, NULL behind the last.
 */
const struct walpf_wal_version *walpf_wal_version_at(unsigned int i);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One WAL record: its header, its block references and the first bytes of
 * its main data. Parses bytes that lie in one piece and trusts none of them;
 * who gathers the bytes and verifies their CRC is stream.c.
 *
 * Layout: access/xlogrecord.h, checks: DecodeXLogRecord() in xlogreader.c.
 */
#ifndef WALPF_WAL_RECORD_H
#define WALPF_WAL_RECORD_H

#include "status.h"
#include "types.h"
#include "version.h"

/* XLogRecord. */
#define WALPF_RECORD_HEADER	24

/* xlogreader.c: a reader's allocation limit, 1 GB - 1. */
#define WALPF_RECORD_MAX	0x3fffffffu

/* XLR_MAX_BLOCK_ID is 32. */
#define WALPF_MAX_REFS		33

/* Old and new visibility map page, one free space map leaf. */
#define WALPF_MAX_IMPLIED	3

/*
 * All fragment headers lie in the first 24 + 33 * 27 + 3 + 5 + 5 bytes
 * (HEADER_SCRATCH_SIZE in xloginsert.c): the most that is ever gathered.
 */
#define WALPF_HEADERS_MAX	928

/*
 * The most main data that is kept: flags of heap records need 8 bytes, a
 * commit's list of dropped relations 12 each; 512 bytes hold about 40.
 */
#define WALPF_MAIN_MAX		512

#define WALPF_BLCKSZ		8192

enum walpf_wal_fork {
	WALPF_FORK_MAIN,
	WALPF_FORK_FSM,
	WALPF_FORK_VM,
	WALPF_FORK_INIT,
};

#define WALPF_REF_IMAGE		0x01	/* a page image is in the record */
#define WALPF_REF_APPLY		0x02	/* redo restores it: no read */
#define WALPF_REF_INIT		0x04	/* redo starts from an empty page: no read */
#define WALPF_REF_IMPLIED	0x08	/* not named by the record, but redo reads it */
#define WALPF_REF_IGNORED	0x10	/* named, but redo does not touch it */

/**
 * struct walpf_wal_rel - a relation
 * @spc: tablespace oid
 * @db: database oid, 0 for shared relations
 * @rel: relfilenode
 */
struct walpf_wal_rel {
	u32 spc;
	u32 db;
	u32 rel;
};

/**
 * struct walpf_wal_ref - one reference
 * @rel: relation
 * @block: block number within the fork
 * @fork: enum walpf_wal_fork
 * @id: block id in the record; 0xff for implied ones
 * @flags: WALPF_REF_*
 */
struct walpf_wal_ref {
	struct walpf_wal_rel rel;
	u32 block;
	u8 fork;
	u8 id;
	u8 flags;
};

/**
 * struct walpf_wal_record - one record whose CRC has been verified
 * @lsn: position of its first byte
 * @end_lsn: position behind its last byte (not aligned)
 * @prev_lsn: position of the record before, as the record says
 * @tot_len: length in bytes, header included
 * @xid: transaction
 * @info: xl_info
 * @rmid: resource manager
 * @nr_refs: valid entries of @refs, implied ones last
 * @main_len: length of the main data
 * @main_have: leading bytes of it at @main, at most WALPF_MAIN_MAX
 * @main: the bytes
 * @tli: timeline of the page the record ends on
 * @version: rules of the page it lies on
 * @refs: the references, in the record's order
 *
 * Valid until the decoder is called again.
 */
struct walpf_wal_record {
	u64 lsn;
	u64 end_lsn;
	u64 prev_lsn;
	u32 tot_len;
	u32 xid;
	u8 info;
	u8 rmid;
	u8 nr_refs;
	u32 main_len;
	u32 main_have;
	const u8 *main;
	u32 tli;
	const struct walpf_wal_version *version;
	struct walpf_wal_ref refs[WALPF_MAX_REFS + WALPF_MAX_IMPLIED];
};

/**
 * walpf_record_header() - parse and check the fixed header
 * @rec: filled: tot_len, xid, info, rmid, prev_lsn; @rec->version is read
 * @head: WALPF_RECORD_HEADER bytes
 *
 * Return: WALPF_WAL_RECORD, or the reason why it is none. The link to the
 * previous record and the CRC are the caller's to check.
 */
enum walpf_wal_status walpf_record_header(struct walpf_wal_record *rec, const u8 *head);

/**
 * walpf_record_blocks() - parse the fragment headers
 * @rec: a record whose fixed header is parsed; nr_refs, refs and main_len
 *	are filled
 * @head: the record's first @len bytes
 * @len: the lesser of rec->tot_len and WALPF_HEADERS_MAX
 *
 * Bounded by @len steps. Does not depend on what lies behind @len.
 *
 * Return: WALPF_WAL_RECORD, or WALPF_WAL_RECORD_BLOCKS.
 */
enum walpf_wal_status walpf_record_blocks(struct walpf_wal_record *rec, const u8 *head, u32 len);

/**
 * walpf_record_ref() - find a reference by its block id
 * @rec: a parsed record
 * @id: block id
 *
 * Return: the reference or NULL.
 */
const struct walpf_wal_ref *walpf_record_ref(const struct walpf_wal_record *rec, u8 id);

#endif

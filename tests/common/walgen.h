/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A WAL writer for tests: records in, pages of any PostgreSQL version out,
 * with right page headers, links and CRCs, or wrong ones where a test says
 * so. Shares nothing with the decoder, not even the tables, so that the two
 * can disagree. Aborts when memory is short.
 */
#ifndef WALPF_TESTS_WALGEN_H
#define WALPF_TESTS_WALGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WALGEN_PAGE		8192
#define WALGEN_MAX_BLOCKS	40	/* more than the format allows */

#define WALGEN_HAS_IMAGE	0x10	/* of walgen_block.fork_flags */
#define WALGEN_HAS_DATA		0x20
#define WALGEN_INIT		0x40
#define WALGEN_SAME		0x80

#define WALGEN_HOLE		0x01	/* of walgen_block.image_bits */

/**
 * struct walgen - WAL being written
 * @magic: of the pages to come
 * @seg_size: segment size in bytes
 * @sysid: system identifier
 * @tli: timeline of the pages to come
 * @start_lsn: position of @bytes; the first byte of a page
 * @lsn: where the next record goes (on a page boundary: behind that page's
 *	header); what follows is zero
 * @prev_lsn: the link of the next record
 * @records: how many complete ones were written
 * @bytes: the WAL
 * @size: bytes allocated
 */
struct walgen {
	uint16_t magic;
	uint32_t seg_size;
	uint64_t sysid;
	uint32_t tli;
	uint64_t start_lsn;
	uint64_t lsn;
	uint64_t prev_lsn;
	size_t records;
	uint8_t *bytes;
	size_t size;
};

/**
 * struct walgen_block - a block reference, field by field as it is written
 *
 * Nothing is made to agree: a test may set what it likes. The image fields
 * are written if WALGEN_HAS_IMAGE is set, the relation if WALGEN_SAME is not.
 */
struct walgen_block {
	uint8_t id;
	uint8_t fork_flags;
	uint16_t data_len;
	uint16_t image_len;
	uint16_t hole_offset;
	uint8_t image_bits;
	uint16_t hole_len;
	uint32_t spc, db, rel;
	uint32_t block;
};

/**
 * struct walgen_record - a record
 * @blocks: @nr_blocks of them
 * @main: main data, @main_len bytes
 * @main_long: announce it by a 32-bit length even where 8 bits do
 * @origin: write a replication origin
 * @top_xid: write a top-level transaction
 * @surplus: bytes appended that no header announces
 */
struct walgen_record {
	uint32_t xid;
	uint8_t info, rmid;
	const struct walgen_block *blocks;
	unsigned int nr_blocks;
	const void *main;
	size_t main_len;
	bool main_long;
	bool origin;
	bool top_xid;
	size_t surplus;
};

void walgen_init(struct walgen *gen, uint16_t magic, uint32_t seg_size, uint64_t page_lsn);
void walgen_free(struct walgen *gen);

/* The bytes from @lsn on, at least @len of them. */
uint8_t *walgen_at(struct walgen *gen, uint64_t lsn, size_t len);

/* How much has been written. */
size_t walgen_len(const struct walgen *gen);

/* Write a record; returns its position. */
uint64_t walgen_put(struct walgen *gen, const struct walgen_record *rec);

/* The same with everything behind the fixed header given as bytes. */
uint64_t walgen_put_body(struct walgen *gen, const struct walgen_record *rec,
			 const void *body, size_t len);

/* Write a complete record, header included, as it is. */
uint64_t walgen_put_bytes(struct walgen *gen, const void *bytes, size_t len);

/* A record that fills the page up to @left bytes before its end. */
void walgen_fill_page(struct walgen *gen, size_t left);

/* XLOG_SWITCH; the next record goes into the next segment. */
uint64_t walgen_switch(struct walgen *gen);

/*
 * Begin a record, give up after @pages further pages of it, and go on as a
 * primary does after a crash. Returns the position of the abandoned record.
 */
uint64_t walgen_abort(struct walgen *gen, const struct walgen_record *rec, unsigned int pages);

/* Let the CRC of the record at @bytes be right. */
void walgen_seal(uint8_t *bytes, size_t len);

/* The record's bytes behind the fixed header; the caller frees them. */
uint8_t *walgen_body(const struct walgen_record *rec, uint16_t magic, size_t *len);

/* What page headers and images look like in a version. */
uint16_t walgen_overwrite_flag(uint16_t magic);
uint8_t walgen_apply_bit(uint16_t magic);
uint8_t walgen_compressed_bit(uint16_t magic);
unsigned int walgen_page_header(const struct walgen *gen, uint64_t page_lsn);

#endif

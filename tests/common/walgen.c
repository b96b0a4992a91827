// SPDX-License-Identifier: GPL-2.0-only
/*
 * The WAL writer for tests. Works on one growing piece of memory; pages are
 * begun when the first byte of a record reaches them, as a server does.
 */
#include "walgen.h"

#include <stdlib.h>
#include <string.h>

enum {
	HEADER = 24,
	CONTINUES = 1,
	LONG_HEADER = 2,
	REMOVABLE = 4,
};

struct bytes {
	uint8_t *at;
	size_t len, room;
};

static void *need(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

static void append(struct bytes *to, const void *data, size_t len)
{
	if (len == 0)
		return;
	if (to->len + len > to->room) {
		to->room = 2 * (to->len + len);
		to->at = need(realloc(to->at, to->room));
	}
	if (data)
		memcpy(to->at + to->len, data, len);
	else
		memset(to->at + to->len, 0x5a, len);
	to->len += len;
}

static void append_u8(struct bytes *to, uint8_t v)
{
	append(to, &v, sizeof(v));
}

static void append_u16(struct bytes *to, uint16_t v)
{
	append(to, &v, sizeof(v));
}

static void append_u32(struct bytes *to, uint32_t v)
{
	append(to, &v, sizeof(v));
}

/* CRC-32C, a byte at a time. */
static uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t len)
{
	static uint32_t table[256];

	if (!table[1]) {
		for (uint32_t i = 0; i < 256; i++) {
			uint32_t v = i;

			for (int bit = 0; bit < 8; bit++)
				v = v >> 1 ^ (v & 1 ? 0x82f63b78 : 0);
			table[i] = v;
		}
	}
	while (len--)
		crc = crc >> 8 ^ table[(crc ^ *data++) & 255];
	return crc;
}

void walgen_seal(uint8_t *bytes, size_t len)
{
	uint32_t crc = crc32c(~0u, bytes + HEADER, len - HEADER);

	crc = ~crc32c(crc, bytes, 20);
	memcpy(bytes + 20, &crc, sizeof(crc));
}

uint16_t walgen_overwrite_flag(uint16_t magic)
{
	return magic < 0xd11c ? 8 : 4;
}

uint8_t walgen_apply_bit(uint16_t magic)
{
	if (magic < 0xd095)
		return 0;
	return magic < 0xd10e ? 4 : 2;
}

uint8_t walgen_compressed_bit(uint16_t magic)
{
	return magic < 0xd10e ? 2 : 4;
}

static bool is_compressed(uint16_t magic, uint8_t image_bits)
{
	return image_bits & (magic < 0xd10e ? 2 : 0x1c);
}

static void append_block(struct bytes *to, const struct walgen_block *block, uint16_t magic)
{
	append_u8(to, block->id);
	append_u8(to, block->fork_flags);
	append_u16(to, block->data_len);
	if (block->fork_flags & WALGEN_HAS_IMAGE) {
		append_u16(to, block->image_len);
		append_u16(to, block->hole_offset);
		append_u8(to, block->image_bits);
		if (block->image_bits & WALGEN_HOLE &&
		    is_compressed(magic, block->image_bits))
			append_u16(to, block->hole_len);
	}
	if (!(block->fork_flags & WALGEN_SAME)) {
		append_u32(to, block->spc);
		append_u32(to, block->db);
		append_u32(to, block->rel);
	}
	append_u32(to, block->block);
}

static void append_main_header(struct bytes *to, const struct walgen_record *rec)
{
	if (rec->main_long || rec->main_len > 255) {
		append_u8(to, 254);
		append_u32(to, rec->main_len);
	} else if (rec->main_len) {
		append_u8(to, 255);
		append_u8(to, rec->main_len);
	}
}

static void append_payload(struct bytes *to, const struct walgen_record *rec)
{
	for (unsigned int i = 0; i < rec->nr_blocks; i++) {
		const struct walgen_block *block = &rec->blocks[i];

		if (block->fork_flags & WALGEN_HAS_IMAGE)
			append(to, NULL, block->image_len);
		append(to, NULL, block->data_len);
	}
	append(to, rec->main, rec->main_len);
	append(to, NULL, rec->surplus);
}

uint8_t *walgen_body(const struct walgen_record *rec, uint16_t magic, size_t *len)
{
	struct bytes body = { .at = need(malloc(64)), .room = 64 };

	for (unsigned int i = 0; i < rec->nr_blocks; i++)
		append_block(&body, &rec->blocks[i], magic);
	if (rec->origin) {
		append_u8(&body, 253);
		append_u16(&body, 7);
	}
	if (rec->top_xid) {
		append_u8(&body, 252);
		append_u32(&body, 700);
	}
	append_main_header(&body, rec);
	append_payload(&body, rec);
	*len = body.len;
	return body.at;
}

void walgen_init(struct walgen *gen, uint16_t magic, uint32_t seg_size, uint64_t page_lsn)
{
	*gen = (struct walgen){
		.magic = magic,
		.seg_size = seg_size,
		.sysid = 0x6b0d6d994d1447df,
		.tli = 1,
		.start_lsn = page_lsn,
		.lsn = page_lsn,
		.prev_lsn = page_lsn - 64,
	};
}

void walgen_free(struct walgen *gen)
{
	free(gen->bytes);
	gen->bytes = NULL;
}

uint8_t *walgen_at(struct walgen *gen, uint64_t lsn, size_t len)
{
	size_t end = lsn - gen->start_lsn + len;

	if (lsn < gen->start_lsn)
		abort();
	if (end > gen->size) {
		size_t size = 2 * end + WALGEN_PAGE;

		gen->bytes = need(realloc(gen->bytes, size));
		memset(gen->bytes + gen->size, 0, size - gen->size);
		gen->size = size;
	}
	return gen->bytes + (lsn - gen->start_lsn);
}

size_t walgen_len(const struct walgen *gen)
{
	return gen->lsn - gen->start_lsn;
}

unsigned int walgen_page_header(const struct walgen *gen, uint64_t page_lsn)
{
	return page_lsn % gen->seg_size ? 24 : 40;
}

static void write_u16(uint8_t *at, uint16_t v)
{
	memcpy(at, &v, sizeof(v));
}

static void write_u32(uint8_t *at, uint32_t v)
{
	memcpy(at, &v, sizeof(v));
}

static void write_u64(uint8_t *at, uint64_t v)
{
	memcpy(at, &v, sizeof(v));
}

static void begin_page(struct walgen *gen, uint64_t lsn, uint16_t flags, uint32_t rem_len)
{
	unsigned int header = walgen_page_header(gen, lsn);
	uint8_t *page = walgen_at(gen, lsn, WALGEN_PAGE);

	if (header == 40)
		flags |= LONG_HEADER;
	if (gen->magic < 0xd11c)
		flags |= REMOVABLE;
	write_u16(page, gen->magic);
	write_u16(page + 2, flags);
	write_u32(page + 4, gen->tli);
	write_u64(page + 8, lsn);
	write_u32(page + 16, rem_len);
	if (header == 40) {
		write_u64(page + 24, gen->sysid);
		write_u32(page + 32, gen->seg_size);
		write_u32(page + 36, WALGEN_PAGE);
	}
	gen->lsn = lsn + header;
}

static void begin_record(struct walgen *gen)
{
	if (gen->lsn % WALGEN_PAGE == 0)
		begin_page(gen, gen->lsn, 0, 0);
}

/* Copies up to the end of @pages further pages; returns what was copied. */
static size_t spread(struct walgen *gen, const uint8_t *bytes, size_t len, unsigned int pages)
{
	size_t done = 0;

	for (;;) {
		size_t room = WALGEN_PAGE - gen->lsn % WALGEN_PAGE;
		size_t part = len - done < room ? len - done : room;

		memcpy(walgen_at(gen, gen->lsn, part), bytes + done, part);
		gen->lsn += part;
		done += part;
		if (done == len || !pages--)
			return done;
		begin_page(gen, gen->lsn, CONTINUES, len - done);
	}
}

uint64_t walgen_put_bytes(struct walgen *gen, const void *bytes, size_t len)
{
	uint64_t lsn;

	begin_record(gen);
	lsn = gen->lsn;
	spread(gen, bytes, len, -1u);
	gen->lsn = (gen->lsn + 7) & ~7ull;
	gen->prev_lsn = lsn;
	gen->records++;
	return lsn;
}

static uint8_t *assemble(const struct walgen *gen, const struct walgen_record *rec,
			 const void *body, size_t len)
{
	uint8_t *bytes = need(calloc(1, HEADER + len));

	write_u32(bytes, HEADER + len);
	write_u32(bytes + 4, rec->xid);
	write_u64(bytes + 8, gen->prev_lsn);
	bytes[16] = rec->info;
	bytes[17] = rec->rmid;
	if (len)
		memcpy(bytes + HEADER, body, len);
	walgen_seal(bytes, HEADER + len);
	return bytes;
}

uint64_t walgen_put_body(struct walgen *gen, const struct walgen_record *rec,
			 const void *body, size_t len)
{
	uint8_t *bytes = assemble(gen, rec, body, len);
	uint64_t lsn = walgen_put_bytes(gen, bytes, HEADER + len);

	free(bytes);
	return lsn;
}

uint64_t walgen_put(struct walgen *gen, const struct walgen_record *rec)
{
	size_t len;
	uint8_t *body = walgen_body(rec, gen->magic, &len);
	uint64_t lsn = walgen_put_body(gen, rec, body, len);

	free(body);
	return lsn;
}

void walgen_fill_page(struct walgen *gen, size_t left)
{
	struct walgen_record rec = { .info = 0x10, .rmid = 21, .main_long = true };
	uint8_t zero[WALGEN_PAGE] = { 0 };

	begin_record(gen);
	rec.main = zero;
	rec.main_len = WALGEN_PAGE - gen->lsn % WALGEN_PAGE - left - HEADER - 5;
	if (rec.main_len > WALGEN_PAGE)
		abort();
	walgen_put(gen, &rec);
}

uint64_t walgen_switch(struct walgen *gen)
{
	struct walgen_record rec = { .info = 0x40 };
	uint64_t lsn = walgen_put_body(gen, &rec, NULL, 0);
	uint64_t rest = -gen->lsn % gen->seg_size;

	/* It may end in the next segment, which then is the one left unused. */
	gen->lsn += rest;
	walgen_at(gen, gen->lsn, 0);
	return lsn;
}

uint64_t walgen_abort(struct walgen *gen, const struct walgen_record *rec, unsigned int pages)
{
	struct walgen_record over = { .info = 0xd0, .main_len = 16 };
	uint64_t payload[2] = { 0 };
	size_t len;
	uint8_t *body = walgen_body(rec, gen->magic, &len);
	uint8_t *bytes = assemble(gen, rec, body, len);

	begin_record(gen);
	payload[0] = gen->lsn;
	if (spread(gen, bytes, HEADER + len, pages) == HEADER + len)
		abort();
	free(bytes);
	free(body);
	begin_page(gen, gen->lsn, walgen_overwrite_flag(gen->magic), 0);
	over.main = payload;
	walgen_put(gen, &over);
	return payload[0];
}

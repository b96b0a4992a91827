// SPDX-License-Identifier: GPL-2.0-only
/*
 * Record header and fragment headers. Every read is preceded by a check
 * that the bytes are there; every announced payload is added in 64 bits and
 * must sum up to what the record holds.
 */
#include "record.h"

/* Fragment ids above the block references (xlogrecord.h). */
#define ID_XID			252
#define ID_ORIGIN		253
#define ID_MAIN_LONG		254
#define ID_MAIN_SHORT		255

#define FORK_MASK		0x0f
#define HAS_IMAGE		0x10
#define HAS_DATA		0x20
#define WILL_INIT		0x40
#define SAME_REL		0x80

#define IMAGE_HOLE		0x01	/* in all versions */

#define RMGR_XLOG		0
#define RMGR_CUSTOM_MIN		128	/* RM_MIN_CUSTOM_ID, rmgr.h */
#define XLOG_FPI_FOR_HINT	0xa0

/* A place in the fragment headers, and what is left of the record. */
struct cursor {
	const u8 *pos;
	const u8 *end;		/* of the bytes at hand */
	u32 left;		/* bytes of the record from pos on */
	u64 payload;		/* announced so far */
	bool main_seen;
};

/* Take @len bytes, or NULL if the record or the bytes at hand end before. */
static const u8 *take(struct cursor *c, u32 len)
{
	const u8 *pos = c->pos;

	if ((size_t)(c->end - pos) < len || c->left < len)
		return NULL;
	c->pos += len;
	c->left -= len;
	return pos;
}

static bool known_rmgr(const struct walpf_wal_version *version, u8 rmid)
{
	return rmid <= version->max_rmgr || (version->custom_rmgr && rmid >= RMGR_CUSTOM_MIN);
}

enum walpf_wal_status walpf_record_header(struct walpf_wal_record *rec, const u8 *head)
{
	rec->tot_len = walpf_get_u32(head);
	rec->xid = walpf_get_u32(head + 4);
	rec->prev_lsn = walpf_get_u64(head + 8);
	rec->info = head[16];
	rec->rmid = head[17];
	if (rec->tot_len < WALPF_RECORD_HEADER || rec->tot_len > WALPF_RECORD_MAX)
		return WALPF_WAL_RECORD_LENGTH;
	if (!known_rmgr(rec->version, rec->rmid))
		return WALPF_WAL_RECORD_RMGR;
	return WALPF_WAL_RECORD;
}

/* Does an image's length go with its bits and its hole? */
static bool image_consistent(u32 len, u32 hole_offset, u32 hole_len, bool hole, bool compressed)
{
	if (hole)
		return hole_offset > 0 && hole_len > 0 && len != WALPF_BLCKSZ;
	if (hole_offset > 0 || hole_len > 0)
		return false;
	return compressed ? len != WALPF_BLCKSZ : len == WALPF_BLCKSZ;
}

/*
 * An image's header: length, hole offset, bits and, for a compressed page
 * with a hole, the hole's length. Without compression the hole is what the
 * image lacks; a length over a page's would make it negative.
 */
static bool parse_image(struct cursor *c, const struct walpf_wal_version *version, u8 *flags)
{
	const u8 *p = take(c, 5);
	u32 len, hole_offset, hole_len = 0;
	bool hole, compressed;

	if (!p)
		return false;
	len = walpf_get_u16(p);
	hole_offset = walpf_get_u16(p + 2);
	hole = p[4] & IMAGE_HOLE;
	compressed = p[4] & version->image_compressed;
	*flags |= WALPF_REF_IMAGE;
	if (!version->image_apply || (p[4] & version->image_apply))
		*flags |= WALPF_REF_APPLY;
	if (compressed && hole) {
		p = take(c, 2);
		if (!p)
			return false;
		hole_len = walpf_get_u16(p);
	} else if (!compressed) {
		if (len > WALPF_BLCKSZ)
			return false;
		hole_len = WALPF_BLCKSZ - len;
	}
	c->payload += len;
	return image_consistent(len, hole_offset, hole_len, hole, compressed);
}

static bool parse_rel(struct cursor *c, struct walpf_wal_record *rec, struct walpf_wal_ref *ref,
		      bool same)
{
	const u8 *p;

	if (same) {
		if (rec->nr_refs == 0)
			return false;
		ref->rel = rec->refs[rec->nr_refs - 1].rel;
		return true;
	}
	p = take(c, 12);
	if (!p)
		return false;
	ref->rel.spc = walpf_get_u32(p);
	ref->rel.db = walpf_get_u32(p + 4);
	ref->rel.rel = walpf_get_u32(p + 8);
	return true;
}

static bool parse_ref(struct cursor *c, struct walpf_wal_record *rec, u8 id)
{
	struct walpf_wal_ref *ref = &rec->refs[rec->nr_refs];
	const u8 *p = take(c, 3);
	u32 data_len;
	u8 bits;

	if (!p || (rec->nr_refs && id <= rec->refs[rec->nr_refs - 1].id))
		return false;
	bits = p[0];
	data_len = walpf_get_u16(p + 1);
	if (!data_len != !(bits & HAS_DATA))
		return false;
	c->payload += data_len;
	ref->id = id;
	ref->fork = bits & FORK_MASK;
	ref->flags = bits & WILL_INIT ? WALPF_REF_INIT : 0;
	if (ref->fork > WALPF_FORK_INIT)
		return false;
	if ((bits & HAS_IMAGE) && !parse_image(c, rec->version, &ref->flags))
		return false;
	if (!parse_rel(c, rec, ref, bits & SAME_REL))
		return false;
	p = take(c, 4);
	if (!p)
		return false;
	ref->block = walpf_get_u32(p);
	rec->nr_refs++;
	return true;
}

static bool parse_main(struct cursor *c, struct walpf_wal_record *rec, bool is_long)
{
	const u8 *p = take(c, is_long ? 4 : 1);

	if (!p)
		return false;
	rec->main_len = is_long ? walpf_get_u32(p) : *p;
	c->payload += rec->main_len;
	c->main_seen = true;
	return true;
}

static bool parse_fragment(struct cursor *c, struct walpf_wal_record *rec)
{
	const u8 *id = take(c, 1);

	if (!id)
		return false;
	switch (*id) {
	case ID_MAIN_SHORT:
		return parse_main(c, rec, false);
	case ID_MAIN_LONG:
		return parse_main(c, rec, true);
	case ID_ORIGIN:
		return take(c, 2);
	case ID_XID:
		return rec->version->xid_fragment && take(c, 4);
	default:
		return *id < WALPF_MAX_REFS && parse_ref(c, rec, *id);
	}
}

/*
 * With full_page_writes off, 15 and later log a hint without an image, and
 * redo has nothing to do for it (xlog_redo() in xlog.c).
 */
static void mark_ignored(struct walpf_wal_record *rec)
{
	u8 i;

	if (rec->rmid != RMGR_XLOG || (rec->info & 0xf0) != XLOG_FPI_FOR_HINT)
		return;
	for (i = 0; i < rec->nr_refs; i++)
		if (!(rec->refs[i].flags & WALPF_REF_IMAGE))
			rec->refs[i].flags |= WALPF_REF_IGNORED;
}

enum walpf_wal_status walpf_record_blocks(struct walpf_wal_record *rec, const u8 *head, u32 len)
{
	struct cursor c = {
		.pos = head + WALPF_RECORD_HEADER,
		.end = head + len,
		.left = rec->tot_len - WALPF_RECORD_HEADER,
	};

	rec->nr_refs = 0;
	rec->main_len = 0;
	while (c.left > c.payload && !c.main_seen)
		if (!parse_fragment(&c, rec))
			return WALPF_WAL_RECORD_BLOCKS;
	if (c.left != c.payload)
		return WALPF_WAL_RECORD_BLOCKS;
	mark_ignored(rec);
	return WALPF_WAL_RECORD;
}

const struct walpf_wal_ref *walpf_record_ref(const struct walpf_wal_record *rec, u8 id)
{
	u8 i;

	for (i = 0; i < rec->nr_refs; i++)
		if (rec->refs[i].id == id)
			return &rec->refs[i];
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decoder's state machine.
 *
 * Input is taken page by page: a page's header comes first, then records.
 * A record that lies in the input in one piece is parsed where it lies; any
 * other is gathered: at most its first WALPF_HEADERS_MAX bytes and
 * WALPF_MAIN_MAX bytes of main data, the rest is only fed to the CRC. Both
 * ways make the same checks in the same order and give the same record.
 *
 * Acceptance of records and pages: XLogReadRecord() and
 * XLogReaderValidatePageHeader() in PostgreSQL's xlogreader.c.
 */
#include "stream.h"
#include "implied.h"

enum phase {
	PHASE_PAGE,		/* a page header is next, or its rest */
	PHASE_RECORD,		/* at rec_lsn, or inside that record */
};

#define LENGTH_SIZE	4	/* xl_tot_len, never split by a page */
#define CRC_OFFSET	20	/* xl_crc; the bytes before it are added last */

#define RMGR_XLOG	0
#define XLOG_SWITCH	0x40

static u64 page_of(u64 lsn)
{
	return lsn & ~(u64)(WALPF_WAL_PAGE - 1);
}

static u64 align8(u64 v)
{
	return (v + 7) & ~7ull;
}

static u32 lesser(u64 a, u64 b)
{
	return a < b ? a : b;
}

static enum walpf_wal_status stop(struct walpf_wal *wal, enum walpf_wal_status status, u64 lsn,
				  u64 value)
{
	wal->status = status;
	wal->stop_lsn = lsn;
	wal->stop_value = value;
	return status;
}

static const u8 *consume(struct walpf_wal *wal, u32 len)
{
	const u8 *data = wal->in;

	wal->in += len;
	wal->in_len -= len;
	wal->want_lsn += len;
	return data;
}

/* Go on further ahead; input that does not reach there is dropped. */
static void go_to(struct walpf_wal *wal, u64 lsn)
{
	u64 skip = lsn - wal->want_lsn;

	if (skip > wal->in_len)
		skip = wal->in_len;
	wal->in += skip;
	wal->in_len -= skip;
	wal->want_lsn = lsn;
}

/* The next record begins at @lsn or, if a page does, behind its header. */
static void expect_record(struct walpf_wal *wal, u64 lsn)
{
	wal->rec_lsn = lsn;
	wal->got = 0;
	wal->page_have = 0;
	wal->phase = lsn == page_of(lsn) ? PHASE_PAGE : PHASE_RECORD;
	go_to(wal, lsn);
}

void walpf_wal_init(struct walpf_wal *wal, const struct walpf_wal_config *cfg)
{
	memset(wal, 0, sizeof(*wal));
	wal->cfg = *cfg;
	walpf_wal_start(wal, 0);
}

void walpf_wal_start(struct walpf_wal *wal, u64 lsn)
{
	wal->version = NULL;
	wal->rec_lsn = lsn;
	wal->prev_lsn = 0;
	wal->page_lsn = 0;
	wal->tli = 0;
	wal->linked = false;
	wal->resync = lsn == page_of(lsn);
	walpf_wal_retry(wal);
}

void walpf_wal_retry(struct walpf_wal *wal)
{
	wal->status = WALPF_WAL_NEED;
	wal->in_len = 0;
	wal->want_lsn = page_of(wal->rec_lsn);
	wal->phase = PHASE_PAGE;
	wal->page_have = 0;
	wal->got = 0;
}

u64 walpf_wal_want(const struct walpf_wal *wal)
{
	return wal->want_lsn;
}

void walpf_wal_feed(struct walpf_wal *wal, u64 lsn, const u8 *data, size_t len)
{
	u64 skip = wal->want_lsn - lsn;

	wal->in_len = 0;
	if (lsn > wal->want_lsn) {
		stop(wal, WALPF_WAL_GAP, wal->want_lsn, lsn);
		return;
	}
	if (skip >= len)
		return;
	wal->in = data + skip;
	wal->in_len = len - skip;
}

/* Gather @need bytes of a page header; true when they are there. */
static bool gather_page_head(struct walpf_wal *wal, u32 need)
{
	u32 len = lesser(need - wal->page_have, wal->in_len);

	memcpy(wal->page_head + wal->page_have, consume(wal, len), len);
	wal->page_have += len;
	return wal->page_have == need;
}

/* The whole page header, or NULL if more input is needed for it. */
static const u8 *page_head(struct walpf_wal *wal)
{
	if (wal->page_have == 0 && wal->in_len >= WALPF_PAGE_LONG_HEADER)
		return consume(wal, walpf_page_header_len(wal->in));
	if (wal->in_len == 0)
		return NULL;
	if (wal->page_have < WALPF_PAGE_SHORT_HEADER &&
	    !gather_page_head(wal, WALPF_PAGE_SHORT_HEADER))
		return NULL;
	if (!gather_page_head(wal, walpf_page_header_len(wal->page_head)))
		return NULL;
	return wal->page_head;
}

/* The record that was begun must go on here, or have been given up. */
static enum walpf_wal_status continue_record(struct walpf_wal *wal,
					     const struct walpf_wal_page *page)
{
	if (page->flags & wal->version->page_overwrite) {
		if (page->flags & WALPF_PAGE_CONTINUES)
			return stop(wal, WALPF_WAL_PAGE_CONTINUES, page->lsn, page->flags);
		expect_record(wal, page->lsn + page->header);
		return WALPF_WAL_NEED;
	}
	if (!(page->flags & WALPF_PAGE_CONTINUES))
		return stop(wal, WALPF_WAL_BREAK_FLAG, page->lsn, page->flags);
	if (page->rem_len != wal->rec.tot_len - wal->got)
		return stop(wal, WALPF_WAL_BREAK_LENGTH, page->lsn, page->rem_len);
	wal->phase = PHASE_RECORD;
	return WALPF_WAL_NEED;
}

/* A record begins on this page, at rec_lsn. */
static enum walpf_wal_status begin_record(struct walpf_wal *wal, const struct walpf_wal_page *page)
{
	u64 first = page->lsn + page->header;

	if (wal->rec_lsn == page->lsn)
		wal->rec_lsn = first;
	if (wal->rec_lsn < first || wal->rec_lsn % 8)
		return stop(wal, WALPF_WAL_START, wal->rec_lsn, page->lsn);
	if (wal->rec_lsn == first && (page->flags & WALPF_PAGE_CONTINUES))
		return stop(wal, WALPF_WAL_PAGE_CONTINUES, page->lsn, page->flags);
	expect_record(wal, wal->rec_lsn);
	return WALPF_WAL_NEED;
}

/*
 * No record's beginning is known yet: the first one that begins on this
 * page or, if an earlier record covers all of it, look at the next page.
 */
static enum walpf_wal_status resync(struct walpf_wal *wal, const struct walpf_wal_page *page)
{
	u64 rest = page->flags & WALPF_PAGE_CONTINUES ? align8(page->rem_len) : 0;

	if (rest >= WALPF_WAL_PAGE - page->header) {
		expect_record(wal, page->lsn + WALPF_WAL_PAGE);
		return WALPF_WAL_NEED;
	}
	wal->resync = false;
	wal->rec_lsn = page->lsn + page->header + rest;
	return begin_record(wal, page);
}

static enum walpf_wal_status check_page(struct walpf_wal *wal, const struct walpf_wal_page *page,
					u64 lsn)
{
	struct walpf_wal_expect expect = {
		.lsn = lsn,
		.version = wal->version,
		.seg_size = wal->cfg.seg_size,
		.sysid = wal->cfg.sysid,
	};
	enum walpf_wal_status status;
	u64 value;

	status = walpf_page_check(page, &expect, &value);
	if (status != WALPF_WAL_RECORD)
		return stop(wal, status, lsn, value);
	if (lsn > wal->page_lsn && page->tli < wal->tli)
		return stop(wal, WALPF_WAL_PAGE_TIMELINE, lsn, page->tli);
	return WALPF_WAL_NEED;
}

/* What a good page tells of all that follow. */
static void learn_page(struct walpf_wal *wal, const struct walpf_wal_page *page)
{
	if (!wal->version)
		wal->version = walpf_wal_version_find(page->magic);
	if (page->header == WALPF_PAGE_LONG_HEADER)
		wal->cfg.sysid = page->sysid;
	wal->page_lsn = page->lsn;
	wal->tli = page->tli;
}

static enum walpf_wal_status next_page(struct walpf_wal *wal)
{
	u64 lsn = page_of(wal->want_lsn);
	const u8 *head = page_head(wal);
	struct walpf_wal_page page;
	enum walpf_wal_status status;

	if (!head)
		return WALPF_WAL_NEED;
	wal->page_have = 0;
	walpf_page_parse(&page, head);
	status = check_page(wal, &page, lsn);
	if (status != WALPF_WAL_NEED)
		return status;
	learn_page(wal, &page);
	if (wal->got)
		return continue_record(wal, &page);
	return wal->resync ? resync(wal, &page) : begin_record(wal, &page);
}

static enum walpf_wal_status check_length(struct walpf_wal *wal, const u8 *head)
{
	u32 len = walpf_get_u32(head);

	if (len == 0)
		return stop(wal, WALPF_WAL_END, wal->rec_lsn, 0);
	if (len < WALPF_RECORD_HEADER || len > WALPF_RECORD_MAX)
		return stop(wal, WALPF_WAL_RECORD_LENGTH, wal->rec_lsn, len);
	wal->rec.tot_len = len;
	return WALPF_WAL_RECORD;
}

static enum walpf_wal_status check_header(struct walpf_wal *wal, const u8 *head)
{
	struct walpf_wal_record *rec = &wal->rec;
	enum walpf_wal_status status;

	rec->version = wal->version;
	status = walpf_record_header(rec, head);
	if (status != WALPF_WAL_RECORD)
		return stop(wal, status, wal->rec_lsn, rec->rmid);
	if (wal->linked ? rec->prev_lsn != wal->prev_lsn : rec->prev_lsn >= wal->rec_lsn)
		return stop(wal, WALPF_WAL_RECORD_PREV, wal->rec_lsn, rec->prev_lsn);
	return WALPF_WAL_RECORD;
}

/* The CRC over bytes 24 and up is in @crc; add the header's, and compare. */
static enum walpf_wal_status check_crc(struct walpf_wal *wal, u32 crc, const u8 *head)
{
	u32 expected = walpf_get_u32(head + CRC_OFFSET);

	if (~walpf_crc32c(crc, head, CRC_OFFSET) != expected)
		return stop(wal, WALPF_WAL_RECORD_CRC, wal->rec_lsn, expected);
	return WALPF_WAL_RECORD;
}

/* A segment switch leaves the rest of its segment unused. */
static u64 next_position(const struct walpf_wal *wal)
{
	const struct walpf_wal_record *rec = &wal->rec;
	u64 mask = wal->cfg.seg_size - 1;

	if (rec->rmid == RMGR_XLOG && (rec->info & 0xf0) == XLOG_SWITCH)
		return (rec->end_lsn + mask) & ~mask;
	return align8(rec->end_lsn);
}

/* All bytes taken and verified, refs parsed, main data at hand: give out. */
static enum walpf_wal_status give_out(struct walpf_wal *wal, const u8 *main)
{
	struct walpf_wal_record *rec = &wal->rec;

	if (wal->blocks != WALPF_WAL_RECORD)
		return stop(wal, wal->blocks, wal->rec_lsn, rec->tot_len);
	rec->lsn = wal->rec_lsn;
	rec->end_lsn = wal->want_lsn;
	rec->tli = wal->tli;
	rec->main = main;
	walpf_record_imply(rec);
	wal->prev_lsn = rec->lsn;
	wal->linked = true;
	expect_record(wal, next_position(wal));
	wal->status = WALPF_WAL_RECORD;
	return WALPF_WAL_RECORD;
}

/* Parse the fragment headers and find the main data behind them. */
static void parse_blocks(struct walpf_wal *wal, const u8 *head)
{
	struct walpf_wal_record *rec = &wal->rec;

	wal->blocks = walpf_record_blocks(rec, head, lesser(rec->tot_len, WALPF_HEADERS_MAX));
	if (wal->blocks != WALPF_WAL_RECORD)
		rec->main_len = 0;
	rec->main_have = lesser(rec->main_len, WALPF_MAIN_MAX);
	wal->main_off = rec->tot_len - rec->main_len;
}

/* A record that lies in the input in one piece. */
static enum walpf_wal_status take_whole(struct walpf_wal *wal)
{
	const u8 *head = wal->in;
	enum walpf_wal_status status;
	u32 crc;

	status = check_header(wal, head);
	if (status != WALPF_WAL_RECORD)
		return status;
	crc = walpf_crc32c(~0u, head + WALPF_RECORD_HEADER,
			   wal->rec.tot_len - WALPF_RECORD_HEADER);
	status = check_crc(wal, crc, head);
	if (status != WALPF_WAL_RECORD)
		return status;
	parse_blocks(wal, head);
	consume(wal, wal->rec.tot_len);
	return give_out(wal, head + wal->main_off);
}

/* Keep what of the record's bytes @got … @got + @len - 1 is main data. */
static void keep_main(struct walpf_wal *wal, u32 got, const u8 *data, u32 len)
{
	u32 begin = wal->main_off, end = wal->main_off + wal->rec.main_have;

	if (begin < got)
		begin = got;
	if (end > got + len)
		end = got + len;
	if (begin < end)
		memcpy(wal->main + (begin - wal->main_off), data + (begin - got), end - begin);
}

/* The next byte count at which a gathered record can be judged further. */
static u32 next_mark(const struct walpf_wal *wal)
{
	u32 headers = lesser(wal->rec.tot_len, WALPF_HEADERS_MAX);

	if (wal->got < LENGTH_SIZE)
		return LENGTH_SIZE;
	if (wal->got < WALPF_RECORD_HEADER)
		return WALPF_RECORD_HEADER;
	return wal->got < headers ? headers : wal->rec.tot_len;
}

/* Take bytes up to @mark, as far as the input or the page goes. */
static void gather(struct walpf_wal *wal, u32 mark)
{
	u32 page_left = WALPF_WAL_PAGE - wal->want_lsn % WALPF_WAL_PAGE;
	u32 len = lesser(lesser(mark - wal->got, page_left), wal->in_len);
	const u8 *data = consume(wal, len);

	if (mark <= WALPF_HEADERS_MAX)
		memcpy(wal->head + wal->got, data, len);
	else
		keep_main(wal, wal->got, data, len);
	if (mark > WALPF_RECORD_HEADER)
		wal->crc = walpf_crc32c(wal->crc, data, len);
	wal->got += len;
	if (len == page_left)
		wal->phase = PHASE_PAGE;
}

/* A mark is reached: make the checks that it allows. */
static enum walpf_wal_status judge(struct walpf_wal *wal)
{
	struct walpf_wal_record *rec = &wal->rec;
	enum walpf_wal_status status;

	if (wal->got == LENGTH_SIZE)
		return check_length(wal, wal->head);
	if (wal->got == WALPF_RECORD_HEADER) {
		wal->crc = ~0u;
		status = check_header(wal, wal->head);
		if (status != WALPF_WAL_RECORD)
			return status;
	}
	if (wal->got == lesser(rec->tot_len, WALPF_HEADERS_MAX)) {
		parse_blocks(wal, wal->head);
		keep_main(wal, 0, wal->head, wal->got);
	}
	return WALPF_WAL_RECORD;
}

/* A record that the input or a page cuts in pieces. */
static enum walpf_wal_status take_pieces(struct walpf_wal *wal)
{
	u32 mark = next_mark(wal);
	enum walpf_wal_status status;

	gather(wal, mark);
	if (wal->got < mark)
		return WALPF_WAL_NEED;
	status = judge(wal);
	if (status != WALPF_WAL_RECORD)
		return status;
	if (wal->got < LENGTH_SIZE || wal->got < wal->rec.tot_len)
		return WALPF_WAL_NEED;
	status = check_crc(wal, wal->crc, wal->head);
	return status == WALPF_WAL_RECORD ? give_out(wal, wal->main) : status;
}

static enum walpf_wal_status next_record(struct walpf_wal *wal)
{
	u32 page_left = WALPF_WAL_PAGE - wal->want_lsn % WALPF_WAL_PAGE;
	enum walpf_wal_status status;

	if (wal->got || wal->in_len < LENGTH_SIZE)
		return take_pieces(wal);
	status = check_length(wal, wal->in);
	if (status != WALPF_WAL_RECORD)
		return status;
	if (wal->rec.tot_len <= lesser(page_left, wal->in_len))
		return take_whole(wal);
	return take_pieces(wal);
}

enum walpf_wal_status walpf_wal_next(struct walpf_wal *wal)
{
	enum walpf_wal_status status = WALPF_WAL_NEED;

	if (wal->status > WALPF_WAL_NEED)
		return wal->status;
	while (status == WALPF_WAL_NEED && wal->in_len)
		status = wal->phase == PHASE_PAGE ? next_page(wal) : next_record(wal);
	wal->status = status;
	return status;
}

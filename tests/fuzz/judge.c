// SPDX-License-Identifier: GPL-2.0-only
/*
 * The invariants. The record's bytes are put together again from the pages,
 * by other code than the decoder's, and must carry the right CRC.
 */
#include "judge.h"
#include "walgen.h"
#include "wal/event.h"

#include <limits.h>

/* Of the run in pieces, for its time. */
enum { MAX_PIECES = 500 };

/* Of the last call, to be compared with the next. */
struct progress {
	u64 want_lsn;
	u64 lsn;		/* record given out last */
	u64 end_lsn;
	size_t records;
	size_t calls;
};

static u8 *gather(const struct wal_bytes *bytes, u64 lsn, u32 len)
{
	u8 *record = malloc(len);
	u32 got = 0;

	must(record);
	while (got < len) {
		if (lsn % WALGEN_PAGE == 0)
			lsn += lsn % bytes->seg_size ? 24 : 40;
		must(lsn < bytes->lsn + bytes->len);
		record[got++] = bytes->at[lsn++ - bytes->lsn];
	}
	return record;
}

static void check_bytes(const struct wal_bytes *bytes, const struct walpf_wal_record *rec)
{
	u8 *record = gather(bytes, rec->lsn, rec->tot_len), crc[4];

	must(!memcmp(rec->main, record + rec->tot_len - rec->main_len, rec->main_have));
	memcpy(crc, record + 20, 4);
	walgen_seal(record, rec->tot_len);
	must(!memcmp(crc, record + 20, 4));
	free(record);
}

static void check_named(const struct walpf_wal_record *rec, u8 i)
{
	const struct walpf_wal_ref *ref = &rec->refs[i];

	must(ref->id <= 32);
	must(i == 0 || ref->id > rec->refs[i - 1].id);
	must(!(ref->flags & ~(WALPF_REF_IMAGE | WALPF_REF_APPLY | WALPF_REF_INIT |
			      WALPF_REF_IGNORED)));
	must(!(ref->flags & WALPF_REF_APPLY) || ref->flags & WALPF_REF_IMAGE);
	must(!(ref->flags & WALPF_REF_IGNORED) || !(ref->flags & WALPF_REF_IMAGE));
	must(walpf_record_ref(rec, ref->id) == ref);
}

static void check_refs(const struct walpf_wal_record *rec)
{
	u8 i, implied = 0;

	must(rec->nr_refs <= WALPF_MAX_REFS + WALPF_MAX_IMPLIED);
	for (i = 0; i < rec->nr_refs; i++) {
		must(rec->refs[i].fork <= WALPF_FORK_INIT);
		if (rec->refs[i].flags & WALPF_REF_IMPLIED) {
			must(rec->refs[i].flags == WALPF_REF_IMPLIED);
			must(rec->refs[i].id == 0xff);
			implied++;
		} else {
			must(!implied);
			check_named(rec, i);
		}
	}
	must(implied <= WALPF_MAX_IMPLIED);
}

static void check_event(const struct walpf_wal_record *rec)
{
	struct walpf_wal_event event;
	u32 i;

	must(walpf_record_event(rec, &event) < WALPF_NR_EVENTS);
	must(event.nr_dropped <= WALPF_MAIN_MAX / 12);
	for (i = 0; i < event.nr_dropped; i++)
		walpf_event_dropped(&event, i);
	must(event.nr_dropped == 0 ||
	     event.dropped + 12 * event.nr_dropped <= rec->main + rec->main_have);
}

static void check_record(const struct wal_bytes *bytes, const struct walpf_wal_record *rec,
			 struct progress *progress)
{
	must(rec->lsn % 8 == 0 && rec->lsn >= bytes->lsn);
	must(rec->lsn >= progress->end_lsn);
	must(rec->end_lsn >= rec->lsn + rec->tot_len);
	must(rec->end_lsn <= bytes->lsn + bytes->len);
	must(rec->tot_len >= WALPF_RECORD_HEADER);
	must(progress->records ? rec->prev_lsn == progress->lsn : rec->prev_lsn < rec->lsn);
	must(rec->version);
	must(rec->main_len <= rec->tot_len - WALPF_RECORD_HEADER);
	must(rec->main_have == (rec->main_len < WALPF_MAIN_MAX ? rec->main_len : WALPF_MAIN_MAX));
	check_refs(rec);
	check_event(rec);
	check_bytes(bytes, rec);
	progress->lsn = rec->lsn;
	progress->end_lsn = rec->end_lsn;
	progress->records++;
}

/* Time is linear: a call takes a record, or all that was given. */
static void check_calls(const struct wal_bytes *bytes, const struct progress *progress)
{
	must(progress->calls <= 3 + progress->records + bytes->len / WALGEN_PAGE);
}

static bool feed_rest(const struct wal_bytes *bytes, struct walpf_wal *wal)
{
	u64 want = walpf_wal_want(wal);

	must(want >= bytes->lsn);
	if (want >= bytes->lsn + bytes->len)
		return false;
	walpf_wal_feed(wal, want, bytes->at + (want - bytes->lsn), bytes->lsn + bytes->len - want);
	return true;
}

static enum walpf_wal_status run(const struct wal_bytes *bytes, struct walpf_wal *wal,
				 struct progress *progress)
{
	for (;;) {
		enum walpf_wal_status status = walpf_wal_next(wal);

		must(status == wal->status);
		must(walpf_wal_want(wal) >= progress->want_lsn);
		progress->want_lsn = walpf_wal_want(wal);
		progress->calls++;
		check_calls(bytes, progress);
		if (status == WALPF_WAL_RECORD)
			check_record(bytes, &wal->rec, progress);
		else if (status != WALPF_WAL_NEED || !feed_rest(bytes, wal))
			return status;
	}
}

/* A second look at the same bytes tells the same. */
static void check_retry(const struct wal_bytes *bytes, struct walpf_wal *wal,
			struct progress *progress)
{
	enum walpf_wal_status status = wal->status;
	u64 stop_lsn = wal->stop_lsn, value = wal->stop_value;
	size_t records = progress->records;

	must(walpf_wal_next(wal) == status);
	walpf_wal_retry(wal);
	must(walpf_wal_want(wal) <= progress->want_lsn);
	progress->want_lsn = walpf_wal_want(wal);
	progress->calls = 0;
	must(run(bytes, wal, progress) == status);
	must(progress->records == records);
	must(status == WALPF_WAL_NEED || (wal->stop_lsn == stop_lsn && wal->stop_value == value));
}

static void check_pieces(const struct wal_bytes *bytes, u64 start_lsn, size_t piece)
{
	struct rng rng = { .state = 1 + piece };
	struct seen_list whole, cut;
	size_t i, least = 1 + bytes->len / MAX_PIECES;

	if (piece < least)
		piece = least;

	drain(&whole, bytes, start_lsn, 0, NULL);
	drain(&cut, bytes, start_lsn, piece, &rng);
	must(whole.nr == cut.nr && whole.status == cut.status && whole.stop_lsn == cut.stop_lsn);
	for (i = 0; i < whole.nr; i++)
		must(!memcmp(&whole.at[i], &cut.at[i], sizeof(whole.at[i])));
	seen_free(&whole);
	seen_free(&cut);
}

size_t judge(const struct wal_bytes *bytes, u64 start_lsn, size_t piece)
{
	const struct walpf_wal_config cfg = { .seg_size = bytes->seg_size };
	struct progress progress = { 0 };
	struct walpf_wal *wal = malloc(sizeof(*wal));

	must(wal);
	walpf_wal_init(wal, &cfg);
	walpf_wal_start(wal, start_lsn);
	run(bytes, wal, &progress);
	check_retry(bytes, wal, &progress);
	free(wal);
	if (piece)
		check_pieces(bytes, start_lsn, piece);
	return progress.records;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells the end of WAL from damage, see decode_end.h.
 */
#include <stdio.h>
#include <time.h>

#include "ctl.h"
#include "decode_end.h"
#include "lsn.h"

/* Texts of statuses that can be the end of WAL begin with this. */
#define END_PREFIX "end of WAL: "

/* No server takes so long from a page's first byte to its last. */
#define DAMAGE_MS 5000

static u64 now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * 1000 + (u64)now.tv_nsec / 1000000;
}

static bool can_be_end(enum walpf_wal_status status)
{
	return !strncmp(walpf_wal_status_text(status), END_PREFIX, strlen(END_PREFIX));
}

/* Without what only fits the end of WAL. */
static const char *reason(enum walpf_wal_status status)
{
	return walpf_wal_status_text(status) + (can_be_end(status) ? strlen(END_PREFIX) : 0);
}

void decode_end_start(struct decode_end *end, const struct wal_run *run, u64 start_lsn,
		      bool follow)
{
	*end = (struct decode_end){
		.run = *run,
		.start_lsn = start_lsn,
		.follow = follow,
		.seen_lsn = ~0ull,
	};
}

static bool goes_on(const struct decode_end *end, struct wal_source *src,
		    const struct walpf_wal *wal, u64 *where)
{
	return wal_source_goes_on(src, &end->run, walpf_wal_want(wal), where);
}

bool decode_end_moved(struct decode_end *end, struct wal_source *src, struct walpf_wal *wal)
{
	u64 where;

	if (wal->status == WALPF_WAL_NEED || wal->stop_lsn == end->seen_lsn)
		return false;
	if (!can_be_end(wal->status) || !goes_on(end, src, wal, &where))
		return false;
	end->seen_lsn = wal->stop_lsn;
	walpf_wal_retry(wal);
	return true;
}

bool decode_end_may_move(struct decode_end *end, struct wal_source *src,
			 const struct walpf_wal *wal)
{
	u64 where;

	if (wal->status == WALPF_WAL_NEED)
		return true;
	if (can_be_end(wal->status) && !goes_on(end, src, wal, &where))
		return true;
	if (wal->stop_lsn == end->seen_lsn)
		return now_ms() - end->seen_ms < DAMAGE_MS;
	end->seen_lsn = wal->stop_lsn;
	end->seen_ms = now_ms();
	return true;
}

/* All of the files was used up. */
static int judge_used_up(const struct decode_end *end, const struct walpf_wal *wal)
{
	const char *lsn = LSN_TEXT(end->run.end_lsn);

	if (!end->any)
		ctl_note(lsn, "end of the WAL given: no record of the range asked for begins "
			 "and ends in it");
	else
		ctl_note(lsn, "end of the WAL given: the last complete record ends at %s",
			 LSN_TEXT(wal->rec.end_lsn));
	return CTL_DONE;
}

static int judge_stop(const struct decode_end *end, struct wal_source *src,
		      const struct walpf_wal *wal)
{
	const struct segment *seg = wal_source_segment(src, &end->run, wal->stop_lsn);
	const char *lsn = LSN_TEXT(wal->stop_lsn);
	u64 where;

	if (!can_be_end(wal->status))
		return ctl_fail(lsn, "%s (%llX): %s is damaged or of other WAL: "
				"take it from another copy", reason(wal->status),
				(unsigned long long)wal->stop_value, seg->path);
	if (goes_on(end, src, wal, &where))
		return ctl_fail(lsn, "damaged: %s, but WAL goes on at %s: "
				"take %s from another copy", reason(wal->status),
				LSN_TEXT(where), seg->path);
	if (wal->stop_lsn == end->start_lsn)
		return ctl_fail(seg->path, "holds no WAL of its own at %s: %s: "
				"decode segments before it", lsn, reason(wal->status));
	ctl_note(lsn, "%s", walpf_wal_status_text(wal->status));
	return CTL_DONE;
}

int decode_end_judge(const struct decode_end *end, struct wal_source *src,
		     const struct walpf_wal *wal)
{
	u64 at = wal->status == WALPF_WAL_NEED ? walpf_wal_want(wal) : wal->stop_lsn;
	const struct segment *seg = wal_source_segment(src, &end->run, at);
	u64 bytes = wal_source_length(src, &end->run, at);

	if (bytes < seg->size)
		return ctl_fail(seg->path, "is truncated: it has %llu of %u bytes: "
				"copy it again", (unsigned long long)bytes, seg->size);
	if (wal->status == WALPF_WAL_NEED)
		return judge_used_up(end, wal);
	return judge_stop(end, src, wal);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorts and merges wanted blocks into extents and asks the page cache for
 * them, in the way that takes no lock of the file system's; bounds what is in
 * flight, for a full device queue would make the server's own reads wait.
 * Runs in a cluster's worker only. No lock is held over I/O.
 *
 * A hint's return value says nothing, so each block is looked for afterwards.
 */
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/sort.h>

#include "cluster.h"
#include "compat/pagecache.h"
#include "fetch.h"
#include "learn.h"
#include "outcome.h"
#include "startup.h"
#include "trace.h"

/* Largest request, in blocks: 256 kB, below the limit of common devices. */
#define EXTENT_MAX	(WALPF_READAHEAD_MAX / WALPF_BLCKSZ)

/* Requests in flight: a power of two, and no less than the setting's maximum. */
#define REQUESTS	8192

/*
 * One request in so many is timed, once the window has grown: reading the
 * clock may be slow.
 */
#define TIMED		8

/**
 * struct walpf_request - an extent in flight
 * @asked: when, for one that is timed; else 0
 * @page: its last one, pinned: the file may be closed before it comes
 * @blocks: its length
 */
struct walpf_request {
	ktime_t asked;
	struct page *page;
	u32 blocks;
};

struct extent {
	struct walpf_relfile *rf;
	u32 first;		/* block number within the file */
	u32 blocks;
	const struct walpf_want *want[EXTENT_MAX];	/* one for each block */
};

static loff_t offset_of(u32 file_block)
{
	return (loff_t)file_block * WALPF_BLCKSZ;
}

static bool is_cached(struct file *file, u32 file_block)
{
	loff_t pos = offset_of(file_block);

	return filemap_range_has_page(file->f_mapping, pos, pos + WALPF_BLCKSZ - 1);
}

static struct walpf_request *oldest(struct walpf_fetch *f)
{
	return &f->requests[f->tail % REQUESTS];
}

static void retire(struct walpf_fetch *f)
{
	put_page(oldest(f)->page);
	f->inflight -= oldest(f)->blocks;
	f->tail++;
	walpf_gauge_set(f->cl, inflight, f->inflight);
}

void walpf_fetch_reap(struct walpf_fetch *f)
{
	while (f->tail != f->head && !walpf_page_busy(oldest(f)->page))
		retire(f);
}

void walpf_fetch_forget(struct walpf_fetch *f)
{
	while (f->tail != f->head)
		retire(f);
}

/* How long it took is known only of what was waited for. */
static void learn(struct walpf_fetch *f, const struct walpf_request *rq)
{
	s64 us;

	if (!rq->asked)
		return;
	us = ktime_us_delta(ktime_get(), rq->asked);
	walpf_histogram_add(f->cl, device_us, max_t(s64, us, 0));
	walpf_window_seen(&f->window, clamp_t(s64, us, 0, U32_MAX), f->inflight_max);
}

static u32 bound(const struct walpf_fetch *f)
{
	return min(f->window.blocks, f->inflight_max);
}

/* Sleeping submits what the plug still holds. */
static void wait_for_room(struct walpf_fetch *f, u32 blocks)
{
	walpf_fetch_reap(f);
	while (f->tail != f->head &&
	       (f->inflight + blocks > bound(f) || f->head - f->tail == REQUESTS)) {
		walpf_page_wait(oldest(f)->page);
		learn(f, oldest(f));
		retire(f);
	}
}

static void remember(struct walpf_fetch *f, const struct extent *ex, pgoff_t last)
{
	struct page *page = find_get_page(ex->rf->file->f_mapping, last);

	/* It came, and was evicted again. */
	if (!page)
		return;
	f->requests[f->head % REQUESTS] = (struct walpf_request){
		.asked = f->window.growing || f->head % TIMED == 0 ? ktime_get() : 0,
		.page = page,
		.blocks = ex->blocks,
	};
	f->head++;
	f->inflight += ex->blocks;
	walpf_gauge_set(f->cl, inflight, f->inflight);
}

static void skip(struct walpf_fetch *f, const struct walpf_want *want,
		 enum walpf_plan_verdict verdict)
{
	static const enum walpf_count_id counters[] = {
#define X(NAME, name, text) [WALPF_SKIP_##NAME] = WALPF_COUNT_skipped_##name,
		WALPF_SKIP_REASONS(X)
#undef X
	};
	struct walpf_wal_ref ref = {
		.rel = want->rel,
		.block = want->block,
		.fork = want->fork,
	};

	this_cpu_inc(f->cl->counters->count[counters[verdict]]);
	walpf_learn_skipped(f->learn, &ref, want->lsn, verdict);
}

static void skip_observed(struct walpf_fetch *f, const struct extent *ex)
{
	u32 i;

	for (i = 0; i < ex->blocks; i++)
		skip(f, ex->want[i], WALPF_SKIP_OBSERVE);
}

static void expect(struct walpf_fetch *f, const struct extent *ex, u64 *keys)
{
	u32 i;

	for (i = 0; i < ex->blocks; i++)
		keys[i] = walpf_outcome_expect(f->cl, file_inode(ex->rf->file), ex->first + i,
					       ex->want[i]);
}

/* Returns how many blocks are there, or on their way. */
static u32 note_asked(struct walpf_fetch *f, const struct extent *ex, const u64 *keys)
{
	u32 i, n = 0;

	for (i = 0; i < ex->blocks; i++) {
		bool cached = is_cached(ex->rf->file, ex->first + i);

		if (walpf_outcome_asked(f->cl, keys[i], cached))
			n++;
		else
			skip(f, ex->want[i], WALPF_SKIP_MEMORY);
	}
	walpf_count(f->cl, fetched, n);
	return n;
}

/* Returns how many blocks are there, or on their way. */
static u32 submit(struct walpf_fetch *f, const struct extent *ex)
{
	pgoff_t first = offset_of(ex->first) >> PAGE_SHIFT;
	pgoff_t last = (offset_of(ex->first + ex->blocks) - 1) >> PAGE_SHIFT;
	u64 keys[EXTENT_MAX];
	u32 fetched;

	if (f->observe) {
		skip_observed(f, ex);
		return 0;
	}
	wait_for_room(f, ex->blocks);
	expect(f, ex, keys);
	walpf_readahead(ex->rf->file, first, last - first + 1);
	fetched = note_asked(f, ex, keys);
	if (fetched)
		remember(f, ex, last);
	walpf_count(f->cl, extents, 1);
	walpf_histogram_add(f->cl, extent_blocks, ex->blocks);
	trace_walpf_extent(f->cl->conf.name, ex->rf->file, ex->first, ex->blocks, fetched,
			   ex->want[0]->lsn);
	return fetched;
}

static u32 flush(struct walpf_fetch *f, struct extent *ex)
{
	u32 fetched = 0;

	if (ex->blocks)
		fetched = submit(f, ex);
	ex->blocks = 0;
	return fetched;
}

static enum walpf_plan_verdict judge(const struct walpf_want *want, struct walpf_relfile *rf,
				     u32 file_block, u64 replay_lsn)
{
	if (want->lsn < replay_lsn)
		return WALPF_SKIP_PASSED;
	if (!rf->file)
		return rf->verdict;
	if (offset_of(file_block) >= i_size_read(file_inode(rf->file)))
		return WALPF_SKIP_EOF;
	if (is_cached(rf->file, file_block))
		return WALPF_SKIP_CACHED;
	return WALPF_PLAN_FETCH;
}

static bool adjoins(const struct walpf_fetch *f, const struct extent *ex,
		    const struct walpf_relfile *rf, u32 file_block)
{
	return ex->blocks && ex->blocks < min(EXTENT_MAX, bound(f)) && ex->rf == rf &&
	       ex->first + ex->blocks == file_block;
}

static bool same_file(const struct walpf_want *a, const struct walpf_want *b, u32 file_blocks)
{
	return a->rel.rel == b->rel.rel && a->fork == b->fork && a->rel.db == b->rel.db &&
	       a->rel.spc == b->rel.spc && a->block / file_blocks == b->block / file_blocks;
}

static u32 fetch_in_order(struct walpf_fetch *f, const struct walpf_anchor *anchor,
			  const struct walpf_want *wants, u32 nr)
{
	u32 file_blocks = f->cl->conf.file_blocks;
	struct walpf_relfile *rf = NULL;
	struct extent ex = {};
	u32 i, fetched = 0;

	for (i = 0; i < nr; i++) {
		const struct walpf_want *want = &wants[i];
		u32 file_block = want->block % file_blocks;
		enum walpf_plan_verdict verdict;

		/* The server's exit must not wait for blocks that nobody wants any more. */
		if (kthread_should_stop() || !walpf_startup_alive(f->cl)) {
			walpf_count(f->cl, skipped_passed, nr - i);
			break;
		}
		if (!i || !same_file(want, want - 1, file_blocks)) {
			/* Getting a file may close the one that the extent is of. */
			fetched += flush(f, &ex);
			rf = walpf_relfile_get(&f->files, anchor, &want->rel, want->fork,
					       want->block);
		}
		verdict = judge(want, rf, file_block, walpf_gauge_get(f->cl, replay_lsn));
		if (verdict != WALPF_PLAN_FETCH) {
			skip(f, want, verdict);
			continue;
		}
		if (!adjoins(f, &ex, rf, file_block)) {
			fetched += flush(f, &ex);
			ex = (struct extent){ rf, file_block };
		}
		ex.want[ex.blocks++] = want;
	}
	return fetched + flush(f, &ex);
}

static int compare_u32(u32 a, u32 b)
{
	return a < b ? -1 : a > b;
}

static int compare(const void *left, const void *right)
{
	const struct walpf_want *a = left, *b = right;
	int order = compare_u32(a->rel.rel, b->rel.rel);

	if (!order)
		order = compare_u32(a->rel.db, b->rel.db);
	if (!order)
		order = compare_u32(a->rel.spc, b->rel.spc);
	if (!order)
		order = compare_u32(a->fork, b->fork);
	return order ? order : compare_u32(a->block, b->block);
}

/*
 * What is near goes out one by one: only sleeping submits what a plug holds,
 * and replay would wait for this thread to run again if it was preempted.
 */
u32 walpf_fetch_batch(struct walpf_fetch *f, const struct walpf_anchor *anchor,
		      struct walpf_want *wants, u32 nr, bool near)
{
	struct blk_plug plug;
	u32 fetched;

	if (near)
		return fetch_in_order(f, anchor, wants, nr);
	sort(wants, nr, sizeof(*wants), compare, NULL);
	blk_start_plug(&plug);
	fetched = fetch_in_order(f, anchor, wants, nr);
	blk_finish_plug(&plug);
	return fetched;
}

int walpf_fetch_alloc(struct walpf_fetch *f, struct walpf_cluster *cl)
{
	f->cl = cl;
	f->files.cl = cl;
	walpf_window_init(&f->window);
	f->requests = kvmalloc_array(REQUESTS, sizeof(*f->requests), GFP_KERNEL);
	return f->requests ? 0 : -ENOMEM;
}

void walpf_fetch_free(struct walpf_fetch *f)
{
	kvfree(f->requests);
}

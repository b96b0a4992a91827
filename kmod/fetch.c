// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorts and merges wanted blocks into extents and asks the page cache for
 * them, in the way that takes no lock of the file system's. A hint's return
 * value says nothing, so each block is looked for afterwards.
 *
 * A cluster's worker goes through a batch alone, as long as it knows the
 * files. One that is new may have to be waited for: its directory, its inode,
 * and the map of its blocks, one read after the other. So before the worker
 * turns to it, it has a helper take what comes next, and so does that.
 *
 * Locking and lifetime:
 *  1. The batch, the anchor in it and all else of struct walpf_fetch are the
 *     worker's. It waits for the helpers before it goes on, with their
 *     current file each: they take no other when the batch is over.
 *  2. @lock of the batch guards what is next in it, and who takes part.
 *     Innermost.
 *  3. Files are shared as relfile.c says, devices as device.c does.
 *  4. No lock is held over asking, or waiting for, data. A slot's mutex is
 *     held while its file is opened.
 *  5. What is skipped, and what becomes of what is not, may be told by several
 *     threads at once: see learn.h and ledger.c.
 *  6. A helper runs on a thread of the kernel's. It takes on the worker's I/O
 *     priority and memory cgroup and lays them down again.
 */
#include <linux/atomic.h>
#include <linux/blkdev.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/workqueue.h>

#include "cluster.h"
#include "compat/memcg.h"
#include "compat/pagecache.h"
#include "fetch.h"
#include "learn.h"
#include "outcome.h"
#include "startup.h"
#include "trace.h"

/* Largest request, in blocks: 256 kB, below the limit of common devices. */
#define EXTENT_MAX	(WALPF_READAHEAD_MAX / WALPF_BLCKSZ)

/*
 * With the worker, sixteen files are opened at once: at 8 ms a read and three
 * reads a file some 600 in a second.
 */
#define HELPERS		15u

/* While the rate of requests is limited, how often to look whether they are wanted. */
#define PACE_US		50000u

/**
 * struct walpf_helper - somebody who can take part in a batch
 * @work: on the cluster's queue
 * @f: the cluster's
 */
struct walpf_helper {
	struct work_struct work;
	struct walpf_fetch *f;
};

/**
 * struct walpf_batch - blocks to be fetched together
 * @anchor: taken from the startup process
 * @wants: in the order in which they are taken
 * @nr: how many
 * @near: not sorted, and each goes out at once
 * @over: nobody wants them any more
 * @fetched: blocks so far
 * @lock: guards what follows
 * @next: the first one that is not taken
 * @helpers: how many take part
 * @helpers_max: no more than these
 */
struct walpf_batch {
	const struct walpf_anchor *anchor;
	const struct walpf_want *wants;
	u32 nr;
	bool near;
	bool over;
	atomic_t fetched;
	spinlock_t lock;		/* see 2. */
	u32 next;
	u32 helpers;
	u32 helpers_max;
};

/* Neighbours in a batch that are of the same file. */
struct run {
	const struct walpf_want *wants;
	u32 nr;
	struct walpf_relfile *rf;
	struct walpf_share *share;
};

struct extent {
	u32 first;		/* block number within the file */
	u32 blocks;
	const struct walpf_want *want[EXTENT_MAX];	/* one for each block */
};

void walpf_fetch_skip(struct walpf_cluster *cl, enum walpf_plan_verdict verdict, u32 n)
{
	static const enum walpf_count_id counters[] = {
#define X(NAME, name, text) [WALPF_SKIP_##NAME] = WALPF_COUNT_skipped_##name,
		WALPF_SKIP_REASONS(X)
#undef X
	};

	this_cpu_add(cl->counters->count[counters[verdict]], n);
}

/* Skips a block that the plan wanted. */
static void skip(struct walpf_fetch *f, const struct walpf_want *want,
		 enum walpf_plan_verdict verdict)
{
	struct walpf_wal_ref ref = {
		.rel = want->rel,
		.block = want->block,
		.fork = want->fork,
	};

	walpf_fetch_skip(f->cl, verdict, 1);
	walpf_learn_skipped(f->learn, &ref, want->lsn, verdict);
}

static loff_t offset_of(u32 file_block)
{
	return (loff_t)file_block * WALPF_BLCKSZ;
}

static bool is_cached(struct file *file, u32 file_block)
{
	loff_t pos = offset_of(file_block);

	return filemap_range_has_page(file->f_mapping, pos, pos + WALPF_BLCKSZ - 1);
}

static void skip_observed(struct walpf_fetch *f, const struct extent *ex)
{
	u32 i;

	for (i = 0; i < ex->blocks; i++)
		skip(f, ex->want[i], WALPF_SKIP_OBSERVE);
}

static void expect(struct walpf_fetch *f, const struct file *file, const struct extent *ex,
		   u64 *keys)
{
	u32 i;

	for (i = 0; i < ex->blocks; i++)
		keys[i] = walpf_outcome_expect(f->cl, file_inode(file), ex->first + i, ex->want[i]);
}

/* Returns how many blocks are there, or on their way. */
static u32 note_asked(struct walpf_fetch *f, struct file *file, const struct extent *ex,
		      const u64 *keys)
{
	u32 i, n = 0;

	for (i = 0; i < ex->blocks; i++) {
		bool cached = is_cached(file, ex->first + i);

		if (walpf_outcome_asked(f->cl, keys[i], cached))
			n++;
		else
			skip(f, ex->want[i], WALPF_SKIP_MEMORY);
	}
	walpf_count(f->cl, fetched, n);
	return n;
}

static u32 ask(struct walpf_fetch *f, const struct run *run, const struct extent *ex)
{
	struct file *file = run->rf->file;
	pgoff_t first = offset_of(ex->first) >> PAGE_SHIFT;
	pgoff_t last = (offset_of(ex->first + ex->blocks) - 1) >> PAGE_SHIFT;
	u64 keys[EXTENT_MAX];
	u32 fetched;

	walpf_share_take(run->share, ex->blocks);
	expect(f, file, ex, keys);
	walpf_readahead(file, first, last - first + 1);
	fetched = note_asked(f, file, ex, keys);
	/* No page, but fetched: it came, and was evicted again. */
	walpf_share_asked(run->share, fetched ? find_get_page(file->f_mapping, last) : NULL,
			  ex->blocks);
	return fetched;
}

/*
 * Helpers are never told to stop; they see what the worker has seen. Neither the
 * server's exit nor the operator waits for blocks that nobody wants any more.
 */
static bool is_over(const struct walpf_fetch *f)
{
	if (kthread_should_stop() || !walpf_startup_alive(f->cl) || walpf_cluster_is_off(f->cl))
		WRITE_ONCE(f->batch->over, true);
	return READ_ONCE(f->batch->over);
}

/* Sleeping submits what the plug holds. */
static void pace(struct walpf_fetch *f, const struct run *run, u32 blocks)
{
	u32 us;

	while ((us = walpf_share_pace(run->share, blocks)) && !is_over(f)) {
		us = min(us, PACE_US);
		usleep_range(us, us + us / 4);
	}
}

static void submit(struct walpf_fetch *f, const struct run *run, const struct extent *ex)
{
	u32 fetched;

	if (!ex->blocks)
		return;
	if (f->observe) {
		skip_observed(f, ex);
		return;
	}
	pace(f, run, ex->blocks);
	fetched = ask(f, run, ex);
	atomic_add(fetched, &f->batch->fetched);
	walpf_count(f->cl, extents, 1);
	walpf_histogram_add(f->cl, extent_blocks, ex->blocks);
	trace_walpf_extent(f->cl->conf.name, run->rf->file, ex->first, ex->blocks, fetched,
			   ex->want[0]->lsn);
}

static enum walpf_plan_verdict judge(const struct walpf_want *want, const struct run *run,
				     u32 file_block, u64 replay_lsn)
{
	struct file *file = run->rf->file;

	if (want->lsn < replay_lsn)
		return WALPF_SKIP_PASSED;
	if (!file)
		return run->rf->verdict;
	if (!run->share)
		return WALPF_SKIP_MEMORY;
	if (offset_of(file_block) >= i_size_read(file_inode(file)))
		return WALPF_SKIP_EOF;
	if (is_cached(file, file_block))
		return WALPF_SKIP_CACHED;
	return WALPF_PLAN_FETCH;
}

static bool adjoins(const struct run *run, const struct extent *ex, u32 file_block)
{
	return ex->blocks && ex->first + ex->blocks == file_block &&
	       ex->blocks < min(EXTENT_MAX, walpf_share_bound(run->share));
}

static void fetch_run(struct walpf_fetch *f, const struct run *run)
{
	struct extent ex = {};
	u32 i;

	for (i = 0; i < run->nr && !is_over(f); i++) {
		const struct walpf_want *want = &run->wants[i];
		u32 file_block = want->block % f->cl->conf.file_blocks;
		enum walpf_plan_verdict verdict;

		verdict = judge(want, run, file_block, walpf_gauge_get(f->cl, replay_lsn));
		if (verdict != WALPF_PLAN_FETCH) {
			skip(f, want, verdict);
			continue;
		}
		if (!adjoins(run, &ex, file_block)) {
			submit(f, run, &ex);
			ex = (struct extent){ file_block };
		}
		ex.want[ex.blocks++] = want;
	}
	submit(f, run, &ex);
	walpf_fetch_skip(f->cl, WALPF_SKIP_PASSED, run->nr - i);
}

static bool same_file(const struct walpf_want *a, const struct walpf_want *b, u32 file_blocks)
{
	return a->rel.rel == b->rel.rel && a->fork == b->fork && a->rel.db == b->rel.db &&
	       a->rel.spc == b->rel.spc && a->block / file_blocks == b->block / file_blocks;
}

static bool take_run(struct walpf_fetch *f, struct run *run)
{
	struct walpf_batch *b = f->batch;
	u32 file_blocks = f->cl->conf.file_blocks;
	u32 nr = 0;

	spin_lock(&b->lock);
	run->wants = &b->wants[b->next];
	while (b->next + nr < b->nr && same_file(run->wants, &run->wants[nr], file_blocks))
		nr++;
	b->next += nr;
	spin_unlock(&b->lock);
	run->nr = nr;
	return nr;
}

static void call_helper(struct walpf_fetch *f)
{
	struct walpf_batch *b = f->batch;

	spin_lock(&b->lock);
	if (b->next < b->nr && b->helpers < b->helpers_max)
		queue_work(f->queue, &f->helpers[b->helpers++].work);
	spin_unlock(&b->lock);
}

static void open_run(struct walpf_fetch *f, struct run *run)
{
	const struct walpf_want *want = run->wants;

	run->share = NULL;
	run->rf = walpf_relfile_get(&f->files, &want->rel, want->fork, want->block);
	if (!READ_ONCE(run->rf->known))
		call_helper(f);
	walpf_relfile_open(&f->files, run->rf, f->batch->anchor);
	if (run->rf->file)
		run->share = walpf_shares_of(&f->shares, file_inode(run->rf->file)->i_sb->s_dev);
}

/*
 * What is near goes out one by one: only sleeping submits what a plug holds,
 * and replay would wait for this thread to run again if it was preempted.
 */
static void take_part(struct walpf_fetch *f)
{
	bool plugged = !f->batch->near;
	struct blk_plug plug;
	struct run run;

	if (plugged)
		blk_start_plug(&plug);
	while (take_run(f, &run)) {
		if (is_over(f)) {
			walpf_fetch_skip(f->cl, WALPF_SKIP_PASSED, run.nr);
			continue;
		}
		open_run(f, &run);
		fetch_run(f, &run);
		walpf_relfile_put(&f->files, run.rf);
	}
	if (plugged)
		blk_finish_plug(&plug);
}

static void help(struct work_struct *work)
{
	struct walpf_fetch *f = container_of(work, struct walpf_helper, work)->f;
	struct mem_cgroup *old = walpf_memcg_enter(f->memcg);

	set_task_ioprio(current, WALPF_FETCH_IOPRIO);
	take_part(f);
	set_task_ioprio(current, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_NONE, 0));
	walpf_memcg_leave(old);
}

/* A helper that has not begun has nothing to do any more. */
static void dismiss_helpers(struct walpf_fetch *f)
{
	u32 i;

	for (i = 0; i < f->batch->helpers; i++)
		cancel_work_sync(&f->helpers[i].work);
}

/*
 * What is read to open files is in no share of the device: so, at a device
 * that bears little, it is kept to half of what the data may be.
 */
static u32 helpers_max(struct walpf_fetch *f)
{
	struct walpf_share *share = walpf_shares_of(&f->shares, f->cl->pgdata.dev);

	return share ? min(walpf_share_bound(share) / 2, HELPERS) : 0;
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

u32 walpf_fetch_batch(struct walpf_fetch *f, const struct walpf_anchor *anchor,
		      struct walpf_want *wants, u32 nr, bool near)
{
	struct walpf_batch batch = {
		.anchor = anchor,
		.wants = wants,
		.nr = nr,
		.near = near,
		.helpers_max = helpers_max(f),
	};

	if (!near)
		sort(wants, nr, sizeof(*wants), compare, NULL);
	spin_lock_init(&batch.lock);
	f->batch = &batch;
	take_part(f);
	dismiss_helpers(f);
	f->batch = NULL;
	walpf_fetch_reap(f);
	return atomic_read(&batch.fetched);
}

void walpf_fetch_reap(struct walpf_fetch *f)
{
	struct walpf_shares_sum sum;

	walpf_shares_reap(&f->shares, &sum);
	walpf_gauge_set(f->cl, inflight, sum.inflight);
	walpf_gauge_set(f->cl, effective_inflight, sum.bound);
	walpf_gauge_set(f->cl, latency_us, sum.latency_us);
}

void walpf_fetch_forget(struct walpf_fetch *f)
{
	walpf_shares_leave(&f->shares);
	walpf_gauge_set(f->cl, inflight, 0);
	walpf_gauge_set(f->cl, effective_inflight, 0);
}

int walpf_fetch_alloc(struct walpf_fetch *f, struct walpf_cluster *cl)
{
	u32 i;

	f->cl = cl;
	walpf_relfiles_init(&f->files, cl);
	walpf_shares_init(&f->shares, cl);
	f->queue = alloc_workqueue("walpf", WQ_UNBOUND, HELPERS);
	f->helpers = kcalloc(HELPERS, sizeof(*f->helpers), GFP_KERNEL);
	if (!f->queue || !f->helpers)
		return -ENOMEM;
	for (i = 0; i < HELPERS; i++) {
		INIT_WORK(&f->helpers[i].work, help);
		f->helpers[i].f = f;
	}
	return 0;
}

void walpf_fetch_free(struct walpf_fetch *f)
{
	if (f->queue)
		destroy_workqueue(f->queue);
	kfree(f->helpers);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * One kernel thread per cluster. While a startup process is known it goes
 * before it through the WAL, at most the lead and the budget ahead, and hands
 * batches of references to fetch.c. It reads WAL where replay is, not where
 * it should be: the position comes from the probe handler alone.
 *
 * Locking and lifetime:
 *  1. Everything in struct walpf_lookahead but @kicked, @wake_lsn, @at_tail,
 *     @stalled and @kick is the thread's alone.
 *  2. The handler and the watch wake the thread through @kick, an irq_work,
 *     once per sleep: @kicked says that it has been done.
 *  3. No lock is held over anything here. The anchor is held for one turn.
 *  4. The memory is freed with the cluster, after the thread has ended.
 */
#include <linux/file.h>
#include <linux/freezer.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "cluster.h"
#include "compat/memcg.h"
#include "fetch.h"
#include "genl.h"
#include "hook.h"
#include "learn.h"
#include "lookahead.h"
#include "outcome.h"
#include "plan.h"
#include "relfile.h"
#include "segment.h"
#include "startup.h"
#include "steer.h"
#include "trace.h"
#include "wal/stream.h"

/*
 * References in a batch: large enough to sort and merge, small enough not to
 * delay the first of them. So the sooner replay will be there, the fewer: one for
 * each millisecond.
 */
#define BATCH_MAX	512
#define BATCH_MIN	32

/* Of a device whose rate is limited, what it may do in this part of a second. */
#define BATCHES		10

/*
 * What replay reads next, in bytes of WAL: kept in its order. Beyond that a disk
 * gains more by sorting.
 */
#define NEAR_BYTES	(64u << 10)

/* Marks of how many blocks were fetched up to which position. */
#define MARKS		1024

/* Without progress for so long nothing is fetched; so long lasts a refusal. */
#define STALL		(5 * HZ)

/* A turn lasts no longer, as it holds an anchor and files. */
#define TURN		(HZ / 10)

/* How often the probe is tested, and pg_wal looked for. */
#define LOOK_AFTER	(60 * HZ)

/*
 * Of the table of what is outstanding, for each block fetched so many buckets
 * are looked at for blocks that replay has passed: all of it while the lead is
 * fetched once.
 */
#define SWEEP_SHARE	2

/* How soon to look again when nothing woke the worker. */
#define WAIT_REPLAY	msecs_to_jiffies(200)

struct fetched_mark {
	u64 lsn;
	u32 blocks;
};

struct walpf_lookahead {
	struct walpf_cluster *cl;
	struct task_struct *thread;

	wait_queue_head_t wait;
	struct irq_work kick;
	int kicked;
	u64 wake_lsn;
	bool at_tail;
	bool stalled;

	bool woken;		/* by a kick, not by the clock */
	bool resting;		/* fetching is not worth it: nobody is observed */
	bool following;		/* a startup process is known */
	bool walk;		/* look at all processes for one */
	bool started;		/* the decoder has a position */
	bool gone;		/* what was planned: never fetched, or evicted */
	bool well;		/* the probe works, and pg_wal is there */
	unsigned long looked_after;	/* jiffies */
	unsigned long refused_until;	/* jiffies */
	unsigned long retry;	/* at the tail, jiffies */
	struct walpf_settings set;
	struct walpf_position pos;
	u32 jumps;		/* of pos, when the decoder was set to it */
	u32 tli;		/* the same */
	u64 seen_lsn;
	u64 seen_reads;
	unsigned long progress;	/* jiffies when replay read anything last */

	struct walpf_wal wal;
	struct walpf_segment seg;
	struct walpf_plan plan;
	void *plan_mem;
	struct walpf_learn learn;
	struct walpf_steer steer;
	unsigned long swept;	/* jiffies when all outstanding blocks were looked at */
	struct walpf_fetch fetch;

	struct walpf_want *wants;
	u32 nr_wants;
	struct fetched_mark *marks;
	u32 head;
	u32 rear;
	u64 lead_blocks;
	u32 batch;		/* references in one, by the operator's limits */
};

static void kick_work(struct irq_work *work)
{
	struct walpf_lookahead *la = container_of(work, struct walpf_lookahead, kick);

	wake_up(&la->wait);
}

void walpf_lookahead_kick(struct walpf_cluster *cl)
{
	struct walpf_lookahead *la = cl->lookahead;

	/* A full barrier: the thread sees the reason, or the kick. */
	if (la && !xchg(&la->kicked, 1))
		irq_work_queue(&la->kick);
}

void walpf_lookahead_progress(struct walpf_cluster *cl, u64 lsn, bool jump)
{
	if (jump || lsn >= READ_ONCE(cl->lookahead->wake_lsn))
		walpf_lookahead_kick(cl);
}

void walpf_lookahead_written(struct walpf_cluster *cl)
{
	if (READ_ONCE(cl->lookahead->at_tail))
		walpf_lookahead_kick(cl);
}

void walpf_lookahead_resumed(struct walpf_cluster *cl)
{
	if (READ_ONCE(cl->lookahead->stalled))
		walpf_lookahead_kick(cl);
}

/* How far the decoder is: the end of the last record, or where it began. */
static u64 lookahead_lsn(const struct walpf_lookahead *la)
{
	return la->wal.rec.end_lsn > la->pos.lsn ? la->wal.rec.end_lsn : la->pos.lsn;
}

static void show_lead(struct walpf_lookahead *la)
{
	u64 lsn = lookahead_lsn(la), replay = walpf_gauge_get(la->cl, replay_lsn);

	walpf_gauge_set(la->cl, lookahead_lsn, lsn);
	walpf_gauge_set(la->cl, lead_bytes, lsn > replay ? lsn - replay : 0);
	walpf_gauge_set(la->cl, lead_blocks, la->lead_blocks);
	walpf_gauge_set(la->cl, queued, la->nr_wants);
	walpf_gauge_set(la->cl, held_files, la->fetch.files.nr_open + !!la->seg.file);
}

/* Gives up the marks that replay has passed. */
static void pass_marks(struct walpf_lookahead *la, u64 replay_lsn)
{
	while (la->rear != la->head && la->marks[la->rear % MARKS].lsn <= replay_lsn)
		la->lead_blocks -= la->marks[la->rear++ % MARKS].blocks;
}

/* With no mark left the newest one grows: it is passed later than it could be. */
static void add_mark(struct walpf_lookahead *la, u64 lsn, u32 blocks)
{
	if (la->head - la->rear == MARKS) {
		struct fetched_mark *newest = &la->marks[(la->head - 1) % MARKS];

		newest->lsn = lsn;
		newest->blocks += blocks;
	} else {
		la->marks[la->head++ % MARKS] = (struct fetched_mark){ lsn, blocks };
	}
	la->lead_blocks += blocks;
}

/* Where replay has to be for so many blocks to be passed, if there are so many. */
static u64 mark_passing(const struct walpf_lookahead *la, u64 blocks)
{
	u32 i = la->rear;
	u64 passed = la->marks[i % MARKS].blocks;

	while (passed < blocks && i + 1 != la->head)
		passed += la->marks[++i % MARKS].blocks;
	return la->marks[i % MARKS].lsn;
}

static void forget_marks(struct walpf_lookahead *la)
{
	la->head = 0;
	la->rear = 0;
	la->lead_blocks = 0;
}

/* What is in the server's decode buffer may not be replayed yet. */
static u64 certain_lsn(const struct walpf_lookahead *la)
{
	u64 behind = la->cl->conf.decode_buffer;

	return la->pos.lsn > behind ? la->pos.lsn - behind : 0;
}

/* When a block is read that a record wants, the records before it are replayed. */
static u64 replayed_lsn(const struct walpf_lookahead *la)
{
	return clamp_t(u64, walpf_outcome_lsn(la->cl), certain_lsn(la), la->pos.lsn);
}

static void take_position(struct walpf_lookahead *la)
{
	struct walpf_cluster *cl = la->cl;
	u64 replay;

	raw_spin_lock_irq(&cl->position_lock);
	la->pos = cl->position;
	raw_spin_unlock_irq(&cl->position_lock);
	if (la->pos.lsn != la->seen_lsn) {
		la->seen_lsn = la->pos.lsn;
		la->progress = jiffies;
	}
	if (!la->pos.lsn)
		return;
	replay = replayed_lsn(la);
	walpf_gauge_set(cl, replay_lsn, replay);
	pass_marks(la, replay);
}

/* In bytes of WAL, from what replay read last. */
static u64 distance(const struct walpf_lookahead *la)
{
	return lookahead_lsn(la) - la->pos.lsn;
}

static bool is_near(const struct walpf_lookahead *la)
{
	return distance(la) < NEAR_BYTES;
}

static void learn_unused(struct walpf_lookahead *la, u32 part)
{
	struct walpf_passed passed = walpf_outcome_pass(la->cl, certain_lsn(la), part);

	if (passed.unused > passed.warming)
		walpf_learn_window(&la->learn, 0, passed.unused - passed.warming);
}

static void count_missed(struct walpf_cluster *cl, enum walpf_plan_verdict verdict)
{
	static const enum walpf_count_id counters[WALPF_PLAN_NR_VERDICTS + 1] = {
		[WALPF_SKIP_PENDING] = WALPF_COUNT_missed_pending,
		[WALPF_SKIP_RECENT] = WALPF_COUNT_missed_recent,
		[WALPF_SKIP_CACHED] = WALPF_COUNT_missed_cached,
		[WALPF_SKIP_MISSING] = WALPF_COUNT_missed_missing,
		[WALPF_SKIP_EOF] = WALPF_COUNT_missed_eof,
		[WALPF_SKIP_REFUSED] = WALPF_COUNT_missed_refused,
		[WALPF_SKIP_SPACE] = WALPF_COUNT_missed_space,
		[WALPF_SKIP_MEMORY] = WALPF_COUNT_missed_memory,
		[WALPF_SKIP_PASSED] = WALPF_COUNT_missed_passed,
		[WALPF_SKIP_OBSERVE] = WALPF_COUNT_missed_observe,
		[WALPF_PLAN_NR_VERDICTS] = WALPF_COUNT_missed_unseen,
	};

	this_cpu_inc(cl->counters->count[counters[verdict]]);
}

/* What replay had to read itself, and why. */
static void learn_missed(struct walpf_lookahead *la)
{
	const struct walpf_conf *conf = &la->cl->conf;
	struct walpf_missed missed;
	u64 recent = 0;

	while (walpf_outcome_missed(la->cl, &missed)) {
		enum walpf_plan_verdict verdict;

		/* What was known of a block is of before the position was lost. */
		verdict = WALPF_PLAN_NR_VERDICTS;
		if (la->started)
			verdict = walpf_learn_missed(&la->learn, &missed, conf->file_blocks,
						     conf->decode_buffer);
		count_missed(la->cl, verdict);
		recent += verdict == WALPF_SKIP_RECENT;
	}
	if (recent)
		walpf_learn_window(&la->learn, recent, 0);
}

/* Now and then all that is outstanding is looked at, else a part that grows with use. */
static void learn(struct walpf_lookahead *la)
{
	learn_missed(la);
	if (time_before(jiffies, la->swept + HZ))
		return;
	la->swept = jiffies;
	learn_unused(la, WALPF_OUTCOME_ALL);
	walpf_gauge_set(la->cl, window_blocks, la->learn.window);
}

/* No reads are observed any more: what is counted now adds up. */
static void end_outcomes(struct walpf_lookahead *la)
{
	learn_unused(la, WALPF_OUTCOME_ALL);
	walpf_outcome_abandon(la->cl);
	learn_missed(la);
	walpf_counters_check(la->cl);
}

static void dispatch(struct walpf_lookahead *la, const struct walpf_anchor *anchor)
{
	u32 fetched;

	if (!la->nr_wants)
		return;
	fetched = walpf_fetch_batch(&la->fetch, anchor, la->wants, la->nr_wants, is_near(la));
	la->nr_wants = 0;
	if (fetched)
		add_mark(la, lookahead_lsn(la), fetched);
	la->steer.outstanding = max(la->steer.outstanding, la->lead_blocks);
	take_position(la);
	learn_unused(la, fetched * SWEEP_SHARE);
	show_lead(la);
}

/* What will never be fetched, because replay is elsewhere or gone. */
static void drop_wants(struct walpf_lookahead *la)
{
	walpf_count(la->cl, skipped_passed, la->nr_wants);
	la->nr_wants = 0;
}

static void give_up_lead(struct walpf_lookahead *la)
{
	drop_wants(la);
	forget_marks(la);
	walpf_gauge_set(la->cl, lead_bytes, 0);
}

static void take_reference(struct walpf_lookahead *la, const struct walpf_wal_ref *ref)
{
	const struct walpf_wal_record *rec = &la->wal.rec;
	enum walpf_plan_verdict verdict;

	walpf_count(la->cl, references, 1);
	walpf_learn_space(&la->learn, ref->rel.spc);
	verdict = walpf_plan_ref(&la->plan, ref, rec->lsn, walpf_gauge_get(la->cl, replay_lsn));
	if (verdict != WALPF_PLAN_FETCH) {
		walpf_fetch_skip(la->cl, verdict, 1);
		return;
	}
	la->wants[la->nr_wants++] = (struct walpf_want){
		.lsn = rec->lsn,
		.length = min_t(u64, rec->end_lsn - rec->lsn, U32_MAX),
		.warming = walpf_plan_warming(&la->plan),
		.rel = ref->rel,
		.block = ref->block,
		.fork = ref->fork,
	};
}

static void take_record(struct walpf_lookahead *la)
{
	const struct walpf_wal_record *rec = &la->wal.rec;
	u32 i;

	walpf_count(la->cl, wal_records, 1);
	walpf_count(la->cl, wal_bytes, rec->tot_len);
	for (i = 0; i < rec->nr_refs; i++)
		take_reference(la, &rec->refs[i]);
}

/* A batch has room for one more record of any kind. */
static bool is_full(const struct walpf_lookahead *la)
{
	u64 ms = la->steer.gov.speed ? distance(la) * 1000 / la->steer.gov.speed : 0;
	u32 most = clamp_t(u64, ms, BATCH_MIN, BATCH_MAX);

	return la->nr_wants + WALPF_MAX_REFS + WALPF_MAX_IMPLIED > BATCH_MAX ||
	       la->nr_wants >= min(most, la->batch);
}

/* Position of the page that @lsn lies on. */
static u64 page_of(u64 lsn)
{
	return lsn & ~(u64)(WALPF_WAL_PAGE - 1);
}

static void resync(struct walpf_lookahead *la)
{
	u64 lsn = la->pos.lsn;

	if (la->jumps != la->pos.jumps)
		walpf_outcome_rewind(la->cl);
	walpf_steer_moved(&la->steer, walpf_gauge_get(la->cl, replay_lsn));
	la->jumps = la->pos.jumps;
	la->tli = la->pos.tli;
	trace_walpf_resync(la->cl->conf.name, walpf_wal_want(&la->wal), lsn, la->pos.tli);
	drop_wants(la);
	forget_marks(la);
	walpf_wal_start(&la->wal, lsn);
	la->wal.rec.end_lsn = 0;
	walpf_plan_resync(&la->plan, lsn);
	walpf_segment_careful(&la->seg);
	walpf_count(la->cl, resyncs, 1);
	la->started = true;
	la->gone = false;
}

/* Replay jumped, or took another timeline, or overtook the decoder; or much was evicted. */
static bool must_resync(const struct walpf_lookahead *la)
{
	if (!la->started || la->gone || la->pos.jumps != la->jumps || la->pos.tli != la->tli)
		return true;
	return la->pos.lsn > page_of(walpf_wal_want(&la->wal));
}

static bool is_consented(struct walpf_lookahead *la)
{
	const struct walpf_wal_version *version = la->wal.version;

	if (!version || version->run || la->cl->conf.flags & WALPF_F_UNTESTED)
		return true;
	walpf_cluster_reason(la->cl,
			     "never tried with WAL of PostgreSQL %s: register again with --untested",
			     version->name);
	return false;
}

/*
 * The lead in bytes is that before what was read: what the server has in its
 * decode buffer, which may be larger than the lead, needs no look-ahead.
 */
static bool is_lead_spent(const struct walpf_lookahead *la)
{
	return distance(la) >= la->steer.gov.lead_bytes;
}

/* What is gathered may have to be fetched. */
static bool is_budget_spent(const struct walpf_lookahead *la)
{
	return la->lead_blocks + la->nr_wants >= la->steer.gov.budget;
}

static bool has_room(const struct walpf_lookahead *la)
{
	return !is_lead_spent(la) && !is_budget_spent(la);
}

/* How a turn ended. */
enum end {
	END_ROOM,		/* the lead or the budget is spent */
	END_TAIL,		/* there is no more WAL */
	END_MORE,		/* there is more to do */
	END_REFUSED,		/* nothing may be done, for a reason that was told */
};

/*
 * The next time that there is something to do without new WAL; at the tail,
 * when replay finds WAL where there was none: a segment was restored.
 */
static void plan_wakeup(struct walpf_lookahead *la, bool tail)
{
	u64 lsn = la->pos.lsn + la->steer.gov.lead_bytes / 16;

	if (is_budget_spent(la) && la->rear != la->head)
		lsn = mark_passing(la, la->steer.gov.budget / 8) + la->cl->conf.decode_buffer;
	if (tail)
		lsn = page_of(walpf_wal_want(&la->wal));
	WRITE_ONCE(la->wake_lsn, lsn);
}

static void tell_unreadable(struct walpf_lookahead *la, u64 lsn, int err)
{
	switch (err) {
	case -ENOENT:
		walpf_cluster_reason(la->cl, "there is no pg_wal in the data directory");
		break;
	case -ESTALE:
		walpf_cluster_reason(la->cl,
				     "pg_wal is another directory than it was: register again");
		break;
	case -EXDEV:
		walpf_cluster_reason(la->cl,
				     "the way to pg_wal leads through a file system that walpf does not follow");
		break;
	case -EOPNOTSUPP:
		walpf_cluster_reason(la->cl,
				     "pg_wal is a link with \"..\" on its way: make it an absolute one");
		break;
	case -EFBIG:
		walpf_cluster_reason(la->cl,
				     "segments have another size than they had: register again");
		break;
	default:
		walpf_cluster_reason(la->cl, "WAL at %X/%X cannot be read (error %d)",
				     upper_32_bits(lsn), lower_32_bits(lsn), err);
	}
}

static enum end read_more(struct walpf_lookahead *la, const struct walpf_anchor *anchor)
{
	u64 lsn = walpf_wal_want(&la->wal);
	int len = walpf_segment_read(&la->seg, anchor, la->pos.tli, lsn);

	if (len > 0) {
		walpf_wal_feed(&la->wal, lsn, la->seg.buf, len);
		return END_MORE;
	}
	if (!len || len == -ENOENT)
		return END_TAIL;
	tell_unreadable(la, lsn, len);
	return END_REFUSED;
}

/* Is this the end of WAL, or is the WAL not what it was said to be? */
static enum end note_stop(struct walpf_lookahead *la)
{
	const struct walpf_wal *wal = &la->wal;

	trace_walpf_stop(la->cl->conf.name, wal->stop_lsn, wal->status, wal->stop_value);
	walpf_count(la->cl, wal_stops, 1);
	switch (wal->status) {
	case WALPF_WAL_PAGE_MAGIC:
	case WALPF_WAL_PAGE_VERSION:
	case WALPF_WAL_PAGE_SYSTEM:
	case WALPF_WAL_PAGE_SEGMENT:
	case WALPF_WAL_PAGE_BLOCK:
		walpf_cluster_reason(la->cl, "%s: %llx at %X/%X",
				     walpf_wal_status_text(wal->status), wal->stop_value,
				     upper_32_bits(wal->stop_lsn), lower_32_bits(wal->stop_lsn));
		return END_REFUSED;
	default:
		return END_TAIL;
	}
}

/* What the decoder cannot go on from: more WAL is read, or this is the end. */
static enum end next_piece(struct walpf_lookahead *la, const struct walpf_anchor *anchor)
{
	if (la->wal.status != WALPF_WAL_NEED)
		return note_stop(la);
	if (is_near(la))
		dispatch(la, anchor);
	take_position(la);
	return read_more(la, anchor);
}

/* After a batch or a piece of WAL it is time to look at everything else. */
static enum end go_ahead(struct walpf_lookahead *la, const struct walpf_anchor *anchor)
{
	unsigned long until = jiffies + TURN;
	enum end end = END_MORE;

	while (has_room(la)) {
		if (walpf_wal_next(&la->wal) != WALPF_WAL_RECORD) {
			end = next_piece(la, anchor);
		} else if (!is_consented(la)) {
			end = END_REFUSED;
		} else {
			take_record(la);
			if (!is_full(la))
				continue;
			dispatch(la, anchor);
			if (must_resync(la))
				return END_MORE;
		}
		if (end != END_MORE || time_after(jiffies, until) || kthread_should_stop())
			return end;
		cond_resched();
	}
	return END_ROOM;
}

/*
 * What was written since the decoder stopped is read again, page by page. If
 * it stopped for a file that ended, there is nothing to read again.
 */
static void leave_tail(struct walpf_lookahead *la)
{
	if (!la->at_tail)
		return;
	if (la->wal.status != WALPF_WAL_NEED)
		walpf_wal_retry(&la->wal);
	walpf_segment_careful(&la->seg);
}

/*
 * A long record at the tail is read again from its beginning whenever some
 * of it was written: seldom enough to take a quarter of the time at 1 GB/s.
 */
static unsigned long next_retry(const struct walpf_lookahead *la)
{
	u64 again = walpf_wal_want(&la->wal) - page_of(la->wal.rec_lsn);

	return jiffies + msecs_to_jiffies((again >> 20) * 4);
}

/*
 * Writes are told of only while the tail is known to have been reached, and replay
 * is near or stands still: before, they can wait. Those that came before that are
 * found by looking once more.
 */
static long stay_at_tail(struct walpf_lookahead *la)
{
	bool was = la->at_tail;

	WRITE_ONCE(la->at_tail, true);
	if (is_near(la))
		was &= !walpf_startup_watch_writes(la->cl);
	la->retry = next_retry(la);
	walpf_cluster_state(la->cl, WALPF_STATE_WAITING);
	return was ? WAIT_REPLAY : 0;
}

static long settle(struct walpf_lookahead *la, enum end end)
{
	plan_wakeup(la, end == END_TAIL);
	la->steer.lead_spent |= is_lead_spent(la);
	la->steer.budget_spent |= is_budget_spent(la);
	if (end == END_TAIL)
		return stay_at_tail(la);
	WRITE_ONCE(la->at_tail, false);
	walpf_cluster_state(la->cl, WALPF_STATE_FOLLOWING);
	return end == END_MORE ? 0 : WAIT_REPLAY;
}

static void close_files(struct walpf_lookahead *la, bool unused)
{
	walpf_relfiles_close(&la->fetch.files, unused);
	if (!unused || time_after(jiffies, la->progress + HZ))
		walpf_segment_close(&la->seg);
	show_lead(la);
}

/* No advice for a while. Replay's reads change nothing about that. */
static long degrade(struct walpf_lookahead *la)
{
	WRITE_ONCE(la->wake_lsn, U64_MAX);
	WRITE_ONCE(la->at_tail, false);
	la->refused_until = jiffies + STALL;
	close_files(la, false);
	walpf_cluster_state(la->cl, WALPF_STATE_DEGRADED);
	return HZ;
}

static int get_anchor(struct walpf_lookahead *la, struct walpf_anchor *anchor)
{
	int err = walpf_startup_anchor(la->cl, anchor);

	if (err == -EXDEV)
		walpf_cluster_reason(la->cl, "the startup process has left the data directory");
	return err;
}

static long advance(struct walpf_lookahead *la)
{
	struct walpf_anchor anchor;
	enum end end;
	int err;

	err = get_anchor(la, &anchor);
	if (err)
		return err == -EXDEV ? degrade(la) : WAIT_REPLAY;
	leave_tail(la);
	end = go_ahead(la, &anchor);
	dispatch(la, &anchor);
	/* Of what was gathered less was fetched. */
	if (end == END_ROOM && has_room(la))
		end = END_MORE;
	walpf_anchor_put(&anchor);
	walpf_fetch_reap(&la->fetch);
	return end == END_REFUSED ? degrade(la) : settle(la, end);
}

/*
 * A probe can be registered and dead. Nobody reads this file often, so that
 * its page says nothing; but it is there, small and of the right owner.
 */
static bool probe_works(struct walpf_lookahead *la)
{
	struct walpf_anchor anchor;
	struct file *file;
	bool works = true;

	if (get_anchor(la, &anchor))
		return true;
	file = walpf_file_open(la->cl, &anchor.pwd, "PG_VERSION");
	walpf_anchor_put(&anchor);
	if (IS_ERR(file))
		return true;
	works = walpf_hook_test(file);
	__fput_sync(file);
	if (!works)
		walpf_cluster_reason(la->cl,
				     "reads do not reach the probe: is kernel.ftrace_enabled 1, and debugfs kprobes/enabled?");
	return works;
}

/* Ends what need not be watched while the process itself is seen. */
static bool has_pg_wal(struct walpf_lookahead *la)
{
	struct walpf_anchor anchor;
	struct path pg_wal;
	int err;

	if (get_anchor(la, &anchor))
		return true;
	err = walpf_pg_wal_path(la->cl, &anchor, &pg_wal);
	if (!err) {
		walpf_startup_pause_watch(la->cl, &anchor.pwd, &pg_wal);
		path_put(&pg_wal);
	} else {
		tell_unreadable(la, la->pos.lsn, err);
	}
	walpf_anchor_put(&anchor);
	return !err;
}

/* Looks at what nothing tells of: now, and now and then. */
static bool look_after(struct walpf_lookahead *la, bool now)
{
	if (!now && la->well && time_before(jiffies, la->looked_after + LOOK_AFTER))
		return true;
	la->looked_after = jiffies;
	la->well = probe_works(la) && has_pg_wal(la);
	return la->well;
}

static void take_limits(struct walpf_lookahead *la)
{
	struct walpf_govern_device_limits limits = {
		.inflight = la->set.inflight,
		.iops = la->set.device_iops,
		.bytes_per_s = la->set.device_bytes,
	};
	u64 batch = BATCH_MAX;

	walpf_shares_limit(&la->fetch.shares, &limits);
	if (limits.iops)
		batch = min_t(u64, batch, limits.iops / BATCHES);
	if (limits.bytes_per_s)
		batch = min(batch, limits.bytes_per_s / WALPF_BLCKSZ / BATCHES);
	la->batch = max_t(u32, batch, 1);
}

static long go_on(struct walpf_lookahead *la)
{
	struct mem_cgroup *old;
	long wait;

	take_limits(la);
	if (must_resync(la))
		resync(la);
	old = walpf_memcg_enter(la->fetch.memcg);
	wait = advance(la);
	walpf_memcg_leave(old);
	close_files(la, true);
	return wait;
}

static long wait_for_position(struct walpf_lookahead *la)
{
	walpf_cluster_state(la->cl, WALPF_STATE_FOUND);
	return WAIT_REPLAY;
}

static long stall(struct walpf_lookahead *la)
{
	walpf_cluster_state(la->cl, WALPF_STATE_STALLED);
	walpf_fetch_reap(&la->fetch);
	close_files(la, true);
	return WAIT_REPLAY;
}

/* At the tail, only writes and replay's progress are a reason to read on. */
static bool is_quiet(const struct walpf_lookahead *la)
{
	return la->at_tail && !la->woken && time_after(jiffies, la->progress + HZ);
}

static long rest_at_tail(struct walpf_lookahead *la)
{
	walpf_fetch_reap(&la->fetch);
	close_files(la, true);
	return HZ;
}

/*
 * Look-ahead has read more WAL than the startup process: a replay that does not
 * move is paused or delayed then, and not at the end of WAL.
 */
static bool is_before_replay(const struct walpf_lookahead *la)
{
	u64 end = la->wal.rec.end_lsn;

	return end && page_of(end - 1) > la->pos.lsn;
}

/* A page of WAL can keep replay busy for seconds, with reads of blocks only. */
static bool is_stalled(struct walpf_lookahead *la)
{
	u64 reads = walpf_counter_read(la->cl, WALPF_COUNT_startup_reads);

	/* Fewer than before: the counters were reset. */
	if (reads > la->seen_reads)
		la->progress = jiffies;
	la->seen_reads = reads;
	if (la->at_tail && !is_before_replay(la))
		return false;
	return time_after(jiffies, la->progress + STALL);
}

static bool is_worth_it(const struct walpf_lookahead *la)
{
	return la->set.mode != WALPF_MODE_FETCH || walpf_steer_is_on(&la->steer);
}

static void show_resting(struct walpf_lookahead *la)
{
	walpf_cluster_reason(la->cl, "%s", walpf_govern_reason_text(la->steer.gov.reason));
	walpf_cluster_state(la->cl, WALPF_STATE_RESTING);
}

/*
 * Nothing is decoded while fetching is not worth it, and replay's reads are not
 * observed, so that they cost nothing: what it reads from devices, which the kernel
 * counts anyway, says when they may be worth a look.
 */
static long begin_resting(struct walpf_lookahead *la)
{
	close_files(la, false);
	give_up_lead(la);
	walpf_startup_rest(la->cl);
	end_outcomes(la);
	show_resting(la);
	walpf_steer_rest(&la->steer, true);
	WRITE_ONCE(la->at_tail, false);
	la->started = false;
	la->resting = true;
	return WAIT_REPLAY;
}

static int end_resting(struct walpf_lookahead *la)
{
	int err = walpf_startup_observe(la->cl);

	if (err)
		return err;
	walpf_steer_rest(&la->steer, false);
	la->resting = false;
	la->seen_lsn = 0;
	la->progress = jiffies;
	return 0;
}

static long stay_resting(struct walpf_lookahead *la)
{
	int err = -ESRCH;

	walpf_fetch_reap(&la->fetch);
	walpf_steer_turn(&la->steer, &la->set);
	if (is_worth_it(la))
		err = end_resting(la);
	else
		show_resting(la);
	if (err == -ESRCH)
		return WAIT_REPLAY;
	return err ? degrade(la) : 0;
}

static long stand_down(struct walpf_lookahead *la)
{
	drop_wants(la);
	walpf_cluster_reason(la->cl,
			     "the server reads blocks past the page cache: is debug_io_direct set?");
	return degrade(la);
}

/* What was learned in one mode says little of another. */
static void take_mode(struct walpf_lookahead *la)
{
	bool observe = la->set.mode == WALPF_MODE_OBSERVE;

	if (la->fetch.observe == observe)
		return;
	la->fetch.observe = observe;
	la->gone = true;
	walpf_steer_begin(&la->steer, la->cl, &la->set, la->fetch.memcg);
}

/* One turn while a startup process is known; returns how long to wait then. */
static long follow(struct walpf_lookahead *la)
{
	bool was_stalled = la->stalled;

	if (time_before(jiffies, la->refused_until))
		return HZ;
	if (la->resting)
		return stay_resting(la);
	WRITE_ONCE(la->wake_lsn, 0);
	take_position(la);
	if (la->pos.direct)
		return stand_down(la);
	learn(la);
	take_mode(la);
	/* How far replay came before there was a position says nothing of its speed. */
	if (!la->started || la->pos.jumps != la->jumps)
		walpf_steer_moved(&la->steer, walpf_gauge_get(la->cl, replay_lsn));
	la->gone |= was_stalled | walpf_steer_turn(&la->steer, &la->set);
	WRITE_ONCE(la->stalled, is_stalled(la));
	if (!look_after(la, la->stalled && !was_stalled))
		return degrade(la);
	if (!la->pos.lsn)
		return wait_for_position(la);
	if (la->stalled)
		return stall(la);
	if (!is_worth_it(la))
		return begin_resting(la);
	if (is_quiet(la) && !walpf_startup_watch_writes(la->cl))
		return rest_at_tail(la);
	if (la->at_tail && time_before(jiffies, la->retry))
		return la->retry - jiffies;
	return go_on(la);
}

static void unfollow(struct walpf_lookahead *la)
{
	if (!la->following)
		return;
	walpf_startup_lose(la->cl);
	walpf_steer_end(&la->steer);
	walpf_memcg_put(la->fetch.memcg);
	la->fetch.memcg = NULL;
	close_files(la, false);
	give_up_lead(la);
	walpf_fetch_forget(&la->fetch);
	end_outcomes(la);
	la->following = false;
	la->started = false;
	WRITE_ONCE(la->at_tail, false);
	/* The next one may have opened its segment while this one was known. */
	la->walk = true;
}

static int begin(struct walpf_lookahead *la)
{
	bool walk = la->walk;
	int err;

	if (la->following)
		return 0;
	la->walk = false;
	err = walpf_startup_find(la->cl, walk);
	if (err)
		return err;
	la->following = true;
	la->looked_after = jiffies - LOOK_AFTER;
	la->refused_until = jiffies;
	la->fetch.memcg = walpf_startup_memcg(la->cl);
	walpf_steer_begin(&la->steer, la->cl, &la->set, la->fetch.memcg);
	la->stalled = false;
	la->resting = false;
	la->seen_lsn = 0;
	la->progress = jiffies;
	memset(&la->pos, 0, sizeof(la->pos));
	walpf_plan_reset(&la->plan, walpf_startup_is_new(la->cl));
	return 0;
}

static long rest(struct walpf_lookahead *la, enum walpf_state state)
{
	unfollow(la);
	la->walk |= state == WALPF_STATE_OFF;
	walpf_cluster_state(la->cl, state);
	return MAX_SCHEDULE_TIMEOUT;
}

static long turn(struct walpf_lookahead *la)
{
	int err;

	walpf_count(la->cl, wakeups, 1);
	walpf_cluster_settings(la->cl, &la->set);
	if (walpf_startup_gone(la->cl))
		return rest(la, WALPF_STATE_GONE);
	if (la->set.mode == WALPF_MODE_OFF)
		return rest(la, WALPF_STATE_OFF);
	if (la->following && !walpf_startup_alive(la->cl)) {
		unfollow(la);
		walpf_genl_event(la->cl, WALPF_EVENT_RECOVERY_END);
	}
	err = begin(la);
	if (err == -EAGAIN) {
		rest(la, WALPF_STATE_IDLE);
		return WAIT_REPLAY;
	}
	if (err)
		return rest(la, err == -ESRCH ? WALPF_STATE_IDLE : WALPF_STATE_DEGRADED);
	return follow(la);
}

static int lookahead_thread(void *data)
{
	struct walpf_lookahead *la = data;
	long wait = 0;

	set_freezable();
	set_task_ioprio(current, WALPF_FETCH_IOPRIO);
	while (!kthread_should_stop()) {
		wait_event_freezable_timeout(la->wait, READ_ONCE(la->kicked) ||
					     kthread_should_stop(), wait);
		try_to_freeze();
		la->woken = xchg(&la->kicked, 0);
		wait = turn(la);
	}
	unfollow(la);
	return 0;
}

static void set_up(struct walpf_lookahead *la, struct walpf_cluster *cl,
		   const struct walpf_plan_conf *conf, size_t size)
{
	struct walpf_wal_config wal = {
		.seg_size = cl->conf.seg_size,
		.sysid = cl->conf.system_id,
	};

	la->cl = cl;
	la->seg.cl = cl;
	la->walk = true;
	init_waitqueue_head(&la->wait);
	init_irq_work(&la->kick, kick_work);
	walpf_wal_init(&la->wal, &wal);
	walpf_plan_init(&la->plan, la->plan_mem, size, conf);
	walpf_learn_init(&la->learn, &la->plan);
	la->fetch.learn = &la->learn;
	walpf_gauge_set(cl, window_blocks, la->learn.window);
}

int walpf_lookahead_alloc(struct walpf_cluster *cl)
{
	struct walpf_plan_conf conf = { .shared_buffers = cl->conf.shared_buffers };
	struct walpf_lookahead *la = kvzalloc(sizeof(*la), GFP_KERNEL);
	size_t size;

	if (!la)
		return -ENOMEM;
	cl->lookahead = la;
	get_random_bytes(conf.seed, sizeof(conf.seed));
	size = walpf_plan_size(&conf);
	la->plan_mem = kvmalloc(size, GFP_KERNEL);
	la->wants = kvmalloc_array(BATCH_MAX, sizeof(*la->wants), GFP_KERNEL);
	la->marks = kvmalloc_array(MARKS, sizeof(*la->marks), GFP_KERNEL);
	la->seg.buf = kvmalloc(WALPF_SEGMENT_PIECE, GFP_KERNEL);
	if (!la->plan_mem || !la->wants || !la->marks || !la->seg.buf ||
	    walpf_fetch_alloc(&la->fetch, cl))
		return -ENOMEM;
	set_up(la, cl, &conf, size);
	return 0;
}

void walpf_lookahead_free(struct walpf_cluster *cl)
{
	struct walpf_lookahead *la = cl->lookahead;

	if (!la)
		return;
	irq_work_sync(&la->kick);
	walpf_fetch_free(&la->fetch);
	kvfree(la->seg.buf);
	kvfree(la->marks);
	kvfree(la->wants);
	kvfree(la->plan_mem);
	kvfree(la);
}

int walpf_lookahead_start(struct walpf_cluster *cl)
{
	struct walpf_lookahead *la = cl->lookahead;
	struct task_struct *thread = kthread_run(lookahead_thread, la, "walpf/%s", cl->conf.name);

	if (IS_ERR(thread))
		return PTR_ERR(thread);
	la->thread = thread;
	return 0;
}

void walpf_lookahead_stop(struct walpf_cluster *cl)
{
	struct walpf_lookahead *la = cl->lookahead;

	if (!la->thread)
		return;
	kthread_stop(la->thread);
	la->thread = NULL;
	/* The thread may have been stopped before it ever ran. */
	walpf_startup_lose(cl);
}

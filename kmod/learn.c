// SPDX-License-Identifier: GPL-2.0-only
/*
 * A skipped block is remembered in a direct-mapped table, the newest in place
 * of an older one, with the reason and roughly where in WAL it was wanted: a
 * reason that lies behind replay is none any more. What the plan decided, it
 * remembers itself.
 *
 * An unused block needs no entry in the block memory: it got one, as one that
 * is resident from then on, when it was referenced. It only tells that more
 * blocks were resident than was assumed.
 */
#include <linux/atomic.h>

#include "fold.h"
#include "learn.h"

/*
 * An entry of the table, from the top: 32 bits of hash, 24 bits of the WAL
 * page's number, 8 bits of verdict. 0, a fetch, is a free entry.
 */
#define PAGE_SHIFT_LSN	13
#define PAGE_BITS	24
#define PAGE_MASK	((1u << PAGE_BITS) - 1)

/* A record may begin some pages before the one that was read last. */
#define SLACK_PAGES	2

/*
 * A block that replay waits for costs it a read of the device; one fetched in
 * vain costs the device a read beside others. So the former weighs four times
 * as much. 100 blocks missed take off a fifth.
 */
#define MISSED_SHARE	512
#define UNUSED_SHARE	2048

/* The plan is told of changes of more than this: counting anew takes time. */
#define TELL_SHARE	32

void walpf_learn_init(struct walpf_learn *learn, struct walpf_plan *plan)
{
	memset(learn, 0, sizeof(*learn));
	learn->plan = plan;
	learn->first = plan->once.limit;
	learn->window = learn->first;
	learn->told = learn->first;
}

void walpf_learn_space(struct walpf_learn *learn, u32 spc)
{
	u32 i;

	if (spc == WALPF_SPC_DEFAULT || spc == WALPF_SPC_GLOBAL)
		return;
	for (i = 0; i < WALPF_LEARN_SPACES; i++)
		if (learn->spaces[i] == spc)
			return;
	learn->spaces[learn->next_space++ % WALPF_LEARN_SPACES] = spc;
}

/* A block that is made to collide gets a wrong reason, and no more: no secret is needed. */
static u64 hash(const struct walpf_wal_ref *ref)
{
	u64 block = (u64)ref->rel.rel << 32 | ref->block;
	u64 space = (u64)ref->rel.spc << 32 | ref->rel.db;
	u64 h = walpf_fold(block ^ 0x9e3779b97f4a7c15ull, space ^ 0xd1310ba698dfb5acull);

	return walpf_fold(h + ref->fork, 0x9216d5d98979fb1bull);
}

static u32 page_of(u64 lsn)
{
	return (u32)(lsn >> PAGE_SHIFT_LSN) & PAGE_MASK;
}

void walpf_learn_skipped(struct walpf_learn *learn, const struct walpf_wal_ref *ref, u64 lsn,
			 enum walpf_plan_verdict verdict)
{
	u64 h = hash(ref);

	WRITE_ONCE(learn->skipped[h % WALPF_LEARN_SKIPPED],
		   (h >> 32) << 32 | (u64)page_of(lsn) << 8 | verdict);
}

/* The number is one of a ring: what is less than half of it away is ahead. */
static bool is_ahead(u32 page, u32 of)
{
	return ((page - of) & PAGE_MASK) < 1u << (PAGE_BITS - 1);
}

static enum walpf_plan_verdict skipped(const struct walpf_learn *learn,
				       const struct walpf_wal_ref *ref, u64 from_lsn)
{
	u64 h = hash(ref);
	u64 entry = READ_ONCE(learn->skipped[h % WALPF_LEARN_SKIPPED]);

	if (!entry || entry >> 32 != h >> 32)
		return WALPF_PLAN_NR_VERDICTS;
	if (!is_ahead((u32)(entry >> 8) & PAGE_MASK, page_of(from_lsn) - SLACK_PAGES))
		return WALPF_PLAN_NR_VERDICTS;
	return (enum walpf_plan_verdict)(entry & 0xff);
}

static enum walpf_plan_verdict reason(const struct walpf_learn *learn,
				      const struct walpf_wal_ref *ref, u64 from_lsn)
{
	enum walpf_plan_verdict verdict = skipped(learn, ref, from_lsn);

	if (verdict == WALPF_PLAN_NR_VERDICTS)
		verdict = walpf_plan_last(learn->plan, ref);
	return verdict == WALPF_PLAN_FETCH ? WALPF_SKIP_PASSED : verdict;
}

/* The file of a tablespace does not tell which it is in: all in use are tried. */
enum walpf_plan_verdict walpf_learn_missed(const struct walpf_learn *learn,
					   const struct walpf_missed *missed, u32 file_blocks,
					   u64 behind)
{
	enum walpf_plan_verdict verdict = WALPF_PLAN_NR_VERDICTS;
	u64 from_lsn = missed->lsn > behind ? missed->lsn - behind : 0;
	struct walpf_wal_ref ref;
	u32 i;

	if (!walpf_missed_ref(missed, file_blocks, &ref))
		return WALPF_PLAN_NR_VERDICTS;
	if (ref.rel.spc)
		return reason(learn, &ref, from_lsn);
	for (i = 0; i < WALPF_LEARN_SPACES && verdict == WALPF_PLAN_NR_VERDICTS; i++) {
		ref.rel.spc = learn->spaces[i];
		if (ref.rel.spc)
			verdict = reason(learn, &ref, from_lsn);
	}
	return verdict;
}

static u64 between(u64 low, u64 n, u64 high)
{
	if (n < low)
		return low;
	return n > high ? high : n;
}

/* @n times a share of the window, but at most half of it. */
static u64 part(u64 window, u64 n, u64 share)
{
	return window * between(0, n, share / 2) / share;
}

static u64 distance(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

void walpf_learn_window(struct walpf_learn *learn, u64 missed_recent, u64 unused)
{
	u64 window = learn->window;

	window += part(window, unused, UNUSED_SHARE);
	window -= part(window, missed_recent, MISSED_SHARE);
	learn->window = between(learn->first / 3, window, learn->first / 3 * 4);
	if (distance(learn->window, learn->told) <= learn->told / TELL_SHARE)
		return;
	learn->told = learn->window;
	walpf_plan_set_window(learn->plan, learn->window);
}

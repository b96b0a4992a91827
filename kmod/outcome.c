// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks are entered by the worker and its helpers before these ask the page cache
 * for them, and leave the table when their outcome is known: by the handler when they
 * are read, by the worker when replay has passed them or ended.
 *
 * What the handler calls runs in the reader's context with preemption
 * disabled: no lock, no allocation, no look into a page.
 *
 * Concurrency:
 *  1. The table has its own rules, see ledger.c: exactly one takes a block
 *     out of it, and that one counts its outcome.
 *  2. @outstanding is raised before a block can be found in the table and
 *     lowered when its outcome is counted, so it is never too small.
 *  3. @last belongs to the handler in the startup process, which is one
 *     thread; to the worker while no startup process is observed. A read is
 *     counted together with its outcome, at the process's next one.
 *  4. The ring of missed reads has one writer, the handler in the startup
 *     process, which owns @head, and one reader, the worker, which owns @tail.
 *     Each publishes its own with release semantics. A full ring loses reads,
 *     counted as missed_untold.
 *  5. @lsn is raised by the handler, and set back by the worker; the worker
 *     bounds it by the position that was read.
 */
#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>

#include "cluster.h"
#include "fetch.h"
#include "ledger.h"
#include "outcome.h"

/* More than are missed in the worker's longest pause, if each takes 1 ms. */
#define MISSED		256

/* The longest read of PostgreSQL's: io_combine_limit is at most 1 MB. */
#define OTHER_MAX	128

enum kind {
	KIND_NONE,
	KIND_FETCHED,
	KIND_EVICTED,
	KIND_OTHER,
	KIND_MISSED,
};

/* The startup process's last read of a block, until it is known whether it slept. */
struct last {
	enum kind kind;
	bool noted;		/* if missed: it is in the ring */
	unsigned long nvcsw;
	u64 at_ns;
	u64 ran_ns;
};

struct walpf_outcome {
	struct walpf_ledger ledger;
	void *mem;
	atomic_t outstanding;
	u64 lsn;
	struct last last;
	u32 head;
	u32 tail;
	struct walpf_missed missed[MISSED];
};

static u64 key_of(const struct walpf_outcome *oc, const struct inode *inode, u32 block)
{
	u64 dev = (u64)inode->i_sb->s_dev << 32 | inode->i_generation;

	return walpf_ledger_key(&oc->ledger, dev, inode->i_ino, block);
}
NOKPROBE_SYMBOL(key_of);
NOKPROBE_SYMBOL(walpf_ledger_key);
NOKPROBE_SYMBOL(walpf_ledger_take);

static bool is_resident(const struct file *file, loff_t pos)
{
	return filemap_range_has_page(file->f_mapping, pos, pos + WALPF_BLCKSZ - 1);
}
NOKPROBE_SYMBOL(is_resident);

static void close_one(struct walpf_outcome *oc)
{
	atomic_dec(&oc->outstanding);
}
NOKPROBE_SYMBOL(close_one);

u64 walpf_outcome_expect(struct walpf_cluster *cl, const struct inode *inode, u32 block,
			 const struct walpf_want *want)
{
	struct walpf_outcome *oc = cl->outcome;
	u64 key = key_of(oc, inode, block);
	struct walpf_entry entry = {
		.lsn = want->lsn | want->warming,
		.length = want->length,
		.asked = walpf_ledger_ticks(ktime_get_mono_fast_ns()),
	};
	struct walpf_entry old;

	/* It would not be asked for if it were still there. */
	if (walpf_ledger_take(&oc->ledger, key, &old)) {
		walpf_count(cl, evicted, 1);
		close_one(oc);
	}
	atomic_inc(&oc->outstanding);
	if (walpf_ledger_add(&oc->ledger, key, &entry))
		return key;
	close_one(oc);
	return 0;
}

bool walpf_outcome_asked(struct walpf_cluster *cl, u64 key, bool cached)
{
	struct walpf_outcome *oc = cl->outcome;
	struct walpf_entry entry;

	if (!key) {
		if (cached)
			walpf_count(cl, forgotten, 1);
		return cached;
	}
	if (cached) {
		walpf_ledger_confirm(&oc->ledger, key);
		return true;
	}
	if (!walpf_ledger_take(&oc->ledger, key, &entry))
		return true;
	close_one(oc);
	return false;
}

struct walpf_passed walpf_outcome_pass(struct walpf_cluster *cl, u64 lsn, u32 part)
{
	struct walpf_outcome *oc = cl->outcome;
	struct walpf_ledger_swept swept;

	if (!atomic_read(&oc->outstanding))
		return (struct walpf_passed){};
	swept = walpf_ledger_sweep(&oc->ledger, min(part, WALPF_LEDGER_BUCKETS), lsn);
	walpf_count(cl, unused, swept.blocks - swept.warming);
	walpf_count(cl, unused_warming, swept.warming);
	atomic_sub(swept.blocks, &oc->outstanding);
	return (struct walpf_passed){ swept.blocks, swept.warming };
}

/* Whether the last read slept, nobody can tell any more. */
void walpf_outcome_abandon(struct walpf_cluster *cl)
{
	struct walpf_outcome *oc = cl->outcome;
	struct walpf_ledger_swept swept;

	walpf_outcome_judge(cl, true);
	swept = walpf_ledger_sweep(&oc->ledger, WALPF_LEDGER_BUCKETS, U64_MAX);
	walpf_count(cl, abandoned, swept.blocks);
	atomic_sub(swept.blocks, &oc->outstanding);
}

void walpf_outcome_begin(struct walpf_cluster *cl)
{
	cl->outcome->last.kind = KIND_NONE;
	walpf_outcome_rewind(cl);
}

u64 walpf_outcome_lsn(const struct walpf_cluster *cl)
{
	return READ_ONCE(cl->outcome->lsn);
}

void walpf_outcome_rewind(struct walpf_cluster *cl)
{
	WRITE_ONCE(cl->outcome->lsn, 0);
}

bool walpf_outcome_missed(struct walpf_cluster *cl, struct walpf_missed *missed)
{
	struct walpf_outcome *oc = cl->outcome;

	/* See rule 4, here and below. */
	if (oc->tail == smp_load_acquire(&oc->head))
		return false;
	*missed = oc->missed[oc->tail % MISSED];
	/* The place may be written again. */
	smp_store_release(&oc->tail, oc->tail + 1);
	return true;
}

u32 walpf_outcome_outstanding(const struct walpf_cluster *cl)
{
	return atomic_read(&cl->outcome->outstanding);
}

u32 walpf_outcome_unsorted(const struct walpf_cluster *cl)
{
	return READ_ONCE(cl->outcome->head) - READ_ONCE(cl->outcome->tail);
}

/* All below is called by the probe handler. */

/*
 * A dentry's name has room for more than is copied, whatever its length is,
 * and stays readable for the RCU period if it is replaced.
 */
static void copy_name(char *to, const struct dentry *dentry, size_t bytes)
{
	memcpy(to, READ_ONCE(dentry->d_name.name), bytes - 1);
	to[bytes - 1] = '\0';
}
NOKPROBE_SYMBOL(copy_name);

/* Fills the next place of the ring, if one is free; publish_missed() makes it valid. */
static bool note_missed(struct walpf_cluster *cl, const struct dentry *dentry, u32 block)
{
	const struct dentry *dir = READ_ONCE(dentry->d_parent);
	const struct dentry *above = READ_ONCE(dir->d_parent);
	struct walpf_outcome *oc = cl->outcome;
	struct walpf_missed *missed = &oc->missed[oc->head % MISSED];

	/* See rule 4. */
	if (oc->head - smp_load_acquire(&oc->tail) >= MISSED)
		return false;
	missed->lsn = walpf_gauge_get(cl, read_lsn);
	missed->block = block;
	copy_name(missed->file, dentry, sizeof(missed->file));
	copy_name(missed->dir, dir, sizeof(missed->dir));
	missed->in_base = !memcmp(READ_ONCE(above->d_name.name), "base", 5);
	return true;
}
NOKPROBE_SYMBOL(note_missed);

static void publish_missed(struct walpf_cluster *cl)
{
	struct walpf_outcome *oc = cl->outcome;

	walpf_count(cl, missed, 1);
	if (!oc->last.noted) {
		walpf_count(cl, missed_untold, 1);
		return;
	}
	/* See rule 4. */
	smp_store_release(&oc->head, oc->head + 1);
}
NOKPROBE_SYMBOL(publish_missed);

static void note_wanted(struct walpf_cluster *cl, const struct walpf_entry *entry, u64 now_ns)
{
	struct walpf_outcome *oc = cl->outcome;
	u32 ticks = walpf_ledger_ticks(now_ns) - entry->asked;

	/* One tick is 2^16 ns. */
	walpf_histogram_add(cl, lead_us, ((u64)ticks << 16) / NSEC_PER_USEC);
	if (entry->lsn > READ_ONCE(oc->lsn))
		WRITE_ONCE(oc->lsn, entry->lsn);
}
NOKPROBE_SYMBOL(note_wanted);

/* Where nothing is fetched, nothing is looked for. */
static enum walpf_ledger_state take(struct walpf_outcome *oc, const struct file *file, loff_t pos,
				    struct walpf_entry *entry)
{
	u32 block = pos / WALPF_BLCKSZ;

	if (!atomic_read(&oc->outstanding))
		return WALPF_LEDGER_NONE;
	return walpf_ledger_take(&oc->ledger, key_of(oc, file_inode(file), block), entry);
}
NOKPROBE_SYMBOL(take);

static enum kind kind_of(enum walpf_ledger_state state, bool resident)
{
	if (!state)
		return resident ? KIND_OTHER : KIND_MISSED;
	/* What is just being asked for may not be there yet. */
	return resident || state == WALPF_LEDGER_ASKING ? KIND_FETCHED : KIND_EVICTED;
}
NOKPROBE_SYMBOL(kind_of);

void walpf_outcome_read(struct walpf_cluster *cl, const struct file *file, loff_t pos)
{
	struct walpf_outcome *oc = cl->outcome;
	bool resident = is_resident(file, pos);
	enum walpf_ledger_state state;
	struct walpf_entry entry;

	state = take(oc, file, pos, &entry);
	oc->last.kind = kind_of(state, resident);
	oc->last.nvcsw = current->nvcsw;
	/* Reads of what was there anyway are many, and have to be cheap. */
	if (oc->last.kind == KIND_OTHER)
		return;
	oc->last.at_ns = ktime_get_mono_fast_ns();
	oc->last.ran_ns = current->se.sum_exec_runtime;
	if (state)
		note_wanted(cl, &entry, oc->last.at_ns);
	if (oc->last.kind == KIND_MISSED)
		oc->last.noted = note_missed(cl, READ_ONCE(file->f_path.dentry),
					     pos / WALPF_BLCKSZ);
}
NOKPROBE_SYMBOL(walpf_outcome_read);

/*
 * Since the read the process has slept, and computed a little. What it
 * computed is known as of its last switch only; on average the errors cancel.
 */
static void note_stall(struct walpf_cluster *cl, const struct last *last)
{
	s64 ns = ktime_get_mono_fast_ns() - last->at_ns;
	u64 us;

	ns -= current->se.sum_exec_runtime - last->ran_ns;
	us = div_u64(max_t(s64, ns, 0), NSEC_PER_USEC);
	walpf_histogram_add(cl, stall_us, us);
	if (last->kind == KIND_FETCHED)
		walpf_count(cl, slept_late_us, us);
	else
		walpf_count(cl, slept_missed_us, us);
}
NOKPROBE_SYMBOL(note_stall);

static void count_kind(struct walpf_cluster *cl, enum kind kind, bool slept)
{
	switch (kind) {
	case KIND_FETCHED:
		if (slept)
			walpf_count(cl, late, 1);
		else
			walpf_count(cl, timely, 1);
		close_one(cl->outcome);
		break;
	case KIND_EVICTED:
		walpf_count(cl, evicted, 1);
		walpf_count(cl, evicted_read, 1);
		close_one(cl->outcome);
		break;
	case KIND_OTHER:
		walpf_count(cl, cached_other, 1);
		break;
	default:
		publish_missed(cl);
	}
	walpf_count(cl, startup_reads, 1);
}
NOKPROBE_SYMBOL(count_kind);

void walpf_outcome_judge(struct walpf_cluster *cl, bool waited)
{
	struct last *last = &cl->outcome->last;
	bool slept;

	if (!last->kind)
		return;
	slept = !waited && current->nvcsw != last->nvcsw;
	if (slept) {
		walpf_count(cl, startup_slept, 1);
		if (last->kind != KIND_OTHER)
			note_stall(cl, last);
	}
	if (last->kind == KIND_MISSED || last->kind == KIND_EVICTED)
		walpf_count(cl, startup_uncached, 1);
	count_kind(cl, last->kind, slept);
	last->kind = KIND_NONE;
}
NOKPROBE_SYMBOL(walpf_outcome_judge);

static void other_block(struct walpf_cluster *cl, const struct file *file, loff_t pos)
{
	struct walpf_outcome *oc = cl->outcome;
	struct walpf_entry entry;
	enum walpf_ledger_state state = take(oc, file, pos, &entry);

	if (!state)
		return;
	if (kind_of(state, is_resident(file, pos)) == KIND_FETCHED)
		walpf_count(cl, shared, 1);
	else
		walpf_count(cl, evicted, 1);
	close_one(oc);
}
NOKPROBE_SYMBOL(other_block);

void walpf_outcome_other(struct walpf_cluster *cl, const struct file *file, loff_t pos,
			 size_t bytes)
{
	size_t blocks = min_t(size_t, bytes / WALPF_BLCKSZ, OTHER_MAX);

	if (pos & (WALPF_BLCKSZ - 1))
		return;
	for (; blocks && atomic_read(&cl->outcome->outstanding); blocks--) {
		other_block(cl, file, pos);
		pos += WALPF_BLCKSZ;
	}
}
NOKPROBE_SYMBOL(walpf_outcome_other);

int walpf_outcome_alloc(struct walpf_cluster *cl)
{
	struct walpf_outcome *oc = kvzalloc(sizeof(*oc), GFP_KERNEL);
	u64 seed[2];

	if (!oc)
		return -ENOMEM;
	cl->outcome = oc;
	oc->mem = vzalloc(WALPF_LEDGER_BYTES);
	if (!oc->mem)
		return -ENOMEM;
	get_random_bytes(seed, sizeof(seed));
	walpf_ledger_init(&oc->ledger, oc->mem, seed);
	return 0;
}

void walpf_outcome_free(struct walpf_cluster *cl)
{
	if (!cl->outcome)
		return;
	vfree(cl->outcome->mem);
	kvfree(cl->outcome);
}

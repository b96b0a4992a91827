// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of probes and their handler. The handler runs in the reader's
 * context with preemption disabled, for every read of every process on ext4
 * and xfs while a startup process is observed: it must not allocate, sleep, take
 * a lock that is held while sleeping, or follow more than a few pointers.
 *
 * Locking:
 *  1. hook_lock guards the table of probes and the writers of @watched. It is
 *     held over registering and unregistering a probe, never by a handler.
 *  2. @watched is replaced as a whole and read under RCU, which a handler is
 *     in by running with preemption disabled.
 *  3. The position of a cluster is written by the handler only, under the
 *     cluster's position_lock, a raw spinlock. What is read is outcome.c's.
 *  4. test_lock lets one thread test at a time. It is held over a read, so it is not
 *     hook_lock. That read waits for nothing: an owner must not be able to stop the
 *     threads of other clusters.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/uio.h>

#include "cluster.h"
#include "hook.h"
#include "lookahead.h"
#include "outcome.h"
#include "relfile.h"
#include "wal/page.h"
#include "wal/record.h"
#include "wal/segname.h"

struct probe {
	const char *symbol;
	const char *module;
	struct kprobe kp;
	enum walpf_probe_state state;
	int error;
	bool dead;
	unsigned long missed;
};

static struct probe probes[] = {
	{ .symbol = "ext4_file_read_iter", .module = "ext4" },
	{ .symbol = "xfs_file_read_iter", .module = "xfs" },
};

/*
 * @postmaster is compared with and never followed: the other processes of the
 * server have the same parent. Should it end first and another task get its
 * address, some reads of strangers would count as shared.
 */
struct watched_entry {
	pid_t tgid;
	const struct task_struct *postmaster;
	struct walpf_cluster *cl;
};

struct watched {
	unsigned int nr;
	struct watched_entry entry[WALPF_CLUSTERS_MAX];
};

static DEFINE_MUTEX(hook_lock);
static DEFINE_MUTEX(test_lock);
/* Two tables: one is in force, the other is the next. */
static struct watched tables[2];
static struct watched __rcu *watched = (struct watched __force __rcu *)&tables[0];

/* The thread that tests a probe, and whether its read was seen. */
static struct task_struct *tester;
static bool test_hit;

static const char *const state_names[] = {
	[WALPF_PROBE_IDLE] = "idle",
	[WALPF_PROBE_ABSENT] = "absent",
	[WALPF_PROBE_ARMED] = "armed",
	[WALPF_PROBE_FAILED] = "failed",
};

const char *walpf_probe_state_name(enum walpf_probe_state state)
{
	return state < ARRAY_SIZE(state_names) ? state_names[state] : "unknown";
}

/*
 * A name may change under us. What it pointed to then stays readable for
 * the RCU period, and a name that is no segment's is no position.
 */
static bool segment_of(const struct dentry *dentry, u32 seg_size, struct walpf_segname *seg)
{
	char name[WALPF_SEGNAME_LEN + 1];

	if (READ_ONCE(dentry->d_name.len) != WALPF_SEGNAME_LEN)
		return false;
	memcpy(name, READ_ONCE(dentry->d_name.name), WALPF_SEGNAME_LEN);
	name[WALPF_SEGNAME_LEN] = '\0';
	return walpf_segname_parse(seg, name, seg_size);
}
NOKPROBE_SYMBOL(segment_of);

/*
 * The page that follows; the first one of the next segment, as the rest of a segment
 * is unused after a switch; and the same page on another timeline.
 */
static bool is_next_page(const struct walpf_position *pos, const struct walpf_position *read,
			 u32 seg_size)
{
	if (read->lsn == pos->lsn)
		return read->tli != pos->tli;
	if (read->lsn == pos->lsn + WALPF_WAL_PAGE)
		return true;
	return pos->steady && !(read->lsn & (seg_size - 1)) && read->lsn > pos->lsn &&
	       read->lsn - pos->lsn <= seg_size;
}
NOKPROBE_SYMBOL(is_next_page);

/*
 * The next page moves the position. Two in a row elsewhere are a jump; a single one
 * is a header check of a segment's first page, or the record of a prepared
 * transaction. Before the first step forward, which is when the checkpoint and
 * then the redo position are read, one page will do.
 */
static bool move_position(struct walpf_position *pos, const struct walpf_position *read,
			  u32 seg_size)
{
	bool may_be_check = !(read->lsn & (seg_size - 1));
	bool next = is_next_page(pos, read, seg_size);
	bool jump = read->lsn == pos->candidate + WALPF_WAL_PAGE ||
		    (!pos->steady && !may_be_check);

	pos->candidate = read->lsn;
	if (!next && (!jump || read->lsn == pos->lsn))
		return false;
	pos->steady |= next;
	pos->jumps += !next;
	pos->lsn = read->lsn;
	pos->tli = read->tli;
	pos->ino = read->ino;
	return true;
}
NOKPROBE_SYMBOL(move_position);

static bool read_position(const struct walpf_cluster *cl, const struct kiocb *iocb,
			  const struct dentry *dentry, struct walpf_position *read)
{
	struct walpf_segname seg;

	if (!segment_of(dentry, cl->conf.seg_size, &seg))
		return false;
	if (iocb->ki_pos & (WALPF_WAL_PAGE - 1) || iocb->ki_pos >= cl->conf.seg_size)
		return false;
	read->lsn = seg.segno * cl->conf.seg_size + iocb->ki_pos;
	read->tli = seg.tli;
	read->ino = file_inode(iocb->ki_filp)->i_ino;
	return true;
}
NOKPROBE_SYMBOL(read_position);

/*
 * WAL that look-ahead has decoded was there before it is read: only the read
 * of a block before can have been waited for. With a page to spare, as a
 * standby waits for WAL to be flushed.
 */
static bool may_wait_for(const struct walpf_cluster *cl, u64 lsn)
{
	return lsn + 2 * WALPF_WAL_PAGE > walpf_gauge_get(cl, lookahead_lsn);
}
NOKPROBE_SYMBOL(may_wait_for);

static void wal_read(struct walpf_cluster *cl, const struct kiocb *iocb,
		     const struct dentry *dentry)
{
	struct walpf_position read = {};
	u32 jumps = cl->position.jumps;
	bool moved;

	if (!read_position(cl, iocb, dentry, &read)) {
		walpf_outcome_judge(cl, true);
		return;
	}
	walpf_outcome_judge(cl, may_wait_for(cl, read.lsn));
	walpf_count(cl, wal_reads, 1);
	raw_spin_lock(&cl->position_lock);
	moved = move_position(&cl->position, &read, cl->conf.seg_size);
	raw_spin_unlock(&cl->position_lock);
	if (!moved)
		return;
	walpf_gauge_set(cl, read_lsn, read.lsn);
	walpf_lookahead_progress(cl, read.lsn, cl->position.jumps != jumps);
}
NOKPROBE_SYMBOL(wal_read);

/* Relations live in global/ and in directories named by a database's oid. */
static bool holds_relations(const struct dentry *dir)
{
	const char *name = READ_ONCE(dir->d_name.name);

	return (name[0] >= '1' && name[0] <= '9') || !memcmp(name, "globa", 5);
}
NOKPROBE_SYMBOL(holds_relations);

/* The page cache is of no use to a server with debug_io_direct. */
static void direct_read(struct walpf_cluster *cl)
{
	walpf_count(cl, other_reads, 1);
	if (cl->position.direct)
		return;
	raw_spin_lock(&cl->position_lock);
	cl->position.direct = true;
	raw_spin_unlock(&cl->position_lock);
	walpf_lookahead_kick(cl);
}
NOKPROBE_SYMBOL(direct_read);

static void data_read(struct walpf_cluster *cl, const struct kiocb *iocb,
		      const struct iov_iter *iter, const struct dentry *dir)
{
	loff_t pos = iocb->ki_pos;

	if (iov_iter_count(iter) != WALPF_BLCKSZ || pos & (WALPF_BLCKSZ - 1) ||
	    !holds_relations(dir)) {
		walpf_count(cl, other_reads, 1);
		return;
	}
	if (iocb->ki_flags & IOCB_DIRECT) {
		direct_read(cl);
		return;
	}
	walpf_outcome_read(cl, iocb->ki_filp, pos);
	walpf_lookahead_resumed(cl);
}
NOKPROBE_SYMBOL(data_read);

static void startup_read(struct walpf_cluster *cl, const struct kiocb *iocb,
			 const struct iov_iter *iter)
{
	const struct dentry *dentry = READ_ONCE(iocb->ki_filp->f_path.dentry);
	const struct dentry *dir = READ_ONCE(dentry->d_parent);
	const struct inode *inode = READ_ONCE(dir->d_inode);

	if (inode && walpf_identity_is(&cl->pg_wal, inode)) {
		wal_read(cl, iocb, dentry);
		return;
	}
	walpf_outcome_judge(cl, false);
	data_read(cl, iocb, iter, dir);
}
NOKPROBE_SYMBOL(startup_read);

static void kthread_read(void)
{
	if (READ_ONCE(tester) == current)
		WRITE_ONCE(test_hit, true);
}
NOKPROBE_SYMBOL(kthread_read);

static void process_read(const struct watched_entry *entry, struct pt_regs *regs)
{
	const struct kiocb *iocb = (void *)regs_get_kernel_argument(regs, 0);
	const struct iov_iter *iter = (void *)regs_get_kernel_argument(regs, 1);

	if (entry->tgid == current->tgid)
		startup_read(entry->cl, iocb, iter);
	else
		walpf_outcome_other(entry->cl, iocb->ki_filp, iocb->ki_pos, iov_iter_count(iter));
}
NOKPROBE_SYMBOL(process_read);

static int pre_handler(struct kprobe *kp, struct pt_regs *regs)
{
	const struct task_struct *parent;
	const struct watched *w;
	unsigned int i;

	if (current->flags & PF_KTHREAD) {
		kthread_read();
		return 0;
	}
	rcu_read_lock();
	w = rcu_dereference(watched);
	parent = rcu_access_pointer(current->real_parent);
	for (i = 0; i < w->nr; i++) {
		if (w->entry[i].postmaster != parent)
			continue;
		process_read(&w->entry[i], regs);
		break;
	}
	rcu_read_unlock();
	return 0;
}
NOKPROBE_SYMBOL(pre_handler);

/* All below holds hook_lock. */

static void arm(struct probe *p)
{
	if (p->state == WALPF_PROBE_ARMED)
		return;
	memset(&p->kp, 0, sizeof(p->kp));
	p->kp.symbol_name = p->symbol;
	p->kp.pre_handler = pre_handler;
	p->dead = false;
	p->error = register_kprobe(&p->kp);
	if (!p->error)
		p->state = WALPF_PROBE_ARMED;
	else if (p->error == -ENOENT)
		p->state = WALPF_PROBE_ABSENT;
	else
		p->state = WALPF_PROBE_FAILED;
}

static void disarm(struct probe *p)
{
	if (p->state == WALPF_PROBE_ARMED) {
		unregister_kprobe(&p->kp);
		p->missed += p->kp.nmissed;
	}
	p->state = WALPF_PROBE_IDLE;
}

static int arm_all(void)
{
	unsigned int i, armed = 0;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		arm(&probes[i]);
		if (probes[i].state == WALPF_PROBE_ARMED)
			armed++;
		else
			err = probes[i].error;
	}
	return armed ? 0 : err;
}

static void disarm_all(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		disarm(&probes[i]);
}

static struct watched *watched_now(void)
{
	return rcu_dereference_protected(watched, lockdep_is_held(&hook_lock));
}

/* The table that is not in force, with all entries but those of @cl. */
static struct watched *next_without(const struct walpf_cluster *cl)
{
	const struct watched *now = watched_now();
	struct watched *next = &tables[now == &tables[0]];
	unsigned int i;

	next->nr = 0;
	for (i = 0; i < now->nr; i++)
		if (now->entry[i].cl != cl)
			next->entry[next->nr++] = now->entry[i];
	return next;
}

/* On return no handler uses the table that was in force before. */
static void put_in_force(struct watched *next)
{
	rcu_assign_pointer(watched, next);
	synchronize_rcu();
}

int walpf_hook_attach(struct walpf_cluster *cl, const struct task_struct *task)
{
	struct watched *next;
	int err;

	mutex_lock(&hook_lock);
	next = next_without(cl);
	next->entry[next->nr++] = (struct watched_entry){
		.tgid = task->tgid,
		.postmaster = rcu_access_pointer(task->real_parent),
		.cl = cl,
	};
	put_in_force(next);
	err = arm_all();
	mutex_unlock(&hook_lock);
	return err;
}

void walpf_hook_detach(struct walpf_cluster *cl)
{
	struct watched *next;

	mutex_lock(&hook_lock);
	next = next_without(cl);
	if (next->nr != watched_now()->nr) {
		put_in_force(next);
		if (!next->nr)
			disarm_all();
	}
	mutex_unlock(&hook_lock);
}

static void note_test(const struct file *file, bool hit)
{
	const char *fs = file_inode(file)->i_sb->s_type->name;
	unsigned int i;

	mutex_lock(&hook_lock);
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (probes[i].state == WALPF_PROBE_ARMED && !strcmp(probes[i].module, fs))
			probes[i].dead = !hit;
	mutex_unlock(&hook_lock);
}

bool walpf_hook_test(struct file *file)
{
	bool hit;
	u8 byte;

	mutex_lock(&test_lock);
	WRITE_ONCE(test_hit, false);
	WRITE_ONCE(tester, current);
	walpf_file_read(file, &byte, sizeof(byte), 0);
	WRITE_ONCE(tester, NULL);
	hit = READ_ONCE(test_hit);
	mutex_unlock(&test_lock);
	note_test(file, hit);
	return hit;
}

bool walpf_hook_info(unsigned int i, struct walpf_probe_info *info)
{
	const struct probe *p;

	if (i >= ARRAY_SIZE(probes))
		return false;
	p = &probes[i];
	mutex_lock(&hook_lock);
	info->symbol = p->symbol;
	info->state = p->dead ? WALPF_PROBE_FAILED : p->state;
	info->error = p->state == WALPF_PROBE_FAILED ? p->error : 0;
	info->dead = p->dead;
	info->missed = p->missed;
	if (p->state == WALPF_PROBE_ARMED)
		info->missed += p->kp.nmissed;
	mutex_unlock(&hook_lock);
	return true;
}

/*
 * A file system that is loaded while reads are observed gets its probe; of
 * one that goes, the kernel has killed the probe before it calls us.
 */
static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *mod = data;
	unsigned int i;

	if (event != MODULE_STATE_COMING && event != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (strcmp(mod->name, probes[i].module))
			continue;
		mutex_lock(&hook_lock);
		if (event == MODULE_STATE_GOING && probes[i].state == WALPF_PROBE_ARMED) {
			disarm(&probes[i]);
			probes[i].state = WALPF_PROBE_ABSENT;
		} else if (event == MODULE_STATE_COMING && watched_now()->nr) {
			arm(&probes[i]);
		}
		mutex_unlock(&hook_lock);
	}
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

int walpf_hook_init(void)
{
	return register_module_notifier(&module_notifier);
}

/* A probe that stayed armed would call a handler that is not there any more. */
void walpf_hook_exit(void)
{
	unregister_module_notifier(&module_notifier);
	mutex_lock(&hook_lock);
	WARN_ON(watched_now()->nr);
	disarm_all();
	mutex_unlock(&hook_lock);
}

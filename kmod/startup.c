// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds a cluster's startup process, keeps it as a struct pid, and takes
 * anchors from it. A process is looked at when it opens a file below pg_wal,
 * or once at registration: its title, owner, parent and working directory.
 * A title can be forged, so it selects but authorises nothing.
 *
 * Locking:
 *  1. @pid, @error, the watches and the directories belong to the cluster's worker,
 *     or to who has ended it.
 *  2. @lock guards the openers and the refusals: the watch's callback, in the
 *     context of any process, adds to the former; the worker moves them to
 *     the latter. A process that was refused is not looked at again.
 *  3. The mark has a reference to the cluster, given back in free_mark(), so
 *     the callback needs none. An unmount may have taken the last mark:
 *     walpf_startup_drain() waits for the callback that it is freed by.
 *  4. @known is the worker's, @gone the callback's; each is read by the other
 *     without a lock, and the worker is kicked after @gone.
 *  5. Another process's lock is tried and not waited for: its owner may keep it.
 *  6. A watch costs each read of its file system, those of replay too. So there is
 *     none while the process is known and not at the end of WAL, or not observed; the
 *     directories are held meanwhile, to be watched again. The process itself keeps the
 *     data directory mounted, and pg_wal while it has a segment open.
 */
#include <linux/cred.h>
#include <linux/fs_struct.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "cluster.h"
#include "compat/fsnotify.h"
#include "compat/gup.h"
#include "compat/memcg.h"
#include "hook.h"
#include "lookahead.h"
#include "outcome.h"
#include "relfile.h"
#include "startup.h"
#include "wal/segname.h"

#define OPENERS		8

/*
 * A process changes its title byte by byte, right after it has opened a
 * segment: one that may be in the middle of that is looked at again, so often.
 */
#define LOOKS		5

/* By tgid: more than a primary has backends, mostly. */
#define REFUSALS	256

/*
 * Long enough for "postgres: <cluster_name>: startup …": the name should have 63 bytes,
 * of which PostgreSQL 16 and later show each that is not ASCII as four.
 */
#define TITLE_MAX	320

/* Processes of one owner looked at in a walk. A startup process is an early one. */
#define WALK_MAX	1024

/* pg_wal is moved, to another disk say, and a link made to it; or the data directory is. */
#define ENTRY_EVENTS	(FS_DELETE | FS_MOVED_FROM | FS_MOVE_SELF)

/* What a server reads into its buffers in this time is not worth knowing. */
#define NEW_NS		(3ull * NSEC_PER_SEC)

struct visitor {
	pid_t tgid;
	u64 start_time;
	unsigned int looks;
};

struct walpf_startup {
	struct pid *pid;
	int error;		/* why none is known, when one was looked for last */
	spinlock_t lock;
	struct visitor openers[OPENERS];
	unsigned int nr_openers;
	struct visitor refused[REFUSALS];
	struct mark *opens;
	struct mark *entries;
	struct mark *writes;
	struct path pgdata;
	struct path pg_wal;
	bool known;
	bool gone;
};

struct mark {
	struct fsnotify_mark fs;
	struct walpf_cluster *cl;
	bool ended;		/* by us */
};

/* An inode has one mark of a group: one for what is opened, one for what is written. */
static struct fsnotify_group *opens_group;
static struct fsnotify_group *writes_group;

static bool same_visitor(const struct visitor *a, const struct visitor *b)
{
	return a->tgid == b->tgid && a->start_time == b->start_time;
}

static bool is_noted(const struct walpf_startup *st, const struct visitor *v)
{
	unsigned int i;

	for (i = 0; i < st->nr_openers; i++)
		if (same_visitor(&st->openers[i], v))
			return true;
	return false;
}

/* The ring is short: who does not fit in will open the next segment too. */
static bool note_opener(struct walpf_startup *st)
{
	struct visitor v = {
		.tgid = current->tgid,
		.start_time = current->group_leader->start_time,
	};
	bool noted = false;

	spin_lock(&st->lock);
	if (!same_visitor(&st->refused[v.tgid % REFUSALS], &v) && !is_noted(st, &v) &&
	    st->nr_openers < OPENERS) {
		st->openers[st->nr_openers++] = v;
		noted = true;
	}
	spin_unlock(&st->lock);
	return noted;
}

static void note_gone(struct walpf_cluster *cl)
{
	WRITE_ONCE(cl->startup->gone, true);
	walpf_lookahead_kick(cl);
}

static bool is_pg_wal(const struct qstr *name)
{
	static const struct qstr pg_wal = QSTR_INIT("pg_wal", 6);

	return name && name->len == pg_wal.len && !memcmp(name->name, pg_wal.name, pg_wal.len);
}

static void handle_entry(struct walpf_cluster *cl, u32 mask, const struct qstr *name)
{
	if (mask & FS_MOVE_SELF || is_pg_wal(name))
		note_gone(cl);
}

static void handle_opener(struct walpf_cluster *cl)
{
	if (current->flags & PF_KTHREAD || READ_ONCE(cl->startup->known))
		return;
	if (note_opener(cl->startup))
		walpf_lookahead_kick(cl);
}

static int handle_event(struct fsnotify_mark *fs, u32 mask, struct inode *inode,
			struct inode *dir, const struct qstr *name, u32 cookie)
{
	struct walpf_cluster *cl = container_of(fs, struct mark, fs)->cl;

	if (mask & ENTRY_EVENTS)
		handle_entry(cl, mask, name);
	else
		handle_opener(cl);
	return 0;
}

static int handle_write(struct fsnotify_mark *fs, u32 mask, struct inode *inode,
			struct inode *dir, const struct qstr *name, u32 cookie)
{
	walpf_lookahead_written(container_of(fs, struct mark, fs)->cl);
	return 0;
}

/* The directory is gone or unmounted, unless it is us who end the watch. */
static void freeing_mark(struct fsnotify_mark *fs, struct fsnotify_group *grp)
{
	struct mark *mark = container_of(fs, struct mark, fs);

	if (!READ_ONCE(mark->ended))
		note_gone(mark->cl);
}

static void free_mark(struct fsnotify_mark *fs)
{
	struct mark *mark = container_of(fs, struct mark, fs);

	walpf_cluster_put(mark->cl);
	kfree(mark);
}

static const struct fsnotify_ops opens_ops = {
	.handle_inode_event = handle_event,
	.freeing_mark = freeing_mark,
	.free_mark = free_mark,
};

static const struct fsnotify_ops writes_ops = {
	.handle_inode_event = handle_write,
	.free_mark = free_mark,
};

static struct mark *add_mark(struct walpf_cluster *cl, struct fsnotify_group *group,
			     struct inode *dir, u32 mask)
{
	struct mark *mark = kzalloc(sizeof(*mark), GFP_KERNEL);
	int err;

	if (!mark)
		return ERR_PTR(-ENOMEM);
	kobject_get(&cl->kobj);
	mark->cl = cl;
	fsnotify_init_mark(&mark->fs, group);
	mark->fs.mask = mask;
	err = fsnotify_add_inode_mark(&mark->fs, dir, 0);
	if (!err)
		return mark;
	fsnotify_put_mark(&mark->fs);
	return ERR_PTR(err);
}

static void remove_mark(struct mark **at, struct fsnotify_group *group)
{
	struct mark *mark = *at;

	if (!mark)
		return;
	*at = NULL;
	WRITE_ONCE(mark->ended, true);
	fsnotify_destroy_mark(&mark->fs, group);
	fsnotify_put_mark(&mark->fs);
}

static int watch(struct walpf_cluster *cl, struct fsnotify_group *group, struct mark **at,
		 struct inode *dir, u32 mask)
{
	struct mark *mark;

	if (*at)
		return 0;
	mark = add_mark(cl, group, dir, mask);
	if (IS_ERR(mark))
		return PTR_ERR(mark);
	*at = mark;
	return 0;
}

static void unwatch(struct walpf_startup *st)
{
	remove_mark(&st->opens, opens_group);
	remove_mark(&st->entries, opens_group);
}

int walpf_startup_watch(struct walpf_cluster *cl, const struct path *pgdata,
			const struct path *pg_wal)
{
	struct walpf_startup *st = cl->startup;
	int err;

	err = watch(cl, opens_group, &st->entries, d_inode(pgdata->dentry), ENTRY_EVENTS);
	if (err)
		return err;
	return watch(cl, opens_group, &st->opens, d_inode(pg_wal->dentry),
		     FS_OPEN | FS_EVENT_ON_CHILD);
}

static void release(struct path *path)
{
	path_put(path);
	*path = (struct path){};
}

void walpf_startup_unwatch(struct walpf_cluster *cl)
{
	struct walpf_startup *st = cl->startup;

	unwatch(st);
	release(&st->pgdata);
	release(&st->pg_wal);
}

void walpf_startup_pause_watch(struct walpf_cluster *cl, const struct path *pgdata,
			       const struct path *pg_wal)
{
	struct walpf_startup *st = cl->startup;

	if (st->pg_wal.dentry)
		return;
	path_get(pgdata);
	st->pgdata = *pgdata;
	path_get(pg_wal);
	st->pg_wal = *pg_wal;
	unwatch(st);
}

/* Memory may be short: then it is tried again. */
static int watch_again(struct walpf_cluster *cl)
{
	struct walpf_startup *st = cl->startup;
	int err;

	if (!st->pg_wal.dentry)
		return 0;
	err = walpf_startup_watch(cl, &st->pgdata, &st->pg_wal);
	if (err)
		return err;
	release(&st->pgdata);
	release(&st->pg_wal);
	return 0;
}

bool walpf_startup_watch_writes(struct walpf_cluster *cl)
{
	struct walpf_startup *st = cl->startup;

	if (st->writes || !st->pg_wal.dentry)
		return false;
	return !watch(cl, writes_group, &st->writes, d_inode(st->pg_wal.dentry),
		      FS_MODIFY | FS_MOVED_TO | FS_EVENT_ON_CHILD);
}

bool walpf_startup_gone(struct walpf_cluster *cl)
{
	return READ_ONCE(cl->startup->gone);
}

static bool take_word(const char **at, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*at, word, len))
		return false;
	*at = skip_spaces(*at + len);
	return true;
}

/*
 * What a startup process says it does: nothing, or something with a segment.
 * A role may be named startup and its database process or recovering; but a
 * backend's title goes on with its host.
 */
static bool is_activity(const char *at)
{
	take_word(&at, "process");
	if (!*at)
		return true;
	if (!take_word(&at, "recovering ") && !take_word(&at, "waiting for "))
		return false;
	return strspn(at, "0123456789ABCDEF") == WALPF_SEGNAME_LEN;
}

enum likeness { IS_NOT, MAY_BE, IS };

/*
 * "postgres: startup …", or with a cluster_name "postgres: name: startup …". The name
 * may be any, and be startup itself.
 */
static enum likeness judge_title(const char *title)
{
	enum likeness likeness = IS_NOT;
	const char *at = title;

	while ((at = strstr(at, ": "))) {
		at += 2;
		if (!take_word(&at, "startup"))
			continue;
		if (is_activity(at))
			return IS;
		likeness = MAY_BE;
	}
	return likeness;
}

/*
 * PostgreSQL overwrites its arguments and, behind them, its environment: the
 * title goes on where the arguments of a short command line end.
 */
static size_t locate_title(struct mm_struct *mm, unsigned long *start)
{
	unsigned long end;

	spin_lock(&mm->arg_lock);
	*start = mm->arg_start;
	end = mm->arg_end;
	if (mm->env_start == end && mm->env_end > end)
		end = mm->env_end;
	spin_unlock(&mm->arg_lock);
	return end > *start ? min_t(size_t, end - *start, TITLE_MAX) : 0;
}

/* FOLL_ANON: a page mapped from a file in user space may never come. */
static size_t read_part(struct mm_struct *mm, unsigned long from, char *to, size_t len)
{
	size_t offset = offset_in_page(from);
	struct page *page;

	if (!walpf_get_page_of(mm, from, FOLL_ANON, &page))
		return 0;
	len = min(len, PAGE_SIZE - offset);
	memcpy(to, page_address(page) + offset, len);
	put_page(page);
	return len;
}

/*
 * Returns false if now is not the time to read the whole of it: who waits for
 * such a page may hold the lock.
 */
static bool read_title(struct mm_struct *mm, char title[TITLE_MAX + 1])
{
	size_t done = 0, part = 1, len;
	unsigned long start;

	title[0] = '\0';
	if (!mmap_read_trylock(mm))
		return false;
	len = locate_title(mm, &start);
	while (part && done < len) {
		part = read_part(mm, start + done, title + done, len - done);
		done += part;
	}
	mmap_read_unlock(mm);
	title[done] = '\0';
	return done == len && strlen(title) < TITLE_MAX;
}

static enum likeness judge_title_of(struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);
	char title[TITLE_MAX + 1];
	enum likeness likeness;
	bool whole;

	if (!mm)
		return IS_NOT;
	whole = read_title(mm, title);
	mmput(mm);
	likeness = judge_title(title);
	return likeness == IS_NOT && !whole ? MAY_BE : likeness;
}

static int anchor_of(struct task_struct *task, struct walpf_anchor *anchor)
{
	int err = -ESRCH;

	task_lock(task);
	if (task->fs && !(task->flags & PF_EXITING)) {
		get_fs_root(task->fs, &anchor->root);
		get_fs_pwd(task->fs, &anchor->pwd);
		err = 0;
	}
	task_unlock(task);
	return err;
}

void walpf_anchor_put(struct walpf_anchor *anchor)
{
	path_put(&anchor->root);
	path_put(&anchor->pwd);
}

/* What is not local is not held either: to end its last mount may take for ever. */
static void drop_foreign_root(struct walpf_anchor *anchor)
{
	if (walpf_path_is_local(&anchor->root))
		return;
	path_put(&anchor->root);
	anchor->root = (struct path){};
}

static int cluster_anchor(struct walpf_cluster *cl, struct task_struct *task,
			  struct walpf_anchor *anchor)
{
	int err = anchor_of(task, anchor);

	if (err)
		return err;
	drop_foreign_root(anchor);
	if (walpf_identity_is(&cl->pgdata, d_inode(anchor->pwd.dentry)))
		return 0;
	walpf_anchor_put(anchor);
	return -EXDEV;
}

int walpf_startup_anchor(struct walpf_cluster *cl, struct walpf_anchor *anchor)
{
	struct task_struct *task = get_pid_task(cl->startup->pid, PIDTYPE_PID);
	int err;

	if (!task)
		return -ESRCH;
	err = cluster_anchor(cl, task, anchor);
	put_task_struct(task);
	return err;
}

static bool has_owner(struct task_struct *task, kuid_t owner)
{
	bool same;

	rcu_read_lock();
	same = uid_eq(__task_cred(task)->euid, owner);
	rcu_read_unlock();
	return same;
}

/* The postmaster runs the same program. */
static bool is_child_of_its_kind(struct task_struct *task)
{
	bool same;

	rcu_read_lock();
	same = !strncmp(rcu_dereference(task->real_parent)->comm, task->comm, TASK_COMM_LEN);
	rcu_read_unlock();
	return same;
}

static enum likeness judge_task(struct walpf_cluster *cl, struct task_struct *task)
{
	struct walpf_anchor anchor;

	if (!has_owner(task, cl->conf.owner) || !is_child_of_its_kind(task))
		return IS_NOT;
	if (cluster_anchor(cl, task, &anchor))
		return IS_NOT;
	walpf_anchor_put(&anchor);
	return judge_title_of(task);
}

static int observe(struct walpf_cluster *cl, struct task_struct *task)
{
	int err;

	raw_spin_lock_irq(&cl->position_lock);
	memset(&cl->position, 0, sizeof(cl->position));
	raw_spin_unlock_irq(&cl->position_lock);
	walpf_outcome_begin(cl);
	err = walpf_hook_attach(cl, task);
	if (!err)
		return 0;
	walpf_hook_detach(cl);
	walpf_cluster_reason(cl, "no probe could be armed (error %d)", err);
	return err;
}

/*
 * A task that was reaped meanwhile has no pid any more: a server that has
 * nothing to replay is done with it before the probes are armed.
 */
static void adopt(struct walpf_cluster *cl, struct task_struct *task)
{
	struct pid *pid = get_task_pid(task, PIDTYPE_PID);
	int err;

	if (!pid)
		return;
	err = observe(cl, task);
	if (err) {
		put_pid(pid);
		cl->startup->error = err;
		return;
	}
	cl->startup->pid = pid;
	WRITE_ONCE(cl->startup->known, true);
	walpf_gauge_set(cl, startup_pid, task->tgid);
}

static void refuse(struct walpf_startup *st, const struct visitor *v)
{
	spin_lock(&st->lock);
	st->refused[v->tgid % REFUSALS] = *v;
	spin_unlock(&st->lock);
}

/* The next look is a while after this one: whoever asks for it does not wait. */
static void look_again(struct walpf_startup *st, const struct visitor *v)
{
	if (st->error == -ESRCH)
		st->error = -EAGAIN;
	spin_lock(&st->lock);
	if (st->nr_openers < OPENERS && !is_noted(st, v))
		st->openers[st->nr_openers++] = *v;
	spin_unlock(&st->lock);
}

/*
 * Returns true if there is more to be known of it in a moment. Who may be it still,
 * after so many looks, is looked at when it opens the next segment.
 */
static bool look_at(struct walpf_cluster *cl, struct task_struct *task, struct visitor *v)
{
	enum likeness likeness = judge_task(cl, task);

	v->looks++;
	if (likeness == IS)
		adopt(cl, task);
	else if (likeness == IS_NOT)
		refuse(cl->startup, v);
	else
		return v->looks < LOOKS;
	return false;
}

static bool look_at_opener(struct walpf_cluster *cl, struct visitor *v)
{
	struct pid *pid = find_get_pid(v->tgid);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_TGID);
	bool again;

	put_pid(pid);
	if (!task)
		return false;
	again = look_at(cl, task, v);
	put_task_struct(task);
	return again;
}

static bool next_opener(struct walpf_startup *st, struct visitor *v)
{
	bool any;

	spin_lock(&st->lock);
	any = st->nr_openers;
	if (any)
		*v = st->openers[--st->nr_openers];
	spin_unlock(&st->lock);
	return any;
}

static unsigned int collect(struct task_struct **tasks, kuid_t owner)
{
	struct task_struct *task;
	unsigned int nr = 0;

	rcu_read_lock();
	for_each_process(task) {
		if (nr == WALK_MAX)
			break;
		if (!(task->flags & PF_KTHREAD) && has_owner(task, owner))
			tasks[nr++] = get_task_struct(task);
	}
	rcu_read_unlock();
	return nr;
}

/* Nobody is refused for what it was before it opened a segment. */
static void judge_in_walk(struct walpf_cluster *cl, struct task_struct *task)
{
	struct visitor v = { .tgid = task->tgid, .start_time = task->start_time };
	enum likeness likeness = judge_task(cl, task);

	if (likeness == IS)
		adopt(cl, task);
	else if (likeness == MAY_BE)
		look_again(cl->startup, &v);
}

static void walk_processes(struct walpf_cluster *cl)
{
	struct task_struct **tasks = kvmalloc_array(WALK_MAX, sizeof(*tasks), GFP_KERNEL);
	unsigned int i, nr;

	if (!tasks)
		return;
	nr = collect(tasks, cl->conf.owner);
	for (i = 0; i < nr; i++) {
		if (!cl->startup->pid)
			judge_in_walk(cl, tasks[i]);
		put_task_struct(tasks[i]);
	}
	kvfree(tasks);
}

int walpf_startup_find(struct walpf_cluster *cl, bool walk)
{
	struct walpf_startup *st = cl->startup;
	struct visitor v, undecided[OPENERS];
	unsigned int nr = 0;

	if (watch_again(cl))
		return -EAGAIN;
	st->error = -ESRCH;
	while (!st->pid && nr < OPENERS && next_opener(st, &v))
		if (look_at_opener(cl, &v))
			undecided[nr++] = v;
	while (nr)
		look_again(st, &undecided[--nr]);
	if (!st->pid && walk)
		walk_processes(cl);
	return st->pid ? 0 : st->error;
}

bool walpf_startup_alive(struct walpf_cluster *cl)
{
	struct task_struct *task;
	bool alive;

	rcu_read_lock();
	task = pid_task(cl->startup->pid, PIDTYPE_PID);
	alive = task && !(READ_ONCE(task->flags) & PF_EXITING);
	rcu_read_unlock();
	return alive;
}

/* One whose postmaster is gone is about to end. */
int walpf_startup_observe(struct walpf_cluster *cl)
{
	struct task_struct *task = get_pid_task(cl->startup->pid, PIDTYPE_PID);
	int err = -ESRCH;

	if (!task)
		return err;
	if (is_child_of_its_kind(task))
		err = observe(cl, task);
	put_task_struct(task);
	return err;
}

void walpf_startup_rest(struct walpf_cluster *cl)
{
	walpf_hook_detach(cl);
	remove_mark(&cl->startup->writes, writes_group);
}

void walpf_startup_usage(struct walpf_cluster *cl, struct walpf_startup_usage *usage)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(cl->startup->pid, PIDTYPE_PID);
	if (task) {
#ifdef CONFIG_TASK_IO_ACCOUNTING
		usage->read_bytes = READ_ONCE(task->ioac.read_bytes);
#endif
		usage->ran_ns = READ_ONCE(task->se.sum_exec_runtime);
	}
	rcu_read_unlock();
}

bool walpf_startup_is_new(struct walpf_cluster *cl)
{
	struct task_struct *task;
	bool is_new;

	rcu_read_lock();
	task = pid_task(cl->startup->pid, PIDTYPE_PID);
	is_new = task && ktime_get_ns() - task->start_time < NEW_NS;
	rcu_read_unlock();
	return is_new;
}

struct mem_cgroup *walpf_startup_memcg(struct walpf_cluster *cl)
{
	struct task_struct *task = get_pid_task(cl->startup->pid, PIDTYPE_PID);
	struct mem_cgroup *memcg;

	if (!task)
		return NULL;
	memcg = walpf_memcg_get(task);
	put_task_struct(task);
	return memcg;
}

void walpf_startup_lose(struct walpf_cluster *cl)
{
	struct walpf_startup *st = cl->startup;

	walpf_hook_detach(cl);
	remove_mark(&st->writes, writes_group);
	WRITE_ONCE(st->known, false);
	walpf_gauge_set(cl, startup_pid, 0);
	put_pid(st->pid);
	st->pid = NULL;
	watch_again(cl);
}

int walpf_startup_alloc(struct walpf_cluster *cl)
{
	cl->startup = kzalloc(sizeof(*cl->startup), GFP_KERNEL);
	if (!cl->startup)
		return -ENOMEM;
	spin_lock_init(&cl->startup->lock);
	return 0;
}

void walpf_startup_free(struct walpf_cluster *cl)
{
	kfree(cl->startup);
}

int walpf_startup_init(void)
{
	opens_group = walpf_fsnotify_group(&opens_ops);
	if (IS_ERR(opens_group))
		return PTR_ERR(opens_group);
	writes_group = walpf_fsnotify_group(&writes_ops);
	if (!IS_ERR(writes_group))
		return 0;
	fsnotify_put_group(opens_group);
	return PTR_ERR(writes_group);
}

void walpf_startup_exit(void)
{
	fsnotify_put_group(writes_group);
	fsnotify_put_group(opens_group);
	fsnotify_wait_marks_destroyed();
}

void walpf_startup_drain(void)
{
	fsnotify_wait_marks_destroyed();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of clusters: who is in it, under which name, for how long.
 * Process context. Does no I/O and knows nothing of WAL; the life of a
 * cluster's parts is started and ended here, in one order.
 *
 * Locking:
 *  1. registry_lock guards the list, and is held over a registration. No thread of a
 *     cluster takes it, and it is not held over the end of one: a thread that has to
 *     wait for a file system holds up no other cluster.
 *  2. The list is written under registry_lock and read under RCU.
 *  3. Who marks a cluster as leaving, under registry_lock, ends it: hook, thread,
 *     watch, sysfs. Until then it is in the list, and nobody finds it there any more
 *     but a registration under its name or of its directory, which is refused.
 *  4. The memory goes with the last reference; walpf_cluster_exit() waits for it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "cluster.h"
#include "genl.h"
#include "lookahead.h"
#include "outcome.h"
#include "startup.h"
#include "wal/record.h"
#include "wal/segname.h"

static LIST_HEAD(clusters);
static DEFINE_MUTEX(registry_lock);
static unsigned int nr_clusters;

/* Clusters whose memory is not freed yet. */
static atomic_t nr_alive = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(all_freed);

static const char *const state_names[] = {
#define X(NAME, word, text) [WALPF_STATE_##NAME] = word,
	WALPF_STATES(X)
#undef X
};

static const char *const state_texts[] = {
#define X(NAME, word, text) [WALPF_STATE_##NAME] = text,
	WALPF_STATES(X)
#undef X
};

static const char *const mode_names[] = {
#define X(NAME, word, text) [WALPF_MODE_##NAME] = word,
	WALPF_MODES(X)
#undef X
};

const char *walpf_state_name(enum walpf_state state)
{
	return state < WALPF_NR_STATES ? state_names[state] : "unknown";
}

const char *walpf_mode_name(u32 mode)
{
	return mode < ARRAY_SIZE(mode_names) ? mode_names[mode] : "unknown";
}

static void free_rcu_cb(struct rcu_head *rcu)
{
	struct walpf_cluster *cl = container_of(rcu, struct walpf_cluster, rcu);

	free_percpu(cl->counters);
	kfree(cl);
	if (atomic_dec_and_test(&nr_alive))
		wake_up(&all_freed);
}

void walpf_cluster_release(struct kobject *kobj)
{
	struct walpf_cluster *cl = container_of(kobj, struct walpf_cluster, kobj);

	walpf_lookahead_free(cl);
	walpf_outcome_free(cl);
	walpf_startup_free(cl);
	call_rcu(&cl->rcu, free_rcu_cb);
}

void walpf_cluster_put(struct walpf_cluster *cl)
{
	kobject_put(&cl->kobj);
}

static struct walpf_cluster *find_rcu(const char *name)
{
	struct walpf_cluster *cl;

	list_for_each_entry_rcu(cl, &clusters, node, lockdep_is_held(&registry_lock))
		if (!READ_ONCE(cl->leaving) && !strcmp(cl->conf.name, name))
			return cl;
	return NULL;
}

struct walpf_cluster *walpf_cluster_get(const char *name)
{
	struct walpf_cluster *cl;

	rcu_read_lock();
	cl = find_rcu(name);
	if (cl && !kobject_get_unless_zero(&cl->kobj))
		cl = NULL;
	rcu_read_unlock();
	return cl;
}

/* The caller holds registry_lock; @pos is in the list, or its head. */
static struct walpf_cluster *next_in_force(struct list_head *pos)
{
	struct walpf_cluster *cl = list_entry(pos, struct walpf_cluster, node);

	list_for_each_entry_continue(cl, &clusters, node)
		if (!cl->leaving)
			return cl;
	return NULL;
}

struct walpf_cluster *walpf_cluster_next(struct walpf_cluster *prev)
{
	struct walpf_cluster *cl = NULL;

	mutex_lock(&registry_lock);
	if (!prev)
		cl = next_in_force(&clusters);
	else if (!list_empty(&prev->node))
		cl = next_in_force(&prev->node);
	if (cl)
		kobject_get(&cl->kobj);
	mutex_unlock(&registry_lock);
	if (prev)
		walpf_cluster_put(prev);
	return cl;
}

void walpf_cluster_settings(struct walpf_cluster *cl, struct walpf_settings *out)
{
	spin_lock(&cl->lock);
	*out = cl->settings;
	spin_unlock(&cl->lock);
}

bool walpf_cluster_is_off(struct walpf_cluster *cl)
{
	bool off;

	spin_lock(&cl->lock);
	off = cl->settings.mode == WALPF_MODE_OFF;
	spin_unlock(&cl->lock);
	return off;
}

static int check_settings(const struct walpf_settings *s, const char **why)
{
	if (s->mode >= ARRAY_SIZE(mode_names)) {
		*why = "mode must be off, observe, fetch or always";
		return -ERANGE;
	}
#define X(name, min, max, dflt, text)					\
	if (s->name < (min) || s->name > (max)) {			\
		*why = #name " must be from " #min " to " #max;		\
		return -ERANGE;						\
	}
	WALPF_SETTINGS(X)
#undef X
	return 0;
}

int walpf_cluster_set(struct walpf_cluster *cl, const struct walpf_settings *new,
		      const char **why)
{
	int err = check_settings(new, why);

	if (err)
		return err;
	spin_lock(&cl->lock);
	cl->settings = *new;
	spin_unlock(&cl->lock);
	walpf_lookahead_kick(cl);
	return 0;
}

enum walpf_state walpf_cluster_status(struct walpf_cluster *cl, char *reason)
{
	enum walpf_state state;

	spin_lock(&cl->lock);
	state = cl->state;
	if (reason)
		strscpy(reason, cl->last_reason, WALPF_REASON_MAX);
	spin_unlock(&cl->lock);
	return state;
}

/* Either something is fetched, or why not was told by walpf_cluster_reason(). */
static bool has_own_reason(enum walpf_state state)
{
	return state == WALPF_STATE_FOLLOWING || state == WALPF_STATE_WAITING ||
	       state == WALPF_STATE_RESTING || state == WALPF_STATE_DEGRADED;
}

void walpf_cluster_state(struct walpf_cluster *cl, enum walpf_state state)
{
	bool changed;

	spin_lock(&cl->lock);
	changed = cl->state != state;
	cl->state = state;
	if (changed && !has_own_reason(state))
		strscpy(cl->last_reason, state_texts[state], sizeof(cl->last_reason));
	spin_unlock(&cl->lock);
	if (changed)
		walpf_genl_event(cl, WALPF_EVENT_STATE);
}

void walpf_cluster_reason(struct walpf_cluster *cl, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	spin_lock(&cl->lock);
	vsnprintf(cl->last_reason, sizeof(cl->last_reason), fmt, args);
	spin_unlock(&cl->lock);
	va_end(args);
}

static const char *conf_fault(const struct walpf_conf *conf)
{
	if (!conf->name[0] || conf->name[0] == '.' || strchr(conf->name, '/'))
		return "the name must not be empty, begin with a dot or have a slash";
	if (conf->block_size != WALPF_BLCKSZ)
		return "only servers built with a block size of 8 kB are served";
	if (!walpf_seg_size_valid(conf->seg_size))
		return "the WAL segment size must be a power of two from 1 MB to 1 GB";
	if (!conf->file_blocks)
		return "the number of blocks per file must not be 0";
	return NULL;
}

static bool served_file_system(const struct path *path)
{
	unsigned long magic = path->dentry->d_sb->s_magic;

	return magic == EXT4_SUPER_MAGIC || magic == XFS_SUPER_MAGIC;
}

static const char *dir_fault(const struct walpf_conf *conf, const struct path *pgdata,
			     const struct path *pg_wal)
{
	if (!d_is_dir(pgdata->dentry) || !d_is_dir(pg_wal->dentry))
		return "the data directory and pg_wal must be directories";
	if (!served_file_system(pgdata) || !served_file_system(pg_wal))
		return "the data directory and pg_wal must be on ext4 or xfs";
	if (!uid_eq(d_inode(pgdata->dentry)->i_uid, conf->owner))
		return "the data directory has another owner than stated";
	return NULL;
}

void walpf_identity_of(struct walpf_identity *id, const struct inode *inode)
{
	id->dev = inode->i_sb->s_dev;
	id->ino = inode->i_ino;
	id->generation = inode->i_generation;
}

bool walpf_identity_is(const struct walpf_identity *id, const struct inode *inode)
{
	return id->ino == inode->i_ino && id->dev == inode->i_sb->s_dev &&
	       id->generation == inode->i_generation;
}

static bool same_identity(const struct walpf_identity *a, const struct walpf_identity *b)
{
	return a->ino == b->ino && a->dev == b->dev && a->generation == b->generation;
}

static const char being_unregistered[] =
	"it is being unregistered: try again when that is done";

/* The errors differ, so that a tool that wants any name can try another. */
static int check_free(const struct walpf_cluster *new, const char **why)
{
	struct walpf_cluster *cl;

	list_for_each_entry(cl, &clusters, node) {
		if (same_identity(&cl->pgdata, &new->pgdata) ||
		    same_identity(&cl->pg_wal, &new->pg_wal)) {
			*why = cl->leaving ? being_unregistered :
				"the directory is registered already: see walpf-ctl list";
			return -EALREADY;
		}
	}
	list_for_each_entry(cl, &clusters, node) {
		if (!strcmp(cl->conf.name, new->conf.name)) {
			*why = cl->leaving ? being_unregistered :
				"another cluster has this name: choose one with --name";
			return -EEXIST;
		}
	}
	return 0;
}

static struct walpf_cluster *alloc_cluster(const struct walpf_conf *conf,
					   const struct path *pgdata, const struct path *pg_wal)
{
	struct walpf_cluster *cl = kzalloc(sizeof(*cl), GFP_KERNEL);

	if (!cl)
		return NULL;
	cl->counters = alloc_percpu(struct walpf_counters);
	if (!cl->counters) {
		kfree(cl);
		return NULL;
	}
	atomic_inc(&nr_alive);
	cl->conf = *conf;
	cl->settings = conf->settings;
	INIT_LIST_HEAD(&cl->node);
	spin_lock_init(&cl->lock);
	strscpy(cl->last_reason, state_texts[cl->state], sizeof(cl->last_reason));
	raw_spin_lock_init(&cl->position_lock);
	walpf_identity_of(&cl->pgdata, d_inode(pgdata->dentry));
	walpf_identity_of(&cl->pg_wal, d_inode(pg_wal->dentry));
	kobject_init(&cl->kobj, &walpf_cluster_ktype);
	return cl;
}

/* Everything that runs for a cluster, in the order in which it depends. */
static int start_cluster(struct walpf_cluster *cl, const struct path *pgdata,
			 const struct path *pg_wal)
{
	int err;

	err = walpf_startup_alloc(cl);
	if (err)
		return err;
	err = walpf_outcome_alloc(cl);
	if (err)
		return err;
	err = walpf_lookahead_alloc(cl);
	if (err)
		return err;
	err = kobject_add(&cl->kobj, walpf_clusters_kobj, "%s", cl->conf.name);
	if (err)
		return err;
	err = walpf_startup_watch(cl, pgdata, pg_wal);
	if (err)
		goto err_watch;
	err = walpf_lookahead_start(cl);
	if (err)
		goto err_watch;
	return 0;

err_watch:
	walpf_startup_unwatch(cl);
	kobject_del(&cl->kobj);
	return err;
}

static void stop_cluster(struct walpf_cluster *cl)
{
	walpf_lookahead_stop(cl);
	walpf_startup_unwatch(cl);
	kobject_del(&cl->kobj);
}

static int add_cluster(struct walpf_cluster *cl, const struct path *pgdata,
		       const struct path *pg_wal, const char **why)
{
	int err;

	if (nr_clusters >= WALPF_CLUSTERS_MAX) {
		*why = "too many clusters are registered: unregister one";
		return -ENOSPC;
	}
	err = check_free(cl, why);
	if (err)
		return err;
	err = start_cluster(cl, pgdata, pg_wal);
	if (err) {
		*why = "not enough memory";
		return err;
	}
	list_add_tail_rcu(&cl->node, &clusters);
	nr_clusters++;
	return 0;
}

int walpf_cluster_register(const struct walpf_conf *conf, const struct path *pgdata,
			   const struct path *pg_wal, const char **why)
{
	struct walpf_cluster *cl;
	int err;

	*why = conf_fault(conf);
	if (!*why)
		*why = dir_fault(conf, pgdata, pg_wal);
	if (*why)
		return -EINVAL;
	err = check_settings(&conf->settings, why);
	if (err)
		return err;
	cl = alloc_cluster(conf, pgdata, pg_wal);
	if (!cl) {
		*why = "not enough memory";
		return -ENOMEM;
	}
	/* It may be unregistered again before its event is sent. */
	kobject_get(&cl->kobj);
	mutex_lock(&registry_lock);
	err = add_cluster(cl, pgdata, pg_wal, why);
	mutex_unlock(&registry_lock);
	if (err) {
		walpf_cluster_put(cl);
	} else {
		pr_info("cluster %s: registered\n", cl->conf.pgdata);
		walpf_genl_event(cl, WALPF_EVENT_REGISTERED);
	}
	walpf_cluster_put(cl);
	return err;
}

/* The caller has marked it as leaving, and owns the registry's reference now. */
static void remove_cluster(struct walpf_cluster *cl)
{
	stop_cluster(cl);
	mutex_lock(&registry_lock);
	list_del_rcu(&cl->node);
	nr_clusters--;
	/* Only now may a walk see that the cluster is in no list. */
	synchronize_rcu();
	INIT_LIST_HEAD(&cl->node);
	mutex_unlock(&registry_lock);
	pr_info("cluster %s: unregistered\n", cl->conf.pgdata);
}

int walpf_cluster_unregister(const char *name)
{
	struct walpf_cluster *cl;

	mutex_lock(&registry_lock);
	cl = find_rcu(name);
	if (cl)
		WRITE_ONCE(cl->leaving, true);
	mutex_unlock(&registry_lock);
	if (!cl)
		return -ENOENT;
	remove_cluster(cl);
	walpf_genl_event(cl, WALPF_EVENT_UNREGISTERED);
	walpf_cluster_put(cl);
	return 0;
}

void walpf_cluster_exit(void)
{
	struct walpf_cluster *cl, *next;

	list_for_each_entry_safe(cl, next, &clusters, node) {
		remove_cluster(cl);
		walpf_cluster_put(cl);
	}
}

void walpf_cluster_wait_freed(void)
{
	wait_event(all_freed, !atomic_read(&nr_alive));
	/* The callback that woke us may not have returned yet. */
	rcu_barrier();
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which task is a cluster's startup process: the one that replays WAL.
 */
#ifndef WALPF_STARTUP_H
#define WALPF_STARTUP_H

#include <linux/path.h>
#include <linux/types.h>

struct inode;
struct mem_cgroup;
struct walpf_cluster;

/**
 * struct walpf_anchor - where the startup process lives
 * @root: its root directory; empty if that is in a file system that no path may lead
 *	through
 * @pwd: its working directory, which is the cluster's data directory
 *
 * Held for one batch only, so that it keeps nobody from unmounting.
 */
struct walpf_anchor {
	struct path root;
	struct path pwd;
};

int walpf_startup_alloc(struct walpf_cluster *cl);
void walpf_startup_free(struct walpf_cluster *cl);

/**
 * walpf_startup_watch() - learn when files in pg_wal are opened, or it is moved away
 * @cl: cluster
 * @pgdata: the data directory, needed only during the call
 * @pg_wal: the directory, needed only during the call
 *
 * Costs files elsewhere nothing and does not keep the file system mounted.
 *
 * Return: 0 or an errno; then some of it may be watched, see walpf_startup_unwatch().
 */
int walpf_startup_watch(struct walpf_cluster *cl, const struct path *pgdata,
			const struct path *pg_wal);
void walpf_startup_unwatch(struct walpf_cluster *cl);

/**
 * walpf_startup_pause_watch() - no need to learn of that now
 * @cl: cluster with a known startup process; from its worker only
 * @pgdata: the data directory, held until walpf_startup_lose() watches it again
 * @pg_wal: the same
 */
void walpf_startup_pause_watch(struct walpf_cluster *cl, const struct path *pgdata,
			       const struct path *pg_wal);

/**
 * walpf_startup_watch_writes() - learn when files are written in pg_wal, or moved there
 * @cl: cluster with a known startup process; from its worker only
 *
 * Ends with walpf_startup_lose() or walpf_startup_rest(), so that a primary's writes
 * cost nothing. Where there is no memory for it, the tail is looked at by the clock only.
 *
 * Return: true if it is only from now on that they are told of.
 */
bool walpf_startup_watch_writes(struct walpf_cluster *cl);

/**
 * walpf_startup_find() - look for the startup process, if there is a reason
 * @cl: cluster without a known one; from its worker only
 * @walk: look at all processes, not only at those that opened a segment
 *
 * When one is found its reads are observed from then on. May sleep.
 *
 * Return: 0 if one is known now, -ESRCH if there is none, -EAGAIN if it should be
 * looked for again in a moment, or why its reads cannot be observed; the reason
 * has been told then.
 */
int walpf_startup_find(struct walpf_cluster *cl, bool walk);

/**
 * walpf_startup_alive() - does the known startup process still run?
 * @cl: cluster; from its worker only
 */
bool walpf_startup_alive(struct walpf_cluster *cl);

/**
 * walpf_startup_observe() - see the reads of the known startup process again
 * @cl: cluster; from its worker only
 *
 * Return: 0, -ESRCH if it is about to end, or why no probe could be armed; that
 * has been told then.
 */
int walpf_startup_observe(struct walpf_cluster *cl);

/**
 * walpf_startup_rest() - do not see its reads for a while
 * @cl: cluster with a known startup process; from its worker only
 *
 * Then they cost nothing, and neither do those of others if no other process is
 * observed.
 */
void walpf_startup_rest(struct walpf_cluster *cl);

/**
 * struct walpf_startup_usage - what the kernel counts of a process anyway
 * @read_bytes: that it has asked of devices, WAL, read-ahead and metadata included
 * @ran_ns: computed, as of its last switch or timer tick
 */
struct walpf_startup_usage {
	u64 read_bytes;
	u64 ran_ns;
};

/**
 * walpf_startup_usage() - what the known startup process has used
 * @cl: cluster; from its worker only
 * @usage: filled; left as it is if the process is gone
 */
void walpf_startup_usage(struct walpf_cluster *cl, struct walpf_startup_usage *usage);

/**
 * walpf_startup_is_new() - has the server only just begun to replay?
 * @cl: cluster with a known startup process; from its worker only
 *
 * Return: true if its shared_buffers can hold nothing yet.
 */
bool walpf_startup_is_new(struct walpf_cluster *cl);

/**
 * walpf_startup_memcg() - the memory cgroup that the server is in
 * @cl: cluster with a known startup process; from its worker only
 *
 * Return: referenced, to be given back with walpf_memcg_put(); may be NULL.
 */
struct mem_cgroup *walpf_startup_memcg(struct walpf_cluster *cl);

/**
 * walpf_startup_lose() - forget the startup process, observe no reads
 * @cl: cluster; from its worker only, or when that has ended
 */
void walpf_startup_lose(struct walpf_cluster *cl);

/**
 * walpf_startup_anchor() - where the startup process lives, now
 * @cl: cluster with a known startup process; from its worker only
 * @anchor: filled; give back with walpf_anchor_put()
 *
 * Return: 0, -ESRCH (it exits) or -EXDEV (its working directory is not the
 * registered data directory).
 */
int walpf_startup_anchor(struct walpf_cluster *cl, struct walpf_anchor *anchor);
void walpf_anchor_put(struct walpf_anchor *anchor);

/**
 * walpf_startup_gone() - was pg_wal removed or its file system unmounted?
 * @cl: cluster
 */
bool walpf_startup_gone(struct walpf_cluster *cl);

int walpf_startup_init(void);
void walpf_startup_exit(void);

/**
 * walpf_startup_drain() - wait for the watches' last callbacks to return
 *
 * After walpf_startup_exit() and walpf_cluster_wait_freed(): the last cluster
 * may have been freed from within a callback.
 */
void walpf_startup_drain(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A registered cluster and the registry of them. A cluster holds identities
 * and strings; while no startup process is known it holds no file, path,
 * task or address space.
 */
#ifndef WALPF_CLUSTER_H
#define WALPF_CLUSTER_H

#include <linux/irq_work.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/path.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/walpf.h>

#include "histogram.h"
#include "stats.h"

#define WALPF_NAME_MAX		63	/* bytes of a cluster's name, a directory in sysfs */
#define WALPF_PGDATA_MAX	1023	/* bytes of the path shown to people, MAXPGPATH - 1 */
#define WALPF_REASON_MAX	200	/* bytes of the last reason */

/* A host with more servers than this is not in sight; bounds a table in hook.c. */
#define WALPF_CLUSTERS_MAX	64

/* X(NAME, word, text) */
#define WALPF_STATES(X)							\
	X(IDLE, "idle", "no startup process: the server is stopped or is no standby") \
	X(FOUND, "found", "the startup process is known, its position is not yet")	\
	X(FOLLOWING, "following", "replay runs, look-ahead is before it")	\
	X(WAITING, "waiting", "look-ahead is at the end of WAL")		\
	X(STALLED, "stalled", "replay makes no progress, nothing is fetched")	\
	X(RESTING, "resting", "fetching is not worth it now: see last_reason")	\
	X(OFF, "off", "switched off by the operator")				\
	X(DEGRADED, "degraded", "no advice is given: see last_reason")		\
	X(GONE, "gone", "the data directory or pg_wal is gone, moved or unmounted: register again")

enum walpf_state {
#define X(NAME, word, text) WALPF_STATE_##NAME,
	WALPF_STATES(X)
#undef X
	WALPF_NR_STATES
};

/* X(NAME, word, text) */
#define WALPF_MODES(X)							\
	X(OFF, "off", "registered, looks at nothing")			\
	X(OBSERVE, "observe", "decode, plan and account, but fetch nothing")	\
	X(FETCH, "fetch", "fetch blocks while that is worth it")		\
	X(ALWAYS, "always", "fetch blocks, worth it or not")

enum walpf_mode {
#define X(NAME, word, text) WALPF_MODE_##NAME,
	WALPF_MODES(X)
#undef X
	WALPF_NR_MODES
};

/*
 * What an operator may set beside the mode: X(name, min, max, default, text),
 * in plain numbers, as the range goes into sentences.
 * lead_bytes: 16 MB is one segment, about a second of a fast replay.
 * lead_blocks: 32768 are 256 MB of page cache.
 * inflight: half of the 512 tags of two NVMe queues; see kernel tags.
 */
#define WALPF_SETTINGS(X)						\
	X(lead_bytes, 262144, 17179869184, 16777216,			\
	  "most bytes of WAL between replay and look-ahead")		\
	X(lead_blocks, 64, 67108864, 32768,				\
	  "most blocks fetched and not yet passed by replay")		\
	X(inflight, 1, 8192, 256,					\
	  "most blocks asked of a device and not yet seen up to date")	\
	X(device_iops, 0, 10000000, 0,					\
	  "most requests a second to a device, 0: any number")		\
	X(device_bytes, 0, 1099511627776, 0,				\
	  "most bytes a second from a device, 0: any number")

struct walpf_settings {
	u32 mode;
#define X(name, min, max, dflt, text) u64 name;
	WALPF_SETTINGS(X)
#undef X
};

/* Which directory, without holding it. */
struct walpf_identity {
	dev_t dev;
	u64 ino;
	u32 generation;
};

/**
 * struct walpf_conf - what a registration says; constant afterwards
 * @name: unique, a valid file name without a slash
 * @pgdata: the data directory as people call it
 * @pg_wal: the resolved pg_wal directory, the same
 * @owner: owner of the data directory; only files of this owner are opened
 * @major: PostgreSQL's major version, 9 for 9.6
 * @catalog_version: as in global/pg_control, for tablespace directories
 * @block_size: bytes; only 8192 is accepted
 * @file_blocks: blocks per file of a relation
 * @seg_size: WAL segment size in bytes
 * @system_id: system identifier
 * @shared_buffers: in blocks
 * @decode_buffer: wal_decode_buffer_size in bytes; 0 before 15 or with
 *	recovery_prefetch off
 * @flags: WALPF_F_*
 * @settings: initial ones
 */
struct walpf_conf {
	char name[WALPF_NAME_MAX + 1];
	char pgdata[WALPF_PGDATA_MAX + 1];
	char pg_wal[WALPF_PGDATA_MAX + 1];
	kuid_t owner;
	u32 major;
	u32 catalog_version;
	u32 block_size;
	u32 file_blocks;
	u32 seg_size;
	u64 system_id;
	u64 shared_buffers;
	u64 decode_buffer;
	u32 flags;
	struct walpf_settings settings;
};

/**
 * struct walpf_position - the WAL page that the startup process read last
 * @lsn: its first byte; 0: none yet
 * @candidate: first byte of a page elsewhere, read once
 * @tli: timeline in the name of the file
 * @ino: the file
 * @steady: it has gone forward since the startup process is observed
 * @jumps: how often the position went elsewhere
 * @direct: blocks are read past the page cache
 *
 * Written by the probe handler, under position_lock.
 */
struct walpf_position {
	u64 lsn;
	u64 candidate;
	u32 tli;
	u64 ino;
	bool steady;
	u32 jumps;
	bool direct;
};

struct walpf_lookahead;
struct walpf_outcome;
struct walpf_startup;

/**
 * struct walpf_cluster - a registered cluster
 *
 * Locking and lifetime:
 *  1. The reference count is that of @kobj. The registry owns one reference,
 *     walpf_cluster_get() gives another. The memory outlives the last one by
 *     an RCU grace period.
 *  2. @conf, @pgdata and @pg_wal never change.
 *  3. @lock guards @settings, @state and @last_reason; process context only.
 *  4. @position_lock guards @position; taken by the probe handler with
 *     preemption off, and by the worker for a copy.
 *  5. @gauges have one writer each, the worker or the probe handler, and are
 *     read by anybody without a lock.
 *  6. @lookahead, @outcome and @startup belong to their files; they are set before the
 *     cluster can be found, and end before it is freed.
 *  7. @node and @leaving are the registry's; see cluster.c.
 */
struct walpf_cluster {
	struct kobject kobj;
	struct list_head node;
	bool leaving;
	struct rcu_head rcu;

	struct walpf_conf conf;
	struct walpf_identity pgdata;
	struct walpf_identity pg_wal;

	struct walpf_counters __percpu *counters;
	u64 counters_zero[WALPF_NR_COUNTERS];
	u64 gauges[WALPF_NR_GAUGES];
	struct walpf_histogram histograms[WALPF_NR_HISTOGRAMS];

	spinlock_t lock;		/* see 3. */
	struct walpf_settings settings;
	enum walpf_state state;
	char last_reason[WALPF_REASON_MAX];

	raw_spinlock_t position_lock;
	struct walpf_position position;

	struct walpf_outcome *outcome;
	struct walpf_startup *startup;
	struct walpf_lookahead *lookahead;
};

/* Writes and reads a gauge by its name; see rule 5. */
#define walpf_gauge_set(cl, name, v) \
	WRITE_ONCE((cl)->gauges[WALPF_GAUGE_##name], (v))
#define walpf_gauge_get(cl, name) \
	READ_ONCE((cl)->gauges[WALPF_GAUGE_##name])

/**
 * walpf_cluster_register() - take a cluster into the registry and start it
 * @conf: copied; checked here, whoever filled it
 * @pgdata: the data directory, needed only during the call
 * @pg_wal: the resolved pg_wal directory, needed only during the call
 * @why: on failure, a constant sentence with the remedy
 *
 * Process context, may sleep. Returns before anything was read.
 *
 * Return: 0, or -EINVAL (conf or directories unfit), -EEXIST (name
 * taken), -EALREADY (directory registered), -ENOSPC (too many), -ENOMEM.
 */
int walpf_cluster_register(const struct walpf_conf *conf, const struct path *pgdata,
			   const struct path *pg_wal, const char **why);

/**
 * walpf_cluster_unregister() - stop a cluster and forget it
 * @name: its name
 *
 * Waits for one I/O at most. The memory goes with the last reference.
 *
 * Return: 0 or -ENOENT.
 */
int walpf_cluster_unregister(const char *name);

/**
 * walpf_cluster_get() - find by name
 * @name: its name
 *
 * Return: a referenced cluster, or NULL. Give back with walpf_cluster_put().
 */
struct walpf_cluster *walpf_cluster_get(const char *name);
void walpf_cluster_put(struct walpf_cluster *cl);

/**
 * walpf_cluster_next() - walk the registry, for dumps
 * @prev: NULL for the first; its reference is given up
 *
 * A cluster that is unregistered meanwhile ends the walk.
 *
 * Return: a referenced cluster or NULL.
 */
struct walpf_cluster *walpf_cluster_next(struct walpf_cluster *prev);

/**
 * walpf_cluster_settings() - a copy of the settings
 * @cl: cluster, referenced
 * @out: filled
 */
void walpf_cluster_settings(struct walpf_cluster *cl, struct walpf_settings *out);

/**
 * walpf_cluster_is_off() - whether it was switched off, for who is in the middle of it
 * @cl: cluster, referenced
 *
 * Process context.
 */
bool walpf_cluster_is_off(struct walpf_cluster *cl);

/**
 * walpf_cluster_set() - change settings
 * @cl: cluster, referenced
 * @new: all of them; get them first to change one
 * @why: on failure, a constant sentence that names the setting and its range
 *
 * Return: 0 or -ERANGE.
 */
int walpf_cluster_set(struct walpf_cluster *cl, const struct walpf_settings *new,
		      const char **why);

/**
 * walpf_cluster_status() - a consistent copy of state and reason
 * @cl: cluster, referenced
 * @reason: WALPF_REASON_MAX bytes, filled: why nothing was fetched last. NULL: not wanted
 *
 * Return: the state.
 */
enum walpf_state walpf_cluster_status(struct walpf_cluster *cl, char *reason);

/**
 * walpf_cluster_state() - set the state, for the worker
 * @cl: cluster
 * @state: new state; an event is sent if it is another
 *
 * The reason becomes what the state means, if that is why nothing is fetched.
 * Of states that have reasons of several kinds it is told before.
 */
void walpf_cluster_state(struct walpf_cluster *cl, enum walpf_state state);

/**
 * walpf_cluster_reason() - keep why something went wrong, for people
 * @cl: cluster
 * @fmt: printf format of one sentence without a full stop
 */
__printf(2, 3) void walpf_cluster_reason(struct walpf_cluster *cl, const char *fmt, ...);

const char *walpf_state_name(enum walpf_state state);
const char *walpf_mode_name(u32 mode);

/* For walpf_cluster_ktype. */
void walpf_cluster_release(struct kobject *kobj);

/**
 * walpf_identity_of() - remember an inode
 * @id: filled
 * @inode: referenced, or under RCU
 */
void walpf_identity_of(struct walpf_identity *id, const struct inode *inode);

/**
 * walpf_identity_is() - is it that inode?
 * @id: remembered
 * @inode: referenced, or under RCU. Any context.
 */
bool walpf_identity_is(const struct walpf_identity *id, const struct inode *inode);

/**
 * walpf_cluster_exit() - unregister all
 *
 * Nobody may register any more.
 */
void walpf_cluster_exit(void);

/**
 * walpf_cluster_wait_freed() - wait for the last reference and callback
 *
 * After walpf_cluster_exit() and the end of everything that holds references.
 */
void walpf_cluster_wait_freed(void);

#endif

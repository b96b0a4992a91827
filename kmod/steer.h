/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between a cluster's counters and its controller: what happened in an epoch
 * is put together here, and what the controller makes of it is shown.
 */
#ifndef WALPF_STEER_H
#define WALPF_STEER_H

#include <linux/types.h>

#include "cluster.h"
#include "govern.h"
#include "startup.h"

struct mem_cgroup;

/**
 * struct walpf_steer - how a cluster is steered; its worker's alone
 * @gov: what is in force: gov.lead_bytes, gov.budget, walpf_steer_is_on()
 * @outstanding: the most blocks fetched and not yet passed in this epoch
 * @lead_spent: in this epoch look-ahead waited at its lead
 * @budget_spent: the same at its budget
 *
 * The rest is private to steer.c.
 */
struct walpf_steer {
	struct walpf_govern gov;
	u64 outstanding;
	bool lead_spent;
	bool budget_spent;

	/* private: */
	struct walpf_cluster *cl;
	bool active;			/* of those that share the host's memory */
	struct mem_cgroup *memcg;
	unsigned long begun;		/* jiffies */
	bool resting;
	struct walpf_startup_usage usage;	/* then, at rest */
	u64 lsn;			/* of replay, then */
	u64 total[WALPF_NR_COUNTERS];	/* then */
	u64 since[WALPF_NR_COUNTERS];
};

/**
 * walpf_steer_begin() - a startup process is known
 * @steer: of its cluster
 * @cl: cluster
 * @set: the operator's settings
 * @memcg: what is fetched is charged to; stays until walpf_steer_end(). May be NULL
 *
 * Begins with fetching on, and without knowledge.
 */
void walpf_steer_begin(struct walpf_steer *steer, struct walpf_cluster *cl,
		       const struct walpf_settings *set, struct mem_cgroup *memcg);

/**
 * walpf_steer_end() - it is not any more
 * @steer: of its cluster; need not have begun
 */
void walpf_steer_end(struct walpf_steer *steer);

/**
 * walpf_steer_moved() - replay goes on elsewhere
 * @steer: of its cluster
 * @lsn: there
 */
void walpf_steer_moved(struct walpf_steer *steer, u64 lsn);

/**
 * walpf_steer_turn() - adapt, if an epoch is over
 * @steer: of its cluster
 * @set: the operator's settings, now
 *
 * Return: true if look-ahead is to begin anew where replay is: most of what
 * was fetched is gone.
 */
bool walpf_steer_turn(struct walpf_steer *steer, const struct walpf_settings *set);

/**
 * walpf_steer_rest() - the startup process is not observed from now on, or is again
 * @steer: of its cluster
 * @rest: which
 *
 * At rest, what it reads from devices is all that is known.
 */
void walpf_steer_rest(struct walpf_steer *steer, bool rest);

/*
 * Is fetching worth it? If not, @gov.reason says why. Where nobody counts what a
 * process reads from devices there is no rest, as nothing would end it.
 */
static inline bool walpf_steer_is_on(const struct walpf_steer *steer)
{
	return !IS_ENABLED(CONFIG_TASK_IO_ACCOUNTING) || walpf_govern_is_on(&steer->gov);
}

#endif

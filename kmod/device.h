/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Block devices, known by their number alone, and what walpf has in flight at
 * each of them: all clusters together no more than the device bears, and
 * those that ask at the same time equally much.
 */
#ifndef WALPF_DEVICE_H
#define WALPF_DEVICE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "govern.h"

struct page;
struct walpf_cluster;
struct walpf_share;

/**
 * struct walpf_shares - a cluster's shares of devices
 * @cl: the cluster
 * @limits: the operator's, of each; see walpf_shares_limit()
 *
 * The rest is device.c's.
 */
struct walpf_shares {
	struct walpf_cluster *cl;
	struct walpf_govern_device_limits limits;

	/* private: */
	struct mutex lock;
	struct list_head list;
};

void walpf_shares_init(struct walpf_shares *shares, struct walpf_cluster *cl);

/**
 * walpf_shares_limit() - take the operator's limits
 * @shares: the cluster's
 * @limits: of each of its devices, from now on
 *
 * From one thread only; those who ask for blocks see it at once.
 */
void walpf_shares_limit(struct walpf_shares *shares,
			const struct walpf_govern_device_limits *limits);

/**
 * walpf_shares_of() - a cluster's share of a device
 * @shares: the cluster's
 * @dev: number of the device
 *
 * May sleep; several threads may ask at once.
 *
 * Return: valid until walpf_shares_leave(); NULL if there is no memory for it.
 */
struct walpf_share *walpf_shares_of(struct walpf_shares *shares, dev_t dev);

/**
 * struct walpf_shares_sum - what can be said of all devices of a cluster
 * @inflight: blocks that are in flight
 * @bound: the most that may be at one of them; 0: there is none
 * @latency_us: of the slowest, of late; 0: not known
 */
struct walpf_shares_sum {
	u32 inflight;
	u32 bound;
	u32 latency_us;
};

/**
 * walpf_shares_reap() - take note of what has come
 * @shares: the cluster's
 * @sum: filled
 *
 * May sleep for a lock, not for I/O.
 */
void walpf_shares_reap(struct walpf_shares *shares, struct walpf_shares_sum *sum);

/**
 * walpf_shares_leave() - let go of everything that is in flight, and of all devices
 * @shares: the cluster's; nobody else uses them now
 *
 * May sleep for a lock, not for I/O, and does not stop any.
 */
void walpf_shares_leave(struct walpf_shares *shares);

/**
 * walpf_share_bound() - how many blocks may be in flight
 * @share: of a device
 *
 * Changes from one moment to the next.
 *
 * Return: 1 at least.
 */
u32 walpf_share_bound(const struct walpf_share *share);

/**
 * walpf_share_pace() - may a request be sent, for all that its rate is limited?
 * @share: of its device
 * @blocks: its length
 *
 * Return: 0, and it counts as sent; or after how many microseconds to ask
 * again, at most a second.
 */
u32 walpf_share_pace(struct walpf_share *share, u32 blocks);

/**
 * walpf_share_take() - wait until so many blocks may be asked for
 * @share: of their device
 * @blocks: how many; more than the bound have to wait until nothing is in flight
 *
 * Sleeps while too much is in flight, for as long as an I/O takes. The blocks
 * are in flight from now on. To be followed by walpf_share_asked().
 */
void walpf_share_take(struct walpf_share *share, u32 blocks);

/**
 * walpf_share_asked() - they have been asked for
 * @share: the same
 * @last: page that will come last, referenced: the reference is taken over.
 *	NULL: nothing is to come
 * @blocks: the same
 */
void walpf_share_asked(struct walpf_share *share, struct page *last, u32 blocks);

#endif

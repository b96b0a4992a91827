// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of devices and the requests in flight at them. Process context.
 * A device is a number: nothing is held of it but the pages of requests, and
 * those only until their I/O has ended.
 *
 * A device has one window, to which everything adds that is asked of it. Who
 * has something in flight there has a share: the window divided by how many
 * they are. With nothing in flight a cluster may always ask for one extent, so
 * none waits for another's I/O, and what is in flight exceeds the window by
 * one extent for each of them at most, and only for as long as it takes to
 * come.
 *
 * Locking:
 *  1. devices_lock guards the list of devices and joining and leaving one. A
 *     device is freed with its last share.
 *  2. The list of a cluster's shares is guarded by their mutex, outside of
 *     devices_lock.
 *  3. The spinlock of a device guards all else in it and in its shares: several
 *     threads of a cluster ask at once, and everybody reaps for everybody.
 *     Nothing sleeps under it. It is the innermost one.
 *  4. Waiting is done without any lock: for a page with a reference of one's
 *     own, or at @settled, which is woken after each change of @answered.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "cluster.h"
#include "compat/pagecache.h"
#include "device.h"
#include "window.h"

/* Requests in flight: a power of two, and no less than the setting's maximum. */
#define REQUESTS	8192

/*
 * One request in so many is timed, once the window has grown: reading the
 * clock may be slow.
 */
#define TIMED		8

/**
 * struct walpf_device - a block device
 * @node: in devices
 * @dev: its number
 * @lock: see 3.
 * @shares: clusters that have files on it
 * @window: the bound of @inflight
 * @inflight: blocks asked for and not yet seen up to date
 * @busy: shares that have some of these
 */
struct walpf_device {
	struct list_head node;
	dev_t dev;
	spinlock_t lock;		/* see 3. */
	struct list_head shares;
	struct walpf_window window;
	u32 inflight;
	u32 busy;
};

/**
 * struct request - an extent in flight
 * @asked: when, for one that is timed; else 0
 * @page: its last one, pinned: the file may be closed before it comes
 * @blocks: its length
 */
struct request {
	ktime_t asked;
	struct page *page;
	u32 blocks;
};

/**
 * struct walpf_share - what one cluster has in flight at one device
 * @node: in the list of the device
 * @mine: in the list of the cluster
 * @owner: the cluster's shares
 * @device: the device
 * @inflight: blocks in flight, those that are about to be asked for included
 * @taken: requests about to be asked for
 * @answered: how often one of these was done
 * @settled: woken then
 * @head: where the next request goes, modulo REQUESTS
 * @tail: the oldest request
 * @requests: in the order in which they were asked for
 */
struct walpf_share {
	struct list_head node;
	struct list_head mine;
	struct walpf_shares *owner;
	struct walpf_device *device;
	u32 inflight;
	u32 taken;
	u32 answered;
	wait_queue_head_t settled;
	u32 head;
	u32 tail;
	struct request *requests;
};

static LIST_HEAD(devices);
static DEFINE_MUTEX(devices_lock);

void walpf_shares_init(struct walpf_shares *shares, struct walpf_cluster *cl)
{
	shares->cl = cl;
	mutex_init(&shares->lock);
	INIT_LIST_HEAD(&shares->list);
}

static struct walpf_device *find_device(dev_t dev)
{
	struct walpf_device *device;

	list_for_each_entry(device, &devices, node)
		if (device->dev == dev)
			return device;
	device = kzalloc(sizeof(*device), GFP_KERNEL);
	if (!device)
		return NULL;
	device->dev = dev;
	spin_lock_init(&device->lock);
	INIT_LIST_HEAD(&device->shares);
	walpf_window_init(&device->window);
	list_add(&device->node, &devices);
	return device;
}

static struct walpf_share *alloc_share(void)
{
	struct walpf_share *share = kzalloc(sizeof(*share), GFP_KERNEL);

	if (!share)
		return NULL;
	init_waitqueue_head(&share->settled);
	share->requests = kvmalloc_array(REQUESTS, sizeof(*share->requests), GFP_KERNEL);
	if (share->requests)
		return share;
	kfree(share);
	return NULL;
}

static void free_share(struct walpf_share *share)
{
	kvfree(share->requests);
	kfree(share);
}

static bool enter(struct walpf_share *share, dev_t dev)
{
	struct walpf_device *device;

	mutex_lock(&devices_lock);
	device = find_device(dev);
	if (device) {
		share->device = device;
		spin_lock(&device->lock);
		list_add(&share->node, &device->shares);
		spin_unlock(&device->lock);
	}
	mutex_unlock(&devices_lock);
	return device;
}

static struct walpf_share *join(struct walpf_shares *shares, dev_t dev)
{
	struct walpf_share *share = alloc_share();

	if (!share)
		return NULL;
	share->owner = shares;
	if (!enter(share, dev)) {
		free_share(share);
		return NULL;
	}
	list_add(&share->mine, &shares->list);
	return share;
}

struct walpf_share *walpf_shares_of(struct walpf_shares *shares, dev_t dev)
{
	struct walpf_share *share, *found = NULL;

	mutex_lock(&shares->lock);
	list_for_each_entry(share, &shares->list, mine)
		if (share->device->dev == dev)
			found = share;
	if (!found)
		found = join(shares, dev);
	mutex_unlock(&shares->lock);
	return found;
}

static void add(struct walpf_share *share, u32 blocks)
{
	if (!share->inflight)
		share->device->busy++;
	share->inflight += blocks;
	share->device->inflight += blocks;
}

static void subtract(struct walpf_share *share, u32 blocks)
{
	share->inflight -= blocks;
	share->device->inflight -= blocks;
	if (!share->inflight)
		share->device->busy--;
}

static struct request *oldest(struct walpf_share *share)
{
	return &share->requests[share->tail % REQUESTS];
}

static void retire(struct walpf_share *share)
{
	put_page(oldest(share)->page);
	subtract(share, oldest(share)->blocks);
	share->tail++;
}

static void reap(struct walpf_device *device)
{
	struct walpf_share *share;

	list_for_each_entry(share, &device->shares, node)
		while (share->tail != share->head && !walpf_page_busy(oldest(share)->page))
			retire(share);
}

u32 walpf_shares_reap(struct walpf_shares *shares)
{
	struct walpf_share *share;
	u32 inflight = 0;

	mutex_lock(&shares->lock);
	list_for_each_entry(share, &shares->list, mine) {
		spin_lock(&share->device->lock);
		reap(share->device);
		inflight += share->inflight;
		spin_unlock(&share->device->lock);
	}
	mutex_unlock(&shares->lock);
	return inflight;
}

static void leave(struct walpf_share *share)
{
	struct walpf_device *device = share->device;

	mutex_lock(&devices_lock);
	spin_lock(&device->lock);
	while (share->tail != share->head)
		retire(share);
	list_del(&share->node);
	spin_unlock(&device->lock);
	if (list_empty(&device->shares)) {
		list_del(&device->node);
		kfree(device);
	}
	mutex_unlock(&devices_lock);
}

void walpf_shares_leave(struct walpf_shares *shares)
{
	struct walpf_share *share, *next;

	mutex_lock(&shares->lock);
	list_for_each_entry_safe(share, next, &shares->list, mine) {
		list_del(&share->mine);
		leave(share);
		free_share(share);
	}
	mutex_unlock(&shares->lock);
}

static u32 bound(const struct walpf_share *share)
{
	const struct walpf_device *device = share->device;
	u32 sharers = device->busy + !share->inflight;

	return max(min(device->window.blocks / sharers, READ_ONCE(share->owner->max)), 1u);
}

u32 walpf_share_bound(const struct walpf_share *share)
{
	u32 blocks;

	spin_lock(&share->device->lock);
	blocks = bound(share);
	spin_unlock(&share->device->lock);
	return blocks;
}

static bool has_room(const struct walpf_share *share, u32 blocks)
{
	const struct walpf_device *device = share->device;

	if (!share->inflight)
		return true;
	return share->inflight + blocks <= bound(share) &&
	       device->inflight + blocks <= device->window.blocks &&
	       share->head - share->tail + share->taken < REQUESTS;
}

/* The window is the device's; who has the highest bound knows it best. */
static u32 highest_bound(const struct walpf_device *device)
{
	const struct walpf_share *share;
	u32 highest = 1;

	list_for_each_entry(share, &device->shares, node)
		highest = max(highest, READ_ONCE(share->owner->max));
	return highest;
}

/* How long it took is known only of what was waited for. */
static void learn(const struct walpf_share *share, ktime_t asked)
{
	struct walpf_device *device = share->device;
	s64 us = max_t(s64, ktime_us_delta(ktime_get(), asked), 0);

	walpf_histogram_add(share->owner->cl, device_us, us);
	spin_lock(&device->lock);
	walpf_window_seen(&device->window, min_t(s64, us, U32_MAX), highest_bound(device));
	spin_unlock(&device->lock);
}

/**
 * struct wait - what to wait for
 * @page: the oldest request's, referenced; NULL: there is none yet
 * @asked: when, if nobody else has taken the time of it
 * @answered: of the share, as it was
 */
struct wait {
	struct page *page;
	ktime_t asked;
	u32 answered;
};

/* Takes room, or says what has to happen before there can be any. */
static bool try_take(struct walpf_share *share, u32 blocks, struct wait *wait)
{
	bool taken;

	spin_lock(&share->device->lock);
	reap(share->device);
	taken = has_room(share, blocks);
	if (taken) {
		add(share, blocks);
		share->taken++;
	} else if (share->tail != share->head) {
		wait->page = oldest(share)->page;
		wait->asked = oldest(share)->asked;
		get_page(wait->page);
		oldest(share)->asked = 0;
	} else {
		wait->page = NULL;
		wait->answered = share->answered;
	}
	spin_unlock(&share->device->lock);
	return taken;
}

/* Sleeping submits what the plug still holds. */
static void wait_for(struct walpf_share *share, const struct wait *wait)
{
	if (!wait->page) {
		wait_event(share->settled, READ_ONCE(share->answered) != wait->answered);
		return;
	}
	walpf_page_wait(wait->page);
	put_page(wait->page);
	if (wait->asked)
		learn(share, wait->asked);
}

void walpf_share_take(struct walpf_share *share, u32 blocks)
{
	struct wait wait;

	while (!try_take(share, blocks, &wait))
		wait_for(share, &wait);
}

static bool is_timed(const struct walpf_share *share)
{
	return share->device->window.growing || share->head % TIMED == 0;
}

void walpf_share_asked(struct walpf_share *share, struct page *last, u32 blocks)
{
	spin_lock(&share->device->lock);
	share->taken--;
	WRITE_ONCE(share->answered, share->answered + 1);
	if (last)
		share->requests[share->head++ % REQUESTS] = (struct request){
			.asked = is_timed(share) ? ktime_get() : 0,
			.page = last,
			.blocks = blocks,
		};
	else
		subtract(share, blocks);
	spin_unlock(&share->device->lock);
	wake_up(&share->settled);
}

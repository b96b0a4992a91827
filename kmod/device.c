// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of devices and the requests in flight at them. Process context.
 * A device is a number: nothing is held of it but the pages of requests, and
 * those only until their I/O has ended.
 *
 * A device has one bound, which its controller moves, to which everything adds
 * that is asked of it. Who has something in flight there has a share: the bound
 * divided by how many they are. With nothing in flight a cluster may always ask
 * for one extent, so none waits for another's I/O, and what is in flight exceeds
 * the bound by one extent for each of them at most, and only for as long as it
 * takes to come.
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
#include "govern.h"
#include "wal/record.h"

/* Requests in flight: a power of two, and no less than the setting's maximum. */
#define REQUESTS	8192

/*
 * One request in so many is timed, once the device is known: reading the clock
 * may be slow.
 */
#define TIMED		8

/* One in so many of the requests in flight may be passed by those behind it. */
#define PASSED		4

/**
 * struct walpf_device - a block device
 * @node: in devices
 * @dev: its number
 * @lock: see 3.
 * @shares: clusters that have files on it
 * @gov: its controller: the bound of @inflight, and the pace of requests
 * @inflight: blocks asked for and not yet seen up to date
 * @busy: shares that have some of these
 */
struct walpf_device {
	struct list_head node;
	dev_t dev;
	spinlock_t lock;		/* see 3. */
	struct list_head shares;
	struct walpf_govern_device gov;
	u32 inflight;
	u32 busy;
};

/**
 * struct request - an extent in flight
 * @asked_us: when, for one that is timed; else 0
 * @page: its last one, pinned: the file may be closed before it comes. NULL: it
 *	came before an older one
 * @blocks: its length
 * @inflight: blocks in flight at the device then, these included
 */
struct request {
	u64 asked_us;
	struct page *page;
	u32 blocks;
	u32 inflight;
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

static u64 now_us(void)
{
	return ktime_to_us(ktime_get());
}

void walpf_shares_init(struct walpf_shares *shares, struct walpf_cluster *cl)
{
	shares->cl = cl;
	mutex_init(&shares->lock);
	INIT_LIST_HEAD(&shares->list);
}

static struct walpf_device *find_device(dev_t dev, const struct walpf_govern_device_limits *limits)
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
	walpf_govern_device_init(&device->gov, limits);
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
	device = find_device(dev, &share->owner->limits);
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

static void retire(struct walpf_share *share, struct request *request)
{
	put_page(request->page);
	request->page = NULL;
	subtract(share, request->blocks);
}

/* @all: also what came before an older one. */
static void reap_share(struct walpf_share *share, bool all)
{
	u32 i;

	for (i = share->tail; i != share->head; i++) {
		struct request *request = &share->requests[i % REQUESTS];

		if (request->page && !walpf_page_busy(request->page))
			retire(share, request);
		if (!request->page && i == share->tail)
			share->tail++;
		else if (!all)
			return;
	}
}

static void reap(struct walpf_device *device, bool all)
{
	struct walpf_share *share;

	list_for_each_entry(share, &device->shares, node)
		reap_share(share, all);
}

/* A device is bounded as widely, and as strictly paced, as any cluster on it says. */
static struct walpf_govern_device_limits limits_of(const struct walpf_device *device)
{
	struct walpf_govern_device_limits limits = {};
	const struct walpf_share *share;

	list_for_each_entry(share, &device->shares, node) {
		const struct walpf_govern_device_limits *own = &share->owner->limits;

		limits.inflight = max(limits.inflight, READ_ONCE(own->inflight));
		limits.iops = min_not_zero(limits.iops, READ_ONCE(own->iops));
		limits.bytes_per_s = min_not_zero(limits.bytes_per_s, READ_ONCE(own->bytes_per_s));
	}
	return limits;
}

static u32 device_bound(const struct walpf_device *device)
{
	struct walpf_govern_device_limits limits = limits_of(device);

	return walpf_govern_device_inflight(&device->gov, &limits);
}

static u32 bound(const struct walpf_share *share)
{
	const struct walpf_device *device = share->device;
	u32 sharers = device->busy + !share->inflight;

	return max(min(device_bound(device) / sharers, READ_ONCE(share->owner->limits.inflight)),
		   1u);
}

void walpf_shares_limit(struct walpf_shares *shares,
			const struct walpf_govern_device_limits *limits)
{
	WRITE_ONCE(shares->limits.inflight, limits->inflight);
	WRITE_ONCE(shares->limits.iops, limits->iops);
	WRITE_ONCE(shares->limits.bytes_per_s, limits->bytes_per_s);
}

void walpf_shares_reap(struct walpf_shares *shares, struct walpf_shares_sum *sum)
{
	struct walpf_share *share;

	*sum = (struct walpf_shares_sum){};
	mutex_lock(&shares->lock);
	list_for_each_entry(share, &shares->list, mine) {
		spin_lock(&share->device->lock);
		reap(share->device, true);
		sum->inflight += share->inflight;
		sum->bound = max(sum->bound, bound(share));
		sum->latency_us = max(sum->latency_us, share->device->gov.latency_us);
		spin_unlock(&share->device->lock);
	}
	mutex_unlock(&shares->lock);
}

static void leave(struct walpf_share *share)
{
	struct walpf_device *device = share->device;

	mutex_lock(&devices_lock);
	spin_lock(&device->lock);
	for (; share->tail != share->head; share->tail++)
		if (oldest(share)->page)
			retire(share, oldest(share));
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

u32 walpf_share_bound(const struct walpf_share *share)
{
	u32 blocks;

	spin_lock(&share->device->lock);
	blocks = bound(share);
	spin_unlock(&share->device->lock);
	return blocks;
}

u32 walpf_share_pace(struct walpf_share *share, u32 blocks)
{
	struct walpf_device *device = share->device;
	struct walpf_govern_device_limits limits;
	u32 us = 0;

	spin_lock(&device->lock);
	limits = limits_of(device);
	if (limits.iops || limits.bytes_per_s)
		us = walpf_govern_device_pace(&device->gov, &limits, now_us(),
					      blocks * WALPF_BLCKSZ);
	spin_unlock(&device->lock);
	return us;
}

static bool has_room(const struct walpf_share *share, u32 blocks)
{
	const struct walpf_device *device = share->device;

	if (!share->inflight)
		return true;
	return share->inflight + blocks <= bound(share) &&
	       device->inflight + blocks <= device_bound(device) &&
	       share->head - share->tail + share->taken < REQUESTS;
}

/* How long it took is known only of what was waited for. */
static void learn(const struct walpf_share *share, u64 asked_us, u32 inflight)
{
	struct walpf_device *device = share->device;
	struct walpf_govern_sample sample = {
		.asked_us = asked_us,
		.now_us = now_us(),
		.inflight = inflight,
	};
	struct walpf_govern_device_limits limits;

	walpf_histogram_add(share->owner->cl, device_us, sample.now_us - asked_us);
	spin_lock(&device->lock);
	limits = limits_of(device);
	walpf_govern_device_sample(&device->gov, &limits, &sample);
	spin_unlock(&device->lock);
}

/**
 * struct wait - what to wait for
 * @page: of a request, referenced; NULL: there is none yet
 * @asked_us: when, if nobody else has taken the time of it; else 0
 * @inflight: blocks in flight then
 * @answered: of the share, as it was
 */
struct wait {
	struct page *page;
	u64 asked_us;
	u32 inflight;
	u32 answered;
};

static bool find_room(struct walpf_share *share, u32 blocks)
{
	reap(share->device, false);
	if (has_room(share, blocks))
		return true;
	reap(share->device, true);
	return has_room(share, blocks);
}

/*
 * Not for the oldest: it may take ten times as long as the others, and those behind
 * it are served meanwhile.
 */
static struct request *request_to_wait_for(struct walpf_share *share)
{
	u32 i = share->tail + (share->head - share->tail) / PASSED;

	for (; i != share->head; i++)
		if (share->requests[i % REQUESTS].page)
			return &share->requests[i % REQUESTS];
	return oldest(share);
}

static void choose_wait(struct walpf_share *share, struct wait *wait)
{
	struct request *request;

	*wait = (struct wait){ .answered = share->answered };
	if (share->tail == share->head)
		return;
	request = request_to_wait_for(share);
	wait->page = request->page;
	wait->asked_us = request->asked_us;
	wait->inflight = request->inflight;
	get_page(wait->page);
	request->asked_us = 0;
}

/* Takes room, or says what has to happen before there can be any. */
static bool try_take(struct walpf_share *share, u32 blocks, struct wait *wait)
{
	bool taken;

	spin_lock(&share->device->lock);
	taken = find_room(share, blocks);
	if (taken) {
		add(share, blocks);
		share->taken++;
	} else {
		choose_wait(share, wait);
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
	if (wait->asked_us)
		learn(share, wait->asked_us, wait->inflight);
}

void walpf_share_take(struct walpf_share *share, u32 blocks)
{
	struct wait wait;

	while (!try_take(share, blocks, &wait))
		wait_for(share, &wait);
}

static bool is_timed(const struct walpf_share *share)
{
	return share->device->gov.learning || share->head % TIMED == 0;
}

void walpf_share_asked(struct walpf_share *share, struct page *last, u32 blocks)
{
	spin_lock(&share->device->lock);
	share->taken--;
	WRITE_ONCE(share->answered, share->answered + 1);
	if (last)
		share->requests[share->head++ % REQUESTS] = (struct request){
			.asked_us = is_timed(share) ? now_us() : 0,
			.page = last,
			.blocks = blocks,
			.inflight = share->device->inflight,
		};
	else
		subtract(share, blocks);
	spin_unlock(&share->device->lock);
	wake_up(&share->settled);
}

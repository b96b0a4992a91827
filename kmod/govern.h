/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The controller. From what was counted since it was asked last it derives
 * how far look-ahead may go (lead and budget of a cluster), how much a device
 * may be asked for at once (inflight), and whether fetching is worth anything
 * at all. Pure integer arithmetic: no allocation, no lock, no clock, bounded
 * time; the same objects build in userspace, where tests/sim drives them.
 *
 * Two objects, each used by one caller at a time, in any context:
 *  1. struct walpf_govern, one a cluster, its worker's alone.
 *  2. struct walpf_govern_device, one a device, shared by the clusters on it:
 *     whoever owns the device's lock holds it over each call.
 * Limits are the operator's. They are read, never written: what comes out is
 * the effective value, which is not above them.
 */
#ifndef WALPF_GOVERN_H
#define WALPF_GOVERN_H

#include "wal/types.h"

/* Milliseconds from one epoch of a cluster to the next, about. */
#define WALPF_GOVERN_EPOCH_MS	100

/* So many blocks have to be missed in an epoch for fetching to begin again. */
#define WALPF_GOVERN_ON_READS	4

/* X(NAME, word, text): why nothing is fetched. NONE: fetching is on. */
#define WALPF_GOVERN_REASONS(X)						\
	X(NONE, none, "fetching is worth it")				\
	X(CACHED, cached, "replay finds its blocks in the page cache")	\
	X(IMAGES, images, "WAL brings its blocks along as full-page images")	\
	X(NEW, new, "WAL fills new pages only, as inserts do")		\
	X(BUFFERS, buffers, "replay finds its blocks in shared_buffers")	\
	X(FILES, files, "files of the blocks are missing or refused")	\
	X(EVICTED, evicted, "memory is short: what is fetched is evicted before replay comes") \
	X(UNUSED, unused, "replay does not read what is fetched")

enum walpf_govern_reason {
#define X(NAME, word, text) WALPF_GOVERN_##NAME,
	WALPF_GOVERN_REASONS(X)
#undef X
	WALPF_GOVERN_NR_REASONS
};

/**
 * struct walpf_govern_limits - what the operator allows a cluster
 * @lead_bytes: the most bytes of WAL between replay and look-ahead
 * @budget: the most blocks fetched and not yet passed by replay
 */
struct walpf_govern_limits {
	u64 lead_bytes;
	u64 budget;
};

/**
 * struct walpf_govern_seen - what happened in an epoch; counts are of blocks
 * @ms: how long it lasted
 * @replay_bytes: WAL replayed
 * @references: decoded
 * @skipped_images: WAL has an image of the block
 * @skipped_pending: an image or new page of it is still ahead of replay
 * @skipped_new: init and eof
 * @skipped_recent: in shared_buffers
 * @skipped_cached: in the page cache
 * @skipped_files: missing, refused and space
 * @fetched: asked of the device, or would have been in observe mode
 * @refused: asked, but there was no memory
 * @timely: read by replay without waiting
 * @late: replay waited
 * @shared: another process of the server read it first
 * @evicted: gone before replay came
 * @unused: replay passed without reading it
 * @lost: in the page cache when look-ahead came by, gone before replay came;
 *	also counted in @missed
 * @missed: replay read it from the device, and it had not been fetched; at rest all
 *	that it read from devices
 * @late_us: how long replay waited for late blocks, 0: not known
 * @read_us: how long it waited for reads of its own, evicted and missed; at rest
 *	all that it did not compute; 0: not known
 * @latency_us: of the device that serves the cluster, 0: not known
 * @available: memory to be had
 * @outstanding: the most that were fetched and not yet passed
 * @lead_spent: look-ahead had to stop because it was as far as the lead
 * @budget_spent: the same of the budget
 */
struct walpf_govern_seen {
	u32 ms;
	u64 replay_bytes;
	u64 references;
	u64 skipped_images;
	u64 skipped_pending;
	u64 skipped_new;
	u64 skipped_recent;
	u64 skipped_cached;
	u64 skipped_files;
	u64 fetched;
	u64 refused;
	u64 timely;
	u64 late;
	u64 shared;
	u64 evicted;
	u64 unused;
	u64 lost;
	u64 missed;
	u64 late_us;
	u64 read_us;
	u32 latency_us;
	u64 available;
	u64 outstanding;
	bool lead_spent;
	bool budget_spent;
};

/**
 * struct walpf_govern_evidence - outcomes since lead and budget were judged last
 * @us: how long that is
 * @blocks: whose outcome is known
 * @events: of these: late or gone
 * @gone: of these: evicted, refused, or cached and gone before replay came
 * @late_us: what replay waited for late blocks
 * @gone_us: what it waited for those that were gone
 * @outstanding: the most there were
 */
struct walpf_govern_evidence {
	u64 us;
	u64 blocks;
	u64 events;
	u64 gone;
	u64 late_us;
	u64 gone_us;
	u64 outstanding;
};

/**
 * struct walpf_govern_trial - what fetching came to since it was judged last
 * @ms: how long that is
 * @references: decoded
 * @fetched: blocks
 * @cost_us: what their reads would have cost replay
 * @settled: fetched blocks whose outcome is known
 * @useful: of these, those that replay or the server read
 * @evicted: of these
 * @pending: references of blocks that are to come
 * @skipped: by reason
 */
struct walpf_govern_trial {
	u64 ms;
	u64 references;
	u64 fetched;
	u64 cost_us;
	u64 settled;
	u64 useful;
	u64 evicted;
	u64 pending;
	u64 skipped[WALPF_GOVERN_NR_REASONS];
};

/**
 * struct walpf_govern - the controller of a cluster
 * @lead_bytes: effective lead, from replay to look-ahead
 * @lead_ms: the lead aimed at, as milliseconds of replay
 * @budget: effective budget, in blocks
 * @speed: WAL replayed in a second while replay ran freely, in bytes
 * @rewind: most of what was fetched is gone: look-ahead is to begin anew where
 *	replay is, and to fetch that again; true for one epoch
 * @reason: why fetching is off; WALPF_GOVERN_NONE: it is on
 *
 * The rest is private to govern.c.
 */
struct walpf_govern {
	u64 lead_bytes;
	u32 lead_ms;
	u64 budget;
	u64 speed;
	bool rewind;
	enum walpf_govern_reason reason;

	/* private: */
	u64 ceiling;		/* of the budget: more was evicted, in blocks */
	u64 memory;		/* of the budget: available memory's share */
	u64 hold;		/* blocks to pass until the last change can show */
	u32 held_ms;		/* since that */
	struct walpf_govern_evidence evidence;
	u32 step;		/* of the next change of lead or budget */
	bool was_up;		/* the last one */
	u32 lead_used_ms;	/* since the lead was spent */
	u32 budget_used_ms;	/* since the budget was */
	u32 off_ms;		/* since fetching is off */
	u32 retry_ms;		/* for so long it stays off at least */
	u32 good_ms;		/* for so long it has been worth it */
	struct walpf_govern_trial trial;
};

/**
 * walpf_govern_init() - begin with fetching on, and without knowledge
 * @gov: uninitialised
 * @limits: the operator's
 *
 * Also for a new startup process.
 */
void walpf_govern_init(struct walpf_govern *gov, const struct walpf_govern_limits *limits);

/**
 * walpf_govern_epoch() - adapt to what was seen
 * @gov: controller of a cluster
 * @limits: the operator's, now
 * @seen: since the last call, about WALPF_GOVERN_EPOCH_MS ago; an epoch of
 *	0 ms changes nothing
 */
void walpf_govern_epoch(struct walpf_govern *gov, const struct walpf_govern_limits *limits,
			const struct walpf_govern_seen *seen);

/**
 * walpf_govern_is_on() - shall blocks be fetched?
 * @gov: controller of a cluster
 *
 * While it is off nobody needs to decode WAL: what turns it on again is what
 * the startup process is seen to wait for.
 */
static inline bool walpf_govern_is_on(const struct walpf_govern *gov)
{
	return gov->reason == WALPF_GOVERN_NONE;
}

/**
 * walpf_govern_is_ahead() - has look-ahead waited for replay of late?
 * @gov: controller of a cluster
 *
 * Then the device could do more, and what counts is what replay has to read
 * itself. Else the device is what all wait for, and what counts is what it
 * reads in vain.
 */
bool walpf_govern_is_ahead(const struct walpf_govern *gov);

/**
 * walpf_govern_reason_name() - the reason as one lower-case word
 * @reason: any value
 *
 * Return: a constant string, "unknown" if out of range.
 */
const char *walpf_govern_reason_name(enum walpf_govern_reason reason);

/**
 * walpf_govern_reason_text() - the reason as a sentence without a full stop
 * @reason: any value
 *
 * Return: a constant string.
 */
const char *walpf_govern_reason_text(enum walpf_govern_reason reason);

/**
 * struct walpf_govern_device_limits - what the operator allows on a device
 * @inflight: the most blocks asked and not yet up to date
 * @iops: the most requests in a second, 0: any number
 * @bytes_per_s: the most bytes in a second, 0: any number
 */
struct walpf_govern_device_limits {
	u32 inflight;
	u32 iops;
	u64 bytes_per_s;
};

/**
 * struct walpf_govern_sample - a request that was seen to be up to date
 * @asked_us: when it was asked, on a clock that does not go back
 * @now_us: when it was up to date
 * @inflight: blocks in flight when it was asked, its own included
 */
struct walpf_govern_sample {
	u64 asked_us;
	u64 now_us;
	u32 inflight;
};

/* From 16 blocks to the 8192 that are the setting's maximum. */
#define WALPF_GOVERN_LEVELS	10

/**
 * struct walpf_govern_device - the controller of a device
 * @inflight: effective bound of blocks in flight
 * @best_us: latency with few blocks in flight, 0: not known
 * @latency_us: latency of late, 0: not known
 * @learning: each request is worth timing; else one in some
 *
 * The rest is private to govern.c.
 */
struct walpf_govern_device {
	u32 inflight;
	u32 best_us;
	u32 latency_us;
	bool learning;

	/* private: */
	u32 level;		/* of inflight: 16 blocks, doubled so often */
	u32 rate[WALPF_GOVERN_LEVELS];	/* blocks in a second at each, 0: not known */
	u32 few;		/* requests to go with few blocks in flight */
	u64 changed_us;		/* when the bound was: older requests say nothing of it */
	u64 looked_us;		/* when best_us was learned */
	u64 down_us;		/* when a level was given up, 0: none was */
	u64 sum_us;		/* of this round: latencies */
	u64 sum_inflight;	/* blocks in flight */
	u32 nr;			/* requests */
	u64 next_request_ns;	/* the pace of requests */
	u64 next_bytes_ns;	/* the pace of bytes */
};

/**
 * walpf_govern_device_init() - begin with a cautious bound and no knowledge
 * @dev: uninitialised
 * @limits: the operator's
 */
void walpf_govern_device_init(struct walpf_govern_device *dev,
			      const struct walpf_govern_device_limits *limits);

/**
 * walpf_govern_device_inflight() - the bound in force
 * @dev: controller of a device
 * @limits: the operator's, now
 *
 * Return: blocks, at least 1.
 */
static inline u32 walpf_govern_device_inflight(const struct walpf_govern_device *dev,
					       const struct walpf_govern_device_limits *limits)
{
	u32 max = limits->inflight ? limits->inflight : 1;

	return dev->inflight < max ? dev->inflight : max;
}

/**
 * walpf_govern_device_sample() - adapt to how long a request took
 * @dev: controller of a device
 * @limits: the operator's, now
 * @sample: the request
 *
 * To be told of all requests that were timed and seen to come, in any order. Not
 * of one that came while nobody looked, as the worker slept: that would count
 * its sleep as the device's latency.
 */
void walpf_govern_device_sample(struct walpf_govern_device *dev,
				const struct walpf_govern_device_limits *limits,
				const struct walpf_govern_sample *sample);

/**
 * walpf_govern_device_pace() - may a request be sent?
 * @dev: controller of a device
 * @limits: the operator's, now
 * @now_us: now
 * @bytes: size of the request
 *
 * Return: 0, and the request counts as sent; or after how many microseconds
 * to ask again, at most a second.
 */
u32 walpf_govern_device_pace(struct walpf_govern_device *dev,
			     const struct walpf_govern_device_limits *limits, u64 now_us,
			     u32 bytes);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The controller of a device. The bound of blocks in flight has levels, each
 * twice the one below. While latency is not much above what it was with few
 * blocks in flight, the device has room: one level up. When it is, there is a
 * queue; what is queued makes the server's own requests wait. So a level is
 * kept only if the device does more in a second with it than with the one
 * below, as disks do, which choose from their queue.
 *
 * What it does in a second needs no other measurement: it is what is in flight,
 * divided by the latency (Little's law).
 *
 * Levels, and two thresholds apart from each other, keep the bound still.
 */
#include "govern.h"
#include "least.h"

/* Blocks in flight that no device has trouble with, and the first bound. */
#define FEW		4u

/* Level 0: a disk has something to choose from; 500 a second have it done in 32 ms. */
#define INFLIGHT_MIN	16u

/*
 * Latencies up to here mean that there is room. Timers of 250 Hz, as in
 * device-mapper's delay, and a busy host add up to HARMLESS_US by themselves.
 */
#define HARMLESS_US	16000u
#define aim(best)	(3 * (u64)(best) + HARMLESS_US)

/* With such a queue there is no level up, whatever it brings; and one down. */
#define QUEUE_US	128000u
#define QUEUE_MAX_US	400000u

/* A level up must bring a twelfth to be taken, and half of that to be kept. */
#define is_worth(more, than)	((u64)(more) * 12 >= (u64)(than) * 13)
#define is_useless(more, than)	((u64)(more) * 24 < (u64)(than) * 25)

/* Requests in a round: few while there is room, then so many as to tell a twelfth. */
#define ROUND_FIRST	4u
#define ROUND		128u

/* What was learned of the level above is believed for so long; of the best latency, too. */
#define BELIEVED_US	60000000ull

/* The pace may be made up for by so much; nobody waits longer than a second at once. */
#define BURST_NS	10000000ull
#define SECOND_NS	1000000000ull

/* A latency of more than a minute is a clock's fault. */
#define LATENCY_MAX	60000000u

static void begin_round(struct walpf_govern_device *dev)
{
	dev->sum_us = 0;
	dev->sum_inflight = 0;
	dev->nr = 0;
}

static void set_inflight(struct walpf_govern_device *dev, u64 blocks, u32 max, u64 now_us)
{
	dev->inflight = most(least(blocks, max), 1);
	dev->changed_us = now_us;
	begin_round(dev);
}

static void set_level(struct walpf_govern_device *dev, u32 level, u32 max, u64 now_us)
{
	dev->level = level;
	set_inflight(dev, INFLIGHT_MIN << level, max, now_us);
}

static void look_again(struct walpf_govern_device *dev, u32 max, u64 now_us)
{
	*dev = (struct walpf_govern_device){
		.few = FEW,
		.learning = true,
		.latency_us = dev->latency_us,
		.next_request_ns = dev->next_request_ns,
		.next_bytes_ns = dev->next_bytes_ns,
	};
	set_inflight(dev, FEW, max, now_us);
}

void walpf_govern_device_init(struct walpf_govern_device *dev,
			      const struct walpf_govern_device_limits *limits)
{
	*dev = (struct walpf_govern_device){};
	look_again(dev, limits->inflight, 0);
}

/* The mean of the first few; then level 0 begins. */
static void see_first(struct walpf_govern_device *dev, const struct walpf_govern_sample *sample,
		      u32 us, u32 max)
{
	u32 had = FEW - dev->few--;

	dev->best_us = ((u64)dev->best_us * had + us) / (had + 1);
	dev->looked_us = sample->now_us;
	if (!dev->latency_us)
		dev->latency_us = dev->best_us;
	if (!dev->few)
		set_level(dev, 0, max, sample->now_us);
}

/* Blocks in a second at this level; one round is not to be trusted alone. */
static void see_rate(struct walpf_govern_device *dev, u64 mean)
{
	u64 rate = dev->sum_inflight * 1000000 / dev->nr / most(mean, 1);
	u64 was = dev->rate[dev->level];

	rate = least(rate, ~0u);
	dev->rate[dev->level] = was ? (was + rate) / 2 : rate;
}

static bool is_highest(const struct walpf_govern_device *dev, u32 max)
{
	return dev->inflight >= max || dev->level + 1 >= WALPF_GOVERN_LEVELS;
}

/*
 * Would a level up be worth it? What it brought when it was tried is believed
 * for a while. If it was not, the step from the level below says.
 */
static bool is_up_worth(const struct walpf_govern_device *dev)
{
	u32 here = dev->rate[dev->level], above = dev->rate[dev->level + 1];

	if (above)
		return is_worth(above, here);
	return !dev->level || !dev->rate[dev->level - 1] ||
	       is_worth(here, dev->rate[dev->level - 1]);
}

static bool is_down_better(const struct walpf_govern_device *dev, u64 mean)
{
	if (!dev->level)
		return false;
	return mean > QUEUE_MAX_US || is_useless(dev->rate[dev->level], dev->rate[dev->level - 1]);
}

/* The least bound, and it is slow nevertheless: is the device another one? */
static bool is_changed(const struct walpf_govern_device *dev, u64 mean, u64 now_us)
{
	return !dev->level && mean > 2 * aim(dev->best_us) &&
	       now_us - dev->looked_us > BELIEVED_US;
}

static void stay(struct walpf_govern_device *dev)
{
	dev->learning = false;
	begin_round(dev);
}

static void go_down(struct walpf_govern_device *dev, u32 max, u64 now_us)
{
	set_level(dev, dev->level - 1, max, now_us);
	dev->down_us = now_us;
}

/* What the higher level did before is not mixed with what it will do. */
static void go_up(struct walpf_govern_device *dev, u32 max, u64 now_us)
{
	set_level(dev, dev->level + 1, max, now_us);
	dev->rate[dev->level] = 0;
}

/* A level cannot do much less than the one below: then the device has changed. */
static void forget_above(struct walpf_govern_device *dev, u64 now_us)
{
	u64 here = dev->rate[dev->level];

	if (dev->level + 1 >= WALPF_GOVERN_LEVELS)
		return;
	if (now_us - dev->down_us > BELIEVED_US || here * 2 > dev->rate[dev->level + 1] * 3ull)
		dev->rate[dev->level + 1] = 0;
}

static void adapt_to_queue(struct walpf_govern_device *dev, u64 mean, u32 max, u64 now_us)
{
	if (is_changed(dev, mean, now_us))
		look_again(dev, max, now_us);
	else if (is_down_better(dev, mean))
		go_down(dev, max, now_us);
	else if (mean < QUEUE_US && !is_highest(dev, max) && is_up_worth(dev))
		go_up(dev, max, now_us);
	/* It was left before anything was known of it. */
	else if (dev->level && !dev->rate[dev->level - 1])
		go_down(dev, max, now_us);
	else
		stay(dev);
}

static void adapt_to_room(struct walpf_govern_device *dev, u32 max, u64 now_us)
{
	if (is_highest(dev, max) || (dev->rate[dev->level + 1] && !is_up_worth(dev)))
		stay(dev);
	else
		go_up(dev, max, now_us);
}

/* On the way up for the first time, room alone is a reason to go on at once. */
static bool is_first_time(const struct walpf_govern_device *dev)
{
	bool last = dev->level + 1 >= WALPF_GOVERN_LEVELS;

	return dev->learning && (last || !dev->rate[dev->level + 1]);
}

static void adapt(struct walpf_govern_device *dev, u32 max, u64 now_us)
{
	u64 mean = dev->sum_us / dev->nr;
	bool room = mean < aim(dev->best_us);

	if (dev->nr < ROUND && !(room && is_first_time(dev)))
		return;
	dev->latency_us = (dev->latency_us * 3ull + mean) / 4;
	if (dev->nr >= ROUND)
		see_rate(dev, mean);
	forget_above(dev, now_us);
	if (room)
		adapt_to_room(dev, max, now_us);
	else
		adapt_to_queue(dev, mean, max, now_us);
}

/*
 * A request that was asked under another bound, or while the bound was not
 * made use of, says nothing about this one.
 */
static bool is_telling(const struct walpf_govern_device *dev,
		       const struct walpf_govern_sample *sample)
{
	return sample->asked_us >= dev->changed_us && sample->inflight * 2 > dev->inflight;
}

void walpf_govern_device_sample(struct walpf_govern_device *dev,
				const struct walpf_govern_device_limits *limits,
				const struct walpf_govern_sample *sample)
{
	u32 max = limits->inflight;
	u64 us = sample->now_us - sample->asked_us;

	if (sample->now_us < sample->asked_us || us > LATENCY_MAX)
		return;
	if (dev->few) {
		see_first(dev, sample, us, max);
		return;
	}
	if (dev->inflight != least(INFLIGHT_MIN << dev->level, max))
		set_level(dev, dev->level, max, sample->now_us);
	if (!is_telling(dev, sample))
		return;
	dev->sum_us += us;
	dev->sum_inflight += sample->inflight;
	dev->nr++;
	if (dev->nr >= ROUND || (dev->learning && dev->nr >= ROUND_FIRST))
		adapt(dev, max, sample->now_us);
}

/* Microseconds until @next_ns, if it is further away than can be made up for. */
static u32 wait_for(u64 next_ns, u64 now_ns)
{
	if (next_ns <= now_ns + BURST_NS)
		return 0;
	return least(next_ns - now_ns - BURST_NS, SECOND_NS) / 1000 + 1;
}

static u64 after(u64 next_ns, u64 now_ns, u64 units, u64 per_second)
{
	return most(next_ns, now_ns) + units * SECOND_NS / per_second;
}

u32 walpf_govern_device_pace(struct walpf_govern_device *dev,
			     const struct walpf_govern_device_limits *limits, u64 now_us,
			     u32 bytes)
{
	u64 now_ns = now_us * 1000;
	u32 wait = 0;

	if (limits->iops)
		wait = wait_for(dev->next_request_ns, now_ns);
	if (limits->bytes_per_s)
		wait = most(wait, wait_for(dev->next_bytes_ns, now_ns));
	if (wait)
		return wait;
	if (limits->iops)
		dev->next_request_ns = after(dev->next_request_ns, now_ns, 1, limits->iops);
	if (limits->bytes_per_s)
		dev->next_bytes_ns = after(dev->next_bytes_ns, now_ns, bytes, limits->bytes_per_s);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The devices. What a unit is busy with is known when it is asked, so that no
 * events are needed: each keeps the time when it will be free.
 */
#include <err.h>
#include <math.h>
#include <string.h>

#include "device.h"

#define US		1000.0
#define SECOND		1000000000.0

/* A stripe of a set of disks, and what a disk reads on its way, in blocks. */
#define STRIPE		64u
#define NEAR		64u

/* Requests a disk chooses from. */
#define NCQ		32.0

const struct device_kind device_kinds[] = {
	{ "nvme", "local NVMe: 32 at a time, 80 us", 32, false, 70, 3, 10, 0, 0 },
	{ "cloud", "cloud volume: 0.7 ms, 3000 reads a second", 64, false, 300, 30, 400, 3000, 0 },
	{ "remote", "distant volume: 8 ms, 16000 a second", 64, false, 100, 8, 8000, 16000, 0 },
	{ "raid", "eight disks", 8, true, 8000, 50, 100, 0, 0 },
	{ "disk", "one disk", 1, true, 8000, 50, 100, 0, 0 },
	{ NULL, NULL, 0, false, 0, 0, 0, 0, 0 },
};

const struct device_kind *device_find(const char *name)
{
	for (u32 i = 0; device_kinds[i].name; i++)
		if (!strcmp(device_kinds[i].name, name))
			return &device_kinds[i];
	errx(2, "no such device: %s", name);
}

void device_init(struct device *dev, const struct device_kind *kind, u32 blocks, u64 seed)
{
	*dev = (struct device){
		.kind = kind,
		.blocks = blocks,
		.random = seed * 0x9e3779b97f4a7c15ull | 1,
	};
}

/* Between 0 and 1, both excluded. */
static double uniform(struct device *dev)
{
	dev->random ^= dev->random << 13;
	dev->random ^= dev->random >> 7;
	dev->random ^= dev->random << 17;
	return ((dev->random >> 11) + 0.5) / (1ull << 53);
}

/* Half of the mean for certain, the rest exponential; one in 500 takes ten times as long. */
static double spread(struct device *dev, double mean)
{
	double t = mean / 2 - mean / 2 * log(uniform(dev));

	return uniform(dev) < 0.002 ? t * 10 : t;
}

/* Seek by the root of the distance and half a turn; with a queue it may choose. */
static double disk_service(struct device *dev, u32 unit, u64 now, u32 block)
{
	double mean = dev->kind->service_us * US;
	u32 away = block > dev->last[unit] ? block - dev->last[unit] : dev->last[unit] - block;
	double queued = dev->free_at[unit] > now ? (dev->free_at[unit] - now) / mean : 0;
	double choice = 1 / (1 + log2(1 + fmin(queued, NCQ)) / 4);

	if (block >= dev->last[unit] && away <= NEAR)
		return mean / 20;
	return mean * choice * (0.1 + 0.9 * sqrt((double)away / dev->blocks) + uniform(dev));
}

static u32 unit_of(const struct device *dev, u32 block)
{
	u32 best = 0;

	if (dev->kind->disks)
		return block / STRIPE % dev->kind->units;
	for (u32 i = 1; i < dev->kind->units; i++)
		if (dev->free_at[i] < dev->free_at[best])
			best = i;
	return best;
}

/* When the limit of reads in a second lets it begin. */
static u64 slot(struct device *dev, u64 now)
{
	if (!dev->kind->iops)
		return now;
	if (dev->slot_at < now)
		dev->slot_at = now;
	dev->slot_at += (u64)(SECOND / dev->kind->iops);
	return dev->slot_at;
}

u64 device_read(struct device *dev, u64 now, u32 block, u32 nr)
{
	const struct device_kind *kind = dev->kind;
	u32 unit = unit_of(dev, block);
	double service = kind->disks ? disk_service(dev, unit, now, block) :
				       spread(dev, kind->service_us * US);
	u64 begin = slot(dev, now);

	if (dev->free_at[unit] > begin)
		begin = dev->free_at[unit];
	dev->free_at[unit] = begin + (u64)(service + nr * kind->block_us * US);
	dev->last[unit] = block + nr;
	dev->reads++;
	dev->read_blocks += nr;
	return dev->free_at[unit] + (u64)(spread(dev, kind->extra_us * US) + kind->fixed_us * US);
}

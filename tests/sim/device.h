/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Simulated storage: when a read that is asked for now will be done. Every
 * latency is drawn from a distribution, the same in every run with one seed.
 * Reads are served in the order in which they are asked, hints before the
 * server's own if they came first: the worst that an elevator may do.
 */
#ifndef WALPF_SIM_DEVICE_H
#define WALPF_SIM_DEVICE_H

#include "wal/types.h"

#define DEVICE_UNITS_MAX	64

/**
 * struct device_kind - a kind of storage; times in microseconds
 * @name: a word
 * @text: what it stands for
 * @units: reads served at a time, each by the unit that its block lies on if
 *	@disks, else by any
 * @disks: units are disks: seek and rotation, less of both with a queue
 * @service_us: mean time of a unit for a read
 * @block_us: more for each block
 * @extra_us: mean of what comes on top without keeping a unit busy
 * @iops: the most reads in a second, 0: no limit
 * @fixed_us: the same as @extra_us, but no more and no less
 */
struct device_kind {
	const char *name;
	const char *text;
	u32 units;
	bool disks;
	u32 service_us;
	u32 block_us;
	u32 extra_us;
	u32 iops;
	u32 fixed_us;
};

/* Ends with an entry without a name. */
extern const struct device_kind device_kinds[];

const struct device_kind *device_find(const char *name);

/**
 * struct device - a device at work; times in nanoseconds
 * @kind: what it is
 * @blocks: its size
 * @random: state of the generator
 * @free_at: when a unit will be free
 * @last: the block a unit was asked for last
 * @slot_at: when the limit of reads in a second allows the next one
 * @reads: how many there were
 * @read_blocks: and of how many blocks
 */
struct device {
	const struct device_kind *kind;
	u32 blocks;
	u64 random;
	u64 free_at[DEVICE_UNITS_MAX];
	u32 last[DEVICE_UNITS_MAX];
	u64 slot_at;
	u64 reads;
	u64 read_blocks;
};

void device_init(struct device *dev, const struct device_kind *kind, u32 blocks, u64 seed);

/* A read of @nr blocks from @block on, asked at @now; returns when it is done. */
u64 device_read(struct device *dev, u64 now, u32 block, u32 nr);

#endif

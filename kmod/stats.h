/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters and gauges of a cluster: one list each, from which sysfs,
 * netlink and the tool take their names. Counters only grow; they are per
 * CPU, so that the probe handler and the workers bump them without a lock
 * in any context. Gauges are what is true now.
 *
 * At every quiet moment:
 *	references = fetched + queued + all skipped_*
 *	fetched = shared + evicted + unused + unused_warming + abandoned +
 *		forgotten + timely + late + outstanding
 *	startup_reads = timely + late + evicted_read + cached_other + missed
 * and all missed_* together are missed.
 */
#ifndef WALPF_STATS_H
#define WALPF_STATS_H

#include <linux/kobject.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct walpf_cluster;

/* X(name, text) */
#define WALPF_COUNTERS(X)						\
	X(references, "block references decoded ahead of replay")	\
	X(fetched, "blocks asked of the device")			\
	X(skipped_image, "a full-page image replaces the block")	\
	X(skipped_init, "redo starts from an empty page")		\
	X(skipped_pending, "an image or init of the block is still ahead of replay") \
	X(skipped_recent, "very likely still in shared_buffers")	\
	X(skipped_cached, "already in the page cache")			\
	X(skipped_missing, "no such file")				\
	X(skipped_eof, "beyond the end of the file")			\
	X(skipped_refused, "not a regular file of the owner inside the cluster") \
	X(skipped_space, "unknown tablespace")				\
	X(skipped_memory, "asked, but the kernel read nothing")		\
	X(skipped_passed, "replay was there first")			\
	X(skipped_observe, "observe mode: would have been fetched")	\
	X(shared, "fetched, and read first by another process of the server") \
	X(evicted, "fetched, and gone again when it was wanted")	\
	X(unused, "fetched, and replay has passed it without reading it") \
	X(unused_warming, "the same, while nobody knew what shared_buffers held") \
	X(abandoned, "fetched, and replay ended, went away or was not observed before")	\
	X(forgotten, "fetched, with no room to note it")		\
	X(timely, "fetched, and there when the startup process read it") \
	X(late, "fetched, and the startup process slept over it")	\
	X(evicted_read, "read by the startup process when evicted")	\
	X(cached_other, "read by the startup process, cached without having been fetched") \
	X(missed, "read by the startup process, neither fetched nor cached") \
	X(missed_pending, "of these: skipped as pending, or for an image or empty page") \
	X(missed_recent, "of these: skipped as recent")			\
	X(missed_cached, "of these: skipped as cached, and evicted since") \
	X(missed_missing, "of these: skipped as missing")		\
	X(missed_eof, "of these: skipped as beyond the end of the file") \
	X(missed_refused, "of these: skipped as refused")		\
	X(missed_space, "of these: skipped for an unknown tablespace")	\
	X(missed_memory, "of these: the kernel read nothing when asked") \
	X(missed_passed, "of these: replay was there first")		\
	X(missed_observe, "of these: would have been fetched")		\
	X(missed_unseen, "of these: no reference to the block was seen") \
	X(missed_untold, "of these: too many at once to look into")	\
	X(slept_late_us, "microseconds that the startup process slept over late blocks") \
	X(slept_missed_us, "the same, over those that were evicted or missed") \
	X(extents, "requests, each for neighbouring blocks of one file") \
	X(startup_reads, "relation blocks read by the startup process")	\
	X(startup_slept, "of these: the process slept before its next read")	\
	X(startup_uncached, "of these: the block was not in the page cache") \
	X(resting_reads,						\
	  "blocks' worth that the startup process read from devices at rest, WAL included") \
	X(other_reads, "other reads by the startup process outside pg_wal") \
	X(wal_reads, "WAL pages read by the startup process")		\
	X(wal_pages, "WAL pages read by look-ahead")			\
	X(wal_bytes, "bytes of WAL decoded, without page headers")	\
	X(wal_records, "records decoded")				\
	X(wal_stops, "times the end of valid WAL was met")		\
	X(resyncs, "times decoding began anew at another position")	\
	X(wakeups, "times the look-ahead worker was woken")		\
	X(opened_files, "files opened by look-ahead")

/*
 * X(name, kind, text); kind is COUNT, BYTES, or LSN: written as the two
 * hexadecimal halves of a position, with a slash between.
 */
#define WALPF_GAUGES(X)							\
	X(startup_pid, COUNT, "process that replays, 0 if none")	\
	X(read_lsn, LSN, "WAL page that the startup process read last")	\
	X(replay_lsn, LSN, "replay is certainly past this position")	\
	X(lookahead_lsn, LSN, "end of the last record decoded")		\
	X(lead_bytes, BYTES, "distance from replay_lsn to lookahead_lsn")	\
	X(lead_blocks, COUNT, "blocks fetched and not yet passed by replay") \
	X(inflight, COUNT, "blocks asked of the device and not seen up to date") \
	X(held_files, COUNT, "files that look-ahead has open")		\
	X(queued, COUNT, "references that are neither fetched nor skipped yet") \
	X(outstanding, COUNT, "blocks fetched whose outcome is not known yet") \
	X(window_blocks, COUNT, "blocks taken to be in shared_buffers") \
	X(effective_lead_bytes, BYTES, "the lead in force, at most the setting") \
	X(effective_lead_ms, COUNT,					\
	  "the same, in milliseconds of a replay that waits for nothing") \
	X(effective_lead_blocks, COUNT, "the budget in force, at most the setting") \
	X(effective_inflight, COUNT,					\
	  "blocks that may be in flight at a device, at most the setting; 0: none known") \
	X(replay_speed, BYTES, "WAL that replay does in a second if it waits for nothing") \
	X(latency_us, COUNT, "microseconds that the slowest device takes for a request of late") \
	X(identity_errors, COUNT, "counters that did not add up when replay had ended, or rested")

/* X(name, NAME, width, field): a fact of netlink and sysfs, in struct walpf_conf */
#define WALPF_FACTS(X)							\
	X(system_id, SYSTEM_ID, u64, system_id)				\
	X(major, MAJOR, u32, major)					\
	X(catalog_version, CATALOG_VERSION, u32, catalog_version)	\
	X(block_size, BLOCK_SIZE, u32, block_size)			\
	X(file_blocks, FILE_BLOCKS, u32, file_blocks)			\
	X(segment_bytes, SEGMENT_BYTES, u32, seg_size)			\
	X(shared_buffers, SHARED_BUFFERS, u64, shared_buffers)		\
	X(decode_buffer_bytes, DECODE_BUFFER_BYTES, u64, decode_buffer)

enum walpf_count_id {
#define X(name, text) WALPF_COUNT_##name,
	WALPF_COUNTERS(X)
#undef X
	WALPF_NR_COUNTERS
};

enum walpf_gauge_kind {
	WALPF_KIND_COUNT,
	WALPF_KIND_BYTES,
	WALPF_KIND_LSN,
};

enum walpf_gauge {
#define X(name, kind, text) WALPF_GAUGE_##name,
	WALPF_GAUGES(X)
#undef X
	WALPF_NR_GAUGES
};

struct walpf_counters {
	u64 count[WALPF_NR_COUNTERS];
};

/**
 * walpf_count() - add to a counter by its name
 * @cl: cluster
 * @name: a name out of WALPF_COUNTERS
 * @n: how many
 *
 * Any context.
 */
#define walpf_count(cl, name, n) \
	this_cpu_add((cl)->counters->count[WALPF_COUNT_##name], (n))

/**
 * walpf_counter_read() - the sum over all CPUs since the last reset
 * @cl: cluster, referenced or under RCU
 * @i: which
 *
 * Any context, no locks; concurrent additions may or may not be in it.
 */
u64 walpf_counter_read(const struct walpf_cluster *cl, enum walpf_count_id i);

/**
 * walpf_counter_total() - the sum over all CPUs, whatever was reset
 * @cl: cluster, referenced or under RCU
 * @i: which
 *
 * Any context, no locks.
 */
u64 walpf_counter_total(const struct walpf_cluster *cl, enum walpf_count_id i);

/**
 * walpf_gauge_read() - what a gauge says now
 * @cl: cluster, referenced or under RCU
 * @i: which
 *
 * Any context, no locks.
 */
u64 walpf_gauge_read(const struct walpf_cluster *cl, enum walpf_gauge i);

/**
 * walpf_counters_check() - do the counters add up?
 * @cl: cluster without an observed startup process; from its worker only
 *
 * If not, the gauge identity_errors rises, and the kernel's log tells which sum is
 * wrong. May sleep.
 */
void walpf_counters_check(struct walpf_cluster *cl);

/**
 * walpf_counters_reset() - let all counters of a cluster begin at zero
 * @cl: cluster, referenced
 *
 * The counters themselves go on; what is subtracted on reading changes.
 * References still queued and blocks still outstanding stay counted, so that
 * the identities hold. The histograms begin anew, too.
 * Process context.
 */
void walpf_counters_reset(struct walpf_cluster *cl);

/* Type of a cluster's directory in sysfs; its release is walpf_cluster_release(). */
extern struct kobj_type walpf_cluster_ktype;

/* /sys/kernel/walpf and its clusters, between walpf_stats_init() and _exit(). */
extern struct kobject *walpf_kobj;
extern struct kobject *walpf_clusters_kobj;

/* /sys/kernel/walpf/probes, within walpf_stats_init() and _exit(). */
int walpf_probes_init(void);
void walpf_probes_exit(void);

int walpf_stats_init(void);
void walpf_stats_exit(void);

#endif

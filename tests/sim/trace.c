// SPDX-License-Identifier: GPL-2.0-only
/*
 * WAL into records and references with dense block numbers: of all relations
 * and forks in order, each as long as the highest block named.
 */
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made.h"
#include "trace.h"
#include "wal/stream.h"

/* Shorter relations are not spread: their blocks are hot in any database. */
#define WIDE_BLOCKS	256u

/* A relation's fork while it is counted: where its blocks begin. */
struct fork_extent {
	struct walpf_wal_rel rel;
	u32 fork;
	u32 blocks;
	u32 first;
};

/* A reference as decoded, until all are known. */
struct raw_ref {
	u32 extent;
	u32 block;
	u8 flags;
};

struct loader {
	struct trace *trace;
	struct raw_ref *raw;
	size_t room_records, room_refs;
	struct fork_extent *extents;
	u32 nr_extents, room_extents;
	u32 last_extent;
};

static void *grow(void *at, size_t *room, size_t size)
{
	*room = *room * 2 + 1024;
	at = realloc(at, *room * size);
	if (!at)
		err(2, "memory");
	return at;
}

static bool is_fork(const struct fork_extent *extent, const struct walpf_wal_ref *ref)
{
	return extent->rel.rel == ref->rel.rel && extent->rel.db == ref->rel.db &&
	       extent->rel.spc == ref->rel.spc && extent->fork == ref->fork;
}

/* Few relations in a long WAL: the last one first, then all. */
static u32 find_extent(struct loader *ld, const struct walpf_wal_ref *ref)
{
	if (ld->nr_extents && is_fork(&ld->extents[ld->last_extent], ref))
		return ld->last_extent;
	for (u32 i = 0; i < ld->nr_extents; i++)
		if (is_fork(&ld->extents[i], ref))
			return i;
	if (ld->nr_extents == ld->room_extents) {
		size_t room = ld->room_extents;

		ld->extents = grow(ld->extents, &room, sizeof(*ld->extents));
		ld->room_extents = room;
	}
	ld->extents[ld->nr_extents] = (struct fork_extent){ .rel = ref->rel, .fork = ref->fork };
	return ld->nr_extents++;
}

static void keep_ref(struct loader *ld, const struct walpf_wal_ref *ref)
{
	struct trace *trace = ld->trace;
	u32 at = find_extent(ld, ref);

	if (!ld->raw || trace->nr_refs == ld->room_refs)
		ld->raw = grow(ld->raw, &ld->room_refs, sizeof(*ld->raw));
	ld->last_extent = at;
	if (ref->block >= ld->extents[at].blocks)
		ld->extents[at].blocks = ref->block + 1;
	ld->raw[trace->nr_refs++] = (struct raw_ref){ at, ref->block, ref->flags };
}

static void keep_record(struct loader *ld, const struct walpf_wal_record *rec)
{
	struct trace *trace = ld->trace;

	if (trace->nr_records == ld->room_records)
		trace->records = grow(trace->records, &ld->room_records,
				      sizeof(*trace->records));
	trace->records[trace->nr_records++] = (struct trace_record){
		.lsn = rec->lsn - trace->wal_lsn,
		.len = rec->tot_len,
		.ref = trace->nr_refs,
		.nr_refs = rec->nr_refs,
	};
	trace->span = rec->end_lsn - trace->wal_lsn;
	for (u32 i = 0; i < rec->nr_refs; i++)
		keep_ref(ld, &rec->refs[i]);
}

/* Feeds what there is; false when the bytes are at their end. */
static bool feed(struct walpf_wal *wal, const struct trace *trace)
{
	u64 at = walpf_wal_want(wal) - trace->wal_lsn;

	if (at >= trace->wal_len)
		return false;
	walpf_wal_feed(wal, walpf_wal_want(wal), trace->wal + at, trace->wal_len - at);
	return true;
}

static struct walpf_wal *decoder_new(const struct trace *trace)
{
	const struct walpf_wal_config cfg = { .seg_size = trace->seg_size };
	struct walpf_wal *wal = malloc(sizeof(*wal));

	if (!wal)
		err(2, "memory");
	walpf_wal_init(wal, &cfg);
	walpf_wal_start(wal, trace->wal_lsn);
	return wal;
}

/* The next record, NULL at the end of valid WAL. */
static const struct walpf_wal_record *decode(struct walpf_wal *wal, const struct trace *trace)
{
	for (;;) {
		enum walpf_wal_status status = walpf_wal_next(wal);

		if (status == WALPF_WAL_RECORD)
			return &wal->rec;
		if (status != WALPF_WAL_NEED || !feed(wal, trace))
			return NULL;
	}
}

u64 trace_decode_again(const struct trace *trace)
{
	struct walpf_wal *wal = decoder_new(trace);
	const struct walpf_wal_record *rec;
	u64 refs = 0;

	while ((rec = decode(wal, trace)))
		refs += rec->nr_refs;
	free(wal);
	return refs;
}

static int compare_extents(const void *left, const void *right)
{
	const struct fork_extent *a = *(struct fork_extent *const *)left;
	const struct fork_extent *b = *(struct fork_extent *const *)right;

	if (a->rel.rel != b->rel.rel)
		return a->rel.rel < b->rel.rel ? -1 : 1;
	return a->fork < b->fork ? -1 : a->fork > b->fork;
}

/* One after the other; block n is at n * s in a database of spread s. */
static void place_extents(struct loader *ld)
{
	struct fork_extent **order = calloc(ld->nr_extents + 1, sizeof(struct fork_extent *));
	u32 first = 0;

	if (!order)
		err(2, "memory");
	for (u32 i = 0; i < ld->nr_extents; i++)
		order[i] = &ld->extents[i];
	qsort(order, ld->nr_extents, sizeof(struct fork_extent *), compare_extents);
	for (u32 i = 0; i < ld->nr_extents; i++) {
		order[i]->first = first;
		first += order[i]->blocks;
	}
	ld->trace->base_blocks = first;
	free(order);
}

static void place_refs(struct loader *ld)
{
	struct trace *trace = ld->trace;

	trace->refs = calloc(trace->nr_refs + 1, sizeof(*trace->refs));
	if (!trace->refs)
		err(2, "memory");
	for (u64 i = 0; ld->raw && i < trace->nr_refs; i++) {
		const struct fork_extent *extent = &ld->extents[ld->raw[i].extent];

		trace->refs[i] = (struct trace_ref){
			.block = extent->first + ld->raw[i].block,
			.flags = ld->raw[i].flags,
			.wide = extent->blocks >= WIDE_BLOCKS,
		};
	}
}

static void decode_all(struct trace *trace)
{
	struct walpf_wal *wal = decoder_new(trace);
	const struct walpf_wal_record *rec;
	struct loader ld = { .trace = trace };

	while ((rec = decode(wal, trace)))
		keep_record(&ld, rec);
	if (!trace->nr_records)
		errx(2, "the WAL has no record: %s", walpf_wal_status_text(wal->status));
	place_extents(&ld);
	place_refs(&ld);
	free(ld.extents);
	free(ld.raw);
	free(wal);
}

static int is_segment(const struct dirent *entry)
{
	return strlen(entry->d_name) == 24 && strspn(entry->d_name, "0123456789ABCDEF") == 24;
}

static void read_segment(struct trace *trace, const char *folder, const char *name)
{
	char path[4096];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &st))
		err(2, "%s", path);
	trace->seg_size = st.st_size;
	trace->wal = realloc(trace->wal, trace->wal_len + st.st_size);
	if (!trace->wal)
		err(2, "memory");
	if (read(fd, trace->wal + trace->wal_len, st.st_size) != st.st_size)
		err(2, "%s", path);
	trace->wal_len += st.st_size;
	close(fd);
}

void trace_load(struct trace *trace, const char *folder, u32 spread)
{
	struct dirent **names;
	int nr = scandir(folder, &names, is_segment, alphasort);

	if (nr < 1)
		errx(2, "%s: there is no WAL segment", folder);
	*trace = (struct trace){ .spread = spread };
	for (int i = 0; i < nr; i++) {
		read_segment(trace, folder, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	trace->wal_lsn = walpf_get_u64(trace->wal + 8);
	decode_all(trace);
}

void trace_make(struct trace *trace, const char *kind, u32 blocks, u32 mb)
{
	struct made made;

	*trace = (struct trace){ .spread = 1 };
	trace->wal = made_wal(kind, blocks, mb, &made);
	trace->wal_lsn = made.lsn;
	trace->wal_len = made.len;
	trace->seg_size = made.seg_size;
	decode_all(trace);
}

void trace_free(struct trace *trace)
{
	free(trace->records);
	free(trace->refs);
	free(trace->wal);
}

u32 trace_blocks(const struct trace *trace)
{
	return trace->base_blocks * trace->spread;
}

static u64 mix(u64 x)
{
	x ^= x >> 32;
	x *= 0x9e3779b97f4a7c15ull;
	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9ull;
	return x ^ x >> 32;
}

struct trace_block trace_ref_at(const struct trace *trace, u64 index, u32 i)
{
	const struct trace_ref *ref = &trace->refs[trace_at(trace, index)->ref + i];
	u32 block = ref->block * trace->spread;

	if (ref->wide && trace->spread > 1)
		block += mix(index * WALPF_MAX_REFS + i) % trace->spread;
	return (struct trace_block){ block, ref->flags };
}

struct walpf_wal_ref trace_wal_ref(struct trace_block block)
{
	return (struct walpf_wal_ref){
		.rel = { 1663, 16384, 16385 },
		.block = block.block,
		.flags = block.flags,
	};
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts records and references. Runs once for each of millions of records:
 * a reference costs one probe into each of two hash tables.
 */
#include <stdlib.h>

#include "blockset.h"
#include "ctl.h"
#include "wal_stats.h"

#define FIRST_LOG2_SLOTS 10

static struct wal_stats stats;
static struct blockset blocks;

/* Numbers of relations plus one, by hash; 0: free. At most half full. */
static u32 *slots;
static u32 log2_slots;

static u32 hash_rel(const struct walpf_wal_rel *rel)
{
	u64 v = ((u64)rel->db << 32 | rel->rel) ^ (u64)rel->spc << 16;

	return (u32)(v * 0x9e3779b97f4a7c15ull >> (64 - log2_slots));
}

static bool same_rel(const struct walpf_wal_rel *a, const struct walpf_wal_rel *b)
{
	return a->rel == b->rel && a->db == b->db && a->spc == b->spc;
}

/* Where @rel is, or would be. */
static u32 *find_slot(const struct walpf_wal_rel *rel)
{
	u32 mask = (1u << log2_slots) - 1;
	u32 at = hash_rel(rel);

	while (slots[at] && !same_rel(&stats.rels[slots[at] - 1].rel, rel))
		at = (at + 1) & mask;
	return &slots[at];
}

/* Twice as many slots, and half as many relations. */
static void grow(void)
{
	size_t nr = 1ull << (slots ? ++log2_slots : (log2_slots = FIRST_LOG2_SLOTS));
	u32 i;

	free(slots);
	slots = calloc(nr, sizeof(*slots));
	stats.rels = reallocarray(stats.rels, nr / 2, sizeof(*stats.rels));
	if (!slots || !stats.rels)
		exit(ctl_fail(NULL, "not enough memory for the table of relations: "
			      "take less WAL at once, with --start and --end"));
	for (i = 0; i < stats.nr_rels; i++)
		*find_slot(&stats.rels[i].rel) = i + 1;
}

static u32 add_rel(const struct walpf_wal_rel *rel)
{
	if (!slots || stats.nr_rels == 1u << log2_slots >> 1)
		grow();
	stats.rels[stats.nr_rels] = (struct rel_stats){ .rel = *rel };
	*find_slot(rel) = ++stats.nr_rels;
	return stats.nr_rels - 1;
}

static u32 find_rel(const struct walpf_wal_rel *rel)
{
	static u32 last;
	u32 found;

	/* Most references are to the relation of the one before. */
	if (last < stats.nr_rels && same_rel(&stats.rels[last].rel, rel))
		return last;
	found = slots ? *find_slot(rel) : 0;
	last = found ? found - 1 : add_rel(rel);
	return last;
}

static enum ref_class classify(u8 flags)
{
	if (flags & WALPF_REF_APPLY)
		return REF_IMAGE;
	if (flags & WALPF_REF_INIT)
		return REF_INIT;
	if (flags & WALPF_REF_IGNORED)
		return REF_IGNORED;
	return flags & WALPF_REF_IMPLIED ? REF_IMPLIED : REF_PLAIN;
}

static void add_ref(const struct walpf_wal_ref *ref)
{
	enum ref_class class = classify(ref->flags);
	u32 number = find_rel(&ref->rel);
	struct rel_stats *rel = &stats.rels[number];

	rel->classes[class]++;
	if (class == REF_IGNORED || !blockset_add(&blocks, number, ref->fork, ref->block))
		return;
	rel->blocks++;
	rel->to_read += class >= REF_PLAIN;
}

void wal_stats_add(const struct walpf_wal_record *rec)
{
	struct rmgr_stats *rmgr = &stats.rmgrs[rec->rmid];
	unsigned int i;

	if (!stats.end_lsn)
		stats.first_lsn = rec->lsn;
	stats.end_lsn = rec->end_lsn;
	rmgr->records++;
	rmgr->bytes += rec->tot_len;
	rmgr->refs += rec->nr_refs;
	for (i = 0; i < rec->nr_refs; i++)
		add_ref(&rec->refs[i]);
}

const struct wal_stats *wal_stats_get(void)
{
	return &stats;
}

u64 rel_stats_refs(const struct rel_stats *rel)
{
	u64 refs = 0;
	int i;

	for (i = 0; i < NR_REF_CLASSES; i++)
		refs += rel->classes[i];
	return refs;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which map pages the redo of heap records reads without naming them, told
 * by the flags in the main data. Layouts: heapam_xlog.h; map geometry:
 * visibilitymap.c and freespace.c, for 8 kB blocks.
 */
#include "implied.h"

#define RMGR_HEAP2		9
#define RMGR_HEAP		10

/* (8192 - 24) bytes of two bits a heap block */
#define HEAP_BLOCKS_PER_VM	32672u

/* (8192 - 24 - 4 - 4095) slots: what a leaf covers, and a node's fan-out */
#define SLOTS_PER_FSM		4069u

/* Heap, info & 0x70 */
#define HEAP_INSERT		0x00
#define HEAP_DELETE		0x10
#define HEAP_UPDATE		0x20
#define HEAP_HOT_UPDATE		0x40
#define HEAP_LOCK		0x60

/* Heap2, info & 0x70; 10 to 30 changed their meaning with 14 and 17 */
#define HEAP2_10		0x10
#define HEAP2_20		0x20
#define HEAP2_30		0x30
#define HEAP2_VISIBLE		0x40
#define HEAP2_MULTI_INSERT	0x50
#define HEAP2_LOCK_UPDATED	0x60

#define ALL_VISIBLE_CLEARED	0x01	/* old block in updates, else the only one */
#define NEW_VISIBLE_CLEARED	0x02	/* updates */

/* Flags of the main data at @offset, or 0 if it is too short to have them. */
static u32 flags_at(const struct walpf_wal_record *rec, u32 offset)
{
	return rec->main_have > offset ? rec->main[offset] : 0;
}

static bool implied_already(const struct walpf_wal_record *rec, const struct walpf_wal_ref *ref)
{
	const struct walpf_wal_ref *last = &rec->refs[rec->nr_refs - 1];

	return (last->flags & WALPF_REF_IMPLIED) && last->fork == ref->fork &&
		last->block == ref->block;
}

static void append(struct walpf_wal_record *rec, const struct walpf_wal_ref *heap, u8 fork,
		   u32 block)
{
	struct walpf_wal_ref ref = {
		.rel = heap->rel,
		.block = block,
		.fork = fork,
		.id = 0xff,
		.flags = WALPF_REF_IMPLIED,
	};

	if (!implied_already(rec, &ref))
		rec->refs[rec->nr_refs++] = ref;
}

static void append_vm(struct walpf_wal_record *rec, u8 id)
{
	const struct walpf_wal_ref *heap = walpf_record_ref(rec, id);

	if (heap)
		append(rec, heap, WALPF_FORK_VM, heap->block / HEAP_BLOCKS_PER_VM);
}

/* The leaf lies behind its ancestors, which are stored depth first. */
static void append_fsm(struct walpf_wal_record *rec, u8 id)
{
	const struct walpf_wal_ref *heap = walpf_record_ref(rec, id);
	u32 leaf;

	if (!heap)
		return;
	leaf = heap->block / SLOTS_PER_FSM;
	append(rec, heap, WALPF_FORK_FSM,
	       leaf + leaf / SLOTS_PER_FSM + leaf / SLOTS_PER_FSM / SLOTS_PER_FSM + 2);
}

/* The minors of July 2026 began to name the map page themselves. */
static bool names_vm(const struct walpf_wal_record *rec)
{
	u8 i;

	for (i = 0; i < rec->nr_refs; i++)
		if (rec->refs[i].fork == WALPF_FORK_VM)
			return true;
	return false;
}

static void imply_vm(struct walpf_wal_record *rec, u32 flags)
{
	if ((flags & ALL_VISIBLE_CLEARED) && !names_vm(rec))
		append_vm(rec, 0);
}

/* Block 0 is the new one; block 1, if it is another, the old. */
static void imply_update(struct walpf_wal_record *rec, u32 flags)
{
	bool old = flags & ALL_VISIBLE_CLEARED, new = flags & NEW_VISIBLE_CLEARED;

	if (names_vm(rec))
		return;
	if (old)
		append_vm(rec, walpf_record_ref(rec, 1) ? 1 : 0);
	if (new)
		append_vm(rec, 0);
}

static void imply_heap(struct walpf_wal_record *rec)
{
	switch (rec->info & 0x70) {
	case HEAP_INSERT:
		imply_vm(rec, flags_at(rec, 2));
		break;
	case HEAP_DELETE:
	case HEAP_LOCK:
		imply_vm(rec, flags_at(rec, 7));
		break;
	case HEAP_UPDATE:
	case HEAP_HOT_UPDATE:
		imply_update(rec, flags_at(rec, 7));
		break;
	}
}

/* Does a Heap2 record of 10, 20 or 30 update the free space map? */
static bool prune_frees(const struct walpf_wal_record *rec)
{
	u8 op = rec->info & 0x70;

	switch (rec->version->heap_rules) {
	case WALPF_HEAP_9_6:
		return op == HEAP2_10;
	case WALPF_HEAP_14:
		return op != HEAP2_30;
	case WALPF_HEAP_17:
		return flags_at(rec, 1) & 0xe0;
	default:
		return (flags_at(rec, 0) & 0xe0) || (flags_at(rec, 1) & 0x03);
	}
}

static void imply_heap2(struct walpf_wal_record *rec)
{
	switch (rec->info & 0x70) {
	case HEAP2_10:
	case HEAP2_20:
	case HEAP2_30:
		if (prune_frees(rec))
			append_fsm(rec, 0);
		break;
	case HEAP2_VISIBLE:
		if (rec->version->heap_rules != WALPF_HEAP_19 && (flags_at(rec, 4) & 0x03))
			append_fsm(rec, 1);
		break;
	case HEAP2_MULTI_INSERT:
		imply_vm(rec, flags_at(rec, 0));
		break;
	case HEAP2_LOCK_UPDATED:
		imply_vm(rec, flags_at(rec, 7));
		break;
	}
}

void walpf_record_imply(struct walpf_wal_record *rec)
{
	if (rec->nr_refs == 0)
		return;
	if (rec->rmid == RMGR_HEAP)
		imply_heap(rec);
	else if (rec->rmid == RMGR_HEAP2)
		imply_heap2(rec);
}

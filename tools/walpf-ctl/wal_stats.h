/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Totals over records: by resource manager, by what redo does with each
 * reference, by relation. Counting only; wal_report.c prints.
 */
#ifndef WALPF_CTL_WAL_STATS_H
#define WALPF_CTL_WAL_STATS_H

#include "wal/record.h"

/* Why redo reads a block, or does not; a reference is of one class. */
enum ref_class {
	REF_IMAGE,		/* restored from its image: no read */
	REF_INIT,		/* starts from an empty page: no read */
	REF_IGNORED,		/* redo does not touch it */
	REF_PLAIN,		/* read */
	REF_IMPLIED,		/* read, but not named by the record */
	NR_REF_CLASSES
};

struct rmgr_stats {
	u64 records;
	u64 bytes;
	u64 refs;
};

/**
 * struct rel_stats - a relation, all its forks
 * @classes: references
 * @blocks: distinct blocks
 * @to_read: those whose first reference reads them
 */
struct rel_stats {
	struct walpf_wal_rel rel;
	u64 classes[NR_REF_CLASSES];
	u64 blocks;
	u64 to_read;
};

struct wal_stats {
	u64 first_lsn;
	u64 end_lsn;
	struct rmgr_stats rmgrs[256];
	struct rel_stats *rels;
	u32 nr_rels;
};

/* Count a record. Ends the program if not enough memory. */
void wal_stats_add(const struct walpf_wal_record *rec);

/* What was counted so far. */
const struct wal_stats *wal_stats_get(void);

/* References of all classes. */
u64 rel_stats_refs(const struct rel_stats *rel);

#endif

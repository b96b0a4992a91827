/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that change which files exist, how long they are, or where WAL
 * goes on. A reading of the main data; pure, and bounded by what was kept
 * of it.
 */
#ifndef WALPF_WAL_EVENT_H
#define WALPF_WAL_EVENT_H

#include "record.h"

enum walpf_wal_event_type {
	WALPF_EVENT_NONE,
	WALPF_EVENT_CREATE,		/* rel, fork */
	WALPF_EVENT_TRUNCATE,		/* rel, block: first block gone */
	WALPF_EVENT_DROP,		/* relations: walpf_event_dropped() */
	WALPF_EVENT_DB_CREATE,		/* rel.db, rel.spc */
	WALPF_EVENT_DB_DROP,		/* rel.db, in all tablespaces */
	WALPF_EVENT_SPC_CREATE,		/* rel.spc */
	WALPF_EVENT_SPC_DROP,		/* rel.spc */
	WALPF_EVENT_SWITCH,		/* WAL goes on in the next segment */
	WALPF_EVENT_CHECKPOINT,		/* lsn: redo position, tli, prev_tli */
	WALPF_EVENT_SHUTDOWN,		/* shutdown checkpoint: the same */
	WALPF_EVENT_END_OF_RECOVERY,	/* tli, prev_tli */
	WALPF_EVENT_OVERWRITE,		/* lsn: the aborted record */
	WALPF_NR_EVENTS
};

/**
 * struct walpf_wal_event - what a record changes
 * @type: enum walpf_wal_event_type
 * @fork: CREATE only
 * @partial: the record says more than the kept main data: treat everything
 *	known of any relation as changed
 * @rel: as the type says
 * @block: TRUNCATE
 * @tli: timeline
 * @prev_tli: timeline before
 * @lsn: redo position, or the aborted record's
 * @nr_dropped: DROP: how many relations walpf_event_dropped() knows
 * @dropped: DROP: the first of them, 12 bytes each, inside rec->main
 */
struct walpf_wal_event {
	u8 type;
	u8 fork;
	bool partial;
	struct walpf_wal_rel rel;
	u32 block;
	u32 tli;
	u32 prev_tli;
	u64 lsn;
	u32 nr_dropped;
	const u8 *dropped;
};

/**
 * walpf_record_event() - what a record changes
 * @rec: a record given out by the decoder
 * @event: filled; valid as long as @rec
 *
 * Return: event->type.
 */
enum walpf_wal_event_type walpf_record_event(const struct walpf_wal_record *rec,
					     struct walpf_wal_event *event);

/**
 * walpf_event_dropped() - one dropped relation
 * @event: of type DROP
 * @i: below event->nr_dropped
 *
 * Return: the relation.
 */
struct walpf_wal_rel walpf_event_dropped(const struct walpf_wal_event *event, u32 i);

/**
 * walpf_event_name() - the event as a lower-case word
 * @type: any value
 *
 * Return: a constant string.
 */
const char *walpf_event_name(enum walpf_wal_event_type type);

#endif

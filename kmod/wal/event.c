// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events, read from the main data. Layouts: storage_xlog.h, xact.h and
 * xactdesc.c, dbcommands_xlog.h, tablespace.h, pg_control.h. Too short main
 * data makes no event: the CRC was right, so a foreign layout it must be.
 */
#include "event.h"

#define RMGR_XLOG		0
#define RMGR_XACT		1
#define RMGR_SMGR		2
#define RMGR_DATABASE		4
#define RMGR_TABLESPACE		5

#define SMGR_CREATE		0x10
#define SMGR_TRUNCATE		0x20

#define XACT_OPMASK		0x70
#define XACT_COMMIT		0x00
#define XACT_ABORT		0x20
#define XACT_COMMIT_PREPARED	0x30
#define XACT_ABORT_PREPARED	0x40
#define XACT_HAS_INFO		0x80
#define XINFO_DATABASE		0x01
#define XINFO_SUBXACTS		0x02
#define XINFO_RELATIONS		0x04

#define DATABASE_CREATE		0x00
#define TABLESPACE_CREATE	0x00
#define TABLESPACE_DROP		0x10

#define XLOG_SHUTDOWN		0x00
#define XLOG_CHECKPOINT		0x10
#define XLOG_SWITCH		0x40
#define XLOG_END_OF_RECOVERY	0x90
#define XLOG_OVERWRITE		0xd0

#define REL_SIZE		12

static struct walpf_wal_rel get_rel(const u8 *p)
{
	struct walpf_wal_rel rel = {
		.spc = walpf_get_u32(p),
		.db = walpf_get_u32(p + 4),
		.rel = walpf_get_u32(p + 8),
	};

	return rel;
}

static void read_smgr(const struct walpf_wal_record *rec, struct walpf_wal_event *event)
{
	u8 op = rec->info & 0xf0;

	if (op == SMGR_CREATE && rec->main_have >= 16) {
		event->type = WALPF_EVENT_CREATE;
		event->rel = get_rel(rec->main);
		event->fork = walpf_get_u32(rec->main + 12);
	} else if (op == SMGR_TRUNCATE && rec->main_have >= 20) {
		event->type = WALPF_EVENT_TRUNCATE;
		event->block = walpf_get_u32(rec->main);
		event->rel = get_rel(rec->main + 4);
	}
}

static bool ends_transaction(u8 info)
{
	u8 op = info & XACT_OPMASK;

	return (info & XACT_HAS_INFO) &&
		(op == XACT_COMMIT || op == XACT_ABORT || op == XACT_COMMIT_PREPARED ||
		 op == XACT_ABORT_PREPARED);
}

/*
 * i64 time, u32 xinfo, then as xinfo says: database and tablespace; n
 * subtransactions; n relations. n is not to be trusted: 64-bit sums.
 */
static void read_xact(const struct walpf_wal_record *rec, struct walpf_wal_event *event)
{
	u64 at = 12;
	u32 xinfo, kept;

	if (!ends_transaction(rec->info) || rec->main_have < at)
		return;
	xinfo = walpf_get_u32(rec->main + 8);
	if (!(xinfo & XINFO_RELATIONS))
		return;
	event->type = WALPF_EVENT_DROP;
	event->partial = true;
	if (xinfo & XINFO_DATABASE)
		at += 8;
	if (xinfo & XINFO_SUBXACTS) {
		if (rec->main_have < at + 4)
			return;
		at += 4 + 4ull * walpf_get_u32(rec->main + at);
	}
	if (rec->main_have < at + 4)
		return;
	event->nr_dropped = walpf_get_u32(rec->main + at);
	event->dropped = rec->main + at + 4;
	kept = (rec->main_have - at - 4) / REL_SIZE;
	event->partial = event->nr_dropped > kept;
	if (event->partial)
		event->nr_dropped = kept;
}

static void read_database(const struct walpf_wal_record *rec, struct walpf_wal_event *event)
{
	u8 op = rec->info & 0xf0;

	if (rec->main_have < 8)
		return;
	event->rel.db = walpf_get_u32(rec->main);
	if (op == rec->version->db_drop) {
		event->type = WALPF_EVENT_DB_DROP;
	} else if (op == DATABASE_CREATE || op == rec->version->db_create) {
		event->type = WALPF_EVENT_DB_CREATE;
		event->rel.spc = walpf_get_u32(rec->main + 4);
	}
}

static void read_tablespace(const struct walpf_wal_record *rec, struct walpf_wal_event *event)
{
	u8 op = rec->info & 0xf0;

	if (rec->main_have < 4 || (op != TABLESPACE_CREATE && op != TABLESPACE_DROP))
		return;
	event->type = op == TABLESPACE_CREATE ? WALPF_EVENT_SPC_CREATE : WALPF_EVENT_SPC_DROP;
	event->rel.spc = walpf_get_u32(rec->main);
}

/* A checkpoint's copy, or an end of recovery: u64, u32 timeline, u32 previous. */
static void read_timeline(const struct walpf_wal_record *rec, struct walpf_wal_event *event,
			  u8 type)
{
	if (rec->main_have < 16)
		return;
	event->type = type;
	event->tli = walpf_get_u32(rec->main + 8);
	event->prev_tli = walpf_get_u32(rec->main + 12);
	if (type != WALPF_EVENT_END_OF_RECOVERY)
		event->lsn = walpf_get_u64(rec->main);
}

static void read_xlog(const struct walpf_wal_record *rec, struct walpf_wal_event *event)
{
	switch (rec->info & 0xf0) {
	case XLOG_SHUTDOWN:
		read_timeline(rec, event, WALPF_EVENT_SHUTDOWN);
		break;
	case XLOG_CHECKPOINT:
		read_timeline(rec, event, WALPF_EVENT_CHECKPOINT);
		break;
	case XLOG_END_OF_RECOVERY:
		read_timeline(rec, event, WALPF_EVENT_END_OF_RECOVERY);
		break;
	case XLOG_SWITCH:
		event->type = WALPF_EVENT_SWITCH;
		break;
	case XLOG_OVERWRITE:
		if (rec->main_have < 8)
			break;
		event->type = WALPF_EVENT_OVERWRITE;
		event->lsn = walpf_get_u64(rec->main);
		break;
	}
}

enum walpf_wal_event_type walpf_record_event(const struct walpf_wal_record *rec,
					     struct walpf_wal_event *event)
{
	memset(event, 0, sizeof(*event));
	switch (rec->rmid) {
	case RMGR_XLOG:
		read_xlog(rec, event);
		break;
	case RMGR_XACT:
		read_xact(rec, event);
		break;
	case RMGR_SMGR:
		read_smgr(rec, event);
		break;
	case RMGR_DATABASE:
		read_database(rec, event);
		break;
	case RMGR_TABLESPACE:
		read_tablespace(rec, event);
		break;
	}
	return event->type;
}

struct walpf_wal_rel walpf_event_dropped(const struct walpf_wal_event *event, u32 i)
{
	return get_rel(event->dropped + (size_t)i * REL_SIZE);
}

const char *walpf_event_name(enum walpf_wal_event_type type)
{
	static const char * const names[] = {
		[WALPF_EVENT_NONE] = "none",
		[WALPF_EVENT_CREATE] = "create",
		[WALPF_EVENT_TRUNCATE] = "truncate",
		[WALPF_EVENT_DROP] = "drop",
		[WALPF_EVENT_DB_CREATE] = "database-create",
		[WALPF_EVENT_DB_DROP] = "database-drop",
		[WALPF_EVENT_SPC_CREATE] = "tablespace-create",
		[WALPF_EVENT_SPC_DROP] = "tablespace-drop",
		[WALPF_EVENT_SWITCH] = "switch",
		[WALPF_EVENT_CHECKPOINT] = "checkpoint",
		[WALPF_EVENT_SHUTDOWN] = "shutdown",
		[WALPF_EVENT_END_OF_RECOVERY] = "end-of-recovery",
		[WALPF_EVENT_OVERWRITE] = "overwrite",
	};

	return (u32)type < WALPF_NR_EVENTS ? names[type] : "unknown";
}

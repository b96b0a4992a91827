/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * The netlink interface of walpf: look-ahead for PostgreSQL's WAL replay.
 *
 * Generic netlink family "walpf", version 1, multicast group "events".
 * Every command needs CAP_SYS_ADMIN in the initial user namespace, and comes
 * from the initial network namespace. A refusal carries, as an extended ack,
 * a sentence with the remedy, and the attribute it is about.
 *
 * Validation is strict: an attribute that a command does not list below, or
 * of another type or length, is refused. Numbers are in host byte order; an
 * LSN is a number of 64 bits. The numbers of commands and attributes are never
 * used again for something else; new ones are added at the end. A reader
 * passes over attributes, items and words that it does not know.
 *
 * Below, [x] may be absent, and a name in capitals is WALPF_A_<name>, within
 * FACTS it is WALPF_FACT_A_<name>. "items" is a nest of any number of
 * WALPF_ITEMS_A_ITEM, each a nest of WALPF_ITEM_A_
 *	NAME			string
 *	NUMBER, WORD or NUMBERS	u64, string, array of u64
 * so that settings, gauges, counters and histograms bring their names, those which
 * /sys/kernel/walpf/clusters/<name>/ and walpf-ctl have, too.
 *
 * WALPF_CMD_REGISTER: take a cluster into the registry
 *	NAME			string, 1 to 63 of A-Z a-z 0-9 _ . - and no
 *				"." or "-" in front
 *	PGDATA_FD		u32, the data directory, opened with O_PATH
 *	PG_WAL_FD		u32, its pg_wal directory, the link resolved
 *	FACTS			nest of
 *		SYSTEM_ID		u64, from pg_control
 *		MAJOR			u32, PostgreSQL's major version, from 10
 *		CATALOG_VERSION		u32, from pg_control
 *		BLOCK_SIZE		u32, bytes; only 8192 is served
 *		FILE_BLOCKS		u32, blocks per file of a relation
 *		SEGMENT_BYTES		u32, a power of two, 1 MB to 1 GB
 *		SHARED_BUFFERS		u64, in blocks
 *		DECODE_BUFFER_BYTES	u64, how far replay may be behind what
 *					it has read; 0 before 15 and with
 *					recovery_prefetch off
 *	[ FLAGS ]		u32 of WALPF_F_*
 *	[ SETTINGS ]		items, see WALPF_CMD_SET
 *	Both descriptors are released before the answer: the registry keeps
 *	device, inode and generation of the directories, and their paths.
 *
 * WALPF_CMD_UNREGISTER: forget a cluster
 *	NAME
 *	The answer comes when its thread is gone and its files are closed.
 *
 * WALPF_CMD_GET: with NAME one cluster, with NLM_F_DUMP all of them
 *	[ NAME ]
 *	Answers with a message WALPF_CMD_GET for each:
 *	NAME
 *	PGDATA			string, the path at the time of registration
 *	PG_WAL			string, the same
 *	FACTS			as registered
 *	FLAGS			as registered
 *	SETTINGS		items, as they are set now
 *	STATE			string: idle found following waiting stalled
 *				resting off degraded gone
 *	LAST_REASON		string, why nothing was fetched last
 *	GAUGES			items: startup_pid, read_lsn, replay_lsn,
 *				lookahead_lsn, lead_bytes, lead_blocks,
 *				inflight, held_files, and others
 *	COUNTERS		items
 *	HISTOGRAMS		items with NUMBERS, how many values there were of
 *				0, of 1, of 2 to 3, of 4 to 7 and so on, and
 *				last of all that are greater
 *
 * WALPF_CMD_SET: change settings; all those named, or none if refused
 *	NAME
 *	SETTINGS		items: mode with WORD fetch, always, observe or
 *				off; lead_bytes, lead_blocks, inflight,
 *				device_iops, device_bytes with NUMBER
 *
 * WALPF_CMD_RESET: let the counters begin at zero
 *	NAME
 *
 * Sent to the group "events", as WALPF_CMD_EVENT:
 *	NAME
 *	EVENT			u32, one of enum walpf_event
 *	STATE
 *	LAST_REASON
 *	[ COUNTERS ]		with WALPF_EVENT_RECOVERY_END, as the summary of
 *				what was done since registration or reset
 */
#ifndef _UAPI_LINUX_WALPF_H
#define _UAPI_LINUX_WALPF_H

#include <linux/types.h>

#define WALPF_GENL_NAME		"walpf"
#define WALPF_GENL_VERSION	1
#define WALPF_GENL_EVENTS	"events"

enum walpf_cmd {
	WALPF_CMD_UNSPEC,
	WALPF_CMD_REGISTER,
	WALPF_CMD_UNREGISTER,
	WALPF_CMD_GET,
	WALPF_CMD_SET,
	WALPF_CMD_RESET,
	WALPF_CMD_EVENT,

	__WALPF_CMD_MAX,
	WALPF_CMD_MAX = __WALPF_CMD_MAX - 1
};

/* Serve a version whose WAL format is known by its documents only. */
#define WALPF_F_UNTESTED	(1U << 0)
#define WALPF_F_ALL		WALPF_F_UNTESTED

enum {
	WALPF_A_UNSPEC,
	WALPF_A_PAD,
	WALPF_A_NAME,
	WALPF_A_PGDATA_FD,
	WALPF_A_PG_WAL_FD,
	WALPF_A_FACTS,
	WALPF_A_FLAGS,
	WALPF_A_SETTINGS,
	WALPF_A_PGDATA,
	WALPF_A_PG_WAL,
	WALPF_A_STATE,
	WALPF_A_LAST_REASON,
	WALPF_A_GAUGES,
	WALPF_A_COUNTERS,
	WALPF_A_EVENT,
	WALPF_A_HISTOGRAMS,

	__WALPF_A_MAX,
	WALPF_A_MAX = __WALPF_A_MAX - 1
};

/* In WALPF_A_FACTS. */
enum {
	WALPF_FACT_A_UNSPEC,
	WALPF_FACT_A_PAD,
	WALPF_FACT_A_SYSTEM_ID,
	WALPF_FACT_A_MAJOR,
	WALPF_FACT_A_CATALOG_VERSION,
	WALPF_FACT_A_BLOCK_SIZE,
	WALPF_FACT_A_FILE_BLOCKS,
	WALPF_FACT_A_SEGMENT_BYTES,
	WALPF_FACT_A_SHARED_BUFFERS,
	WALPF_FACT_A_DECODE_BUFFER_BYTES,

	__WALPF_FACT_A_MAX,
	WALPF_FACT_A_MAX = __WALPF_FACT_A_MAX - 1
};

/* In WALPF_A_SETTINGS, WALPF_A_GAUGES, WALPF_A_COUNTERS and WALPF_A_HISTOGRAMS. */
enum {
	WALPF_ITEMS_A_UNSPEC,
	WALPF_ITEMS_A_ITEM,

	__WALPF_ITEMS_A_MAX,
	WALPF_ITEMS_A_MAX = __WALPF_ITEMS_A_MAX - 1
};

/* In WALPF_ITEMS_A_ITEM. */
enum {
	WALPF_ITEM_A_UNSPEC,
	WALPF_ITEM_A_PAD,
	WALPF_ITEM_A_NAME,
	WALPF_ITEM_A_NUMBER,
	WALPF_ITEM_A_WORD,
	WALPF_ITEM_A_NUMBERS,

	__WALPF_ITEM_A_MAX,
	WALPF_ITEM_A_MAX = __WALPF_ITEM_A_MAX - 1
};

enum walpf_event {
	WALPF_EVENT_UNSPEC,
	WALPF_EVENT_REGISTERED,
	WALPF_EVENT_UNREGISTERED,
	WALPF_EVENT_STATE,		/* the state is another than before */
	WALPF_EVENT_RECOVERY_END,	/* the startup process is gone */

	__WALPF_EVENT_MAX,
	WALPF_EVENT_MAX = __WALPF_EVENT_MAX - 1
};

#endif /* _UAPI_LINUX_WALPF_H */

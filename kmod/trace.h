/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints, under events/walpf/. Strings are copied into fixed arrays: the
 * macros for strings of any length changed with v6.10.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM walpf

#if !defined(WALPF_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define WALPF_TRACE_H

#include <linux/fs.h>
#include <linux/tracepoint.h>

#define WALPF_TRACE_NAME	64

TRACE_EVENT(walpf_extent,
	TP_PROTO(const char *cluster, struct file *file, u32 block, u32 blocks, u32 fetched,
		 u64 lsn),
	TP_ARGS(cluster, file, block, blocks, fetched, lsn),
	TP_STRUCT__entry(
		__array(char, cluster, WALPF_TRACE_NAME)
		__field(u32, dev)
		__field(u64, ino)
		__field(u32, block)
		__field(u32, blocks)
		__field(u32, fetched)
		__field(u64, lsn)
	),
	TP_fast_assign(
		strscpy(__entry->cluster, cluster, WALPF_TRACE_NAME);
		__entry->dev = file_inode(file)->i_sb->s_dev;
		__entry->ino = file_inode(file)->i_ino;
		__entry->block = block;
		__entry->blocks = blocks;
		__entry->fetched = fetched;
		__entry->lsn = lsn;
	),
	TP_printk("cluster=%s dev=%u:%u ino=%llu block=%u blocks=%u fetched=%u lsn=%X/%X",
		  __entry->cluster, MAJOR(__entry->dev), MINOR(__entry->dev), __entry->ino,
		  __entry->block, __entry->blocks, __entry->fetched,
		  (u32)(__entry->lsn >> 32), (u32)__entry->lsn)
);

TRACE_EVENT(walpf_resync,
	TP_PROTO(const char *cluster, u64 from, u64 to, u32 tli),
	TP_ARGS(cluster, from, to, tli),
	TP_STRUCT__entry(
		__array(char, cluster, WALPF_TRACE_NAME)
		__field(u64, from)
		__field(u64, to)
		__field(u32, tli)
	),
	TP_fast_assign(
		strscpy(__entry->cluster, cluster, WALPF_TRACE_NAME);
		__entry->from = from;
		__entry->to = to;
		__entry->tli = tli;
	),
	TP_printk("cluster=%s from=%X/%X to=%X/%X timeline=%u", __entry->cluster,
		  (u32)(__entry->from >> 32), (u32)__entry->from,
		  (u32)(__entry->to >> 32), (u32)__entry->to, __entry->tli)
);

TRACE_EVENT(walpf_stop,
	TP_PROTO(const char *cluster, u64 lsn, u32 status, u64 value),
	TP_ARGS(cluster, lsn, status, value),
	TP_STRUCT__entry(
		__array(char, cluster, WALPF_TRACE_NAME)
		__field(u64, lsn)
		__field(u32, status)
		__field(u64, value)
	),
	TP_fast_assign(
		strscpy(__entry->cluster, cluster, WALPF_TRACE_NAME);
		__entry->lsn = lsn;
		__entry->status = status;
		__entry->value = value;
	),
	TP_printk("cluster=%s lsn=%X/%X status=%u value=%llx", __entry->cluster,
		  (u32)(__entry->lsn >> 32), (u32)__entry->lsn, __entry->status,
		  __entry->value)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>

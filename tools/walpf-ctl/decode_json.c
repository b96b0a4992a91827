// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records and references as one JSON document, each on a line of its own.
 */
#include "decode.h"
#include "json.h"
#include "rmgr.h"

static void write_flags(u8 flags)
{
	json_key("flags");
	json_open('[');
#define X(flag, name) \
	if (flags & (flag)) \
		json_text(name);
	DECODE_FLAGS(X)
#undef X
	json_close();
}

static void write_number(const char *key, u64 v)
{
	json_key(key);
	json_u64(v);
}

static void write_ref_fields(const struct walpf_wal_ref *ref)
{
	write_number("tablespace", ref->rel.spc);
	write_number("database", ref->rel.db);
	write_number("relation", ref->rel.rel);
	json_key("fork");
	json_text(decode_fork_name(ref->fork));
	write_number("block", ref->block);
	write_flags(ref->flags);
}

static void write_record(const struct walpf_wal_record *rec)
{
	unsigned int i;

	json_open('{');
	json_key("lsn");
	json_lsn(rec->lsn);
	write_number("length", rec->tot_len);
	json_key("rmgr");
	json_text(rmgr_name(rec->rmid));
	write_number("info", rec->info);
	json_key("prev");
	json_lsn(rec->prev_lsn);
	write_number("xid", rec->xid);
	json_key("refs");
	json_open('[');
	for (i = 0; i < rec->nr_refs; i++) {
		json_open('{');
		write_ref_fields(&rec->refs[i]);
		json_close();
	}
	json_close();
	json_close();
}

static void write_refs(const struct walpf_wal_record *rec)
{
	unsigned int i;

	for (i = 0; i < rec->nr_refs; i++) {
		json_open('{');
		json_key("lsn");
		json_lsn(rec->lsn);
		write_ref_fields(&rec->refs[i]);
		json_close();
	}
}

static void begin_records(void)
{
	json_open('{');
	json_key("records");
	json_open('[');
}

static void begin_refs(void)
{
	json_open('{');
	json_key("refs");
	json_open('[');
}

static void end(void)
{
	json_close();
	json_close();
}

const struct decode_sink decode_json_records = {
	.begin = begin_records,
	.record = write_record,
	.end = end,
};

const struct decode_sink decode_json_refs = {
	.begin = begin_refs,
	.record = write_refs,
	.end = end,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records and references as lines of text with tabs between the fields. The
 * form is a promise of the manual, and what tests compare with pg_waldump.
 */
#include "decode.h"
#include "output.h"
#include "rmgr.h"

/* The longest field: three numbers, fork, block, all flags; with a tab. */
#define REF_MAX 96
#define HEAD_MAX 96

const char *decode_fork_name(u8 fork)
{
	static const char * const names[] = { "main", "fsm", "vm", "init" };

	return fork < sizeof(names) / sizeof(*names) ? names[fork] : "unknown";
}

static char *put_flags(char *p, u8 flags)
{
	const char *begin = p;

#define X(flag, name) \
	if (flags & (flag)) \
		p = put_text(p, p == begin ? name : "," name);
	DECODE_FLAGS(X)
#undef X
	if (p == begin)
		*p++ = '-';
	return p;
}

static char *put_ref(char *p, const struct walpf_wal_ref *ref, char separator)
{
	p = put_u64(p, ref->rel.spc);
	*p++ = '/';
	p = put_u64(p, ref->rel.db);
	*p++ = '/';
	p = put_u64(p, ref->rel.rel);
	*p++ = separator;
	p = put_text(p, decode_fork_name(ref->fork));
	*p++ = separator;
	p = put_u64(p, ref->block);
	*p++ = separator;
	return put_flags(p, ref->flags);
}

static void print_record(const struct walpf_wal_record *rec)
{
	char *p = out_reserve(HEAD_MAX + REF_MAX * (WALPF_MAX_REFS + WALPF_MAX_IMPLIED));
	unsigned int i;

	p = put_lsn(p, rec->lsn);
	*p++ = '\t';
	p = put_u64(p, rec->tot_len);
	*p++ = '\t';
	p = put_text(p, rmgr_name(rec->rmid));
	*p++ = '\t';
	p = put_hex8(p, rec->info);
	*p++ = '\t';
	p = put_lsn(p, rec->prev_lsn);
	for (i = 0; i < rec->nr_refs; i++) {
		*p++ = '\t';
		p = put_ref(p, &rec->refs[i], ' ');
	}
	*p++ = '\n';
	out_commit(p);
}

static void print_refs(const struct walpf_wal_record *rec)
{
	char *p = out_reserve(REF_MAX * (WALPF_MAX_REFS + WALPF_MAX_IMPLIED));
	unsigned int i;

	for (i = 0; i < rec->nr_refs; i++) {
		p = put_lsn(p, rec->lsn);
		*p++ = '\t';
		p = put_ref(p, &rec->refs[i], '\t');
		*p++ = '\n';
	}
	out_commit(p);
}

const struct decode_sink decode_text_records = { .record = print_record };
const struct decode_sink decode_text_refs = { .record = print_refs };

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What walpf-ctl decode does with each record: a sink, one for each form of
 * output. Sinks are called in the order of WAL and keep nothing of a record.
 */
#ifndef WALPF_CTL_DECODE_H
#define WALPF_CTL_DECODE_H

#include "wal/record.h"

/**
 * struct decode_sink - a form of output
 * @begin: called first, may be NULL
 * @record: called for each record
 * @end: called last, also after a failure; may be NULL
 */
struct decode_sink {
	void (*begin)(void);
	void (*record)(const struct walpf_wal_record *rec);
	void (*end)(void);
};

extern const struct decode_sink decode_text_records;
extern const struct decode_sink decode_text_refs;
extern const struct decode_sink decode_json_records;
extern const struct decode_sink decode_json_refs;
extern const struct decode_sink decode_stats_text;
extern const struct decode_sink decode_stats_json;

/* Let the statistics name all relations, not only the most referenced. */
void decode_stats_all(void);

/* Flags of a reference in the order in which they are printed. */
#define DECODE_FLAGS(X)				\
	X(WALPF_REF_IMAGE, "image")		\
	X(WALPF_REF_APPLY, "apply")		\
	X(WALPF_REF_INIT, "init")		\
	X(WALPF_REF_IMPLIED, "implied")

/* main, fsm, vm, init; a constant. */
const char *decode_fork_name(u8 fork);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How reading a run of WAL ended: at the end of what was written, as it
 * always does, or at damage. Says it in a sentence and as an exit status.
 *
 * The end of WAL is where a server would end recovery, too: no record, one
 * that is cut off, or a page that was not written yet. It is damage if WAL
 * goes on behind it: pages that are where they say to be.
 */
#ifndef WALPF_CTL_DECODE_END_H
#define WALPF_CTL_DECODE_END_H

#include "wal/stream.h"
#include "wal_source.h"

/**
 * struct decode_end - what is remembered of a run until it ends
 * @run: the run
 * @start_lsn: where decoding began
 * @any: a record was given out
 * @follow: the run grows
 */
struct decode_end {
	struct wal_run run;
	u64 start_lsn;
	bool any;
	bool follow;

	/* private: */
	u64 seen_lsn;		/* the last stop that was not believed */
	u64 seen_ms;		/* and since when */
};

void decode_end_start(struct decode_end *end, const struct wal_run *run, u64 start_lsn,
		      bool follow);

/**
 * decode_end_moved() - has a server written on while it was read?
 *
 * Lets the decoder try again, once for each place.
 *
 * Return: true if decoding is to go on.
 */
bool decode_end_moved(struct decode_end *end, struct wal_source *src, struct walpf_wal *wal);

/**
 * decode_end_may_move() - is it worth waiting for more?
 *
 * At the end of WAL for ever; at what looks like damage, a while: it may be
 * a page that is being written.
 */
bool decode_end_may_move(struct decode_end *end, struct wal_source *src,
			 const struct walpf_wal *wal);

/* Say how it ended. Return: CTL_DONE or CTL_FAILED. */
int decode_end_judge(const struct decode_end *end, struct wal_source *src,
		     const struct walpf_wal *wal);

#endif

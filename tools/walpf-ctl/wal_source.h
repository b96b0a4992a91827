/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The WAL that a command was given, as a list of segment files, and reading
 * from it by position. Adjoining segments make a run: WAL without a gap.
 */
#ifndef WALPF_CTL_WAL_SOURCE_H
#define WALPF_CTL_WAL_SOURCE_H

#include "segment.h"

/**
 * struct wal_source - see above
 * @segs: the segments, in the order of reading
 * @nr: how many
 *
 * The rest is private to wal_source.c.
 */
struct wal_source {
	struct segment *segs;
	size_t nr;

	/* private: */
	u8 *buffer;
	size_t open;		/* index of the segment that @fd is of */
	int fd;			/* -1: none */
	u64 fd_bytes;
	u64 bytes_read;
	int watch;		/* inotify, -1: not following */
};

/* A run: segments @first to @end - 1, WAL from @lsn to @end_lsn. */
struct wal_run {
	size_t first;
	size_t end;
	u64 lsn;
	u64 end_lsn;
};

/* What wal_source_read() met. */
enum wal_read {
	WAL_READ_DATA,
	WAL_READ_END,		/* behind the run's last segment */
	WAL_READ_CUT,		/* behind the end of a file that is too short */
	WAL_READ_FAILED,	/* and said why */
};

/* Start with nothing; CTL_FAILED after a message if not enough memory. */
int wal_source_init(struct wal_source *src);

void wal_source_exit(struct wal_source *src);

/**
 * wal_source_add() - add a segment file, or a directory's newest segments
 * @path: as given by the user
 *
 * Return: CTL_DONE, or CTL_FAILED after a message.
 */
int wal_source_add(struct wal_source *src, const char *path);

/* The run that begins with segment @first; @first is below src->nr. */
struct wal_run wal_source_run(const struct wal_source *src, size_t first);

/* The segment of a run that a position lies in, else its last one. */
const struct segment *wal_source_segment(const struct wal_source *src, const struct wal_run *run,
					 u64 lsn);

/* How long that segment's file is; 0 if it cannot be opened, after a message. */
u64 wal_source_length(struct wal_source *src, const struct wal_run *run, u64 lsn);

/**
 * wal_source_read() - read from a position on, as much as is handy
 * @run: the run that is being read
 * @lsn: the position, not before the run
 * @data: filled on WAL_READ_DATA; good until the next call
 * @len: how much there is at @data, at least 1
 */
enum wal_read wal_source_read(struct wal_source *src, const struct wal_run *run, u64 lsn,
			      const u8 **data, size_t *len);

/**
 * wal_source_goes_on() - is WAL written behind a position?
 * @run: the run that is being read
 * @lsn: pages from this one's on are looked at, in its segment all of them,
 *	in the next one only the first
 * @where: filled with the first page that is in its right place
 *
 * Zero pages and pages of other places, as a recycled file has them, are no
 * WAL of the run. Drops what wal_source_read() gave.
 */
bool wal_source_goes_on(struct wal_source *src, const struct wal_run *run, u64 lsn, u64 *where);

/**
 * wal_source_follow() - from now on, the last run may grow
 *
 * Return: CTL_DONE, or CTL_FAILED after a message.
 */
int wal_source_follow(struct wal_source *src);

/**
 * wal_source_wait() - wait until the files may have changed, or a signal came
 * @run: the last run; grows when a new segment has appeared
 * @lsn: where reading will go on: the newest timeline's file is taken
 *
 * Half a second at most: there may be no notice of a change.
 */
void wal_source_wait(struct wal_source *src, struct wal_run *run, u64 lsn);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Driver of the decoder's benchmark: decodes mapped segments, or computes
 * only the CRCs of their records, and prints what one pass took. Segments
 * are consecutive and named in order.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "wal/stream.h"

/* All segments, mapped side by side. */
struct mapped {
	const u8 *at;
	size_t len;
	u64 lsn;
	u32 seg_size;
};

struct counts {
	u64 records;
	u64 refs;
	u64 bytes;		/* of records */
};

/* A part of a record that lies in one piece, in the CRC's order. */
struct piece {
	const u8 *at;
	u32 len;
	bool last;		/* the record's CRC is complete */
};

struct pieces {
	struct piece *at;
	size_t nr, room;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void map_segment(struct mapped *wal, const char *path, size_t at, u8 *base)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0 || mmap(base + at, wal->seg_size, PROT_READ,
			   MAP_PRIVATE | MAP_FIXED | MAP_POPULATE, fd, 0) == MAP_FAILED)
		die(path);
	close(fd);
}

static void map_segments(struct mapped *wal, char **paths, int nr)
{
	struct stat st;
	u8 *base;

	if (stat(paths[0], &st))
		die(paths[0]);
	wal->seg_size = st.st_size;
	wal->len = (size_t)nr * wal->seg_size;
	base = mmap(NULL, wal->len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (base == MAP_FAILED)
		die("mmap");
	for (int i = 0; i < nr; i++)
		map_segment(wal, paths[i], (size_t)i * wal->seg_size, base);
	wal->at = base;
	wal->lsn = walpf_get_u64(base + 8);
}

static void add_piece(struct pieces *pieces, const u8 *at, u32 len)
{
	if (pieces->nr == pieces->room) {
		pieces->room = 2 * pieces->room + 1024;
		pieces->at = realloc(pieces->at, pieces->room * sizeof(*pieces->at));
		if (!pieces->at)
			die("realloc");
	}
	pieces->at[pieces->nr++] = (struct piece){ .at = at, .len = len };
}

/* Bytes @from to @to of the record at @lsn, around the page headers. */
static void add_range(struct pieces *pieces, const struct mapped *wal, u64 lsn, u32 from, u32 to)
{
	u32 got = 0;

	while (got < to) {
		u32 room = WALPF_WAL_PAGE - lsn % WALPF_WAL_PAGE;
		u32 part = to - got < room ? to - got : room;
		u32 skip = from <= got ? 0 : from - got < part ? from - got : part;

		if (skip < part)
			add_piece(pieces, wal->at + (lsn - wal->lsn) + skip, part - skip);
		got += part;
		lsn += part;
		if (lsn % WALPF_WAL_PAGE == 0)
			lsn += lsn % wal->seg_size ? WALPF_PAGE_SHORT_HEADER :
				WALPF_PAGE_LONG_HEADER;
	}
}

static void start(struct walpf_wal *decoder, const struct mapped *wal)
{
	const struct walpf_wal_config cfg = { .seg_size = wal->seg_size };

	walpf_wal_init(decoder, &cfg);
	walpf_wal_start(decoder, wal->lsn);
	walpf_wal_feed(decoder, wal->lsn, wal->at, wal->len);
}

/* The next record, also behind a segment switch. */
static bool next(struct walpf_wal *decoder, const struct mapped *wal)
{
	enum walpf_wal_status status = walpf_wal_next(decoder);
	u64 at = walpf_wal_want(decoder) - wal->lsn;

	if (status == WALPF_WAL_NEED && at < wal->len) {
		walpf_wal_feed(decoder, walpf_wal_want(decoder), wal->at + at, wal->len - at);
		status = walpf_wal_next(decoder);
	}
	return status == WALPF_WAL_RECORD;
}

static void decode(struct walpf_wal *decoder, const struct mapped *wal, struct counts *counts)
{
	start(decoder, wal);
	while (next(decoder, wal)) {
		counts->records++;
		counts->refs += decoder->rec.nr_refs;
		counts->bytes += decoder->rec.tot_len;
	}
}

static void find_pieces(struct walpf_wal *decoder, const struct mapped *wal, struct pieces *pieces)
{
	start(decoder, wal);
	while (next(decoder, wal)) {
		const struct walpf_wal_record *rec = &decoder->rec;

		add_range(pieces, wal, rec->lsn, 24, rec->tot_len);
		add_range(pieces, wal, rec->lsn, 0, 20);
		pieces->at[pieces->nr - 1].last = true;
	}
}

static void only_crc(const struct pieces *pieces, struct counts *counts)
{
	u32 crc = ~0u, sum = 0;

	for (size_t i = 0; i < pieces->nr; i++) {
		const struct piece *piece = &pieces->at[i];

		crc = walpf_crc32c(crc, piece->at, piece->len);
		counts->bytes += piece->len;
		if (!piece->last)
			continue;
		sum ^= crc;
		crc = ~0u;
		counts->records++;
	}
	/* The sum is used, so that nothing of it is left out. */
	counts->refs = sum & 1;
}

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	static struct walpf_wal decoder;
	struct counts counts = { 0 };
	struct pieces pieces = { 0 };
	struct mapped wal;
	double wall, cpu;
	bool crc;

	if (argc < 3) {
		fprintf(stderr, "usage: decode decoder|crc SEGMENT...\n");
		return 2;
	}
	crc = !strcmp(argv[1], "crc");
	map_segments(&wal, argv + 2, argc - 2);
	if (crc)
		find_pieces(&decoder, &wal, &pieces);
	wall = seconds(CLOCK_MONOTONIC);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (crc)
		only_crc(&pieces, &counts);
	else
		decode(&decoder, &wal, &counts);
	wall = seconds(CLOCK_MONOTONIC) - wall;
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	printf("%.6f %.6f %zu %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", wall, cpu, wal.len,
	       counts.records, counts.refs, counts.bytes);
	free(pieces.at);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an owner of a cluster might do to the kernel that reads it: WAL that no
 * server writes, under checksums that are right, and files that change while they
 * are read.
 */
#include "standin.h"
#include "walgen.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	MAX_REFS = 33,
	RECORDS = 400,
	RECORDS_BEFORE = 20,	/* more than a page: the first one is no position */
	SPACES = 16,		/* tablespaces that are referred to, from 16500 on */
	HUGE_BYTES = 0x3fffffff,	/* the most that the format allows */
	HUGE_WRITTEN = 6 << 20,	/* of them */
	CHURN_US = 500,
};

/* Numbers at which something might turn over */
static const uint32_t extremes[] = {
	0, 1, 5, 1262, 1663, 1664, 16384, 131071, 131072, 0x7fffffff, 0x80000000, 0xfffffffe,
	0xffffffff,
};

static uint32_t extreme(void)
{
	return extremes[random() % (sizeof(extremes) / sizeof(extremes[0]))];
}

static void make_absurd(struct walgen_block *ref, unsigned int n)
{
	(void)n;
	ref->fork_flags = random() % 4;
	ref->spc = extreme();
	ref->db = extreme();
	ref->rel = extreme();
	ref->block = extreme();
}

/* Each of a relation of its own, none of which is there. */
static void make_many(struct walgen_block *ref, unsigned int n)
{
	ref->spc = 1663;
	ref->db = 5;
	ref->rel = 100000 + n;
}

static void make_spaces(struct walgen_block *ref, unsigned int n)
{
	ref->spc = 16500 + n % SPACES;
	ref->db = 5;
	ref->rel = STANDIN_FIRST_REL;
	ref->block = n / SPACES % 64;
}

/* The startup process reads WAL, and one block over and over. */
static void tell(FILE *script, const struct walgen *gen)
{
	fprintf(script, "%llx %u 0\n", (unsigned long long)gen->lsn, STANDIN_FIRST_REL);
}

static void put_records(struct walgen *gen, FILE *script, unsigned int records,
			void (*make)(struct walgen_block *ref, unsigned int n))
{
	for (unsigned int i = 0; i < records; i++) {
		struct walgen_block refs[MAX_REFS] = {};
		struct walgen_record rec = {
			.rmid = STANDIN_RMID, .blocks = refs, .nr_blocks = MAX_REFS,
		};

		for (unsigned int id = 0; id < MAX_REFS; id++) {
			refs[id].id = id;
			make(&refs[id], i * MAX_REFS + id);
		}
		walgen_put(gen, &rec);
		tell(script, gen);
	}
}

/*
 * A record whose length is a gigabyte, and which goes on from page to page as it should.
 * The startup process does not come to it.
 */
static void put_huge(struct walgen *gen)
{
	uint8_t *bytes = calloc(1, HUGE_WRITTEN), *page;
	uint32_t len = HUGE_BYTES, rest;
	uint64_t begin;

	if (!bytes)
		abort();
	memcpy(bytes, &len, sizeof(len));
	memcpy(bytes + 8, &gen->prev_lsn, sizeof(gen->prev_lsn));
	bytes[17] = STANDIN_RMID;
	begin = walgen_put_bytes(gen, bytes, HUGE_WRITTEN);
	free(bytes);
	begin -= begin % STANDIN_PAGE;
	while ((begin += STANDIN_PAGE) < gen->lsn) {
		page = walgen_at(gen, begin, STANDIN_PAGE);
		memcpy(&rest, page + 16, sizeof(rest));
		rest += HUGE_BYTES - HUGE_WRITTEN;
		memcpy(page + 16, &rest, sizeof(rest));
	}
}

int standin_malign(const char *pgdata, const char *kind)
{
	struct walgen gen;
	FILE *script;

	if (chdir(pgdata))
		return standin_complain(pgdata);
	script = standin_begin_wal(&gen);
	if (!script)
		return 1;
	if (!strcmp(kind, "absurd")) {
		put_records(&gen, script, RECORDS, make_absurd);
	} else if (!strcmp(kind, "many")) {
		put_records(&gen, script, RECORDS, make_many);
	} else if (!strcmp(kind, "spaces")) {
		put_records(&gen, script, RECORDS, make_spaces);
	} else {
		put_records(&gen, script, RECORDS_BEFORE, make_spaces);
		put_huge(&gen);
	}
	return standin_end_wal(&gen, script);
}

/* Puts something else under a name, and the file back at last. */
static void replace(const char *path)
{
	char aside[80];

	snprintf(aside, sizeof(aside), "%s.aside", path);
	if (rename(path, aside))
		return;
	switch (random() % 3) {
	case 0:
		mkfifo(path, 0600);
		break;
	case 1:
		if (symlink(aside, path))
			standin_complain(path);
		break;
	default:
		close(open(path, O_WRONLY | O_CREAT, 0600));
	}
	usleep(CHURN_US);
	rename(aside, path);
}

static void overwrite(int fd, off_t size)
{
	char junk[STANDIN_PAGE];

	for (size_t i = 0; i < sizeof(junk); i++)
		junk[i] = (char)random();
	if (pwrite(fd, junk, sizeof(junk), size ? random() % size : 0) < 0)
		standin_complain("pwrite");
}

static void disturb(const char *path)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	struct stat file;

	if (fd < 0)
		return;
	if (fstat(fd, &file))
		file.st_size = 0;
	switch (random() % 4) {
	case 0:
		if (ftruncate(fd, random() % (STANDIN_SEGMENT + 1)))
			standin_complain(path);
		break;
	case 1:
		if (ftruncate(fd, (1ll << 40) * (random() % 2) + STANDIN_SEGMENT))
			standin_complain(path);
		break;
	case 2:
		overwrite(fd, file.st_size < STANDIN_SEGMENT ? file.st_size : STANDIN_SEGMENT);
		break;
	default:
		replace(path);
	}
	close(fd);
}

int standin_churn(const char *pgdata)
{
	char path[80] = "pg_wal/";

	if (chdir(pgdata))
		return standin_complain(pgdata);
	for (;;) {
		standin_segment_name(path + strlen("pg_wal/"),
				     STANDIN_START + random() % 4 * STANDIN_SEGMENT);
		disturb(path);
		snprintf(path, sizeof(path), "base/5/%u",
			 STANDIN_FIRST_REL + (unsigned int)(random() % STANDIN_RELATIONS));
		disturb(path);
		strcpy(path, "pg_wal/");
		usleep(CHURN_US);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the cluster of the stand-in: relations with nothing in them, WAL whose
 * records name their blocks in an order that jumps about, and the script.
 */
#include "standin.h"
#include "walgen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	REFS = 3,
	MAIN_BYTES = 2000,	/* so that WAL is long enough to look ahead in */
};

/* As tests/lib/fake-pgdata has it. */
static const uint64_t system_id = 7700000000000000015ull;

void standin_segment_name(char name[STANDIN_NAME_LEN + 1], uint64_t lsn)
{
	uint64_t segno = lsn / STANDIN_SEGMENT, per_id = (1ull << 32) / STANDIN_SEGMENT;

	snprintf(name, STANDIN_NAME_LEN + 1, "%08X%08X%08X", 1, (unsigned int)(segno / per_id),
		 (unsigned int)(segno % per_id));
}

int standin_complain(const char *what)
{
	fprintf(stderr, "standin: %s: %s\n", what, strerror(errno));
	return 1;
}

static int write_file(const char *path, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ssize_t done = -1;

	if (fd >= 0) {
		done = write(fd, bytes, len);
		close(fd);
	}
	return done == (ssize_t)len ? 0 : standin_complain(path);
}

static int make_relations(unsigned int blocks)
{
	size_t len = (size_t)blocks * STANDIN_PAGE;
	char path[64], *bytes = calloc(1, len);
	int bad = !bytes;

	if (mkdir("base/5", 0700) && errno != EEXIST)
		bad = standin_complain("base/5");
	for (unsigned int i = 0; i < STANDIN_RELATIONS && !bad; i++) {
		snprintf(path, sizeof(path), "base/5/%u", STANDIN_FIRST_REL + i);
		/* Written, not sparse: what is read must come from the disk. */
		memset(bytes, (int)i + 1, len);
		bad = write_file(path, bytes, len);
	}
	free(bytes);
	return bad;
}

/* Goes through all blocks before one comes again: an odd step of a power of two. */
static unsigned int next_block(unsigned int *state, unsigned int total)
{
	unsigned int size = 1;

	while (size < total)
		size *= 2;
	do {
		*state = (*state * 5 + 40503) & (size - 1);
	} while (*state >= total);
	return *state;
}

static void put_record(struct walgen *gen, FILE *script, unsigned int *state, unsigned int blocks)
{
	struct walgen_block refs[REFS] = {};
	struct walgen_record rec = {
		.rmid = STANDIN_RMID, .blocks = refs, .nr_blocks = REFS,
		.main_len = MAIN_BYTES, .main_long = true,
	};

	for (unsigned int i = 0; i < REFS; i++) {
		unsigned int n = next_block(state, STANDIN_RELATIONS * blocks);

		refs[i].id = i;
		refs[i].spc = 1663;
		refs[i].db = 5;
		refs[i].rel = STANDIN_FIRST_REL + n % STANDIN_RELATIONS;
		refs[i].block = n / STANDIN_RELATIONS;
	}
	walgen_put(gen, &rec);
	for (unsigned int i = 0; i < REFS; i++)
		fprintf(script, "%llx %u %u\n", (unsigned long long)gen->lsn, refs[i].rel,
			refs[i].block);
}

static int write_segments(struct walgen *gen)
{
	uint64_t lsn, end = STANDIN_START + walgen_len(gen);
	char path[64] = "pg_wal/";

	for (lsn = STANDIN_START; lsn < end; lsn += STANDIN_SEGMENT) {
		standin_segment_name(path + strlen("pg_wal/"), lsn);
		if (write_file(path, walgen_at(gen, lsn, STANDIN_SEGMENT), STANDIN_SEGMENT))
			return 1;
	}
	return 0;
}

FILE *standin_begin_wal(struct walgen *gen)
{
	FILE *script = fopen(STANDIN_SCRIPT, "w");

	if (!script) {
		standin_complain(STANDIN_SCRIPT);
		return NULL;
	}
	walgen_init(gen, STANDIN_MAGIC, STANDIN_SEGMENT, STANDIN_START);
	gen->sysid = system_id;
	gen->tli = 1;
	return script;
}

int standin_end_wal(struct walgen *gen, FILE *script)
{
	int bad = write_segments(gen);

	walgen_free(gen);
	return fclose(script) ? standin_complain(STANDIN_SCRIPT) : bad;
}

int standin_make(const char *pgdata, unsigned int blocks, unsigned int records)
{
	unsigned int state = 0;
	struct walgen gen;
	FILE *script;
	int bad;

	if (chdir(pgdata))
		return standin_complain(pgdata);
	script = standin_begin_wal(&gen);
	if (!script)
		return 1;
	while (records--)
		put_record(&gen, script, &state, blocks);
	bad = standin_end_wal(&gen, script);
	return bad ? bad : make_relations(blocks);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the stand-in share: the form of the cluster that it makes
 * and replays. PostgreSQL 15, segments of 1 MB, one database.
 */
#ifndef WALPF_TESTS_STANDIN_H
#define WALPF_TESTS_STANDIN_H

#include <stdint.h>
#include <stdio.h>

#define STANDIN_PAGE		8192u
#define STANDIN_SEGMENT		(1u << 20)
#define STANDIN_START		(16ull * STANDIN_SEGMENT)
#define STANDIN_FIRST_REL	16384u
#define STANDIN_RELATIONS	8u
#define STANDIN_SCRIPT		"standin.script"

#define STANDIN_NAME_LEN	24

#define STANDIN_MAGIC		0xd110	/* of PostgreSQL 15 */
#define STANDIN_RMID		20	/* records of which imply nothing */

struct walgen;

/* Say what errno means for something; returns 1. */
int standin_complain(const char *what);

/* Begin WAL and the script, which is NULL if that cannot be; and write all WAL. */
FILE *standin_begin_wal(struct walgen *gen);
int standin_end_wal(struct walgen *gen, FILE *script);

/* "000000010000000000000010" for a position in that segment. */
void standin_segment_name(char name[STANDIN_NAME_LEN + 1], uint64_t lsn);

/**
 * standin_make() - fill a data directory of which fake-pgdata made the rest
 * @blocks: of each relation
 * @records: records of WAL, with three references each
 *
 * Writes pg_wal, the relations and the script: a line for each reference with
 * the position behind its record, the relation and the block.
 */
int standin_make(const char *pgdata, unsigned int blocks, unsigned int records);

/**
 * standin_malign() - give the cluster WAL that nobody would write
 * @kind: absurd, many, spaces or huge: see malice.c
 *
 * Every checksum is right. Instead of the script for ordinary WAL there is one that
 * goes through this.
 */
int standin_malign(const char *pgdata, const char *kind);

/* Change files of pg_wal and of relations, for the worse, without end; never returns 0. */
int standin_churn(const char *pgdata);

/**
 * struct standin_server - how a server runs
 * @uid: whose it is, after the start
 * @pid: of the startup process, or 0 for any
 * @pace_us: pause after each block
 * @title: the startup process has the title of one
 * @loop: begin again at the end of the script, else wait there
 * @respawn: start another startup process when one dies, else end
 * @wal_only: read no blocks
 */
struct standin_server {
	unsigned int uid;
	int pid;
	unsigned int pace_us;
	int title;
	int loop;
	int respawn;
	int wal_only;
};

/* Be a postmaster until a signal; returns an exit status. @area: for the title. */
int standin_serve(const char *pgdata, const struct standin_server *srv, char *area,
		  unsigned long len);

/* Do with file systems that never answer what @args say, up to "--"; then be what follows. */
int standin_mute(const char *pgdata, char **args);

/* Read all of pg_wal over and over, as a walsender would; never returns 0. */
int standin_read(const char *pgdata);

#endif

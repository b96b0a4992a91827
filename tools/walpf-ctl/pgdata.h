/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a data directory says about its cluster: the facts that a registration
 * carries, so that the kernel has no files to parse.
 */
#ifndef WALPF_CTL_PGDATA_H
#define WALPF_CTL_PGDATA_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include "control.h"
#include "ctl.h"

#define PGDATA_NAME_SIZE 64

struct pgdata {
	char path[PATH_MAX];		/* links resolved */
	char wal_path[PATH_MAX];
	char name[PGDATA_NAME_SIZE];	/* one to register it under */
	int fd;				/* O_PATH, as the two below */
	int wal_fd;
	int root_fd;			/* root of the server, or ours */
	unsigned int major;
	struct control control;
	uint64_t shared_buffers;	/* in blocks */
	uint64_t decode_buffer_bytes;	/* 0: no read-ahead in the server */
	pid_t postmaster;		/* 0: not running */
	char config_file[PATH_MAX];	/* as the server would open it */

	char object[PATH_MAX];		/* after a failure: what it is about */
	char fault[512];		/* and the sentence */
};

/**
 * pgdata_open() - look at a data directory
 * @pg: filled, also on failure
 * @path: the directory
 *
 * Return: CTL_DONE, or how to end: @pg then says why, and holds nothing open.
 */
enum ctl_exit pgdata_open(struct pgdata *pg, const char *path);

/**
 * pgdata_open_fd() - the same by a descriptor, which stays the caller's
 */
enum ctl_exit pgdata_open_fd(struct pgdata *pg, int fd);

void pgdata_close(struct pgdata *pg);

/**
 * pgdata_each_tablespace() - visit the tablespaces besides the built-in two
 * @pg: opened
 * @visit: given the number, the path, and a descriptor of it, -1 if it cannot
 *	be opened
 * @arg: passed on
 */
void pgdata_each_tablespace(const struct pgdata *pg,
			    void (*visit)(uint32_t oid, const char *path, int fd, void *arg),
			    void *arg);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PostgreSQL settings from the files and the command line of a server.
 */
#ifndef WALPF_CTL_GUC_H
#define WALPF_CTL_GUC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define GUC_VALUE_SIZE 256

/* A setting that is looked for. */
struct guc {
	const char *name;
	char value[GUC_VALUE_SIZE];
	bool found;
};

/* Where a server is: its paths may be those of a container. */
struct guc_place {
	const char *pgdata;	/* the path */
	int pgdata_fd;		/* relative paths start here */
	int root_fd;		/* absolute ones */
	pid_t postmaster;	/* 0: not running */
};

/**
 * guc_main_file() - find a server's main settings file
 * @place: where the server is
 * @path: filled with a path to open by guc_open()
 * @size: of @path
 *
 * The one that its command line names; for a stopped server, that of its last
 * start if the file is still there. Else the one in the data directory, or
 * where Debian puts it.
 */
void guc_main_file(const struct guc_place *place, char *path, size_t size);

/**
 * guc_read() - look settings up as the server does
 * @place: where the server is
 * @main_file: from guc_main_file()
 * @gucs: the settings, with their names; values are filled in
 * @n: how many
 *
 * In the order in which the server lets one win over the other: the main file
 * with its includes, postgresql.auto.conf, the command line of the running
 * server. A stopped one has none: with what it will be started is not known,
 * and what it was started with may be long ago. What cannot be read or parsed
 * is passed over, as a hint for look-ahead is not worth a refusal.
 */
void guc_read(const struct guc_place *place, const char *main_file, struct guc *gucs,
	      unsigned int n);

/**
 * guc_open() - open a path of the server, below its own root
 *
 * Return: a descriptor or -1 with errno.
 */
int guc_open(const struct guc_place *place, const char *path, int flags);

/**
 * guc_memory() - a value with a unit of memory
 * @text: such as "128MB" or "16384"
 * @unit: bytes that a bare number counts, 1 or a block
 * @out: in that unit
 *
 * Return: false if the server would refuse the text.
 */
bool guc_memory(const char *text, uint64_t unit, uint64_t *out);

/**
 * guc_is_off() - is this a way to say no?
 */
bool guc_is_off(const char *text);

#endif

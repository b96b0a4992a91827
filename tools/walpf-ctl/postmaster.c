// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the server of a data directory by its postmaster.pid, and all servers
 * by their working directories, which are their data directories. A server in
 * a container has written the number that it has there, so numbers are
 * compared in the server's own pid namespace.
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "postmaster.h"

/* More servers than the module takes (64). */
#define SERVERS_MAX 256

static bool is_cwd_of(const struct stat *dir, const char *pid)
{
	char path[64];
	struct stat cwd;

	snprintf(path, sizeof(path), "/proc/%.32s/cwd", pid);
	return !stat(path, &cwd) && cwd.st_dev == dir->st_dev && cwd.st_ino == dir->st_ino;
}

/* What a process calls itself: the last number of NSpid. */
static long inner_pid(const char *pid)
{
	char path[64], line[256];
	const char *last;
	long number = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%.32s/status", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, "NSpid:", 6))
			continue;
		last = strrchr(line, '\t');
		number = last ? strtol(last, NULL, 10) : 0;
		break;
	}
	fclose(file);
	return number;
}

/* The first line of postmaster.pid; a negative number is single-user mode. */
static long written_pid(int pgdata_fd)
{
	int fd = openat(pgdata_fd, "postmaster.pid", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char text[32];
	ssize_t n;

	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	return labs(strtol(text, NULL, 10));
}

static bool is_pid(const char *name)
{
	return isdigit((unsigned char)name[0]);
}

static pid_t scan_for(const struct stat *dir, long inner)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	pid_t found = 0;

	if (!proc)
		return 0;
	while (!found && (entry = readdir(proc)))
		if (is_pid(entry->d_name) && is_cwd_of(dir, entry->d_name) &&
		    inner_pid(entry->d_name) == inner)
			found = (pid_t)strtol(entry->d_name, NULL, 10);
	closedir(proc);
	return found;
}

pid_t postmaster_of(int pgdata_fd)
{
	long inner = written_pid(pgdata_fd);
	char name[32];
	struct stat dir;

	if (!inner || fstat(pgdata_fd, &dir))
		return 0;
	snprintf(name, sizeof(name), "%ld", inner);
	if (is_cwd_of(&dir, name))
		return (pid_t)inner;
	return scan_for(&dir, inner);
}

struct seen {
	dev_t dev;
	ino_t ino;
};

static bool is_new(struct seen *seen, int n, const struct stat *st)
{
	for (int i = 0; i < n; i++)
		if (seen[i].dev == st->st_dev && seen[i].ino == st->st_ino)
			return false;
	seen[n].dev = st->st_dev;
	seen[n].ino = st->st_ino;
	return true;
}

static bool runs_server(int fd)
{
	return !faccessat(fd, "PG_VERSION", F_OK, 0) && postmaster_of(fd) > 0;
}

int postmaster_each(void (*visit)(int pgdata_fd, void *arg), void *arg)
{
	struct seen seen[SERVERS_MAX];
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	char path[64];
	struct stat st;
	int fd, n = 0;

	if (!proc)
		return -1;
	while (n < SERVERS_MAX && (entry = readdir(proc))) {
		if (!is_pid(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "/proc/%.32s/cwd", entry->d_name);
		fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (!fstat(fd, &st) && runs_server(fd) && is_new(seen, n, &st)) {
			n++;
			visit(fd, arg);
		}
		close(fd);
	}
	closedir(proc);
	return n;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inspects a data directory: version, pg_control, pg_wal, settings, running
 * server, tablespaces. Everything is opened relative to a descriptor of the
 * directory, absolute paths below the root of the server that runs there, so
 * that it is right for one in a container, too. Writes nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guc.h"
#include "pgdata.h"
#include "postmaster.h"

#define MAJOR_FIRST	10
#define MAJOR_LAST	18
/* The decoder, the block memory and the page cache all count in these. */
#define BLOCK_SIZE	8192
#define DEFAULT_SHARED_BUFFERS	(128ULL * 1024 * 1024 / BLOCK_SIZE)
#define DEFAULT_DECODE_BUFFER	(512ULL * 1024)
/* Since this version replay reads ahead of itself. */
#define MAJOR_DECODES_AHEAD	15
/* A running server replaces pg_control in place; a reader may see both halves. */
#define CONTROL_TRIES		10
#define CONTROL_RETRY_US	10000

__attribute__((format(printf, 4, 5)))
static enum ctl_exit fault(struct pgdata *pg, enum ctl_exit status, const char *file,
			   const char *format, ...)
{
	va_list args;

	if (snprintf(pg->object, sizeof(pg->object), "%s%s%s", pg->path, file ? "/" : "",
		     file ? file : "") >= (int)sizeof(pg->object))
		strcpy(pg->object, "the path");
	va_start(args, format);
	vsnprintf(pg->fault, sizeof(pg->fault), format, args);
	va_end(args);
	return status;
}

/* What errno means for something that every cluster has. */
static enum ctl_exit fault_errno(struct pgdata *pg, const char *file, const char *what)
{
	switch (errno) {
	case ENOENT:
		return fault(pg, CTL_FAILED, file, "%s does not exist: name the data directory "
			     "of a PostgreSQL cluster", what);
	case ENOTDIR:
		return fault(pg, CTL_FAILED, file, "%s is not a directory: name the data "
			     "directory of a PostgreSQL cluster", what);
	case EACCES:
	case EPERM:
		return fault(pg, CTL_NOT_PERMITTED, file, "%s may not be read: run walpf-ctl as "
			     "root", what);
	default:
		return fault(pg, CTL_FAILED, file, "%s cannot be read (%s)", what,
			     strerror(errno));
	}
}

/* The beginning of a regular file. */
static ssize_t read_start(int dir, const char *file, void *bytes, size_t size)
{
	int fd = openat(dir, file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	ssize_t got = -1;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		got = read(fd, bytes, size);
	else
		errno = EINVAL;
	close(fd);
	return got;
}

static enum ctl_exit no_version(struct pgdata *pg)
{
	if (errno != ENOENT)
		return fault_errno(pg, "PG_VERSION", "the file");
	if (!faccessat(pg->fd, "postgresql.conf", F_OK, 0))
		return fault(pg, CTL_FAILED, NULL, "not a data directory but one of settings: "
			     "name the data_directory of its postgresql.conf");
	return fault(pg, CTL_FAILED, NULL, "not a PostgreSQL data directory: it has no file "
		     "PG_VERSION");
}

static enum ctl_exit take_version(struct pgdata *pg)
{
	char text[32], *end;
	ssize_t n = read_start(pg->fd, "PG_VERSION", text, sizeof(text) - 1);
	unsigned long major;

	if (n < 0)
		return no_version(pg);
	text[n] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	major = strtoul(text, &end, 10);
	if (end == text || (*end && *end != '.'))
		return fault(pg, CTL_FAILED, "PG_VERSION", "has no version number in it");
	if (major < MAJOR_FIRST || major > MAJOR_LAST || *end)
		return fault(pg, CTL_FAILED, NULL, "a cluster of PostgreSQL %.20s: this walpf "
			     "serves %d to %d", text, MAJOR_FIRST, MAJOR_LAST);
	pg->major = (unsigned int)major;
	return CTL_DONE;
}

static enum ctl_exit control_fault(struct pgdata *pg, enum control_status status)
{
	const char *file = "global/pg_control";

	switch (status) {
	case CONTROL_SHORT:
		return fault(pg, CTL_FAILED, file, "shorter than a pg_control: the cluster is "
			     "damaged");
	case CONTROL_FOREIGN:
		return fault(pg, CTL_FAILED, file, "written by a machine of another byte order: "
			     "the cluster cannot run here");
	case CONTROL_UNKNOWN:
		return fault(pg, CTL_FAILED, file, "a pg_control of version %u, which this walpf "
			     "does not know: install a newer walpf", pg->control.version);
	case CONTROL_BAD_CRC:
		return fault(pg, CTL_FAILED, file, "the checksum is wrong: the file is damaged, "
			     "or the server is of an unknown kind");
	case CONTROL_OK:
		break;
	}
	return CTL_DONE;
}

static enum ctl_exit check_control(struct pgdata *pg)
{
	const struct control *control = &pg->control;
	const char *file = "global/pg_control";

	if (!control_fits(control, pg->major))
		return fault(pg, CTL_FAILED, file, "its version %u is not that of PostgreSQL %u, "
			     "which PG_VERSION names: finish the upgrade first",
			     control->version, pg->major);
	if (control->block_size != BLOCK_SIZE)
		return fault(pg, CTL_FAILED, NULL, "the server was built with blocks of %u bytes: "
			     "walpf serves %d only", control->block_size, BLOCK_SIZE);
	if (control->wal_block_size != BLOCK_SIZE)
		return fault(pg, CTL_FAILED, NULL, "the server was built with WAL blocks of %u "
			     "bytes: walpf serves %d only", control->wal_block_size, BLOCK_SIZE);
	return CTL_DONE;
}

static enum ctl_exit take_control(struct pgdata *pg)
{
	enum control_status status = CONTROL_SHORT;
	uint8_t bytes[CONTROL_FILE_BYTES];
	enum ctl_exit end;

	for (int i = 0; i < CONTROL_TRIES; i++) {
		ssize_t n = read_start(pg->fd, "global/pg_control", bytes, sizeof(bytes));

		if (n < 0)
			return fault_errno(pg, "global/pg_control", "the file");
		status = control_parse(bytes, (size_t)n, &pg->control);
		if (status != CONTROL_BAD_CRC)
			break;
		usleep(CONTROL_RETRY_US);
	}
	end = control_fault(pg, status);
	return end != CTL_DONE ? end : check_control(pg);
}

static void path_of(int fd, char *path, size_t size)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, size - 1);
	path[n > 0 ? n : 0] = '\0';
}

static struct guc_place place_of(const struct pgdata *pg)
{
	return (struct guc_place){
		.pgdata = pg->path,
		.pgdata_fd = pg->fd,
		.root_fd = pg->root_fd,
		.postmaster = pg->postmaster,
	};
}

/* A directory that may be a link of the server's world. */
static int open_linked(const struct pgdata *pg, const char *file)
{
	struct guc_place place = place_of(pg);
	char target[PATH_MAX];
	ssize_t n = readlinkat(pg->fd, file, target, sizeof(target) - 1);

	if (n <= 0 || target[0] != '/')
		return openat(pg->fd, file, O_PATH | O_DIRECTORY | O_CLOEXEC);
	target[n] = '\0';
	return guc_open(&place, target, O_PATH | O_DIRECTORY);
}

static enum ctl_exit take_wal(struct pgdata *pg)
{
	pg->wal_fd = open_linked(pg, "pg_wal");
	if (pg->wal_fd < 0)
		return fault_errno(pg, "pg_wal", "the directory of WAL");
	path_of(pg->wal_fd, pg->wal_path, sizeof(pg->wal_path));
	return CTL_DONE;
}

static void take_settings(struct pgdata *pg)
{
	struct guc_place place = place_of(pg);
	struct guc gucs[] = {
		{ .name = "shared_buffers" },
		{ .name = "wal_decode_buffer_size" },
		{ .name = "recovery_prefetch" },
	};

	guc_main_file(&place, pg->config_file, sizeof(pg->config_file));
	guc_read(&place, pg->config_file, gucs, sizeof(gucs) / sizeof(gucs[0]));
	if (!gucs[0].found || !guc_memory(gucs[0].value, BLOCK_SIZE, &pg->shared_buffers))
		pg->shared_buffers = DEFAULT_SHARED_BUFFERS;
	if (pg->major < MAJOR_DECODES_AHEAD || (gucs[2].found && guc_is_off(gucs[2].value)))
		pg->decode_buffer_bytes = 0;
	else if (!gucs[1].found || !guc_memory(gucs[1].value, 1, &pg->decode_buffer_bytes))
		pg->decode_buffer_bytes = DEFAULT_DECODE_BUFFER;
}

/* The root of the running server, which may be another than ours. */
static void take_root(struct pgdata *pg)
{
	char path[64];

	pg->postmaster = postmaster_of(pg->fd);
	if (pg->postmaster) {
		snprintf(path, sizeof(path), "/proc/%d/root", (int)pg->postmaster);
		pg->root_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	if (pg->root_fd < 0)
		pg->root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int is_number(const char *text, size_t len)
{
	return len && strspn(text, "0123456789") >= len;
}

static int is_common(const char *text)
{
	return !strcmp(text, "data") || !strcmp(text, "pgdata") || !strcmp(text, "main");
}

/* "main" says little: then it is 15-main, or shop-data. */
static void take_name(struct pgdata *pg)
{
	const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
	const char *last = strrchr(pg->path, '/');
	const char *before;
	size_t len;

	if (!last)
		last = pg->path;
	before = last;
	while (before > pg->path && before[-1] != '/')
		before--;
	len = (size_t)(last - before);
	last += *last == '/';
	if (len && (is_common(last) || is_number(before, len)))
		snprintf(pg->name, sizeof(pg->name), "%.*s-%s", (int)len, before, last);
	else
		snprintf(pg->name, sizeof(pg->name), "%s", *last ? last : "root");
	for (char *p = pg->name; *p; p++)
		if (!strchr(allowed, *p))
			*p = '_';
	if (pg->name[0] == '.' || pg->name[0] == '-')
		pg->name[0] = '_';
}

/* Files that are memory themselves are in no page cache. */
static enum ctl_exit refuse_dax(struct pgdata *pg)
{
	struct statx st;

	if (statx(pg->fd, "PG_VERSION", 0, 0, &st) || !(st.stx_attributes & STATX_ATTR_DAX))
		return CTL_DONE;
	return fault(pg, CTL_FAILED, NULL, "the files are used with DAX, in memory as they are: "
		     "there is nothing to fetch");
}

static enum ctl_exit inspect(struct pgdata *pg)
{
	enum ctl_exit end;

	path_of(pg->fd, pg->path, sizeof(pg->path));
	take_name(pg);
	take_root(pg);
	end = take_version(pg);
	if (end == CTL_DONE)
		end = refuse_dax(pg);
	if (end == CTL_DONE)
		end = take_control(pg);
	if (end == CTL_DONE)
		end = take_wal(pg);
	if (end == CTL_DONE)
		take_settings(pg);
	else
		pgdata_close(pg);
	return end;
}

static void clear(struct pgdata *pg)
{
	memset(pg, 0, sizeof(*pg));
	pg->fd = -1;
	pg->wal_fd = -1;
	pg->root_fd = -1;
}

enum ctl_exit pgdata_open(struct pgdata *pg, const char *path)
{
	clear(pg);
	snprintf(pg->path, sizeof(pg->path), "%s", path);
	pg->fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return pg->fd < 0 ? fault_errno(pg, NULL, "it") : inspect(pg);
}

enum ctl_exit pgdata_open_fd(struct pgdata *pg, int fd)
{
	clear(pg);
	pg->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return pg->fd < 0 ? fault_errno(pg, NULL, "the directory") : inspect(pg);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void pgdata_close(struct pgdata *pg)
{
	close_fd(&pg->fd);
	close_fd(&pg->wal_fd);
	close_fd(&pg->root_fd);
}

static void visit_one(const struct pgdata *pg, const char *oid,
		      void (*visit)(uint32_t oid, const char *path, int fd, void *arg), void *arg)
{
	char file[64], path[PATH_MAX];
	ssize_t n;
	int fd;

	snprintf(file, sizeof(file), "pg_tblspc/%.32s", oid);
	n = readlinkat(pg->fd, file, path, sizeof(path) - 1);
	if (n > 0)
		path[n] = '\0';
	else
		snprintf(path, sizeof(path), "%s", file);
	fd = open_linked(pg, file);
	visit((uint32_t)strtoul(oid, NULL, 10), path, fd, arg);
	if (fd >= 0)
		close(fd);
}

void pgdata_each_tablespace(const struct pgdata *pg,
			    void (*visit)(uint32_t oid, const char *path, int fd, void *arg),
			    void *arg)
{
	int fd = openat(pg->fd, "pg_tblspc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent *entry;
	DIR *dir;

	if (fd < 0)
		return;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir)))
		if (is_number(entry->d_name, strlen(entry->d_name)))
			visit_one(pg, entry->d_name, visit, arg);
	closedir(dir);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads settings out of postgresql.conf, what it includes,
 * postgresql.auto.conf and the command line of a running server.
 *
 * "postgres -C" would be shorter, but it tells what the files say now with the
 * program that is installed now, may live in a container, and would have root
 * run a program that a file names. These files are only data here: every one
 * is bounded in size, opened without blocking, and gives away numbers at most.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmdline.h"
#include "guc.h"
#include "slurp.h"

/* The server's own limit (CONF_FILE_MAX_DEPTH). */
#define INCLUDE_MAX	10
#define NAME_SIZE	64

struct reader {
	const struct guc_place *place;
	struct guc *gucs;
	unsigned int n;
	unsigned int files;	/* a bound for includes that include twice */
};

#define FILES_MAX	1000

int guc_open(const struct guc_place *place, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)(flags | O_CLOEXEC | O_NONBLOCK),
		.resolve = RESOLVE_IN_ROOT,
	};

	if (path[0] != '/')
		return openat(place->pgdata_fd, path, flags | O_CLOEXEC | O_NONBLOCK);
	if (flags & O_PATH)
		how.flags &= ~(unsigned long long)O_NONBLOCK;
	return (int)syscall(__NR_openat2, place->root_fd, path, &how, sizeof(how));
}

static struct guc *find(struct reader *reader, const char *name)
{
	for (unsigned int i = 0; i < reader->n; i++)
		if (!strcasecmp(reader->gucs[i].name, name))
			return &reader->gucs[i];
	return NULL;
}

static void assign(struct reader *reader, const char *name, const char *value)
{
	struct guc *guc = find(reader, name);

	if (!guc)
		return;
	guc->found = true;
	snprintf(guc->value, sizeof(guc->value), "%s", value);
}

/* One byte of a quoted value: '' and backslash sequences as the server has them. */
static char unescape(const char **at)
{
	const char *p = *at;
	char c = *p;
	int digits;

	if (c != '\\') {
		*at = p + (c == '\'' ? 2 : 1);
		return c;
	}
	c = p[1];
	if (c >= '0' && c <= '7') {
		int v = 0;

		for (digits = 0; digits < 3 && p[1] >= '0' && p[1] <= '7'; digits++, p++)
			v = v * 8 + (p[1] - '0');
		*at = p + 1;
		return (char)v;
	}
	*at = p + 2;
	switch (c) {
	case 'b': return '\b';
	case 'f': return '\f';
	case 'n': return '\n';
	case 'r': return '\r';
	case 't': return '\t';
	default: return c;
	}
}

/* Where a quoted value ends; NULL if it does not. */
static const char *quoted(const char *p, char *out, size_t size)
{
	size_t n = 0;

	for (p++; *p && *p != '\n';) {
		char c;

		if (*p == '\'' && p[1] != '\'') {
			out[n] = '\0';
			return p + 1;
		}
		if (*p == '\\' && (!p[1] || p[1] == '\n'))
			return NULL;
		c = unescape(&p);
		if (n + 1 < size)
			out[n++] = c;
	}
	return NULL;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || (c & 0x80);
}

static const char *take_name(const char *p, char *out)
{
	size_t n = 0;

	while (is_name_char(*p)) {
		if (n + 1 < NAME_SIZE)
			out[n++] = *p;
		p++;
	}
	out[n] = '\0';
	return n ? p : NULL;
}

static const char *bare(const char *p, char *out, size_t size)
{
	size_t n = 0;

	while (*p && !isspace((unsigned char)*p) && *p != '#' && *p != '\'') {
		if (n + 1 < size)
			out[n++] = *p;
		p++;
	}
	out[n] = '\0';
	return n ? p : NULL;
}

static const char *blanks(const char *p)
{
	while (*p == ' ' || *p == '\t' || *p == '\r')
		p++;
	return p;
}

/* "name = value", "name value"; false for what is no assignment. */
static bool parse_line(const char *p, char *name, char *value, size_t size)
{
	p = take_name(blanks(p), name);
	if (!p)
		return false;
	p = blanks(p);
	if (*p == '=')
		p = blanks(p + 1);
	p = *p == '\'' ? quoted(p, value, size) : bare(p, value, size);
	if (!p)
		return false;
	p = blanks(p);
	return !*p || *p == '\n' || *p == '#';
}

static void read_file(struct reader *reader, const char *path, int depth);

/* A name in a file is relative to the folder of that file. */
static bool beside(char *out, size_t size, const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	int n;

	if (name[0] == '/' || !slash)
		n = snprintf(out, size, "%s", name);
	else
		n = snprintf(out, size, "%.*s/%s", (int)(slash - file), file, name);
	return n >= 0 && (size_t)n < size;
}

static int is_conf(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 5 && entry->d_name[0] != '.' && !strcmp(entry->d_name + n - 5, ".conf");
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_dir(struct reader *reader, const char *dir, int depth)
{
	int fd = guc_open(reader->place, dir, O_RDONLY | O_DIRECTORY);
	struct dirent **entries;
	char path[PATH_MAX];
	int n;

	if (fd < 0)
		return;
	n = scandirat(fd, ".", &entries, is_conf, by_bytes);
	close(fd);
	for (int i = 0; i < n; i++) {
		int len = snprintf(path, sizeof(path), "%s/%s", dir, entries[i]->d_name);

		if (len > 0 && (size_t)len < sizeof(path))
			read_file(reader, path, depth);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

static void take_line(struct reader *reader, const char *file, const char *line, int depth)
{
	char name[NAME_SIZE], value[PATH_MAX], path[PATH_MAX];

	if (!parse_line(line, name, value, sizeof(value)))
		return;
	if (!strcasecmp(name, "include_dir")) {
		if (beside(path, sizeof(path), file, value))
			read_dir(reader, path, depth + 1);
	} else if (!strcasecmp(name, "include") || !strcasecmp(name, "include_if_exists")) {
		if (beside(path, sizeof(path), file, value))
			read_file(reader, path, depth + 1);
	} else {
		assign(reader, name, value);
	}
}

static void read_file(struct reader *reader, const char *path, int depth)
{
	char *text, *line, *end;
	size_t bytes;

	if (depth > INCLUDE_MAX || reader->files++ >= FILES_MAX)
		return;
	text = slurp(guc_open(reader->place, path, O_RDONLY), &bytes);
	if (!text)
		return;
	for (line = text; line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		take_line(reader, path, line, depth);
	}
	free(text);
}

static void take_argument(const char *name, const char *value, void *arg)
{
	assign(arg, name, value);
}

static bool exists(const struct guc_place *place, const char *path)
{
	int fd = guc_open(place, path, O_PATH);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* config_file, or the file in the folder of -D. A stopped server's are those
 * of its last start, which may have been elsewhere.
 */
static bool named_by_arguments(const struct guc_place *place, char *path, size_t size)
{
	struct guc gucs[] = { { .name = "config_file" }, { .name = "-D" } };
	struct reader reader = { .place = place, .gucs = gucs, .n = 2 };

	cmdline_each(place->pgdata_fd, place->postmaster, take_argument, &reader);
	snprintf(path, size, "%s", gucs[0].value);
	if (gucs[0].found && exists(place, path))
		return true;
	snprintf(path, size, "%s/postgresql.conf", gucs[1].value);
	return gucs[1].value[0] == '/' && exists(place, path);
}

static bool is_pgdata(const struct guc_place *place, const char *path)
{
	int fd = guc_open(place, path, O_PATH | O_DIRECTORY);
	struct stat pgdata, st;
	bool same;

	if (fd < 0)
		return false;
	same = !fstat(fd, &st) && !fstat(place->pgdata_fd, &pgdata) &&
	       st.st_dev == pgdata.st_dev && st.st_ino == pgdata.st_ino;
	close(fd);
	return same;
}

/* Debian has those of .../15/main in /etc/postgresql/15/main. */
static bool named_by_debian(const struct guc_place *place, char *path, size_t size)
{
	struct guc guc = { .name = "data_directory" };
	struct reader reader = { .place = place, .gucs = &guc, .n = 1 };
	const char *last = place->pgdata + strlen(place->pgdata);

	for (int slashes = 0; last > place->pgdata && slashes < 2;)
		slashes += *--last == '/';
	snprintf(path, size, "/etc/postgresql%s/postgresql.conf", last);
	read_file(&reader, path, 0);
	return guc.found && is_pgdata(place, guc.value);
}

void guc_main_file(const struct guc_place *place, char *path, size_t size)
{
	if (named_by_arguments(place, path, size))
		return;
	snprintf(path, size, "postgresql.conf");
	if (exists(place, path) || named_by_debian(place, path, size))
		return;
	snprintf(path, size, "postgresql.conf");
}

void guc_read(const struct guc_place *place, const char *main_file, struct guc *gucs,
	      unsigned int n)
{
	struct reader reader = { .place = place, .gucs = gucs, .n = n };

	read_file(&reader, main_file, 0);
	read_file(&reader, "postgresql.auto.conf", 0);
	if (place->postmaster)
		cmdline_each(place->pgdata_fd, place->postmaster, take_argument, &reader);
}

static uint64_t unit_bytes(const char *unit, size_t len)
{
	static const char * const units[] = { "B", "kB", "MB", "GB", "TB" };

	for (unsigned int i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i]) == len && !memcmp(unit, units[i], len))
			return 1ULL << (10 * i);
	return 0;
}

/* Decimal with or without a fraction, hexadecimal, octal. */
static double parse_number(const char *text, char **end)
{
	double v;

	errno = 0;
	v = (double)strtoll(text, end, 0);
	if (**end == '.' || **end == 'e' || **end == 'E' || errno == ERANGE)
		v = strtod(text, end);
	return v;
}

/* To the nearest whole number; the values here are positive and below 2^63. */
static double nearest(double v)
{
	return (double)(uint64_t)(v + 0.5);
}

static size_t trimmed(const char *text)
{
	size_t n = strlen(text);

	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	return n;
}

bool guc_memory(const char *text, uint64_t unit, uint64_t *out)
{
	char *end;
	double v = parse_number(text, &end);
	uint64_t bytes = unit;

	if (end == text || !(v >= 0) || v > 1e18)
		return false;
	while (isspace((unsigned char)*end))
		end++;
	if (*end) {
		bytes = unit_bytes(end, trimmed(end));
		if (!bytes)
			return false;
		/* The server rounds a fraction to whole smaller units. */
		if (bytes > 1 && v != nearest(v)) {
			v = nearest(v * 1024);
			bytes /= 1024;
		}
	}
	v = v * (double)bytes / (double)unit;
	if (v > INT_MAX)
		return false;
	*out = (uint64_t)nearest(v);
	return true;
}

bool guc_is_off(const char *text)
{
	static const char * const words[] = { "off", "false", "no", "0" };

	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcasecmp(text, words[i]))
			return true;
	return false;
}

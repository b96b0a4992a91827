// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the command line of a server: of a running one from /proc, where it is
 * the one that counts, and of a stopped one from postmaster.opts, which a start
 * leaves behind. Both become a row of strings, each with a NUL behind it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "slurp.h"

#define NAME_SIZE 64

struct row {
	char *at;
	char *end;
	void (*visit)(const char *name, const char *value, void *arg);
	void *arg;
};

/* NULL behind the last. */
static char *next(struct row *row)
{
	char *arg = row->at;

	if (arg >= row->end)
		return NULL;
	row->at += strlen(arg) + 1;
	return arg;
}

/* "name=value", where the server takes "-" in the name for "_". */
static void take_setting(struct row *row, const char *text)
{
	char name[NAME_SIZE];
	const char *equals = strchr(text, '=');
	size_t n = equals ? (size_t)(equals - text) : 0;

	if (!n || n >= sizeof(name))
		return;
	memcpy(name, text, n);
	name[n] = '\0';
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	row->visit(name, equals + 1, row->arg);
}

/* -B 64, -B64, -c name=value, --name=value, -D folder; no others matter. */
static void take_options(struct row *row)
{
	char *arg;

	while ((arg = next(row))) {
		char letter = arg[0] == '-' ? arg[1] : '\0';
		const char *value = arg + 2;

		if (letter == '-')
			take_setting(row, value);
		if (letter != 'B' && letter != 'c' && letter != 'D')
			continue;
		if (!*value)
			value = next(row);
		if (!value)
			return;
		if (letter == 'c')
			take_setting(row, value);
		else
			row->visit(letter == 'B' ? "shared_buffers" : "-D", value, row->arg);
	}
}

/* An argument is written as it is: the quote that ends it has a blank, another
 * quote or nothing behind it.
 */
static char *end_of_quoted(char *start)
{
	char *end = strstr(start, "\" \"");

	return end ? end : strrchr(start, '"');
}

/* program "argument" "argument"...: returns where the row made of it ends. */
static char *unquote(char *text)
{
	char *start = strstr(text, " \"");
	char *out = text;

	while (start) {
		char *end = end_of_quoted(start + 2);
		size_t n;

		if (!end)
			break;
		n = (size_t)(end - (start + 2));
		memmove(out, start + 2, n);
		out[n] = '\0';
		out += n + 1;
		start = strstr(end + 1, " \"");
	}
	return out;
}

static char *read_process(struct row *row, pid_t postmaster)
{
	char path[64], *text;
	size_t bytes;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)postmaster);
	text = slurp(open(path, O_RDONLY | O_CLOEXEC), &bytes);
	row->at = text;
	row->end = text ? text + bytes : NULL;
	next(row);
	return text;
}

static char *read_last_start(struct row *row, int pgdata_fd)
{
	size_t bytes;
	char *text = slurp(openat(pgdata_fd, "postmaster.opts",
				  O_RDONLY | O_NONBLOCK | O_CLOEXEC), &bytes);

	row->at = text;
	row->end = text ? unquote(text) : NULL;
	return text;
}

void cmdline_each(int pgdata_fd, pid_t postmaster,
		  void (*visit)(const char *name, const char *value, void *arg), void *arg)
{
	struct row row = { .visit = visit, .arg = arg };
	char *text = postmaster ? read_process(&row, postmaster) : read_last_start(&row, pgdata_fd);

	take_options(&row);
	free(text);
}

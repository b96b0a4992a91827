// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages on standard error: walpf-ctl: command: object: sentence.
 */
#include <stdarg.h>
#include <stdio.h>

#include "ctl.h"
#include "progress.h"

static const char *command_name;

void ctl_set_command(const char *name)
{
	command_name = name;
}

__attribute__((format(printf, 2, 0)))
static void say(const char *object, const char *format, va_list args)
{
	progress_clear();
	fputs("walpf-ctl: ", stderr);
	if (command_name)
		fprintf(stderr, "%s: ", command_name);
	if (object)
		fprintf(stderr, "%s: ", object);
	vfprintf(stderr, format, args);
}

void ctl_note(const char *object, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(object, format, args);
	va_end(args);
	fputc('\n', stderr);
}

int ctl_fail(const char *object, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(object, format, args);
	va_end(args);
	fputc('\n', stderr);
	return CTL_FAILED;
}

int ctl_usage_error(const char *object, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(object, format, args);
	va_end(args);
	fprintf(stderr, ": try 'walpf-ctl %s%s--help'\n", command_name ? command_name : "",
		command_name ? " " : "");
	return CTL_USAGE;
}

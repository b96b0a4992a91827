// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of a command from one table: getopt_long() does the reading, the
 * help is printed from the same rows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl.h"

/* Where the texts begin. */
#define HELP_COLUMN 24

static void print_option(int letter, const char *name, const char *argument, const char *about)
{
	int width = printf("  -%c, --%s%s%s", letter, name, argument ? " " : "",
			   argument ? argument : "");

	printf("%*s %s\n", width < HELP_COLUMN ? HELP_COLUMN - width : 0, "", about);
}

static void print_help(const struct ctl_syntax *syntax, const char *command)
{
	const struct ctl_option *option;

	printf("Usage: walpf-ctl %s%s%s%s\n\n%s\n", command,
	       syntax->options->name ? " [OPTION]..." : "",
	       *syntax->operands ? " " : "", syntax->operands, syntax->about);
	puts("Options:");
	for (option = syntax->options; option->name; option++)
		print_option(option->letter, option->name, option->argument, option->about);
	print_option('h', "help", NULL, "print this text");
}

/* What getopt_long() wants to be told; room for --help and the ends. */
struct getopt_tables {
	struct option longs[CTL_MAX_OPTIONS + 2];
	char letters[2 * CTL_MAX_OPTIONS + 3];
};

static void fill_tables(struct getopt_tables *tables, const struct ctl_option *options)
{
	struct option *row = tables->longs;
	char *letters = tables->letters;
	const struct ctl_option *option;

	memset(tables, 0, sizeof(*tables));
	/* A leading colon tells a missing argument from an unknown option. */
	*letters++ = ':';
	for (option = options; option->name; option++) {
		row->name = option->name;
		row->has_arg = option->argument ? required_argument : no_argument;
		row++->val = option->letter;
		*letters++ = (char)option->letter;
		if (option->argument)
			*letters++ = ':';
	}
	row->name = "help";
	row->val = 'h';
	*letters = 'h';
}

/* The option as it was typed: optopt is 0 or a letter for a long one, too. */
static const char *typed_option(char **argv, char *buffer)
{
	const char *last = argv[optind - 1];

	if (!strncmp(last, "--", 2))
		return last;
	sprintf(buffer, "-%c", optopt);
	return buffer;
}

int ctl_getopt(const struct ctl_syntax *syntax, int argc, char **argv)
{
	struct getopt_tables tables;
	char buffer[4];
	int letter;

	opterr = 0;
	fill_tables(&tables, syntax->options);
	letter = getopt_long(argc, argv, tables.letters, tables.longs, NULL);
	switch (letter) {
	case 'h':
		print_help(syntax, argv[0]);
		exit(fflush(stdout) ? CTL_FAILED : CTL_DONE);
	case ':':
		exit(ctl_usage_error(typed_option(argv, buffer), "the argument is missing"));
	case '?':
		exit(ctl_usage_error(typed_option(argv, buffer), "unknown or ambiguous option, "
				     "or one that takes no argument"));
	default:
		return letter;
	}
}

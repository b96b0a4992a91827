/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every command of walpf-ctl shares: the table of commands, how they
 * end, what they say on standard error, and how they read their options.
 *
 * A new command is a file cmd_<name>.c and a row in commands.c.
 */
#ifndef WALPF_CTL_CTL_H
#define WALPF_CTL_CTL_H

#include <getopt.h>

/* Exit statuses: a promise of the manual. */
enum ctl_exit {
	CTL_DONE = 0,
	CTL_FAILED = 1,		/* refused, or went wrong */
	CTL_USAGE = 2,
	CTL_NO_MODULE = 3,	/* the module is not loaded */
	CTL_NOT_PERMITTED = 4,
};

/**
 * struct ctl_command - a row of the table
 * @name: as it is typed
 * @run: given its own name as argv[0]; returns an enum ctl_exit
 * @about: one line for the help, without a full stop
 */
struct ctl_command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *about;
};

/* All commands, in the order of the help; ends with a row without a name. */
extern const struct ctl_command ctl_commands[];

/* NULL if there is none of that name. */
const struct ctl_command *ctl_command_find(const char *name);

int cmd_decode(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_register(int argc, char **argv);
int cmd_reset(int argc, char **argv);
int cmd_set(int argc, char **argv);
int cmd_stats(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_unregister(int argc, char **argv);
int cmd_version(int argc, char **argv);

/* The command that messages are about; NULL for none. */
void ctl_set_command(const char *name);

/**
 * ctl_note() - say something on standard error that is no failure
 * @object: the file, cluster or argument it is about, or NULL
 * @format: the sentence, without prefix, full stop and line end
 */
__attribute__((format(printf, 2, 3)))
void ctl_note(const char *object, const char *format, ...);

/**
 * ctl_fail() - say what went wrong and what to do about it
 * @object: what it is about, or NULL
 * @format: the sentence
 *
 * Return: CTL_FAILED, so that a command can end with it.
 */
__attribute__((format(printf, 2, 3)))
int ctl_fail(const char *object, const char *format, ...);

/**
 * ctl_usage_error() - say how the command was called wrongly
 * @object: the argument that is wrong, or NULL
 * @format: the sentence; where to find help is added to it
 *
 * Return: CTL_USAGE.
 */
__attribute__((format(printf, 2, 3)))
int ctl_usage_error(const char *object, const char *format, ...);

/**
 * struct ctl_option - an option of a command
 * @letter: its short form, and what ctl_getopt() returns for it
 * @name: its long form
 * @argument: what to call its argument in the help, NULL if it takes none
 * @about: one line for the help, without a full stop
 */
struct ctl_option {
	int letter;
	const char *name;
	const char *argument;
	const char *about;
};

/* At most so many options, --help not counted. */
#define CTL_MAX_OPTIONS 24

/**
 * struct ctl_syntax - how a command is called: parser and help come from it
 * @operands: what follows the options, such as "NAME", or ""
 * @about: what the command does, one or more lines, each with a line end
 * @options: ends with an option without a name; --help need not be among them
 */
struct ctl_syntax {
	const char *operands;
	const char *about;
	const struct ctl_option *options;
};

/**
 * ctl_getopt() - the next option
 * @syntax: the command's
 *
 * As getopt_long(): optarg and optind are set. Does not return for --help,
 * which it prints, and for wrong options, which it explains: ends the program.
 *
 * Return: the option's letter, or -1 behind the last.
 */
int ctl_getopt(const struct ctl_syntax *syntax, int argc, char **argv);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl: finds the command and runs it.
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "ctl.h"

static void print_help(void)
{
	const struct ctl_command *command;

	puts("Usage: walpf-ctl COMMAND [OPTION]... [ARGUMENT]...\n\n"
	     "See and control walpf, which reads ahead the blocks that a PostgreSQL\n"
	     "server will need while it replays WAL.\n\n"
	     "Commands:");
	for (command = ctl_commands; command->name; command++)
		printf("  %-12s %s\n", command->name, command->about);
	puts("\n'walpf-ctl COMMAND --help' tells the options of a command.\n"
	     "All of them, and the exit statuses, are in walpf-ctl(8).");
}

static int run(int argc, char **argv)
{
	const struct ctl_command *command;

	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help")) {
		print_help();
		return CTL_DONE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return cmd_version(1, argv + 1);
	command = ctl_command_find(argv[1]);
	if (!command)
		return ctl_usage_error(argv[1], argv[1][0] == '-' ? "unknown option" :
								    "unknown command");
	ctl_set_command(command->name);
	return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	int status;

	setlocale(LC_CTYPE, "");
	status = run(argc, argv);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	/* The reader has seen enough, and went away. */
	if (errno == EPIPE)
		return CTL_FAILED;
	return ctl_fail("standard output", "cannot be written: %s", strerror(errno));
}

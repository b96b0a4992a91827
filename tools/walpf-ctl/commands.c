// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of commands, in the order in which the help lists them.
 */
#include <string.h>

#include "ctl.h"

const struct ctl_command ctl_commands[] = {
	{ "decode", cmd_decode, "print the records of WAL files; needs no module" },
	{ "version", cmd_version, "print the versions of the tool and of the loaded module" },
	{ NULL, NULL, NULL },
};

const struct ctl_command *ctl_command_find(const char *name)
{
	const struct ctl_command *command;

	for (command = ctl_commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of commands, in the order in which the help lists them.
 */
#include <string.h>

#include "ctl.h"

const struct ctl_command ctl_commands[] = {
	{ "register", cmd_register, "have the module look ahead for a cluster" },
	{ "unregister", cmd_unregister, "have it forget a cluster" },
	{ "list", cmd_list, "list the registered clusters" },
	{ "status", cmd_status, "show state, position and settings of a cluster" },
	{ "stats", cmd_stats, "show the counters of clusters" },
	{ "set", cmd_set, "change settings of a cluster" },
	{ "reset", cmd_reset, "let the counters of a cluster begin at zero" },
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

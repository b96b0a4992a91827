// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl version: of this tool and of the module, if it is loaded.
 */
#include <stdio.h>
#include <string.h>

#include "ctl.h"

#ifndef WALPF_VERSION
#define WALPF_VERSION "unknown"
#endif

static const struct ctl_option options[] = { { 0, NULL, NULL, NULL } };

static const struct ctl_syntax syntax = {
	.operands = "",
	.about = "Print the versions of the tool and of the loaded module.\n",
	.options = options,
};

static void print_module_version(void)
{
	FILE *file = fopen("/sys/kernel/walpf/version", "re");
	char version[64] = "";

	if (!file) {
		puts("module not loaded");
		return;
	}
	if (!fgets(version, sizeof(version), file))
		version[0] = '\0';
	fclose(file);
	version[strcspn(version, "\n")] = '\0';
	printf("module %s\n", version);
}

int cmd_version(int argc, char **argv)
{
	while (ctl_getopt(&syntax, argc, argv) != -1)
		;
	if (optind < argc)
		return ctl_usage_error(argv[optind], "takes no argument");
	puts("walpf-ctl " WALPF_VERSION);
	print_module_version();
	return CTL_DONE;
}

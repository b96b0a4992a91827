// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl reset: let the counters of a cluster begin at zero.
 */
#include <unistd.h>

#include <linux/walpf.h>

#include "client.h"
#include "ctl.h"

static const struct ctl_option options[] = { { 0, NULL, NULL, NULL } };

static const struct ctl_syntax syntax = {
	.operands = "NAME",
	.about = "Let the counters of a cluster begin at zero.\n",
	.options = options,
};

int cmd_reset(int argc, char **argv)
{
	enum ctl_exit end;

	while (ctl_getopt(&syntax, argc, argv) != -1)
		;
	if (optind + 1 != argc)
		return ctl_usage_error(NULL, "takes the name of one cluster");
	end = client_open();
	if (end == CTL_DONE)
		end = client_do(client_message(WALPF_CMD_RESET, argv[optind]), argv[optind]);
	client_close();
	return end;
}

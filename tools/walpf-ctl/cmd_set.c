// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl set: change settings of a cluster, all of them or none.
 */
#include <netlink/attr.h>
#include <string.h>
#include <unistd.h>

#include <linux/walpf.h>

#include "client.h"
#include "ctl.h"
#include "setting.h"

static const struct ctl_option options[] = { { 0, NULL, NULL, NULL } };

static const struct ctl_syntax syntax = {
	.operands = "NAME KEY=VALUE...",
	.about = "Change settings of a cluster: all that are named, or none if one is\n"
		 "refused. Numbers may have K, M, G or T behind them. Settings:\n"
		 "  mode=off|observe|fetch|always\n"
		 "                          what to do about the cluster\n"
		 "  lead_bytes=NUMBER       most bytes of WAL between replay and look-ahead\n"
		 "  lead_blocks=NUMBER      most blocks fetched and not yet passed by replay\n"
		 "  inflight=NUMBER         most blocks asked of a device at a time\n"
		 "  device_iops=NUMBER      most requests a second to a device, 0: any number\n"
		 "  device_bytes=NUMBER     most bytes a second from a device, 0: any number\n",
	.options = options,
};

/* Cuts KEY=VALUE in two. */
static enum ctl_exit add_setting(struct nl_msg *msg, char *text)
{
	char *equals = strchr(text, '=');

	if (!equals || equals == text || !equals[1])
		return (enum ctl_exit)ctl_usage_error(text, "not of the form KEY=VALUE");
	*equals = '\0';
	if (!setting_add(msg, text, equals + 1))
		return (enum ctl_exit)ctl_usage_error(equals + 1, "neither a number nor a word");
	return CTL_DONE;
}

static enum ctl_exit set(const char *name, char **settings)
{
	struct nl_msg *msg = client_message(WALPF_CMD_SET, name);
	struct nlattr *nest = nla_nest_start(msg, WALPF_A_SETTINGS | NLA_F_NESTED);
	enum ctl_exit end = CTL_DONE;

	for (; *settings && end == CTL_DONE; settings++)
		end = add_setting(msg, *settings);
	if (end != CTL_DONE) {
		nlmsg_free(msg);
		return end;
	}
	nla_nest_end(msg, nest);
	return client_do(msg, name);
}

int cmd_set(int argc, char **argv)
{
	enum ctl_exit end;

	while (ctl_getopt(&syntax, argc, argv) != -1)
		;
	if (argc - optind < 2)
		return ctl_usage_error(NULL, "takes the name of a cluster and settings KEY=VALUE");
	end = client_open();
	if (end == CTL_DONE)
		end = set(argv[optind], argv + optind + 1);
	client_close();
	return end;
}

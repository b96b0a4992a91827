// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl unregister: have the module forget a cluster, or all of them.
 */
#include <unistd.h>

#include <linux/walpf.h>

#include "client.h"
#include "ctl.h"

static const struct ctl_option options[] = {
	{ 'a', "all", NULL, "all registered clusters" },
	{ 0, NULL, NULL, NULL },
};

static const struct ctl_syntax syntax = {
	.operands = "NAME|--all",
	.about = "Stop looking ahead for a cluster and forget it.\n",
	.options = options,
};

static enum ctl_exit unregister(const char *name)
{
	return client_do(client_message(WALPF_CMD_UNREGISTER, name), name);
}

static enum ctl_exit unregister_all(void)
{
	struct clusters clusters;
	enum ctl_exit end = client_get(NULL, &clusters);

	for (size_t i = 0; i < clusters.n; i++) {
		enum ctl_exit one = unregister(clusters.cluster[i].name);

		if (one != CTL_DONE)
			end = one;
	}
	clusters_free(&clusters);
	return end;
}

int cmd_unregister(int argc, char **argv)
{
	bool all = false;
	enum ctl_exit end;

	while (ctl_getopt(&syntax, argc, argv) != -1)
		all = true;
	if (argc - optind != !all)
		return ctl_usage_error(NULL, "takes either the name of one cluster or --all");
	end = client_open();
	if (end == CTL_DONE)
		end = all ? unregister_all() : unregister(argv[optind]);
	client_close();
	return end;
}

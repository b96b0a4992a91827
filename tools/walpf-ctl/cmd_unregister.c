// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl unregister: have the module forget a cluster, or all of them.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/walpf.h>

#include "client.h"
#include "ctl.h"

static const struct ctl_option options[] = {
	{ 'a', "all", NULL, "all registered clusters" },
	{ 0, NULL, NULL, NULL },
};

static const struct ctl_syntax syntax = {
	.operands = "NAME|PGDATA|--all",
	.about = "Stop looking ahead for a cluster and forget it.\n",
	.options = options,
};

static enum ctl_exit unregister(const char *name)
{
	return client_do(client_message(WALPF_CMD_UNREGISTER, name), name);
}

/* By what the module tells, as the directory itself may be gone. */
static enum ctl_exit unregister_path(const char *path)
{
	char resolved[PATH_MAX];
	const char *name = NULL;
	struct clusters clusters;
	enum ctl_exit end = client_get(NULL, &clusters);

	if (realpath(path, resolved))
		path = resolved;
	for (size_t i = 0; i < clusters.n; i++)
		if (!strcmp(clusters.cluster[i].pgdata, path))
			name = clusters.cluster[i].name;
	if (name)
		end = unregister(name);
	else if (end == CTL_DONE)
		end = (enum ctl_exit)ctl_fail(path, "no cluster is registered with this data "
					      "directory: see walpf-ctl list");
	clusters_free(&clusters);
	return end;
}

/* A name has no slash. */
static enum ctl_exit unregister_one(const char *operand)
{
	return strchr(operand, '/') ? unregister_path(operand) : unregister(operand);
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
		return ctl_usage_error(NULL, "takes either the name or data directory of one "
				       "cluster, or --all");
	end = client_open();
	if (end == CTL_DONE)
		end = all ? unregister_all() : unregister_one(argv[optind]);
	client_close();
	return end;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl status: what is true of a cluster now, under the names that the
 * files of its folder in /sys have.
 */
#include <stdio.h>
#include <unistd.h>

#include "client.h"
#include "ctl.h"
#include "table.h"

static const struct ctl_option options[] = {
	{ 'j', "json", NULL, "print it as JSON, together with the counters" },
	{ 'r', "raw", NULL, "fields separated by one blank" },
	{ 0, NULL, NULL, NULL },
};

static const struct ctl_syntax syntax = {
	.operands = "NAME",
	.about = "Show state, position, settings and facts of a cluster.\n",
	.options = options,
};

static const struct column columns[] = {
	{ "NAME", false },
	{ "VALUE", false },
	{ NULL, false },
};

static void print_pair(struct table *table, const char *name, const char *value)
{
	table_line(table);
	table_text(table, 0, name);
	table_text(table, 1, value);
}

static void print_items(struct table *table, const char *folder, const struct items *items)
{
	char name[2 * ITEM_SIZE], text[ITEM_SIZE];

	for (size_t i = 0; i < items->n; i++) {
		snprintf(name, sizeof(name), "%s%s", folder, items->item[i].name);
		print_pair(table, name, item_text(&items->item[i], text));
	}
}

static void print_cluster(const struct cluster *cluster, bool raw)
{
	struct table *table = table_new(columns, raw);

	table_no_headings(table);
	print_pair(table, "name", cluster->name);
	print_pair(table, "pgdata", cluster->pgdata);
	print_pair(table, "pg_wal", cluster->pg_wal);
	print_pair(table, "state", cluster->state);
	print_pair(table, "last_reason", cluster->last_reason);
	print_items(table, "", &cluster->gauges);
	print_items(table, "settings/", &cluster->settings);
	print_items(table, "facts/", &cluster->facts);
	table_end(table);
}

static enum ctl_exit show(const char *name, bool json, bool raw)
{
	struct clusters clusters;
	enum ctl_exit end = client_get(name, &clusters);

	if (end == CTL_DONE && json)
		end = table_json(&clusters);
	else if (end == CTL_DONE && clusters.n)
		print_cluster(&clusters.cluster[0], raw);
	clusters_free(&clusters);
	return end;
}

int cmd_status(int argc, char **argv)
{
	bool json = false, raw = false;
	enum ctl_exit end;
	int letter;

	while ((letter = ctl_getopt(&syntax, argc, argv)) != -1) {
		json |= letter == 'j';
		raw |= letter == 'r';
	}
	if (optind + 1 != argc)
		return ctl_usage_error(NULL, "takes the name of one cluster");
	end = client_open();
	if (end == CTL_DONE)
		end = show(argv[optind], json, raw);
	client_close();
	return end;
}

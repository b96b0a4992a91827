// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl list: the registered clusters, a line each.
 */
#include <stdio.h>
#include <unistd.h>

#include "client.h"
#include "ctl.h"
#include "table.h"

static const struct ctl_option options[] = {
	{ 'j', "json", NULL, "print everything about them as JSON" },
	{ 'r', "raw", NULL, "no headings, fields separated by one blank" },
	{ 0, NULL, NULL, NULL },
};

static const struct ctl_syntax syntax = {
	.operands = "",
	.about = "List the registered clusters.\n",
	.options = options,
};

static const struct column columns[] = {
	{ "NAME", false },
	{ "STATE", false },
	{ "MODE", false },
	{ "MAJOR", true },
	{ "REPLAY_LSN", false },
	{ "LEAD_BYTES", true },
	{ "FETCHED", true },
	{ "PGDATA", false },
	{ NULL, false },
};

static void print_item(struct table *table, unsigned int column, const struct items *items,
		       const char *name)
{
	const struct item *item = items_find(items, name);
	char text[ITEM_SIZE];

	table_text(table, column, item ? item_text(item, text) : "");
}

static void print_cluster(struct table *table, const struct cluster *cluster)
{
	table_line(table);
	table_text(table, 0, cluster->name);
	table_text(table, 1, cluster->state);
	print_item(table, 2, &cluster->settings, "mode");
	print_item(table, 3, &cluster->facts, "major");
	print_item(table, 4, &cluster->gauges, "replay_lsn");
	print_item(table, 5, &cluster->gauges, "lead_bytes");
	print_item(table, 6, &cluster->counters, "fetched");
	table_text(table, 7, cluster->pgdata);
}

static void print_table(const struct clusters *clusters, bool raw)
{
	struct table *table;

	if (!clusters->n) {
		if (!raw)
			ctl_note(NULL, "no cluster is registered: see walpf-ctl register --help");
		return;
	}
	table = table_new(columns, raw);
	for (size_t i = 0; i < clusters->n; i++)
		print_cluster(table, &clusters->cluster[i]);
	table_end(table);
}

static enum ctl_exit list(bool json, bool raw)
{
	struct clusters clusters;
	enum ctl_exit end = client_get(NULL, &clusters);

	if (end == CTL_DONE && json)
		end = table_json(&clusters);
	else if (end == CTL_DONE)
		print_table(&clusters, raw);
	clusters_free(&clusters);
	return end;
}

int cmd_list(int argc, char **argv)
{
	bool json = false, raw = false;
	enum ctl_exit end;
	int letter;

	while ((letter = ctl_getopt(&syntax, argc, argv)) != -1) {
		json |= letter == 'j';
		raw |= letter == 'r';
	}
	if (optind < argc)
		return ctl_usage_error(argv[optind], "takes no argument");
	end = client_open();
	if (end == CTL_DONE)
		end = list(json, raw);
	client_close();
	return end;
}

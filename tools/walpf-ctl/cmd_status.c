// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl status: what is true of a cluster now, under the names that the
 * files of its folder in /sys have.
 */
#include <stdio.h>

#include "ctl.h"
#include "show.h"
#include "table.h"

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

static void print_cluster(const struct clusters *clusters, bool raw)
{
	const struct cluster *cluster = clusters->cluster;
	struct table *table;

	if (!clusters->n)
		return;
	table = table_new(columns, raw);
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

int cmd_status(int argc, char **argv)
{
	static const struct show status = {
		.operands = "NAME",
		.about = "Show state, position, settings and facts of a cluster.\n",
		.print = print_cluster,
	};

	return show(&status, argc, argv);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl list: the registered clusters, a line each.
 */
#include "ctl.h"
#include "show.h"
#include "table.h"

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

int cmd_list(int argc, char **argv)
{
	static const struct show list = {
		.operands = "",
		.about = "List the registered clusters.\n",
		.print = print_table,
	};

	return show(&list, argc, argv);
}

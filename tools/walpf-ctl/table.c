// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints with libsmartcols, and JSON with our own writer, as its documents
 * are not tables.
 */
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "output.h"
#include "table.h"

struct table {
	struct libscols_table *scols;
	struct libscols_line *line;
};

static void *need(void *p)
{
	if (!p)
		exit(ctl_fail(NULL, "not enough memory"));
	return p;
}

struct table *table_new(const struct column *columns, bool raw)
{
	struct table *table = need(calloc(1, sizeof(*table)));

	scols_init_debug(0);
	table->scols = need(scols_new_table());
	scols_table_enable_raw(table->scols, raw);
	scols_table_enable_noheadings(table->scols, raw);
	for (; columns->heading; columns++)
		need(scols_table_new_column(table->scols, columns->heading, 0,
					    columns->right ? SCOLS_FL_RIGHT : 0));
	return table;
}

void table_no_headings(struct table *table)
{
	scols_table_enable_noheadings(table->scols, 1);
}

void table_line(struct table *table)
{
	table->line = need(scols_table_new_line(table->scols, NULL));
}

void table_text(struct table *table, unsigned int column, const char *text)
{
	if (scols_line_set_data(table->line, column, text))
		need(NULL);
}

void table_number(struct table *table, unsigned int column, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	table_text(table, column, text);
}

void table_end(struct table *table)
{
	scols_print_table(table->scols);
	scols_unref_table(table->scols);
	free(table);
}

static void json_item(const struct item *item)
{
	json_key(item->name);
	if (item->word[0])
		json_text(item->word);
	else if (item_is_lsn(item))
		json_lsn(item->number);
	else
		json_u64(item->number);
}

static void json_items(const char *key, const struct items *items)
{
	json_key(key);
	json_open('{');
	for (size_t i = 0; i < items->n; i++)
		json_item(&items->item[i]);
	json_close();
}

static void json_histograms(const struct histograms *histograms)
{
	json_key("histograms");
	json_open('{');
	for (size_t i = 0; i < histograms->n; i++) {
		const struct histogram *histogram = &histograms->histogram[i];

		json_key(histogram->name);
		json_open('[');
		for (size_t bucket = 0; bucket < histogram->n; bucket++)
			json_u64(histogram->count[bucket]);
		json_close();
	}
	json_close();
}

static void json_pair(const char *key, const char *text)
{
	json_key(key);
	json_text(text);
}

static void json_cluster(const struct cluster *cluster)
{
	json_open('{');
	json_pair("name", cluster->name);
	json_pair("pgdata", cluster->pgdata);
	json_pair("pg_wal", cluster->pg_wal);
	json_pair("state", cluster->state);
	json_pair("last_reason", cluster->last_reason);
	json_items("facts", &cluster->facts);
	json_items("settings", &cluster->settings);
	json_items("gauges", &cluster->gauges);
	json_items("counters", &cluster->counters);
	json_histograms(&cluster->histograms);
	json_close();
}

enum ctl_exit table_json(const struct clusters *clusters)
{
	json_open('{');
	json_key("clusters");
	json_open('[');
	for (size_t i = 0; i < clusters->n; i++)
		json_cluster(&clusters->cluster[i]);
	json_close();
	json_close();
	return (enum ctl_exit)out_close();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the statistics of walpf-ctl decode: as tables for people, or
 * as JSON, both from one description of the columns.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ctl.h"
#include "decode.h"
#include "json.h"
#include "lsn.h"
#include "output.h"
#include "rmgr.h"
#include "table.h"
#include "wal_stats.h"

/* Relations that are named without --all. */
#define TOP_RELATIONS 20

/* Three numbers of ten digits. */
#define REL_NAME_MAX 33

/* A column by both its names: the heading, the key in JSON. */
struct report_column {
	const char *heading;
	const char *key;
	bool is_text;
};

#define COLUMNS_MAX 10

union cell {
	const char *text;
	u64 number;
};

static const struct report_column rmgr_columns[] = {
	{ "RMGR", "rmgr", true },
	{ "RECORDS", "records", false },
	{ "BYTES", "bytes", false },
	{ "REFERENCES", "references", false },
	{ NULL, NULL, false },
};

static const struct report_column class_columns[] = {
	{ "CLASS", "class", true },
	{ "REFERENCES", "references", false },
	{ "READ", "read", true },
	{ NULL, NULL, false },
};

static const struct report_column rel_columns[] = {
	{ "RELATION", "relation", true },
	{ "REFERENCES", "references", false },
	{ "IMAGE", "image", false },
	{ "INIT", "init", false },
	{ "IGNORED", "ignored", false },
	{ "PLAIN", "plain", false },
	{ "IMPLIED", "implied", false },
	{ "BLOCKS", "blocks", false },
	{ "TO-READ", "to_read", false },
	{ "BYTES", "bytes", false },
	{ NULL, NULL, false },
};

static const char * const class_names[NR_REF_CLASSES] = {
	[REF_IMAGE] = "image",
	[REF_INIT] = "init",
	[REF_IGNORED] = "ignored",
	[REF_PLAIN] = "plain",
	[REF_IMPLIED] = "implied",
};

static bool name_all;
static bool as_json;

/* The table that is being printed. */
static const struct report_column *columns;
static struct table *table;

void decode_stats_all(void)
{
	name_all = true;
}

static void begin_table(const char *key, const struct report_column *cols)
{
	struct column headings[COLUMNS_MAX + 1] = { { NULL, false } };
	unsigned int i;

	columns = cols;
	if (as_json) {
		json_key(key);
		json_open('[');
		return;
	}
	for (i = 0; cols[i].heading; i++)
		headings[i] = (struct column){ cols[i].heading, !cols[i].is_text };
	table = table_new(headings, false);
}

static void json_row(const union cell *cells)
{
	unsigned int i;

	json_open('{');
	for (i = 0; columns[i].heading; i++) {
		json_key(columns[i].key);
		if (columns[i].is_text)
			json_text(cells[i].text);
		else
			json_u64(cells[i].number);
	}
	json_close();
}

static void table_row(const union cell *cells)
{
	unsigned int i;

	table_line(table);
	for (i = 0; columns[i].heading; i++) {
		if (columns[i].is_text)
			table_text(table, i, cells[i].text);
		else
			table_number(table, i, cells[i].number);
	}
}

static void row(const union cell *cells)
{
	if (as_json)
		json_row(cells);
	else
		table_row(cells);
}

static void finish_table(void)
{
	if (as_json) {
		json_close();
		return;
	}
	putchar('\n');
	table_end(table);
}

static void print_rmgrs(const struct wal_stats *stats)
{
	unsigned int id;

	begin_table("rmgrs", rmgr_columns);
	for (id = 0; id < 256; id++) {
		const struct rmgr_stats *rmgr = &stats->rmgrs[id];
		union cell cells[] = {
			{ .text = rmgr_name((u8)id) },
			{ .number = rmgr->records },
			{ .number = rmgr->bytes },
			{ .number = rmgr->refs },
		};

		if (rmgr->records)
			row(cells);
	}
	finish_table();
}

static void print_classes(const struct rel_stats *sum)
{
	int class;

	begin_table("classes", class_columns);
	for (class = 0; class < NR_REF_CLASSES; class++) {
		union cell cells[] = {
			{ .text = class_names[class] },
			{ .number = sum->classes[class] },
			{ .text = class >= REF_PLAIN ? "yes" : "no" },
		};

		row(cells);
	}
	finish_table();
}

static void print_rel(const struct rel_stats *rel)
{
	char name[REL_NAME_MAX];
	union cell cells[] = {
		{ .text = name },
		{ .number = rel_stats_refs(rel) },
		{ .number = rel->classes[REF_IMAGE] },
		{ .number = rel->classes[REF_INIT] },
		{ .number = rel->classes[REF_IGNORED] },
		{ .number = rel->classes[REF_PLAIN] },
		{ .number = rel->classes[REF_IMPLIED] },
		{ .number = rel->blocks },
		{ .number = rel->to_read },
		{ .number = rel->blocks * WALPF_BLCKSZ },
	};

	snprintf(name, sizeof(name), "%u/%u/%u", rel->rel.spc, rel->rel.db, rel->rel.rel);
	row(cells);
}

/* Most references first; then by number, so that the order is always one. */
static int compare_rels(const void *left, const void *right)
{
	const struct rel_stats *a = *(const struct rel_stats * const *)left;
	const struct rel_stats *b = *(const struct rel_stats * const *)right;
	u64 a_refs = rel_stats_refs(a), b_refs = rel_stats_refs(b);

	if (a_refs != b_refs)
		return a_refs < b_refs ? 1 : -1;
	return a < b ? -1 : a > b;
}

static void print_rels(const struct wal_stats *stats)
{
	const struct rel_stats **sorted = calloc(stats->nr_rels + 1, sizeof(const void *));
	u32 i;

	if (!sorted)
		exit(ctl_fail(NULL, "not enough memory for the table of relations"));
	for (i = 0; i < stats->nr_rels; i++)
		sorted[i] = &stats->rels[i];
	qsort(sorted, stats->nr_rels, sizeof(const void *), compare_rels);
	begin_table("relations", rel_columns);
	for (i = 0; i < stats->nr_rels && (name_all || i < TOP_RELATIONS); i++)
		print_rel(sorted[i]);
	finish_table();
	free(sorted);
	if (!as_json && i < stats->nr_rels)
		printf("... and %u relations with fewer references (--all names them)\n",
		       stats->nr_rels - i);
}

static struct rel_stats sum_rels(const struct wal_stats *stats)
{
	struct rel_stats sum = { .blocks = 0 };
	u32 i;
	int class;

	for (i = 0; i < stats->nr_rels; i++) {
		for (class = 0; class < NR_REF_CLASSES; class++)
			sum.classes[class] += stats->rels[i].classes[class];
		sum.blocks += stats->rels[i].blocks;
		sum.to_read += stats->rels[i].to_read;
	}
	return sum;
}

static struct rmgr_stats sum_rmgrs(const struct wal_stats *stats)
{
	struct rmgr_stats sum = { .records = 0 };
	unsigned int id;

	for (id = 0; id < 256; id++) {
		sum.records += stats->rmgrs[id].records;
		sum.bytes += stats->rmgrs[id].bytes;
		sum.refs += stats->rmgrs[id].refs;
	}
	return sum;
}

static void json_summary(const struct wal_stats *stats, const struct rmgr_stats *records,
			 const struct rel_stats *refs)
{
	const struct {
		const char *key;
		u64 value;
	} numbers[] = {
		{ "records", records->records },
		{ "bytes", records->bytes },
		{ "references", records->refs },
		{ "relations", stats->nr_rels },
		{ "blocks", refs->blocks },
		{ "block_bytes", refs->blocks * WALPF_BLCKSZ },
		{ "to_read", refs->to_read },
	};
	unsigned int i;

	json_key("summary");
	json_open('{');
	json_key("first_lsn");
	json_lsn(stats->first_lsn);
	json_key("end_lsn");
	json_lsn(stats->end_lsn);
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		json_key(numbers[i].key);
		json_u64(numbers[i].value);
	}
	json_close();
}

static double megabytes(uint64_t blocks)
{
	return (double)blocks * WALPF_BLCKSZ / (1 << 20);
}

static void print_summary(const struct wal_stats *stats, const struct rmgr_stats *records,
			  const struct rel_stats *refs)
{
	printf("WAL from %s to %s: %llu records of %llu bytes\n"
	       "%llu references to %llu distinct blocks (%.1f MB) of %u relations\n"
	       "%llu distinct blocks (%.1f MB) must be read, as their first reference reads them\n",
	       LSN_TEXT(stats->first_lsn), LSN_TEXT(stats->end_lsn),
	       (unsigned long long)records->records, (unsigned long long)records->bytes,
	       (unsigned long long)records->refs, (unsigned long long)refs->blocks,
	       megabytes(refs->blocks), stats->nr_rels,
	       (unsigned long long)refs->to_read, megabytes(refs->to_read));
}

static void print_tables(const struct wal_stats *stats, const struct rel_stats *refs)
{
	print_rmgrs(stats);
	print_classes(refs);
	print_rels(stats);
}

static void report_text(void)
{
	const struct wal_stats *stats = wal_stats_get();
	struct rmgr_stats records = sum_rmgrs(stats);
	struct rel_stats refs = sum_rels(stats);

	print_summary(stats, &records, &refs);
	print_tables(stats, &refs);
}

static void report_json(void)
{
	const struct wal_stats *stats = wal_stats_get();
	struct rmgr_stats records = sum_rmgrs(stats);
	struct rel_stats refs = sum_rels(stats);

	as_json = true;
	json_open('{');
	json_summary(stats, &records, &refs);
	print_tables(stats, &refs);
	json_close();
}

const struct decode_sink decode_stats_text = {
	.record = wal_stats_add,
	.end = report_text,
};

const struct decode_sink decode_stats_json = {
	.record = wal_stats_add,
	.end = report_json,
};

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clusters on standard output: tables for people, raw lines for scripts, and
 * one JSON document, the same for every command.
 */
#ifndef WALPF_CTL_TABLE_H
#define WALPF_CTL_TABLE_H

#include <stdbool.h>

#include "client.h"

/* A column: its heading, and whether it is aligned to the right. */
struct column {
	const char *heading;
	bool right;
};

struct table;

/**
 * table_new() - begin a table
 * @columns: ends with one without a heading
 * @raw: for scripts: no headings, one blank between the fields, blanks in
 *	them escaped
 *
 * Return: the table; ends the program if there is no memory.
 */
struct table *table_new(const struct column *columns, bool raw);

/* Without headings. */
void table_no_headings(struct table *table);

/* One more line, and a field of it, counted from 0. */
void table_line(struct table *table);
void table_text(struct table *table, unsigned int column, const char *text);
void table_number(struct table *table, unsigned int column, uint64_t number);

/* Print and free it. */
void table_end(struct table *table);

/**
 * table_json() - clusters as {"clusters":[{...}]}
 *
 * Return: CTL_DONE, or CTL_FAILED after a message.
 */
enum ctl_exit table_json(const struct clusters *clusters);

#endif

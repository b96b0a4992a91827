/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON as a stream: values are written as they come, commas and quotes are
 * seen to. Needs no memory for the document, so it may be of any length.
 * The first levels are written one value a line.
 *
 *	json_open('{');
 *	json_key("refs");
 *	json_open('[');
 *	...
 *	json_close();
 *	json_close();
 */
#ifndef WALPF_CTL_JSON_H
#define WALPF_CTL_JSON_H

#include "wal/types.h"

/* Levels of nesting, and the longest text, in bytes. */
#define JSON_DEPTH_MAX 8
#define JSON_TEXT_MAX 2048

/* Begin an object '{' or an array '['; as a value, where one is due. */
void json_open(char bracket);

/* End what was begun last; a line end follows the document. */
void json_close(void);

/* Name the value that comes next. */
void json_key(const char *key);

/* A value; a text that is too long is cut. */
void json_text(const char *text);
void json_u64(u64 v);
void json_lsn(u64 lsn);

#endif

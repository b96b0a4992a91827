// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON, written through the output buffer. There is one document at a time.
 */
#include "json.h"
#include "output.h"

/* Deeper values are written on their container's line. */
#define LINE_DEPTH 2

/* A byte of a text may become \u00XX. */
#define ESCAPED_MAX 6

static struct {
	char closing[JSON_DEPTH_MAX];
	bool empty[JSON_DEPTH_MAX];
	unsigned int depth;
	bool keyed;		/* a key was written: its value is due */
} doc;

static char *put_line(char *p, unsigned int depth)
{
	if (depth > LINE_DEPTH)
		return p;
	*p++ = '\n';
	for (; depth; depth--)
		*p++ = '\t';
	return p;
}

/* What stands between the value before and the one that begins. */
static char *begin_value(char *p)
{
	if (doc.keyed || !doc.depth) {
		doc.keyed = false;
		return p;
	}
	if (!doc.empty[doc.depth - 1])
		*p++ = ',';
	doc.empty[doc.depth - 1] = false;
	return put_line(p, doc.depth);
}

static char *reserve(size_t len)
{
	return begin_value(out_reserve(len + LINE_DEPTH + 4));
}

static char *put_escaped(char *p, u8 c)
{
	if (c >= 0x20 && c != '"' && c != '\\') {
		*p++ = (char)c;
		return p;
	}
	return put_hex8(put_text(p, "\\u00"), c);
}

static char *put_quoted(char *p, const char *text)
{
	size_t len = strnlen(text, JSON_TEXT_MAX);

	*p++ = '"';
	while (len--)
		p = put_escaped(p, (u8)*text++);
	*p++ = '"';
	return p;
}

void json_open(char bracket)
{
	char *p = reserve(1);

	*p++ = bracket;
	out_commit(p);
	doc.closing[doc.depth] = bracket == '{' ? '}' : ']';
	doc.empty[doc.depth++] = true;
}

void json_close(void)
{
	char *p = out_reserve(LINE_DEPTH + 4);

	doc.depth--;
	if (!doc.empty[doc.depth] && doc.depth < LINE_DEPTH)
		p = put_line(p, doc.depth);
	*p++ = doc.closing[doc.depth];
	if (!doc.depth)
		*p++ = '\n';
	out_commit(p);
}

void json_key(const char *key)
{
	char *p = put_quoted(reserve(ESCAPED_MAX * JSON_TEXT_MAX + 3), key);

	*p++ = ':';
	out_commit(p);
	doc.keyed = true;
}

void json_text(const char *text)
{
	out_commit(put_quoted(reserve(ESCAPED_MAX * JSON_TEXT_MAX + 2), text));
}

void json_u64(u64 v)
{
	out_commit(put_u64(reserve(PUT_U64_MAX), v));
}

void json_lsn(u64 lsn)
{
	char *p = reserve(PUT_LSN_MAX + 2);

	*p++ = '"';
	p = put_lsn(p, lsn);
	*p++ = '"';
	out_commit(p);
}

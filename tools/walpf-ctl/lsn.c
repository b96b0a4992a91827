// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads and writes positions in WAL.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lsn.h"

#define HALF_DIGITS "0123456789abcdefABCDEF"

/* One to eight digits; NULL or what follows them. */
static const char *parse_half(const char *text, u64 *half)
{
	size_t digits = strspn(text, HALF_DIGITS);

	if (digits < 1 || digits > 8)
		return NULL;
	*half = strtoul(text, NULL, 16);
	return text + digits;
}

bool lsn_parse(const char *text, u64 *lsn)
{
	u64 high, low;

	text = parse_half(text, &high);
	if (!text || *text != '/')
		return false;
	text = parse_half(text + 1, &low);
	if (!text || *text)
		return false;
	*lsn = high << 32 | low;
	return true;
}

char *lsn_format(char *text, u64 lsn)
{
	snprintf(text, LSN_TEXT_BYTES, "%X/%08X", (u32)(lsn >> 32), (u32)lsn);
	return text;
}

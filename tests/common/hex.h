/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes from hex digits, for test vectors. Blanks between bytes are skipped.
 */
#ifndef WALPF_TESTS_HEX_H
#define WALPF_TESTS_HEX_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline uint8_t hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = strchr(digits, c);

	if (!c || !at)
		abort();
	return at - digits;
}

/* Returns the number of bytes; aborts if there are more than @room. */
static inline size_t hex_bytes(uint8_t *bytes, size_t room, const char *hex)
{
	size_t len = 0;

	for (; *hex; hex++) {
		if (*hex == ' ')
			continue;
		if (len == room)
			abort();
		bytes[len] = hex_digit(*hex++) << 4;
		bytes[len++] |= hex_digit(*hex);
	}
	return len;
}

#endif

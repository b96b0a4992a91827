// SPDX-License-Identifier: GPL-2.0-only
/*
 * The buffer before standard output. After a failed write nothing more is
 * written; out_close() reports the first error.
 */
#include <errno.h>
#include <unistd.h>

#include "ctl.h"
#include "output.h"

#define BUFFER_BYTES (8 * OUT_RESERVE_MAX)

static char buffer[BUFFER_BYTES];
static size_t used;
static int write_errno;

char *out_reserve(size_t len)
{
	if (BUFFER_BYTES - used < len)
		out_flush();
	return buffer + used;
}

void out_commit(const char *end)
{
	used = (size_t)(end - buffer);
}

void out_flush(void)
{
	const char *at = buffer;

	while (used && !write_errno) {
		ssize_t n = write(STDOUT_FILENO, at, used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			write_errno = errno;
			break;
		}
		at += n;
		used -= (size_t)n;
	}
	used = 0;
}

int out_close(void)
{
	out_flush();
	if (!write_errno)
		return CTL_DONE;
	/* The reader has seen enough, and went away. */
	if (write_errno == EPIPE)
		return CTL_FAILED;
	return ctl_fail("standard output", "cannot be written: %s", strerror(write_errno));
}

char *put_text(char *p, const char *text)
{
	while (*text)
		*p++ = *text++;
	return p;
}

char *put_u64(char *p, u64 v)
{
	char digits[PUT_U64_MAX];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	memcpy(p, digits + at, sizeof(digits) - at);
	return p + (sizeof(digits) - at);
}

static const char hex_digits[] = "0123456789ABCDEF";

char *put_hex8(char *p, u8 v)
{
	*p++ = hex_digits[v >> 4];
	*p++ = hex_digits[v & 15];
	return p;
}

/* Without leading zeros, as %X prints it. */
static char *put_hex32(char *p, u32 v)
{
	int shift = v ? (31 - __builtin_clz(v)) & ~3 : 0;

	for (; shift >= 0; shift -= 4)
		*p++ = hex_digits[v >> shift & 15];
	return p;
}

char *put_lsn(char *p, u64 lsn)
{
	p = put_hex32(p, (u32)(lsn >> 32));
	*p++ = '/';
	p = put_hex8(p, (u8)(lsn >> 24));
	p = put_hex8(p, (u8)(lsn >> 16));
	p = put_hex8(p, (u8)(lsn >> 8));
	return put_hex8(p, (u8)lsn);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads small files. They may be other people's: what is no regular file is
 * not read, and the size that counts is that of what was read.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "slurp.h"

/* Far above any real settings file; a server reads it into memory as well. */
#define FILE_MAX_BYTES	(1024 * 1024)

char *slurp(int fd, size_t *bytes)
{
	struct stat st;
	char *text = NULL;
	ssize_t got;

	*bytes = 0;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > FILE_MAX_BYTES)
		goto out;
	text = malloc(FILE_MAX_BYTES + 1);
	if (!text)
		goto out;
	while (*bytes < FILE_MAX_BYTES) {
		got = read(fd, text + *bytes, FILE_MAX_BYTES - *bytes);
		if (got <= 0)
			break;
		*bytes += (size_t)got;
	}
	text[*bytes] = '\0';
out:
	close(fd);
	return text;
}

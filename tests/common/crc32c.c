// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decoder's CRC-32C in tests: ISA-L's, behind a look at the first and
 * the last byte, since the sanitizers do not see what the library reads.
 */
#include <isa-l/crc.h>

#include "wal/types.h"

u32 walpf_crc32c(u32 crc, const void *data, size_t len)
{
	const volatile unsigned char *bytes = data;

	if (len == 0)
		return crc;
	(void)bytes[0];
	(void)bytes[len - 1];
	return crc32_iscsi((unsigned char *)data, (int)len, crc);
}

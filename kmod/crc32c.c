// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decoder's CRC-32C, from the kernel. Any context.
 */
#include "compat/crc32c.h"
#include "wal/types.h"

u32 walpf_crc32c(u32 crc, const void *data, size_t len)
{
	return walpf_compat_crc32c(crc, data, len);
}

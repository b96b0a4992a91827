// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decoder's CRC-32C in tests: ISA-L's, behind a look at whether all bytes
 * may be read, since the sanitizers do not see what the library does.
 */
#include <isa-l/crc.h>
#include <sanitizer/asan_interface.h>
#include <stdlib.h>

#include "wal/types.h"

u32 walpf_crc32c(u32 crc, const void *data, size_t len)
{
	if (len && __asan_region_is_poisoned((void *)data, len))
		abort();
	return crc32_iscsi((unsigned char *)data, (int)len, crc);
}

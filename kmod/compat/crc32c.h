/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CRC-32C of the kernel. v6.14 put crc32c() into <linux/crc32.h> with the
 * processor's instructions behind it; before that it went through the crypto
 * API at a cost per call, and __crc32c_le() is a plain function.
 */
#ifndef WALPF_COMPAT_CRC32C_H
#define WALPF_COMPAT_CRC32C_H

#include <linux/crc32.h>
#include <linux/version.h>

static inline u32 walpf_compat_crc32c(u32 crc, const void *data, size_t len)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 14, 0)
	return crc32c(crc, data, len);
#else
	return __crc32c_le(crc, data, len);
#endif
}

#endif

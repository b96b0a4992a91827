/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The little that the decoder needs from its surroundings: fixed-width
 * types, memcpy/memcmp and a CRC-32C. The same sources build in the kernel
 * and in userspace, so this is the only file here that knows which is which.
 *
 * WAL is in the byte order of the machine that wrote it, and walpf reads
 * only what its own host replays: loads are plain memcpy of native integers.
 */
#ifndef WALPF_WAL_TYPES_H
#define WALPF_WAL_TYPES_H

#ifdef __KERNEL__
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

/**
 * walpf_crc32c() - continue a CRC-32C (Castagnoli, reflected) over bytes
 * @crc: value so far; start with ~0, invert the last value for the result
 * @data: bytes to add
 * @len: how many
 *
 * Supplied by whoever links the decoder: the kernel's own routine in the
 * module, a library's in userspace. Any context, no locks.
 *
 * Return: the continued value, not inverted.
 */
u32 walpf_crc32c(u32 crc, const void *data, size_t len);

static inline u16 walpf_get_u16(const u8 *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline u32 walpf_get_u32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline u64 walpf_get_u64(const u8 *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decoder's CRC-32C for programs outside the kernel, from ISA-L, which
 * picks the best instructions of the processor it runs on.
 */
#include <isa-l/crc.h>

#include "wal/types.h"

/* Lengths are int there: the most that is handed over at once. */
#define PIECE_MAX (1u << 30)

/*
 * ISA-L 2.30 returns from its AVX code with the upper halves of vector
 * registers in use, and all SSE code that runs afterwards is slow: decoding
 * took two and a half times as long without this (make bench-decode).
 */
static void leave_avx(void)
{
#if defined(__x86_64__) && !defined(__CHECKER__)
	if (__builtin_cpu_supports("avx"))
		asm volatile("vzeroupper");
#endif
}

u32 walpf_crc32c(u32 crc, const void *data, size_t len)
{
	/* It takes no const but only reads. */
	unsigned char *at = (unsigned char *)data;

	while (len > PIECE_MAX) {
		crc = crc32_iscsi(at, PIECE_MAX, crc);
		at += PIECE_MAX;
		len -= PIECE_MAX;
	}
	crc = crc32_iscsi(at, (int)len, crc);
	leave_avx();
	return crc;
}

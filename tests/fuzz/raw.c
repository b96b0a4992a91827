// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: the input is WAL as it would lie in a file, behind two bytes
 * that choose a start and the pieces. Position and segment size are what the
 * first page header says, as far as that is possible at all.
 */
#include "judge.h"
#include "walgen.h"
#include "wal/segname.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t len);

static u32 seg_size_of(const u8 *page)
{
	u32 size = walpf_get_u32(page + 32);

	return walpf_seg_size_valid(size) ? size : WALPF_SEG_MIN;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	struct wal_bytes bytes = { .at = data + 2 };
	u64 start;
	u8 *copy;

	if (len < 2 + 40)
		return 0;
	bytes.len = len - 2;
	bytes.seg_size = seg_size_of(bytes.at);
	bytes.lsn = walpf_get_u64(bytes.at + 8) % (1ull << 62) & ~(u64)(WALGEN_PAGE - 1);
	start = bytes.lsn + (data[0] & 0x80 ? 8 * (data[0] & 0x7f) : WALGEN_PAGE * data[0]);
	copy = malloc(bytes.len);
	must(copy);
	memcpy(copy, bytes.at, bytes.len);
	bytes.at = copy;
	judge(&bytes, start, 1 + 7 * (size_t)data[1]);
	free(copy);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Segment names: three times eight upper-case hex digits, the timeline and
 * the two halves of the number, of which the lower counts the segments of
 * 4 GB of WAL.
 */
#include "segname.h"

static u64 segs_per_log(u32 seg_size)
{
	return (1ull << 32) / seg_size;
}

bool walpf_seg_size_valid(u32 bytes)
{
	return bytes >= WALPF_SEG_MIN && bytes <= WALPF_SEG_MAX && !(bytes & (bytes - 1));
}

static bool parse_hex8(const char *digits, u32 *value)
{
	unsigned int i;

	*value = 0;
	for (i = 0; i < 8; i++) {
		char c = digits[i];

		if (c >= '0' && c <= '9')
			*value = *value << 4 | (c - '0');
		else if (c >= 'A' && c <= 'F')
			*value = *value << 4 | (c - 'A' + 10);
		else
			return false;
	}
	return true;
}

bool walpf_segname_parse(struct walpf_segname *seg, const char *name, u32 seg_size)
{
	u32 log, part;

	/* Each step stops at a NUL, so a short name is never overrun. */
	if (!parse_hex8(name, &seg->tli) || !parse_hex8(name + 8, &log) ||
	    !parse_hex8(name + 16, &part) || name[WALPF_SEGNAME_LEN])
		return false;
	if (part >= segs_per_log(seg_size))
		return false;
	seg->segno = log * segs_per_log(seg_size) + part;
	return true;
}

static void format_hex8(char *digits, u32 value)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		digits[i] = "0123456789ABCDEF"[value >> (28 - 4 * i) & 0xf];
}

void walpf_segname_format(char *name, const struct walpf_segname *seg, u32 seg_size)
{
	format_hex8(name, seg->tli);
	format_hex8(name + 8, seg->segno / segs_per_log(seg_size));
	format_hex8(name + 16, seg->segno % segs_per_log(seg_size));
	name[WALPF_SEGNAME_LEN] = '\0';
}

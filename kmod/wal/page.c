// SPDX-License-Identifier: GPL-2.0-only
/*
 * WAL page headers. Pure functions of the header's bytes.
 */
#include "page.h"

u32 walpf_page_header_len(const u8 *head)
{
	return walpf_get_u16(head + 2) & WALPF_PAGE_LONG ?
		WALPF_PAGE_LONG_HEADER : WALPF_PAGE_SHORT_HEADER;
}

void walpf_page_parse(struct walpf_wal_page *page, const u8 *head)
{
	page->magic = walpf_get_u16(head);
	page->flags = walpf_get_u16(head + 2);
	page->tli = walpf_get_u32(head + 4);
	page->lsn = walpf_get_u64(head + 8);
	page->rem_len = walpf_get_u32(head + 16);
	page->header = walpf_page_header_len(head);
	page->sysid = 0;
	page->seg_size = 0;
	page->blcksz = 0;
	if (page->header != WALPF_PAGE_LONG_HEADER)
		return;
	page->sysid = walpf_get_u64(head + 24);
	page->seg_size = walpf_get_u32(head + 32);
	page->blcksz = walpf_get_u32(head + 36);
}

static enum walpf_wal_status check_version(const struct walpf_wal_page *page,
					   const struct walpf_wal_expect *expect, u64 *value)
{
	const struct walpf_wal_version *version = walpf_wal_version_find(page->magic);

	*value = page->magic;
	if (page->magic == 0)
		return WALPF_WAL_PAGE_EMPTY;
	if (!version)
		return WALPF_WAL_PAGE_MAGIC;
	if (expect->version && expect->version != version)
		return WALPF_WAL_PAGE_VERSION;
	*value = page->flags;
	if (page->flags & ~version->page_flags)
		return WALPF_WAL_PAGE_FLAGS;
	return WALPF_WAL_RECORD;
}

static enum walpf_wal_status check_long(const struct walpf_wal_page *page,
					const struct walpf_wal_expect *expect, u64 *value)
{
	if (page->header != WALPF_PAGE_LONG_HEADER) {
		*value = page->flags;
		return expect->lsn & (expect->seg_size - 1) ? WALPF_WAL_RECORD :
			WALPF_WAL_PAGE_LONG;
	}
	*value = page->sysid;
	if (expect->sysid && page->sysid != expect->sysid)
		return WALPF_WAL_PAGE_SYSTEM;
	*value = page->seg_size;
	if (page->seg_size != expect->seg_size)
		return WALPF_WAL_PAGE_SEGMENT;
	*value = page->blcksz;
	if (page->blcksz != WALPF_WAL_PAGE)
		return WALPF_WAL_PAGE_BLOCK;
	return WALPF_WAL_RECORD;
}

enum walpf_wal_status walpf_page_check(const struct walpf_wal_page *page,
				       const struct walpf_wal_expect *expect, u64 *value)
{
	enum walpf_wal_status status;

	status = check_version(page, expect, value);
	if (status != WALPF_WAL_RECORD)
		return status;
	status = check_long(page, expect, value);
	if (status != WALPF_WAL_RECORD)
		return status;
	*value = page->lsn;
	return page->lsn == expect->lsn ? WALPF_WAL_RECORD : WALPF_WAL_PAGE_ADDRESS;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of WAL formats, 9.6 to 19. Rows share the rules of their era
 * through the macros below; a row says only what is its own.
 */
#include "version.h"

/* 19 moved the overwrite-contrecord flag to the bit that had become free. */
#define PAGES_TO_18	.page_flags = 0x0f, .page_overwrite = 0x08
#define PAGES_FROM_19	.page_flags = 0x07, .page_overwrite = 0x04

/* 9.6 restores every image; 15 renumbered the bits for lz4 and zstd. */
#define IMAGES_9_6	.image_apply = 0x00, .image_compressed = 0x02
#define IMAGES_10	.image_apply = 0x04, .image_compressed = 0x02
#define IMAGES_15	.image_apply = 0x02, .image_compressed = 0x1c

/* 15 gave database records new numbers: 4/10 was drop and became create. */
#define DATABASES_TO_14	.db_drop = 0x10, .db_create = 0xff
#define DATABASES_15	.db_drop = 0x20, .db_create = 0x10

#define RMGRS_TO_14	.max_rmgr = 21, .custom_rmgr = false
#define RMGRS_15	.max_rmgr = 21, .custom_rmgr = true
/* XLOG2 existed while 19 was developed and is gone in rc1. */
#define RMGRS_19	.max_rmgr = 22, .custom_rmgr = true

#define ERA_9_6		PAGES_TO_18, DATABASES_TO_14, RMGRS_TO_14, \
			.heap_rules = WALPF_HEAP_9_6
#define ERA_14		PAGES_TO_18, DATABASES_TO_14, RMGRS_TO_14, IMAGES_10, \
			.xid_fragment = true, .heap_rules = WALPF_HEAP_14
#define ERA_15		PAGES_TO_18, IMAGES_15, DATABASES_15, RMGRS_15, .xid_fragment = true
#define ERA_19		PAGES_FROM_19, IMAGES_15, DATABASES_15, RMGRS_19, .xid_fragment = true, \
			.heap_rules = WALPF_HEAP_19

static const struct walpf_wal_version versions[] = {
	{ 0xd093, 9, false, "9.6", ERA_9_6, IMAGES_9_6 },
	{ 0xd097, 10, false, "10", ERA_9_6, IMAGES_10 },
	{ 0xd098, 11, false, "11", ERA_9_6, IMAGES_10 },
	{ 0xd101, 12, false, "12", ERA_9_6, IMAGES_10 },
	{ 0xd106, 13, true, "13", ERA_9_6, IMAGES_10 },
	{ 0xd10d, 14, false, "14", ERA_14 },
	{ 0xd110, 15, true, "15", ERA_15, .heap_rules = WALPF_HEAP_14 },
	{ 0xd113, 16, false, "16", ERA_15, .heap_rules = WALPF_HEAP_14 },
	{ 0xd115, 17, false, "17 beta", ERA_15, .heap_rules = WALPF_HEAP_17 },
	{ 0xd116, 17, true, "17", ERA_15, .heap_rules = WALPF_HEAP_17 },
	{ 0xd118, 18, true, "18", ERA_15, .heap_rules = WALPF_HEAP_17 },
	{ 0xd120, 19, false, "19 beta", ERA_19 },
	{ 0xd121, 19, false, "19 beta", ERA_19 },
	{ 0xd122, 19, false, "19", ERA_19 },
};

#define NR_VERSIONS (sizeof(versions) / sizeof(versions[0]))

const struct walpf_wal_version *walpf_wal_version_find(u16 magic)
{
	unsigned int i;

	for (i = 0; i < NR_VERSIONS; i++)
		if (versions[i].magic == magic)
			return &versions[i];
	return NULL;
}

const struct walpf_wal_version *walpf_wal_version_at(unsigned int i)
{
	return i < NR_VERSIONS ? &versions[i] : NULL;
}

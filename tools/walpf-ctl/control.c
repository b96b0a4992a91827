// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads pg_control by a table of offsets instead of PostgreSQL's headers,
 * because one tool serves all versions. Sources: catalog/pg_control.h of
 * PostgreSQL 10 to 18, 64-bit builds. Pure: bytes in, facts out.
 */
#include <string.h>

#include "control.h"
#include "wal/types.h"

/* Where these fields are has not changed since 9.6. */
#define OFF_SYSTEM_ID		0
#define OFF_VERSION		8
#define OFF_CATALOG_VERSION	12
#define OFF_STATE		16
#define OFF_CHECKPOINT		32
/* Relative to the copy of the checkpoint. */
#define OFF_REDO		0
#define OFF_TIMELINE		8

struct layout {
	uint16_t version;
	uint8_t major_first, major_last;
	uint16_t checkpoint_copy;
	uint16_t block_size;		/* blocks_per_file follows */
	uint16_t wal_block_size;	/* segment size follows */
	uint16_t crc;
};

static const struct layout layouts[] = {
	{ 1002, 10, 10, 48, 216, 224, 288 },
	{ 1100, 11, 11, 40, 208, 216, 280 },
	{ 1201, 12, 12, 40, 216, 224, 288 },
	{ 1300, 13, 16, 40, 216, 224, 288 },
	{ 1700, 17, 17, 40, 216, 224, 288 },
	{ 1800, 18, 18, 40, 216, 224, 292 },
};

#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

static const struct layout *find_layout(uint32_t version)
{
	for (size_t i = 0; i < LAYOUTS; i++)
		if (layouts[i].version == version)
			return &layouts[i];
	return NULL;
}

static int crc_matches(const uint8_t *bytes, const struct layout *layout)
{
	uint32_t crc = ~walpf_crc32c(~0U, bytes, layout->crc);

	return crc == walpf_get_u32(bytes + layout->crc);
}

static void take_fields(const uint8_t *bytes, const struct layout *layout,
			struct control *out)
{
	const uint8_t *copy = bytes + layout->checkpoint_copy;

	out->system_id = walpf_get_u64(bytes + OFF_SYSTEM_ID);
	out->catalog_version = walpf_get_u32(bytes + OFF_CATALOG_VERSION);
	out->state = walpf_get_u32(bytes + OFF_STATE);
	out->checkpoint_lsn = walpf_get_u64(bytes + OFF_CHECKPOINT);
	out->redo_lsn = walpf_get_u64(copy + OFF_REDO);
	out->timeline = walpf_get_u32(copy + OFF_TIMELINE);
	out->block_size = walpf_get_u32(bytes + layout->block_size);
	out->blocks_per_file = walpf_get_u32(bytes + layout->block_size + 4);
	out->wal_block_size = walpf_get_u32(bytes + layout->wal_block_size);
	out->segment_bytes = walpf_get_u32(bytes + layout->wal_block_size + 4);
}

enum control_status control_parse(const uint8_t *bytes, size_t len, struct control *out)
{
	const struct layout *layout;

	memset(out, 0, sizeof(*out));
	if (len < OFF_VERSION + 4)
		return CONTROL_SHORT;
	out->version = walpf_get_u32(bytes + OFF_VERSION);
	layout = find_layout(out->version);
	if (!layout) {
		/* Versions are small numbers: these are small the other way. */
		if (out->version && !(out->version & 0xffff))
			return CONTROL_FOREIGN;
		return CONTROL_UNKNOWN;
	}
	if (len < layout->crc + 4U)
		return CONTROL_SHORT;
	if (!crc_matches(bytes, layout))
		return CONTROL_BAD_CRC;
	take_fields(bytes, layout, out);
	return CONTROL_OK;
}

int control_fits(const struct control *control, unsigned int major)
{
	const struct layout *layout = find_layout(control->version);

	return layout && major >= layout->major_first && major <= layout->major_last;
}

const char *control_state_name(uint32_t state)
{
	static const char * const names[] = {
		"starting up",
		"shut down",
		"shut down in recovery",
		"shutting down",
		"in crash recovery",
		"in archive recovery",
		"in production",
	};

	return state < sizeof(names) / sizeof(names[0]) ? names[state] : "unrecognized status code";
}

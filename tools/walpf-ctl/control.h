/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PostgreSQL's pg_control as bytes: offsets by version, CRC. Opens nothing.
 */
#ifndef WALPF_CTL_CONTROL_H
#define WALPF_CTL_CONTROL_H

#include <stddef.h>
#include <stdint.h>

/* The file is padded with zero bytes to this in all versions. */
#define CONTROL_FILE_BYTES 8192

struct control {
	uint64_t system_id;
	uint32_t version;		/* of pg_control, such as 1300 */
	uint32_t catalog_version;
	uint32_t state;
	uint32_t block_size;
	uint32_t blocks_per_file;
	uint32_t wal_block_size;
	uint32_t segment_bytes;
	uint64_t checkpoint_lsn;
	uint64_t redo_lsn;
	uint32_t timeline;
};

enum control_status {
	CONTROL_OK,
	CONTROL_SHORT,
	CONTROL_FOREIGN,	/* another byte order */
	CONTROL_UNKNOWN,	/* a version that is not in the table */
	CONTROL_BAD_CRC,
};

/**
 * control_parse() - read the bytes of a pg_control
 * @bytes: the file's content
 * @len: how much of it there is
 * @out: filled on CONTROL_OK; version is set for all but CONTROL_SHORT
 */
enum control_status control_parse(const uint8_t *bytes, size_t len, struct control *out);

/**
 * control_fits() - does this major version write this pg_control version?
 */
int control_fits(const struct control *control, unsigned int major);

/**
 * control_state_name() - the state in pg_controldata's words
 */
const char *control_state_name(uint32_t state);

#endif

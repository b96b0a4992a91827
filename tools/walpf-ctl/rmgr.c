// SPDX-License-Identifier: GPL-2.0-only
/*
 * The built-in resource managers are the same from 9.6 to 18, 19's betas add
 * one; the upper half is for extensions, which give theirs no name in WAL.
 */
#include <stdio.h>

#include "rmgr.h"

#define RMGR_MIN_CUSTOM 128

static const char * const builtin[] = {
	"XLOG", "Transaction", "Storage", "CLOG", "Database", "Tablespace", "MultiXact",
	"RelMap", "Standby", "Heap2", "Heap", "Btree", "Hash", "Gin", "Gist", "Sequence",
	"SPGist", "BRIN", "CommitTs", "ReplicationOrigin", "Generic", "LogicalMessage",
	"XLOG2",
};

const char *rmgr_name(u8 id)
{
	static char custom[256 - RMGR_MIN_CUSTOM][sizeof("custom255")];
	char *name;

	if (id < sizeof(builtin) / sizeof(*builtin))
		return builtin[id];
	if (id < RMGR_MIN_CUSTOM)
		return "unknown";
	name = custom[id - RMGR_MIN_CUSTOM];
	if (!*name)
		snprintf(name, sizeof(*custom), "custom%03u", id);
	return name;
}

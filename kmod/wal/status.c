// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names and texts of the decoder's statuses.
 */
#include "status.h"

static const char * const names[] = {
#define X(name, text) [WALPF_WAL_##name] = #name,
	WALPF_WAL_STATUSES(X)
#undef X
};

static const char * const texts[] = {
#define X(name, text) [WALPF_WAL_##name] = text,
	WALPF_WAL_STATUSES(X)
#undef X
};

const char *walpf_wal_status_name(enum walpf_wal_status status)
{
	return (u32)status < WALPF_WAL_NR_STATUSES ? names[status] : "UNKNOWN";
}

const char *walpf_wal_status_text(enum walpf_wal_status status)
{
	return (u32)status < WALPF_WAL_NR_STATUSES ? texts[status] : "unknown";
}

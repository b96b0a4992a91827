/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of PostgreSQL's resource managers (access/rmgrlist.h).
 */
#ifndef WALPF_CTL_RMGR_H
#define WALPF_CTL_RMGR_H

#include "wal/types.h"

/* As pg_waldump prints it; "custom131" for an extension's. A constant. */
const char *rmgr_name(u8 id);

#endif

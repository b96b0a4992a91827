/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * References that a heap record does not name but whose redo reads: pages
 * of the visibility map and leaves of the free space map. Only those that
 * are certain from the record alone: whether an insert or update touches
 * the free space map depends on the page's free space, so it yields none.
 */
#ifndef WALPF_WAL_IMPLIED_H
#define WALPF_WAL_IMPLIED_H

#include "record.h"

/**
 * walpf_record_imply() - append the implied references
 * @rec: a parsed record with its main data's first bytes; refs and nr_refs
 *	grow by at most WALPF_MAX_IMPLIED
 */
void walpf_record_imply(struct walpf_wal_record *rec);

#endif

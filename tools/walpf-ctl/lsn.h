/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Positions in WAL as people write them: two hexadecimal numbers, 0/0198A2F8.
 */
#ifndef WALPF_CTL_LSN_H
#define WALPF_CTL_LSN_H

#include "wal/types.h"

/* For printf(): the format, and the arguments for it. */
#define LSN_FMT "%X/%08X"
#define LSN_ARGS(lsn) (unsigned int)((lsn) >> 32), (unsigned int)(lsn)

/**
 * lsn_parse() - read a position
 * @text: such as "0/198A2F8"
 * @lsn: filled on success
 *
 * Return: false if @text is no position.
 */
bool lsn_parse(const char *text, u64 *lsn);

#endif

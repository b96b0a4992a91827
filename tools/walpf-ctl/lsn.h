/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Positions in WAL as people write them: two hexadecimal numbers, 0/0198A2F8.
 */
#ifndef WALPF_CTL_LSN_H
#define WALPF_CTL_LSN_H

#include "wal/types.h"

/* Two numbers of eight digits, the slash, the ending NUL. */
#define LSN_TEXT_BYTES 18

/**
 * lsn_format() - write a position
 * @text: LSN_TEXT_BYTES
 *
 * Return: @text.
 */
char *lsn_format(char *text, u64 lsn);

/* The same into a place that lasts as long as the block it is used in. */
#define LSN_TEXT(lsn) lsn_format((char[LSN_TEXT_BYTES]) { "" }, lsn)

/**
 * lsn_parse() - read a position
 * @text: such as "0/198A2F8"
 * @lsn: filled on success
 *
 * Return: false if @text is no position.
 */
bool lsn_parse(const char *text, u64 *lsn);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small files as a whole.
 */
#ifndef WALPF_CTL_SLURP_H
#define WALPF_CTL_SLURP_H

#include <stddef.h>

/**
 * slurp() - the whole of a regular file
 * @fd: closed; below 0, there is none
 * @bytes: how many there are
 *
 * Return: the bytes with a NUL behind them, for the caller to free; NULL if
 * there is no such file, or it is over 1 MB.
 */
char *slurp(int fd, size_t *bytes);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lesser and the greater of two numbers, for objects that build without the
 * kernel's min() and max() as well. Pure.
 */
#ifndef WALPF_LEAST_H
#define WALPF_LEAST_H

#include "wal/types.h"

static inline u64 least(u64 a, u64 b)
{
	return a < b ? a : b;
}

static inline u64 most(u64 a, u64 b)
{
	return a > b ? a : b;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mixing step of the hashes. Pure.
 */
#ifndef WALPF_FOLD_H
#define WALPF_FOLD_H

#include "wal/types.h"

/* Each bit of the result depends on all bits of the two, if one is secret. */
static inline u64 walpf_fold(u64 a, u64 b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (u64)product ^ (u64)(product >> 64);
}

#endif

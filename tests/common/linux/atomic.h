/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In userspace: the kernel's atomic operations that the module's pure parts use,
 * with the same ordering.
 */
#ifndef WALPF_TESTS_ATOMIC_H
#define WALPF_TESTS_ATOMIC_H

#include "wal/types.h"

#define READ_ONCE(x)			__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)		__atomic_store_n(&(x), v, __ATOMIC_RELAXED)

/* Who acquires what was released sees all that was written before. */
#define smp_load_acquire(p)		__atomic_load_n(p, __ATOMIC_ACQUIRE)
/* The other half of it. */
#define smp_store_release(p, v)		__atomic_store_n(p, v, __ATOMIC_RELEASE)

/* Gives the value that was there, and has replaced it if that is @from. */
static inline u64 cmpxchg(u64 *p, u64 from, u64 to)
{
	__atomic_compare_exchange_n(p, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return from;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the fuzz targets hold the decoder to, whatever the bytes are. Aborts
 * when it does not hold, which is what libFuzzer reports.
 */
#ifndef WALPF_TESTS_JUDGE_H
#define WALPF_TESTS_JUDGE_H

#include "drain.h"

#include <stdio.h>
#include <stdlib.h>

#define must(condition)							\
do {									\
	if (!(condition)) {						\
		fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #condition); \
		abort();						\
	}								\
} while (0)

/**
 * judge() - decode twice, whole and in pieces, and check all that is given out
 * @bytes: the WAL; page aligned
 * @start_lsn: for walpf_wal_start(); not before @bytes
 * @piece: longest piece of the second run; 0: leave it out
 *
 * Return: how many records were given out.
 */
size_t judge(const struct wal_bytes *bytes, u64 start_lsn, size_t piece);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * WAL with a bit of everything in it, for tests that look for what must hold
 * of any WAL: short and long records, images, page births, records that fill
 * pages exactly, given-up ones, switches and new timelines.
 */
#ifndef WALPF_TESTS_WALMIX_H
#define WALPF_TESTS_WALMIX_H

#include "drain.h"
#include "walgen.h"

/* Append about @bytes of WAL. */
void walmix(struct walgen *gen, struct rng *rng, size_t bytes);

#endif

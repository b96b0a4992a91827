/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every cmocka program here includes: cmocka with the headers that it
 * wants before it, and assertions on the decoder's statuses that show names.
 */
#ifndef WALPF_TESTS_CHECK_H
#define WALPF_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wal/status.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* The names are compared, so that a failure shows them. */
#define assert_status(got, want)					\
	assert_string_equal(walpf_wal_status_name(got),			\
			    walpf_wal_status_name(WALPF_WAL_##want))

#endif

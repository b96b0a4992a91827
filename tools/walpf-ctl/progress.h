/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line on a terminal's standard error that tells how far a long job is.
 */
#ifndef WALPF_CTL_PROGRESS_H
#define WALPF_CTL_PROGRESS_H

#include "wal/types.h"

/**
 * progress_start() - show progress from now on, if anybody can see it
 * @total: bytes of the whole job
 *
 * Nothing is shown if standard error is no terminal, or the job is short.
 */
void progress_start(u64 total);

/* Say how many bytes are done; call it as often as you like. */
void progress_update(u64 done);

/* Take the line away, before something else is written to the terminal. */
void progress_clear(void);

/* Take it away for good. */
void progress_end(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The look-ahead worker of a cluster: reads WAL before replay does, decodes
 * it, plans, and has blocks fetched.
 */
#ifndef WALPF_LOOKAHEAD_H
#define WALPF_LOOKAHEAD_H

#include <linux/types.h>

struct walpf_cluster;

int walpf_lookahead_alloc(struct walpf_cluster *cl);
void walpf_lookahead_free(struct walpf_cluster *cl);

/**
 * walpf_lookahead_start() - start the worker
 * @cl: cluster whose parts are all allocated
 *
 * Return: 0 or an errno.
 */
int walpf_lookahead_start(struct walpf_cluster *cl);

/**
 * walpf_lookahead_stop() - end the worker, close its files, observe no reads
 * @cl: cluster; its worker need not have been started
 *
 * Waits for the I/O that the worker waits for.
 */
void walpf_lookahead_stop(struct walpf_cluster *cl);

/**
 * walpf_lookahead_kick() - wake the worker
 * @cl: cluster
 *
 * Any context, the probe handler's included.
 */
void walpf_lookahead_kick(struct walpf_cluster *cl);

/**
 * walpf_lookahead_progress() - replay read on: wake the worker if it is due
 * @cl: cluster
 * @lsn: position now
 * @jump: it went elsewhere
 *
 * For the probe handler.
 */
void walpf_lookahead_progress(struct walpf_cluster *cl, u64 lsn, bool jump);

/**
 * walpf_lookahead_written() - a file in pg_wal was written: the same
 * @cl: cluster
 */
void walpf_lookahead_written(struct walpf_cluster *cl);

/**
 * walpf_lookahead_resumed() - replay read a block: wake the worker if it had given up
 * @cl: cluster
 *
 * For the probe handler.
 */
void walpf_lookahead_resumed(struct walpf_cluster *cl);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many blocks may be in flight: so many that the device is busy, and no
 * more, for what queues there in front of the server's own requests makes
 * them wait. Pure arithmetic on latencies seen; builds in userspace too.
 */
#ifndef WALPF_WINDOW_H
#define WALPF_WINDOW_H

#include "wal/types.h"

/**
 * struct walpf_window - the bound in force
 * @blocks: the most that may be in flight now
 * @growing: it has not yet met its bound, so that each request is worth timing
 * @best_us: least latency seen, 0: none yet
 * @seen: requests since that is believed
 */
struct walpf_window {
	u32 blocks;
	bool growing;
	u32 best_us;
	u32 seen;
};

/**
 * walpf_window_init() - begin with a cautious bound and no knowledge
 * @w: uninitialised
 */
void walpf_window_init(struct walpf_window *w);

/**
 * walpf_window_seen() - a request came that was waited for
 * @w: window
 * @us: from asking until it came, in microseconds
 * @max: the operator's bound of @w->blocks
 */
void walpf_window_seen(struct walpf_window *w, u32 us, u32 max);

#endif

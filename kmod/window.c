// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device that serves requests side by side answers as fast with many of
 * them queued as with few: then the window grows. One that serves them one
 * after the other, or a limited number in a second, answers the slower the
 * more are queued: then it shrinks to where the queue is short.
 *
 * What the device can do is learned with few blocks in flight, and learned
 * anew now and then, for with many there is no telling.
 */
#include "window.h"

/* In blocks. A device that does 500 a second has the least of them done in 32 ms. */
#define WINDOW_FIRST	4
#define WINDOW_MIN	16

/*
 * Latencies below this are taken for no queue: a timer of 250 Hz, as in
 * device-mapper's delay, or a busy host adds that much by itself.
 */
#define HARMLESS_US	20000

/* The best latency is believed for so many timed requests. */
#define BELIEVED	4096

void walpf_window_init(struct walpf_window *w)
{
	w->blocks = WINDOW_FIRST;
	w->growing = true;
	w->best_us = 0;
	w->seen = 0;
}

static u32 shrunk(u32 blocks)
{
	u32 less = blocks - blocks / 8;

	return less > WINDOW_MIN ? less - 1 : WINDOW_MIN;
}

static u32 grown(const struct walpf_window *w)
{
	return w->growing ? w->blocks * 2 : w->blocks + w->blocks / 16 + 1;
}

void walpf_window_seen(struct walpf_window *w, u32 us, u32 max)
{
	if (w->seen++ >= BELIEVED)
		walpf_window_init(w);
	if (!w->best_us || us < w->best_us)
		w->best_us = us;
	if (us > HARMLESS_US + 2 * (u64)w->best_us) {
		w->growing = false;
		w->blocks = shrunk(w->blocks);
	} else {
		w->blocks = grown(w);
	}
	if (w->blocks >= max) {
		w->growing = false;
		w->blocks = max;
	}
}

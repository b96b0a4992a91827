// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device that serves requests side by side answers as fast with many of
 * them queued as with few: then the window grows. One that serves them one
 * after the other, or a limited number in a second, answers the slower the
 * more are queued: then it shrinks to where the queue is short.
 */
#include "window.h"

/* In blocks. A device that does 500 a second has the least of them done in 32 ms. */
#define WINDOW_FIRST	32
#define WINDOW_MIN	16

/*
 * Latencies below this are taken for no queue: a timer of 250 Hz, as in
 * device-mapper's delay, or a busy host adds that much by itself.
 */
#define HARMLESS_US	20000

/* The best latency is believed for about so many requests. */
#define MEMORY		1024

void walpf_window_init(struct walpf_window *w)
{
	w->blocks = WINDOW_FIRST;
	w->best_us = 0;
}

/* Rises slowly: a device that has become slower is not congested for ever. */
static void learn(struct walpf_window *w, u32 us)
{
	if (!w->best_us || us < w->best_us)
		w->best_us = us;
	else
		w->best_us += (us - w->best_us) / MEMORY + 1;
}

void walpf_window_seen(struct walpf_window *w, u32 us, u32 max)
{
	u32 blocks = w->blocks;

	learn(w, us);
	if (us > HARMLESS_US + 2 * w->best_us)
		blocks -= blocks / 8 + 1;
	else
		blocks += blocks / 16 + 1;
	if (blocks < WINDOW_MIN)
		blocks = WINDOW_MIN;
	w->blocks = blocks < max ? blocks : max;
}

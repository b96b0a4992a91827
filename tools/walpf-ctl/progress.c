// SPDX-License-Identifier: GPL-2.0-only
/*
 * The line of progress: rewritten in place a few times a second.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

/* A shorter job is done before anybody has read the line. */
#define SHORT_BYTES (256u << 20)

#define INTERVAL_MS 200

static u64 total_bytes;		/* 0: not shown */
static u64 next_ms;
static bool on_screen;

static u64 now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (u64)now.tv_sec * 1000 + (u64)now.tv_nsec / 1000000;
}

void progress_start(u64 total)
{
	if (total < SHORT_BYTES || !isatty(STDERR_FILENO))
		return;
	total_bytes = total;
	next_ms = now_ms() + INTERVAL_MS;
}

void progress_update(u64 done)
{
	u64 now;

	if (!total_bytes)
		return;
	now = now_ms();
	if (now < next_ms)
		return;
	next_ms = now + INTERVAL_MS;
	if (done > total_bytes)
		done = total_bytes;
	fprintf(stderr, "\r%3u %%  %llu of %llu MB\033[K", (unsigned int)(done * 100 / total_bytes),
		(unsigned long long)(done >> 20), (unsigned long long)(total_bytes >> 20));
	on_screen = true;
}

void progress_clear(void)
{
	if (on_screen)
		fputs("\r\033[K", stderr);
	on_screen = false;
}

void progress_end(void)
{
	progress_clear();
	total_bytes = 0;
}

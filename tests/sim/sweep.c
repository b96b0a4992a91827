// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sweep. A point is right if walpf with its controller takes at most 1 %
 * longer than no prefetch and than PostgreSQL's own, tuned. Where more memory or
 * a faster processor makes it more than CLIFF slower, there is a hole that the
 * controller fell into.
 */
#include <string.h>

#include "sweep.h"

#define SLOWER_MAX	1.01
#define CLIFF		1.10

/* shared_buffers as a part of the database, page cache the same, processor's time. */
static const double buffer_parts[] = { 0.01, 0.05, 0.2, 0.6 };
static const double cache_parts[] = { 0.03, 0.1, 0.3, 1.0 };
static const u32 cpus[] = { 50, 200, 800 };

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define DEVICES_MAX	8
#define FAILURES_MAX	100

struct point {
	struct sim_conf conf;
	double ms[SIM_NR_VARIANTS];
	struct sim_counters n;
	double quality;		/* against the best of the others, 1 and less: better */
};

static struct point points[DEVICES_MAX][NR(buffer_parts)][NR(cache_parts)][NR(cpus)];

static double best_other(const struct point *p)
{
	double best = p->ms[SIM_NONE];

	for (u32 i = 0; i < SIM_NR_VARIANTS; i++)
		if (i != SIM_GOVERN && i != SIM_CACHED && p->ms[i] < best)
			best = p->ms[i];
	return best;
}

static void run_point(struct point *p)
{
	for (u32 i = 0; i < SIM_NR_VARIANTS; i++) {
		struct sim_result res;

		p->conf.variant = i;
		sim_run(&p->conf, &res);
		p->ms[i] = res.ns / 1e6;
		if (i == SIM_GOVERN)
			p->n = res.counters;
	}
	p->quality = p->ms[SIM_GOVERN] / best_other(p);
}

static void print_point(const struct point *p)
{
	printf("%s\t%u\t%u\t%u", p->conf.device->name, p->conf.buffers, p->conf.cache,
	       p->conf.cpu_percent);
	for (u32 i = 0; i < SIM_NR_VARIANTS; i++)
		printf("\t%.1f", p->ms[i]);
	printf("\t%.3f\t%llu\t%llu\t%llu\t%llu\t%llu\n", p->quality,
	       (unsigned long long)p->n.fetched, (unsigned long long)p->n.late,
	       (unsigned long long)p->n.evicted, (unsigned long long)p->n.unused,
	       (unsigned long long)p->n.missed);
	fflush(stdout);
}

static void print_head(void)
{
	printf("device\tbuffers\tcache\tcpu");
	for (u32 i = 0; i < SIM_NR_VARIANTS; i++)
		printf("\t%s_ms", sim_variant_name(i));
	printf("\tquality\tfetched\tlate\tevicted\tunused\tmissed\n");
}

struct judge {
	u32 grid;
	int failures;
	int argc;
	char **argv;
};

static void fail(struct judge *judge, const struct point *p, const char *what, double by)
{
	judge->failures++;
	printf("FAILED %s %.3f: build/sim/sim run", what, by);
	for (int i = 0; i < judge->argc; i++)
		printf(" %s", judge->argv[i]);
	printf(" device=%s buffers=%u cache=%u cpu=%u\n", p->conf.device->name, p->conf.buffers,
	       p->conf.cache, p->conf.cpu_percent);
}

static void judge_point(struct judge *judge, const struct point *p)
{
	double none = p->ms[SIM_GOVERN] / p->ms[SIM_NONE];
	double tuned = p->ms[SIM_GOVERN] / p->ms[SIM_TUNED];

	if (none > SLOWER_MAX)
		fail(judge, p, "slower than none by", none);
	if (tuned > SLOWER_MAX)
		fail(judge, p, "slower than tuned by", tuned);
}

/* @more has more memory or a faster processor than @less. */
static void judge_pair(struct judge *judge, const struct point *less, const struct point *more)
{
	double by = more->ms[SIM_GOVERN] / less->ms[SIM_GOVERN];

	if (by > CLIFF)
		fail(judge, more, "slower than with less by", by);
}

static void judge_neighbours(struct judge *judge, u32 d, u32 b, u32 c, u32 p)
{
	const struct point *here = &points[d][b][c][p];

	if (b + judge->grid < NR(buffer_parts))
		judge_pair(judge, here, &points[d][b + judge->grid][c][p]);
	if (c + judge->grid < NR(cache_parts))
		judge_pair(judge, here, &points[d][b][c + judge->grid][p]);
	if (p + judge->grid < NR(cpus))
		judge_pair(judge, &points[d][b][c][p + judge->grid], here);
}

typedef void visit_fn(void *context, u32 d, u32 b, u32 c, u32 p);

static void visit_all(u32 grid, visit_fn *visit, void *context)
{
	for (u32 d = 0; device_kinds[d].name; d++)
		for (u32 b = 0; b < NR(buffer_parts); b += grid)
			for (u32 c = 0; c < NR(cache_parts); c += grid)
				for (u32 p = 0; p < NR(cpus); p += grid)
					visit(context, d, b, c, p);
}

static u32 part(u32 blocks, double of)
{
	u32 nr = blocks * of;

	return nr > 64 ? nr : 64;
}

static void visit_run(void *context, u32 d, u32 b, u32 c, u32 p)
{
	const struct sim_conf *base = context;
	struct point *point = &points[d][b][c][p];
	u32 blocks = trace_blocks(base->trace);

	point->conf = *base;
	point->conf.device = &device_kinds[d];
	point->conf.buffers = part(blocks, buffer_parts[b]);
	point->conf.cache = part(blocks, cache_parts[c]);
	point->conf.cpu_percent = cpus[p];
	run_point(point);
	print_point(point);
}

static void visit_judge(void *context, u32 d, u32 b, u32 c, u32 p)
{
	judge_point(context, &points[d][b][c][p]);
	judge_neighbours(context, d, b, c, p);
}

int sweep(const struct sim_conf *base, u32 grid, int argc, char **argv)
{
	struct judge judge = { .grid = grid, .argc = argc, .argv = argv };
	struct sim_conf conf = *base;

	print_head();
	visit_all(grid, visit_run, &conf);
	visit_all(grid, visit_judge, &judge);
	printf("# %d failures\n", judge.failures);
	return judge.failures < FAILURES_MAX ? judge.failures : FAILURES_MAX;
}

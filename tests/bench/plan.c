// SPDX-License-Identifier: GPL-2.0-only
/*
 * Figures of the block memory.
 *
 *	plan cost			nanoseconds per reference
 *	plan share [BUFFERS [CACHE%]]	errors as a function of the window's
 *					share of shared_buffers
 *
 * The second replays the loads of plan_load.c on the simulated server of
 * plan_server.c while the plan runs ahead of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "plan.h"
#include "plan_load.h"
#include "plan_server.h"

#define SEED		{ 0x243f6a8885a308d3ull, 0x13198a2e03707344ull }
#define LEAD		8192		/* references */
#define BYTES_PER_REF	100		/* of WAL */
#define WARM_UP		20		/* references, in multiples of shared_buffers */
#define MEASURED	20
#define EIGHTHS		8

struct waiting {
	struct load_ref ref;
	u8 verdict;
	bool device;		/* the fetch went to the device */
};

/* What went well and wrong while replay was in the measured part. */
struct tally {
	u64 refs;
	u64 reads;		/* by replay: not in shared_buffers */
	u64 slept;		/* of these: not in the page cache either */
	u64 skipped;		/* recent or pending */
	u64 wrong;		/* of these: not in shared_buffers */
	u64 missed;		/* of these: not in the page cache either */
	u64 asked;		/* fetch verdicts */
	u64 needless;		/* of these: it was in shared_buffers */
	u64 device;		/* fetches that went to the device */
	u64 wasted;		/* of these: needless */
};

struct run {
	const struct load_kind *kind;
	struct load load;
	struct server *server;
	struct walpf_plan plan;
	void *mem;
	struct waiting waiting[LEAD];
	struct tally tally;
};

static void die(const char *what)
{
	fprintf(stderr, "plan: %s\n", what);
	exit(1);
}

static struct walpf_wal_ref ref_of(u32 block, u8 flags)
{
	return (struct walpf_wal_ref){
		.rel = { 1663, 16384, 16385 },
		.block = block,
		.flags = flags,
	};
}

static void *plan_new(struct walpf_plan *plan, u64 buffers, u32 eighths)
{
	struct walpf_plan_conf conf = { .shared_buffers = buffers, .seed = SEED };
	size_t bytes = walpf_plan_size(&conf);
	void *mem = malloc(bytes);

	if (!mem)
		die("no memory");
	walpf_plan_init(plan, mem, bytes, &conf);
	if (eighths)
		walpf_plan_set_window(plan, buffers * eighths / EIGHTHS);
	return mem;
}

static void replay(struct run *run, const struct waiting *now, bool measured)
{
	bool content = now->ref.flags & (WALPF_REF_APPLY | WALPF_REF_INIT);
	enum server_source from = server_read(run->server, now->ref.block, content);
	struct tally *tally = &run->tally;

	for (u32 i = 0; i < run->kind->reads_per_ref; i++)
		server_read(run->server, load_random(&run->load, 8 * run->load.buffers), false);
	if (!measured || content)
		return;
	tally->refs++;
	tally->reads += from != SERVER_BUFFER;
	tally->slept += from == SERVER_DEVICE;
	if (now->verdict == WALPF_PLAN_FETCH) {
		tally->asked++;
		tally->needless += from == SERVER_BUFFER;
		tally->device += now->device;
		tally->wasted += now->device && from == SERVER_BUFFER;
	} else {
		tally->skipped++;
		tally->wrong += from != SERVER_BUFFER;
		tally->missed += from == SERVER_DEVICE;
	}
}

static void look_ahead(struct run *run, struct waiting *next, u64 step)
{
	u64 lsn = (step + LEAD + 1) * BYTES_PER_REF;
	u64 replay_lsn = step * BYTES_PER_REF;
	struct walpf_wal_ref ref;

	run->kind->next(&run->load, &next->ref);
	ref = ref_of(next->ref.block, next->ref.flags);
	next->verdict = walpf_plan_ref(&run->plan, &ref, lsn, replay_lsn);
	next->device = next->verdict == WALPF_PLAN_FETCH &&
		server_fetch(run->server, next->ref.block) == SERVER_DEVICE;
}

static double percent(u64 part, u64 of)
{
	return of ? 100.0 * part / of : 0;
}

static void print_tally(const char *name, u32 eighths, const struct tally *t)
{
	printf("%-8s %u/8 %9.1f %9.2f %9.2f %9.3f %9.2f %9.2f\n", name, eighths,
	       percent(t->skipped, t->refs), percent(t->reads, t->refs),
	       percent(t->wrong, t->reads), percent(t->missed, t->reads),
	       percent(t->needless, t->asked),
	       percent(t->wasted, t->device - t->wasted + t->slept));
}

static void run_one(const struct load_kind *kind, u32 buffers, u32 cached, u32 eighths)
{
	struct run *run = calloc(1, sizeof(*run));
	u64 warm = (u64)WARM_UP * buffers;

	if (!run)
		die("no memory");
	run->kind = kind;
	load_init(&run->load, buffers);
	run->server = server_new(LOAD_BLOCKS(buffers), buffers, cached);
	run->mem = plan_new(&run->plan, buffers, eighths);
	for (u64 step = 0; step < warm + (u64)MEASURED * buffers; step++) {
		struct waiting *slot = &run->waiting[step % LEAD];

		if (step >= LEAD)
			replay(run, slot, step >= warm);
		look_ahead(run, slot, step);
	}
	print_tally(kind->name, eighths, &run->tally);
	free(run->mem);
	server_free(run->server);
	load_exit(&run->load);
	free(run);
}

static void bench_share(u32 buffers, u32 cache_percent)
{
	u32 cached = (u64)buffers * cache_percent / 100;

	printf("# shared_buffers %u blocks, page cache %u blocks, lead %u references\n",
	       buffers, cached, LEAD);
	for (u32 i = 0; i < load_nr_kinds; i++)
		printf("# %s: %s\n", load_kinds[i].name, load_kinds[i].text);
	printf("# skipped%%: skipped as recent or pending, of references without image or init\n"
	       "# reads%%: not in shared_buffers when replayed, of the same\n"
	       "# wrong%%: of these reads, skipped; missed%%: and not in the page cache either\n"
	       "# needless%%: of fetch verdicts, in shared_buffers when replayed\n"
	       "# extra%%: needless fetches that went to the device, of reads that had to go there\n");
	printf("%-8s %3s %9s %9s %9s %9s %9s %9s\n", "load", "win", "skipped%", "reads%",
	       "wrong%", "missed%", "needless%", "extra%");
	for (u32 i = 0; i < load_nr_kinds; i++)
		for (u32 eighths = 1; eighths <= EIGHTHS; eighths++)
			run_one(&load_kinds[i], buffers, cached, eighths);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

#define COST_REFS	(1u << 16)
#define COST_ROUNDS	256

/*
 * Every round is other blocks where @universe is large. The first half fills the
 * table; the least of the second is reported, as others disturb only upwards.
 */
static void cost_one(u64 buffers, const char *name, u32 universe)
{
	struct walpf_wal_ref *refs = malloc(COST_REFS * sizeof(*refs));
	struct walpf_plan plan;
	void *mem = plan_new(&plan, buffers, 0);
	struct load load;
	double best = 1e9;
	u64 lsn = 1;

	if (!refs)
		die("no memory");
	load_init(&load, 1);
	for (u32 round = 0; round < COST_ROUNDS; round++) {
		double start;

		for (u32 i = 0; i < COST_REFS; i++)
			refs[i] = ref_of(load_random(&load, universe), 0);
		start = seconds();
		for (u32 i = 0; i < COST_REFS; i++, lsn += BYTES_PER_REF)
			walpf_plan_ref(&plan, &refs[i], lsn, lsn - BYTES_PER_REF);
		if (round >= COST_ROUNDS / 2 && seconds() - start < best)
			best = seconds() - start;
	}
	printf("%8.1f MB  %-22s %6.1f ns\n", plan.bytes / 1048576.0, name,
	       best / COST_REFS * 1e9);
	load_exit(&load);
	free(mem);
	free(refs);
}

static void bench_cost(void)
{
	static const u64 buffers[] = { 16384, 1 << 20, 8 << 20 };

	for (u32 i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++) {
		cost_one(buffers[i], "never seen before", UINT32_MAX);
		cost_one(buffers[i], "half of them in window", buffers[i]);
		cost_one(buffers[i], "a thousand hot blocks", 1000);
	}
}

static u32 number(const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || end == text || !value || value > 1ul << 26)
		die("not a number that makes sense");
	return value;
}

int main(int argc, char **argv)
{
	if (argc >= 2 && argv[1][0] == 'c') {
		bench_cost();
		return 0;
	}
	if (argc < 2 || argv[1][0] != 's')
		die("usage: plan cost | plan share [BUFFERS [CACHE%]]");
	bench_share(argc > 2 ? number(argv[2]) : 16384, argc > 3 ? number(argv[3]) : 200);
	return 0;
}

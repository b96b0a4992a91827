// SPDX-License-Identifier: GPL-2.0-only
/*
 * The simulator's command line: words, then NAME=VALUE. See usage().
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "made.h"
#include "sweep.h"
#include "wal/stream.h"

#define LEAD_BYTES	(256u << 20)
#define BUDGET		32768u
#define INFLIGHT	256u

/* What may be given by name; numbers are plain. */
struct options {
	const char *wal;
	const char *made;
	const char *device;
	const char *variant;
	const char *log;
	u64 blocks;
	u64 mb;
	u64 spread;
	u64 buffers;
	u64 cache;
	u64 cpu;
	u64 lead;
	u64 budget;
	u64 inflight;
	u64 latency;
	u64 near;
	u64 touch;
	u64 learn;
	u64 window;
	u64 wait;
	u64 seed;
	u64 gb;
	u64 grid;
};

#define OPTION(name)	{ #name, offsetof(struct options, name) }

/* A member of a structure, by its name. */
struct named {
	const char *name;
	size_t at;
};

static const struct named words[] = {
	OPTION(wal), OPTION(made), OPTION(device), OPTION(variant), OPTION(log),
};

static const struct named numbers[] = {
	OPTION(blocks), OPTION(mb), OPTION(spread), OPTION(buffers), OPTION(cache), OPTION(cpu),
	OPTION(latency), OPTION(lead), OPTION(budget), OPTION(inflight), OPTION(near),
	OPTION(touch), OPTION(learn), OPTION(window), OPTION(wait), OPTION(seed), OPTION(gb),
	OPTION(grid),
};

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

static void usage(void)
{
	fputs("usage: sim run [NAME=VALUE...]    one recovery, by one or all variants\n"
	      "       sim sweep [NAME=VALUE...]  all devices, sizes and processors; fails on a cliff\n"
	      "       sim cost [NAME=VALUE...]   processor time of decoder, plan and controller\n"
	      "       sim long [NAME=VALUE...]   gb=100 of WAL, decoded anew in each repetition\n"
	      "wal=FOLDER of segments, or made=KIND over blocks=N; mb=N of WAL are replayed\n"
	      "spread=N        a database N times as large\n"
	      "device=KIND buffers=BLOCKS cache=BLOCKS cpu=PERCENT of a common processor's time\n"
	      "latency=MICROSECONDS instead of a device: what each read takes, however many there are\n"
	      "variant=NAME lead=BYTES budget=BLOCKS inflight=BLOCKS seed=N log=FILE\n"
	      "near=BYTES    walpf sorts only what is further ahead of replay\n"
	      "window=PERCENT of shared_buffers that the plan takes for kept\n"
	      "wait=N        with too much in flight walpf waits for a request that has an Nth\n"
	      "              of them before it\n"
	      "touch=1       walpf marks as accessed what it finds in the page cache\n"
	      "learn=0       the plan does not learn from its mistakes\n"
	      "grid=N        sweep only each N-th size and processor\n", stderr);
	for (u32 i = 0; made_kinds[i].name; i++)
		fprintf(stderr, "made=%-10s %s\n", made_kinds[i].name, made_kinds[i].text);
	for (u32 i = 0; device_kinds[i].name; i++)
		fprintf(stderr, "device=%-8s %s\n", device_kinds[i].name, device_kinds[i].text);
	exit(2);
}

static bool set_word(struct options *opt, const char *name, size_t len, const char *value)
{
	for (u32 i = 0; i < NR(words); i++) {
		if (strlen(words[i].name) != len || strncmp(words[i].name, name, len))
			continue;
		*(const char **)((char *)opt + words[i].at) = value;
		return true;
	}
	return false;
}

static bool set_number(struct options *opt, const char *name, size_t len, const char *value)
{
	for (u32 i = 0; i < NR(numbers); i++) {
		char *end;

		if (strlen(numbers[i].name) != len || strncmp(numbers[i].name, name, len))
			continue;
		*(u64 *)((char *)opt + numbers[i].at) = strtoull(value, &end, 10);
		return end != value && !*end;
	}
	return false;
}

static struct options parse(int argc, char **argv)
{
	struct options opt = {
		.made = "update", .device = "nvme",
		.blocks = 60000, .mb = 64, .spread = 1, .buffers = 4000, .cache = 20000,
		.cpu = 100, .wait = 4, .lead = LEAD_BYTES, .budget = BUDGET, .inflight = INFLIGHT,
		.seed = 1, .gb = 1, .grid = 1, .learn = 1,
	};

	for (int i = 2; i < argc; i++) {
		const char *equals = strchr(argv[i], '=');
		size_t len = equals ? (size_t)(equals - argv[i]) : 0;

		if (!equals || (!set_word(&opt, argv[i], len, equals + 1) &&
				!set_number(&opt, argv[i], len, equals + 1)))
			errx(2, "not understood: %s", argv[i]);
	}
	if (!opt.blocks || !opt.mb || !opt.spread || !opt.buffers || !opt.cache || !opt.inflight)
		errx(2, "a size must not be 0");
	return opt;
}

static void load(struct trace *trace, const struct options *opt)
{
	if (opt->wal)
		trace_load(trace, opt->wal, opt->spread);
	else
		trace_make(trace, opt->made, opt->blocks, opt->mb < 64 ? opt->mb : 64);
}

/* So many records as make @bytes of WAL. */
static u64 records_of(const struct trace *trace, u64 bytes)
{
	return (double)trace->nr_records * bytes / trace->span;
}

/* Any number of reads at a time, each in the same time: a device mapper's delay. */
static const struct device_kind *delay(u32 us)
{
	static struct device_kind kind = { .name = "delay", .units = DEVICE_UNITS_MAX };

	kind.fixed_us = us;
	return &kind;
}

static struct sim_conf conf_of(const struct trace *trace, const struct options *opt)
{
	return (struct sim_conf){
		.trace = trace,
		.records = records_of(trace, opt->mb << 20),
		.device = opt->latency ? delay(opt->latency) : device_find(opt->device),
		.buffers = opt->buffers,
		.cache = opt->cache,
		.cpu_percent = opt->cpu,
		.limits = { opt->lead, opt->budget },
		.device_limits = { .inflight = opt->inflight },
		.near_bytes = opt->near,
		.window = opt->window,
		.wait = opt->wait,
		.touch = opt->touch,
		.learn = opt->learn,
		.seed = opt->seed,
	};
}

static const struct named counters[] = {
#define X(name, text) { #name, offsetof(struct sim_counters, name) },
	SIM_COUNTERS(X)
#undef X
};

static void print_head(void)
{
	printf("variant\tms\tMB_per_s\trefs");
	for (u32 i = 0; i < NR(counters); i++)
		printf("\t%s", counters[i].name);
	printf("\tdevice_reads\tdevice_blocks\n");
}

static void print_result(enum sim_variant variant, const struct sim_result *res)
{
	printf("%s\t%.1f\t%.2f\t%llu", sim_variant_name(variant), res->ns / 1e6,
	       res->bytes / (res->ns / 1e9) / 1e6, (unsigned long long)res->refs);
	for (u32 i = 0; i < NR(counters); i++)
		printf("\t%llu", *(const unsigned long long *)((const char *)&res->counters +
								counters[i].at));
	printf("\t%llu\t%llu\n", (unsigned long long)res->device_reads,
	       (unsigned long long)res->device_blocks);
}

static void open_log(struct sim_conf *conf, const char *path)
{
	conf->log = fopen(path, "we");
	if (!conf->log)
		err(2, "%s", path);
	fputs("ms\tlead_ms\tlead_bytes\tbudget\tinflight\tlatency_us\treason\treplay_bytes\t"
	      "fetched\ttimely\tlate\tevicted\tmissed\n", conf->log);
}

static void run(const struct options *opt)
{
	struct trace trace;
	struct sim_conf conf;

	load(&trace, opt);
	conf = conf_of(&trace, opt);
	print_head();
	for (u32 i = 0; i < SIM_NR_VARIANTS; i++) {
		struct sim_result res;

		if (opt->variant && sim_variant_find(opt->variant) != i)
			continue;
		conf.variant = i;
		if (opt->log && i == SIM_GOVERN)
			open_log(&conf, opt->log);
		sim_run(&conf, &res);
		print_result(i, &res);
		if (conf.log)
			fclose(conf.log);
		conf.log = NULL;
	}
	trace_free(&trace);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static double cost_decode(const struct trace *trace)
{
	double from = seconds();

	if (trace_decode_again(trace) != trace->nr_refs)
		errx(1, "another number of references than before");
	return seconds() - from;
}

static double cost_plan(const struct trace *trace, const struct options *opt, size_t *bytes)
{
	const struct walpf_plan_conf conf = { .shared_buffers = opt->buffers, .seed = { 1, 2 } };
	struct walpf_plan plan;
	void *mem;
	double from;

	*bytes = walpf_plan_size(&conf);
	mem = sim_alloc(1, *bytes);
	walpf_plan_init(&plan, mem, *bytes, &conf);
	walpf_plan_resync(&plan, trace_lsn(trace, 0));
	from = seconds();
	for (u64 i = 0; i < trace->nr_records; i++)
		for (u32 k = 0; k < trace->records[i].nr_refs; k++) {
			struct walpf_wal_ref ref = trace_wal_ref(trace_ref_at(trace, i, k));

			walpf_plan_ref(&plan, &ref, trace_lsn(trace, i), 0);
		}
	from = seconds() - from;
	free(mem);
	return from;
}

#define GOVERN_CALLS	1000000u

static double cost_govern(void)
{
	const struct walpf_govern_limits limits = { LEAD_BYTES, BUDGET };
	struct walpf_govern_seen seen = {
		.ms = WALPF_GOVERN_EPOCH_MS, .replay_bytes = 1 << 20, .references = 2000,
		.fetched = 1000, .timely = 1000, .available = 1 << 20,
	};
	struct walpf_govern gov;
	double from = seconds();

	walpf_govern_init(&gov, &limits);
	for (u32 i = 0; i < GOVERN_CALLS; i++) {
		seen.late = i % 64;
		walpf_govern_epoch(&gov, &limits, &seen);
	}
	return seconds() - from;
}

static void cost(const struct options *opt)
{
	struct trace trace;
	size_t bytes;
	double decode, plan;

	load(&trace, opt);
	decode = cost_decode(&trace);
	plan = cost_plan(&trace, opt, &bytes);
	printf("records\t%llu\n", (unsigned long long)trace.nr_records);
	printf("references\t%llu\n", (unsigned long long)trace.nr_refs);
	printf("bytes_per_reference\t%.0f\n", (double)trace.span / trace.nr_refs);
	printf("decode_ns_per_reference\t%.1f\n", decode / trace.nr_refs * 1e9);
	printf("decode_MB_per_s\t%.0f\n", trace.span / decode / 1e6);
	printf("plan_ns_per_reference\t%.1f\n", plan / trace.nr_refs * 1e9);
	printf("govern_ns_per_epoch\t%.1f\n", cost_govern() / GOVERN_CALLS * 1e9);
	printf("plan_bytes\t%zu\n", bytes);
	printf("decoder_bytes\t%zu\n", sizeof(struct walpf_wal));
	printf("govern_bytes\t%zu\n",
	       sizeof(struct walpf_govern) + sizeof(struct walpf_govern_device));
	trace_free(&trace);
}

static long resident_kb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* Decoded as often as it is replayed, and memory must not grow. */
static int run_long(const struct options *opt)
{
	struct trace trace;
	struct sim_conf conf;
	struct sim_result res;
	u64 rounds;
	double decode = 0;
	long before;

	load(&trace, opt);
	rounds = (opt->gb << 30) / trace.span + 1;
	conf = conf_of(&trace, opt);
	conf.variant = SIM_GOVERN;
	conf.records = trace.nr_records;
	sim_run(&conf, &res);
	decode = cost_decode(&trace);
	before = resident_kb();
	for (u64 i = 1; i < rounds; i++)
		decode += cost_decode(&trace);
	conf.records = trace.nr_records * rounds;
	sim_run(&conf, &res);
	print_head();
	print_result(SIM_GOVERN, &res);
	printf("rounds\t%llu\n", (unsigned long long)rounds);
	printf("decode_MB_per_s\t%.0f\n", (double)trace.span * rounds / decode / 1e6);
	printf("resident_kB_before\t%ld\nresident_kB_after\t%ld\n", before, resident_kb());
	trace_free(&trace);
	return resident_kb() > before + before / 50;
}

static int run_sweep(const struct options *opt, int argc, char **argv)
{
	struct trace trace;
	struct sim_conf conf;
	int failed;

	load(&trace, opt);
	conf = conf_of(&trace, opt);
	failed = sweep(&conf, opt->grid, argc - 2, argv + 2);
	trace_free(&trace);
	return failed;
}

static int act(const char *what, const struct options *opt, int argc, char **argv)
{
	if (!strcmp(what, "sweep"))
		return run_sweep(opt, argc, argv);
	if (!strcmp(what, "long"))
		return run_long(opt);
	if (!strcmp(what, "cost"))
		cost(opt);
	else if (!strcmp(what, "run"))
		run(opt);
	else
		usage();
	return 0;
}

int main(int argc, char **argv)
{
	struct options opt;

	if (argc < 2)
		usage();
	opt = parse(argc, argv);
	return act(argv[1], &opt, argc, argv);
}

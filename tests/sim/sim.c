// SPDX-License-Identifier: GPL-2.0-only
/*
 * One simulated recovery from beginning to end.
 */
#include <err.h>
#include <string.h>

#include "sim.h"

static const char *const names[SIM_NR_VARIANTS] = {
#define X(NAME, name, text) [SIM_##NAME] = #name,
	SIM_VARIANTS(X)
#undef X
};

const char *sim_variant_name(enum sim_variant variant)
{
	return names[variant];
}

enum sim_variant sim_variant_find(const char *name)
{
	for (u32 i = 0; i < SIM_NR_VARIANTS; i++)
		if (!strcmp(names[i], name))
			return i;
	errx(2, "no such variant: %s", name);
}

void *sim_alloc(size_t nr, size_t size)
{
	/* WAL may name no block. */
	void *at = calloc(nr ? nr : 1, size);

	if (!at)
		err(2, "memory");
	return at;
}

u64 sim_replay_lsn(const struct sim *sim)
{
	return trace_lsn(sim->conf.trace, sim->index) & ~8191ull;
}

static bool has_worker(const struct sim *sim)
{
	return sim->conf.variant == SIM_FIXED || sim->conf.variant == SIM_GOVERN;
}

static void begin(struct sim *sim)
{
	u32 blocks = trace_blocks(sim->conf.trace);
	bool cached = sim->conf.variant == SIM_CACHED;

	device_init(&sim->device, sim->conf.device, blocks, sim->conf.seed);
	sim->buffers = buffers_new(blocks, sim->conf.buffers);
	sim->cache = cache_new(blocks, cached ? blocks : sim->conf.cache);
	for (u32 i = 0; cached && i < blocks; i++)
		cache_add(sim->cache, i);
	sim->ready_at = sim_alloc(blocks, sizeof(*sim->ready_at));
	sim->marks = sim_alloc(blocks, sizeof(*sim->marks));
	replay_init(sim);
	if (has_worker(sim))
		worker_init(sim);
}

static void end(struct sim *sim)
{
	if (sim->worker)
		worker_exit(sim);
	free(sim->pg.inflight);
	free(sim->ready_at);
	free(sim->marks);
	buffers_free(sim->buffers);
	cache_free(sim->cache);
}

void sim_run(const struct sim_conf *conf, struct sim_result *result)
{
	struct sim sim = { .conf = *conf };

	begin(&sim);
	while (sim.index < conf->records) {
		if (worker_now(&sim) <= sim.now) {
			worker_step(&sim);
			continue;
		}
		replay_step(&sim);
		if (sim.worker)
			worker_replayed(&sim);
	}
	*result = (struct sim_result){
		.ns = sim.now,
		.refs = sim.refs,
		.bytes = trace_lsn(conf->trace, sim.index) - trace_lsn(conf->trace, 0),
		.device_reads = sim.device.reads,
		.device_blocks = sim.device.read_blocks,
		.counters = sim.n,
	};
	end(&sim);
}

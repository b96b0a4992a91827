// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs of the decoder over memory. Every piece is a fresh allocation, freed
 * when it is used up, so that a sanitizer sees any byte read too much or too
 * late.
 */
#include "drain.h"
#include "wal/event.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

u64 rng_next(struct rng *rng)
{
	rng->state ^= rng->state << 13;
	rng->state ^= rng->state >> 7;
	rng->state ^= rng->state << 17;
	return rng->state;
}

u64 rng_below(struct rng *rng, u64 bound)
{
	return rng_next(rng) % bound;
}

void rng_seed(struct rng *rng)
{
	const char *env = getenv("SEED");
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	rng->state = env ? strtoull(env, NULL, 0) : (u64)now.tv_sec ^ (u64)now.tv_nsec << 20;
	if (rng->state == 0)
		rng->state = 1;
	printf("# repeat with SEED=0x%" PRIx64 "\n", rng->state);
	fflush(stdout);
}

static u64 mix(u64 digest, u64 v)
{
	digest = (digest ^ v) * 0x9e3779b97f4a7c15;
	return digest ^ digest >> 29;
}

static u64 mix_rel(u64 digest, struct walpf_wal_rel rel)
{
	return mix(mix(digest, (u64)rel.spc << 32 | rel.db), rel.rel);
}

static u64 mix_event(u64 digest, const struct walpf_wal_record *rec)
{
	struct walpf_wal_event event;
	u32 i;

	digest = mix(digest, walpf_record_event(rec, &event));
	digest = mix_rel(digest, event.rel);
	digest = mix(digest, (u64)event.block << 32 | (u32)event.fork << 1 | event.partial);
	digest = mix(digest, (u64)event.tli << 32 | event.prev_tli);
	digest = mix(digest, event.lsn);
	for (i = 0; i < event.nr_dropped; i++)
		digest = mix_rel(digest, walpf_event_dropped(&event, i));
	return digest;
}

static u64 digest_of(const struct walpf_wal_record *rec)
{
	u64 digest = mix(rec->prev_lsn, rec->tot_len);
	u32 i;

	digest = mix(digest, (u64)rec->xid << 16 | rec->info << 8 | rec->rmid);
	digest = mix(digest, (u64)rec->tli << 32 | rec->version->magic);
	digest = mix(digest, (u64)rec->main_len << 32 | rec->main_have);
	for (i = 0; i < rec->main_have; i++)
		digest = mix(digest, rec->main[i]);
	for (i = 0; i < rec->nr_refs; i++) {
		const struct walpf_wal_ref *ref = &rec->refs[i];

		digest = mix_rel(digest, ref->rel);
		digest = mix(digest, (u64)ref->block << 24 | ref->fork << 16 | ref->id << 8 |
			     ref->flags);
	}
	return mix_event(digest, rec);
}

static void keep(struct seen_list *seen, const struct walpf_wal_record *rec)
{
	if (seen->nr == seen->room) {
		seen->room = 2 * seen->room + 64;
		seen->at = realloc(seen->at, seen->room * sizeof(*seen->at));
		if (!seen->at)
			abort();
	}
	seen->at[seen->nr++] = (struct seen){
		.lsn = rec->lsn,
		.end_lsn = rec->end_lsn,
		.digest = digest_of(rec),
	};
}

void seen_free(struct seen_list *seen)
{
	free(seen->at);
	seen->at = NULL;
	seen->nr = 0;
}

size_t seen_from(const struct seen_list *seen, u64 lsn)
{
	size_t i;

	for (i = 0; i < seen->nr; i++)
		if (seen->at[i].lsn >= lsn)
			break;
	return i;
}

struct feeder {
	const struct wal_bytes *bytes;
	size_t piece;
	struct rng *rng;
	u8 *copy;
};

/* Gives the next piece; false if there is none. */
static bool feed(struct feeder *feeder, struct walpf_wal *wal)
{
	const struct wal_bytes *bytes = feeder->bytes;
	u64 at = walpf_wal_want(wal) - bytes->lsn;
	size_t len;

	free(feeder->copy);
	feeder->copy = NULL;
	if (walpf_wal_want(wal) < bytes->lsn || at >= bytes->len)
		return false;
	len = bytes->len - at;
	if (!feeder->piece) {
		walpf_wal_feed(wal, walpf_wal_want(wal), bytes->at + at, len);
		return true;
	}
	if (len > feeder->piece)
		len = feeder->piece;
	len = 1 + rng_below(feeder->rng, len);
	feeder->copy = malloc(len);
	if (!feeder->copy)
		abort();
	memcpy(feeder->copy, bytes->at + at, len);
	walpf_wal_feed(wal, walpf_wal_want(wal), feeder->copy, len);
	return true;
}

void drain(struct seen_list *seen, const struct wal_bytes *bytes, u64 start_lsn, size_t piece,
	   struct rng *rng)
{
	const struct walpf_wal_config cfg = { .seg_size = bytes->seg_size };
	struct feeder feeder = { .bytes = bytes, .piece = piece, .rng = rng };
	struct walpf_wal *wal = malloc(sizeof(*wal));

	if (!wal)
		abort();
	memset(seen, 0, sizeof(*seen));
	walpf_wal_init(wal, &cfg);
	walpf_wal_start(wal, start_lsn);
	for (;;) {
		enum walpf_wal_status status = walpf_wal_next(wal);

		if (status == WALPF_WAL_RECORD)
			keep(seen, &wal->rec);
		else if (status != WALPF_WAL_NEED || !feed(&feeder, wal))
			break;
	}
	seen->status = wal->status;
	seen->stop_lsn = wal->stop_lsn;
	free(feeder.copy);
	free(wal);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl decode: from options to runs of WAL. What is read comes from
 * wal_source.c, what is printed goes through a sink (decode.h), how reading
 * ended is judged in decode_end.c.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctl.h"
#include "decode.h"
#include "decode_end.h"
#include "lsn.h"
#include "output.h"
#include "progress.h"
#include "wal/stream.h"
#include "wal_source.h"

static const struct ctl_option options[] = {
	{ 'r', "refs", NULL, "print one line for each block reference" },
	{ 'z', "stats", NULL, "print totals instead of records" },
	{ 'a', "all", NULL, "with --stats: name all relations" },
	{ 'j', "json", NULL, "print JSON" },
	{ 's', "start", "LSN", "skip records that begin before LSN" },
	{ 'e', "end", "LSN", "stop at the first record that ends behind LSN" },
	{ 'f', "follow", NULL, "go on as WAL is written, until a signal" },
	{ 0, NULL, NULL, NULL },
};

static const struct ctl_syntax syntax = {
	.operands = "PATH...",
	.about = "Print the records of WAL segment files, or of the newest timeline in pg_wal\n"
		 "directories, and which blocks they touch. Needs no module and no server.\n",
	.options = options,
};

struct request {
	u64 start;
	u64 end;
	bool refs, stats, all, json, follow;
};

struct decode {
	const struct request *request;
	const struct decode_sink *sink;
	const struct walpf_wal_version *version;	/* of the record before */
	struct wal_source src;
	struct decode_end end;
	struct walpf_wal wal;
};

static atomic_bool interrupted;

static void note_signal(int number)
{
	(void)number;
	interrupted = true;
}

/* Following ends by a signal, and what was gathered is still to be printed. */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = note_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

static int read_lsn(u64 *lsn, const char *option)
{
	if (lsn_parse(optarg, lsn))
		return CTL_DONE;
	return ctl_usage_error(optarg, "%s takes a position in WAL such as 0/198A2F8", option);
}

static int read_option(struct request *request, int letter)
{
	switch (letter) {
	case 'r':
		request->refs = true;
		break;
	case 'z':
		request->stats = true;
		break;
	case 'a':
		request->all = true;
		break;
	case 'j':
		request->json = true;
		break;
	case 'f':
		request->follow = true;
		break;
	case 's':
		return read_lsn(&request->start, "--start");
	default:
		return read_lsn(&request->end, "--end");
	}
	return CTL_DONE;
}

static int check_request(const struct request *request)
{
	if (request->refs && request->stats)
		return ctl_usage_error(NULL, "--refs and --stats exclude each other");
	if (request->all && !request->stats)
		return ctl_usage_error(NULL, "--all is for --stats");
	if (request->start >= request->end)
		return ctl_usage_error(NULL, "--end must be behind --start");
	return CTL_DONE;
}

static int read_request(struct request *request, int argc, char **argv)
{
	int letter, status;

	while ((letter = ctl_getopt(&syntax, argc, argv)) != -1) {
		status = read_option(request, letter);
		if (status != CTL_DONE)
			return status;
	}
	if (optind == argc)
		return ctl_usage_error(NULL, "name segment files or a pg_wal directory");
	return check_request(request);
}

static const struct decode_sink *choose_sink(const struct request *request)
{
	if (request->all)
		decode_stats_all();
	if (request->stats)
		return request->json ? &decode_stats_json : &decode_stats_text;
	if (request->refs)
		return request->json ? &decode_json_refs : &decode_text_refs;
	return request->json ? &decode_json_records : &decode_text_records;
}

/* Formats that no test here has met are decoded by their tables only. */
static void meet_version(struct decode *d, const struct walpf_wal_version *version)
{
	d->version = version;
	if (!version->run)
		ctl_note(NULL, "PostgreSQL %s: its WAL is decoded by what its sources say, "
			 "without having been tested against a server", version->name);
}

/* False behind the last record that was asked for. */
static bool take(struct decode *d, const struct walpf_wal_record *rec)
{
	if (rec->end_lsn > d->request->end)
		return false;
	if (rec->lsn < d->request->start)
		return true;
	if (rec->version != d->version)
		meet_version(d, rec->version);
	d->end.any = true;
	d->sink->record(rec);
	return true;
}

static enum wal_read feed(struct decode *d)
{
	u64 lsn = walpf_wal_want(&d->wal);
	const u8 *data;
	size_t len;
	enum wal_read got;

	if (interrupted)
		return WAL_READ_END;
	got = wal_source_read(&d->src, &d->end.run, lsn, &data, &len);
	if (got != WAL_READ_DATA)
		return got;
	walpf_wal_feed(&d->wal, lsn, data, len);
	progress_update(d->src.bytes_read);
	return got;
}

/* At an end that need not be the last word: try again if it may have moved. */
static bool try_again(struct decode *d, enum wal_read got)
{
	if (interrupted || got == WAL_READ_FAILED)
		return false;
	if (!d->end.follow)
		return decode_end_moved(&d->end, &d->src, &d->wal);
	if (!decode_end_may_move(&d->end, &d->src, &d->wal))
		return false;
	out_flush();
	wal_source_wait(&d->src, &d->end.run, walpf_wal_want(&d->wal));
	walpf_wal_retry(&d->wal);
	return true;
}

static int finish_run(struct decode *d, enum wal_read got)
{
	if (interrupted)
		return CTL_DONE;
	if (got == WAL_READ_FAILED)
		return CTL_FAILED;
	return decode_end_judge(&d->end, &d->src, &d->wal);
}

static int decode_run(struct decode *d)
{
	for (;;) {
		enum walpf_wal_status status = walpf_wal_next(&d->wal);
		enum wal_read got = WAL_READ_END;

		if (status == WALPF_WAL_RECORD) {
			if (!take(d, &d->wal.rec))
				return CTL_DONE;
			continue;
		}
		if (status == WALPF_WAL_NEED)
			got = feed(d);
		if (got != WAL_READ_DATA && !try_again(d, got))
			return finish_run(d, got);
	}
}

static int start_run(struct decode *d, const struct wal_run *run)
{
	struct walpf_wal_config cfg = { .seg_size = d->src.segs[run->first].size };
	u64 start = d->request->start & ~(u64)(WALPF_WAL_PAGE - 1);

	if (start < run->lsn)
		start = run->lsn;
	walpf_wal_init(&d->wal, &cfg);
	walpf_wal_start(&d->wal, start);
	decode_end_start(&d->end, run, start, d->request->follow && run->end == d->src.nr);
	return decode_run(d);
}

static bool in_range(const struct request *request, const struct wal_run *run)
{
	return run->end_lsn > request->start && run->lsn < request->end;
}

static u64 bytes_in_range(const struct request *request, const struct wal_run *run)
{
	u64 start = run->lsn > request->start ? run->lsn : request->start;
	u64 end = run->end_lsn < request->end ? run->end_lsn : request->end;

	return end - start;
}

static u64 count_bytes(const struct decode *d)
{
	struct wal_run run;
	u64 bytes = 0;
	size_t at;

	for (at = 0; at < d->src.nr; at = run.end) {
		run = wal_source_run(&d->src, at);
		if (in_range(d->request, &run))
			bytes += bytes_in_range(d->request, &run);
	}
	return bytes;
}

static int decode_runs(struct decode *d)
{
	size_t at, nr = d->src.nr;	/* a run that is followed adds to them */
	int status = CTL_DONE;
	struct wal_run run;
	bool again = false;

	for (at = 0; at < nr; at = run.end) {
		run = wal_source_run(&d->src, at);
		if (!in_range(d->request, &run))
			continue;
		if (again)
			ctl_note(d->src.segs[at].path, "does not adjoin %s: "
				 "decoding begins anew", d->src.segs[at - 1].path);
		again = true;
		status |= start_run(d, &run);
	}
	return status;
}

static int fail_range(const struct decode *d)
{
	struct wal_run first = wal_source_run(&d->src, 0);

	return ctl_fail(NULL, "no file given has WAL of that range "
			"(the first of them goes from %s to %s)",
			LSN_TEXT(first.lsn), LSN_TEXT(first.end_lsn));
}

static int decode_source(struct decode *d)
{
	u64 bytes = count_bytes(d);
	int status;

	if (!bytes)
		return fail_range(d);
	/* Records on the same terminal would be mixed with the progress. */
	if (!d->request->follow && (d->request->stats || !isatty(STDOUT_FILENO)))
		progress_start(bytes);
	if (d->sink->begin)
		d->sink->begin();
	status = decode_runs(d);
	progress_end();
	if (d->sink->end)
		d->sink->end();
	return out_close() | status;
}

static int open_source(struct decode *d, char **paths, int nr)
{
	int status = wal_source_init(&d->src), i;

	for (i = 0; i < nr && status == CTL_DONE; i++)
		status = wal_source_add(&d->src, paths[i]);
	if (status == CTL_DONE && d->request->follow)
		status = wal_source_follow(&d->src);
	return status;
}

int cmd_decode(int argc, char **argv)
{
	struct request request = { .end = ~0ull };
	struct decode *d;
	int status;

	status = read_request(&request, argc, argv);
	if (status != CTL_DONE)
		return status;
	d = calloc(1, sizeof(*d));
	if (!d)
		return ctl_fail(NULL, "not enough memory");
	d->request = &request;
	d->sink = choose_sink(&request);
	if (request.follow)
		catch_signals();
	status = open_source(d, argv + optind, argc - optind);
	if (status == CTL_DONE)
		status = decode_source(d);
	wal_source_exit(&d->src);
	free(d);
	return status;
}

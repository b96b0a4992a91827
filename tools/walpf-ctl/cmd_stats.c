// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl stats: the counters or histograms of a cluster or of all, once or
 * over and over.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "ctl.h"
#include "table.h"

static const struct ctl_option options[] = {
	{ 'H', "histograms", NULL, "print the histograms instead, without empty buckets" },
	{ 'j', "json", NULL, "print everything about them as JSON" },
	{ 'r', "raw", NULL, "no headings, fields separated by one blank" },
	{ 'w', "watch", "SECONDS", "print again and again, with what came per second" },
	{ 0, NULL, NULL, NULL },
};

static const struct ctl_syntax syntax = {
	.operands = "[NAME]",
	.about = "Show the counters or histograms of a cluster, or of all.\n",
	.options = options,
};

struct stats {
	const char *name;
	bool json, raw, histograms;
	double watch;		/* seconds, 0: once */
	struct clusters before;	/* with watch: what was there last time */
};

static const struct column columns[] = {
	{ "CLUSTER", false },
	{ "COUNTER", false },
	{ "VALUE", true },
	{ NULL, false },
};

static const struct column watch_columns[] = {
	{ "CLUSTER", false },
	{ "COUNTER", false },
	{ "VALUE", true },
	{ "PER_SECOND", true },
	{ NULL, false },
};

static const struct column histogram_columns[] = {
	{ "CLUSTER", false },
	{ "HISTOGRAM", false },
	{ "FROM", true },
	{ "COUNT", true },
	{ NULL, false },
};

static const struct cluster *find_cluster(const struct clusters *clusters, const char *name)
{
	for (size_t i = 0; i < clusters->n; i++)
		if (!strcmp(clusters->cluster[i].name, name))
			return &clusters->cluster[i];
	return NULL;
}

static void print_rate(struct table *table, const struct stats *stats,
		       const struct cluster *before, const struct item *counter)
{
	const struct item *old = before ? items_find(&before->counters, counter->name) : NULL;
	char text[32];

	/* After a reset there is less than before, and nothing to tell. */
	if (!old || old->number > counter->number)
		return;
	snprintf(text, sizeof(text), "%.0f",
		 (double)(counter->number - old->number) / stats->watch);
	table_text(table, 3, text);
}

static void print_cluster(struct table *table, const struct stats *stats,
			  const struct cluster *cluster)
{
	const struct cluster *before = find_cluster(&stats->before, cluster->name);

	for (size_t i = 0; i < cluster->counters.n; i++) {
		const struct item *counter = &cluster->counters.item[i];

		table_line(table);
		table_text(table, 0, cluster->name);
		table_text(table, 1, counter->name);
		table_number(table, 2, counter->number);
		if (stats->watch > 0)
			print_rate(table, stats, before, counter);
	}
}

static void print_table(const struct stats *stats, const struct clusters *clusters)
{
	struct table *table = table_new(stats->watch > 0 ? watch_columns : columns, stats->raw);

	for (size_t i = 0; i < clusters->n; i++)
		print_cluster(table, stats, &clusters->cluster[i]);
	table_end(table);
}

static void print_histogram(struct table *table, const char *name,
			    const struct histogram *histogram)
{
	for (size_t i = 0; i < histogram->n; i++) {
		if (!histogram->count[i])
			continue;
		table_line(table);
		table_text(table, 0, name);
		table_text(table, 1, histogram->name);
		table_number(table, 2, bucket_first(i));
		table_number(table, 3, histogram->count[i]);
	}
}

static void print_histograms(const struct stats *stats, const struct clusters *clusters)
{
	struct table *table = table_new(histogram_columns, stats->raw);

	for (size_t i = 0; i < clusters->n; i++) {
		const struct cluster *cluster = &clusters->cluster[i];

		for (size_t j = 0; j < cluster->histograms.n; j++)
			print_histogram(table, cluster->name, &cluster->histograms.histogram[j]);
	}
	table_end(table);
}

/* What is read now is what was before, next time. */
static enum ctl_exit show_once(struct stats *stats)
{
	struct clusters clusters;
	enum ctl_exit end = client_get(stats->name, &clusters);

	if (end == CTL_DONE && stats->json)
		end = table_json(&clusters);
	else if (end == CTL_DONE && stats->histograms)
		print_histograms(stats, &clusters);
	else if (end == CTL_DONE)
		print_table(stats, &clusters);
	clusters_free(&stats->before);
	stats->before = clusters;
	return end;
}

static void wait_until(struct timespec *next, double seconds)
{
	long whole = (long)seconds;

	next->tv_sec += whole;
	next->tv_nsec += (long)((seconds - (double)whole) * 1e9);
	if (next->tv_nsec >= 1000000000) {
		next->tv_sec++;
		next->tv_nsec -= 1000000000;
	}
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL) == EINTR)
		;
}

static enum ctl_exit show(struct stats *stats)
{
	bool clear_screen = stats->watch > 0 && !stats->json && !stats->raw && isatty(1);
	struct timespec next;
	enum ctl_exit end;

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (;;) {
		if (clear_screen)
			fputs("\033[H\033[2J", stdout);
		end = show_once(stats);
		if (end != CTL_DONE || stats->watch <= 0 || fflush(stdout) || ferror(stdout))
			break;
		wait_until(&next, stats->watch);
		if (!clear_screen && !stats->json)
			putchar('\n');
	}
	clusters_free(&stats->before);
	return end;
}

/* From a tenth of a second to a day. */
static bool parse_seconds(const char *text, double *out)
{
	char *end;

	*out = strtod(text, &end);
	return end != text && !*end && *out >= 0.1 && *out <= 86400;
}

int cmd_stats(int argc, char **argv)
{
	struct stats stats = { 0 };
	enum ctl_exit end;
	int letter;

	while ((letter = ctl_getopt(&syntax, argc, argv)) != -1) {
		stats.json |= letter == 'j';
		stats.histograms |= letter == 'H';
		stats.raw |= letter == 'r';
		if (letter == 'w' && !parse_seconds(optarg, &stats.watch))
			return ctl_usage_error(optarg, "not a number of seconds from 0.1 to 86400");
	}
	if (optind + 1 < argc)
		return ctl_usage_error(argv[optind + 1], "takes the name of one cluster, or none "
				       "for all");
	stats.name = argv[optind];
	end = client_open();
	if (end == CTL_DONE)
		end = show(&stats);
	client_close();
	return end;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * readcost [--startup] FILE SIZE
 *
 * For each line of standard input, reads FILE from its beginning in pieces of
 * SIZE bytes and prints the processor time of one read, in nanoseconds: the
 * median over runs of READS of them. In a guest whose time is instructions
 * (tests/vm/boot -I) a nanosecond is one, and the median leaves out the runs
 * into which the clock's tick fell.
 *
 * --startup: read in a child that looks like the startup process of the
 * cluster whose data directory is the current one.
 */
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define READS		100
#define RUNS_MAX	1000
#define SIZE_MAX_BYTES	65536

static const char title[] = "postgres: startup";

static double cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Asking for the time costs something as well: @reads may be 0. */
static double one_run(int fd, off_t at, size_t size, int reads)
{
	static char piece[SIZE_MAX_BYTES];
	double start = cpu_ns();
	int i;

	for (i = 0; i < reads; i++)
		if (pread(fd, piece, size, at + i * size) != (ssize_t)size)
			err(1, "pread");
	return cpu_ns() - start;
}

static double median_run(int fd, size_t size, int reads, int runs)
{
	static double ns[RUNS_MAX];
	int i;

	for (i = 0; i < runs; i++)
		ns[i] = one_run(fd, (off_t)i * reads * size, size, reads);
	qsort(ns, runs, sizeof(ns[0]), compare);
	return ns[runs / 2];
}

static void serve(const char *path, size_t size)
{
	int fd = open(path, O_RDONLY);
	char line[16];
	struct stat st;
	int runs;

	if (fd < 0 || fstat(fd, &st))
		err(1, "%s", path);
	runs = st.st_size / (size * READS);
	if (runs < 3)
		errx(1, "%s: too short", path);
	if (runs > RUNS_MAX)
		runs = RUNS_MAX;
	while (fgets(line, sizeof(line), stdin)) {
		double clock_ns = median_run(fd, size, 0, runs);

		printf("%.2f\n", (median_run(fd, size, READS, runs) - clock_ns) / READS);
		fflush(stdout);
	}
}

/* PostgreSQL writes its title over the arguments, too. */
static void set_title(int argc, char **argv)
{
	size_t room = argv[argc - 1] + strlen(argv[argc - 1]) - argv[0];

	if (room < sizeof(title))
		errx(1, "the arguments leave no room for a title");
	memset(argv[0], 0, room);
	memcpy(argv[0], title, sizeof(title));
}

int main(int argc, char **argv)
{
	bool startup = argc == 4 && !strcmp(argv[1], "--startup");
	char path[PATH_MAX], *end;
	size_t size;
	int status;

	if (argc != 3 + startup)
		errx(2, "usage: readcost [--startup] FILE SIZE");
	snprintf(path, sizeof(path), "%s", argv[argc - 2]);
	size = strtoul(argv[argc - 1], &end, 10);
	if (*end || !size || size > SIZE_MAX_BYTES)
		errx(2, "what size is %s?", argv[argc - 1]);
	if (!startup) {
		serve(path, size);
		return 0;
	}
	if (!fork()) {
		set_title(argc, argv);
		serve(path, size);
		exit(0);
	}
	wait(&status);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

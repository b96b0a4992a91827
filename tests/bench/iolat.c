// SPDX-License-Identifier: GPL-2.0-only
/*
 * iolat [-n BLOCKS] [-t SECONDS] [-a] FILE
 *
 * Measures how long reads and writes of a file's first BLOCKS blocks take
 * while they are in the page cache: one thread reads, one writes what is there
 * already, each with a pause after every block. With -a a third one advises
 * random other blocks as fast as it can, to be in their way. Prints JSON.
 *
 * Nobody else may write these blocks meanwhile. An access that waits, or whose
 * processor is given to somebody else, switches contexts. One that does not and
 * is slow all the same shows a machine, an emulated one perhaps, that stood
 * still: the two are told apart. A further thread reads a file in memory, which
 * tells how busy the machine is by itself.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BLOCK		8192
#define PAGE		4096
#define PAUSE_NS	1000000

struct latency {
	unsigned long ops;
	double sum;		/* milliseconds, as all that follows */
	double max;
	unsigned long switched;		/* how many let go of the processor */
	double switched_max;
};

struct job {
	pthread_t thread;
	const char *path;
	char *image;
	long blocks;
	double until;
	unsigned int seed;
	ssize_t (*access)(int fd, char *block, off_t offset);
	struct latency latency;
};

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static int open_file(const char *path)
{
	int fd = open(path, O_RDWR);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

static ssize_t read_block(int fd, char *block, off_t offset)
{
	char buf[BLOCK];

	(void)block;
	return pread(fd, buf, BLOCK, offset);
}

static ssize_t write_block(int fd, char *block, off_t offset)
{
	return pwrite(fd, block, BLOCK, offset);
}

static void account(struct latency *latency, double ms, bool switched)
{
	latency->ops++;
	latency->sum += ms;
	if (ms > latency->max)
		latency->max = ms;
	if (!switched)
		return;
	latency->switched++;
	if (ms > latency->switched_max)
		latency->switched_max = ms;
}

static void measure_one(struct job *job, int fd)
{
	long block = rand_r(&job->seed) % job->blocks;
	long before = switches();
	double start = now_ms();

	if (job->access(fd, job->image + block * BLOCK, block * BLOCK) != BLOCK)
		err(1, "%s, block %ld", job->path, block);
	account(&job->latency, now_ms() - start, switches() != before);
}

static void *measure(void *arg)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	struct job *job = arg;
	int fd = open_file(job->path);

	while (now_ms() < job->until) {
		measure_one(job, fd);
		nanosleep(&pause, NULL);
	}
	close(fd);
	return NULL;
}

static void *advise(void *arg)
{
	struct job *job = arg;
	int fd = open_file(job->path);
	struct stat st;
	long others;

	if (fstat(fd, &st))
		err(1, "%s", job->path);
	others = st.st_size / BLOCK - job->blocks;
	if (others < 1)
		errx(1, "%s has no other blocks", job->path);
	while (now_ms() < job->until) {
		off_t block = job->blocks + rand_r(&job->seed) % others;

		posix_fadvise(fd, block * BLOCK, BLOCK, POSIX_FADV_WILLNEED);
		job->latency.ops++;
	}
	close(fd);
	return NULL;
}

static char *load(const char *path, size_t size)
{
	char *image = malloc(size);
	int fd = open_file(path);

	if (!image)
		err(1, "memory");
	if (pread(fd, image, size, 0) != (ssize_t)size)
		errx(1, "%s is too short, or cannot be read", path);
	close(fd);
	return image;
}

/* Otherwise the device was measured and not the cache. */
static bool is_cached(const char *path, size_t size)
{
	unsigned char *pages = malloc(size / PAGE);
	int fd = open_file(path);
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	bool cached = true;
	size_t i;

	if (!pages || map == MAP_FAILED || mincore(map, size, pages))
		err(1, "%s", path);
	for (i = 0; i < size / PAGE; i++)
		cached &= pages[i];
	munmap(map, size);
	close(fd);
	free(pages);
	return cached;
}

static long to_number(const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*end || value < 1)
		errx(2, "not a number above 0: %s", text);
	return value;
}

/* A file of the same size that no device and no other process has a part in. */
static const char *make_control(const char *image, size_t size)
{
	static char path[64];
	int fd = memfd_create("control", 0);

	if (fd < 0 || write(fd, image, size) != (ssize_t)size)
		err(1, "control");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static void run(struct job *job, void *(*work)(void *))
{
	if (pthread_create(&job->thread, NULL, work, job))
		errx(1, "no thread");
}

static void show(const char *name, const struct latency *l)
{
	printf("\"%s\":{\"ops\":%lu,\"avg_ms\":%.4f,\"max_ms\":%.2f,",
	       name, l->ops, l->sum / l->ops, l->max);
	printf("\"switched\":%lu,\"switched_max_ms\":%.2f},", l->switched, l->switched_max);
}

int main(int argc, char **argv)
{
	long blocks = 256, seconds = 10;
	bool advice = false;
	int option;

	while ((option = getopt(argc, argv, "n:t:a")) != -1) {
		if (option == 'n')
			blocks = to_number(optarg);
		else if (option == 't')
			seconds = to_number(optarg);
		else if (option == 'a')
			advice = true;
		else
			return 2;
	}
	if (optind != argc - 1)
		errx(2, "usage: iolat [-n BLOCKS] [-t SECONDS] [-a] FILE");

	const char *path = argv[optind];
	char *image = load(path, blocks * BLOCK);
	double until = now_ms() + seconds * 1e3;
	struct job reader = { 0, path, image, blocks, until, 1, read_block, {} };
	struct job writer = { 0, path, image, blocks, until, 2, write_block, {} };
	struct job control = { 0, make_control(image, blocks * BLOCK), image, blocks, until,
			       4, read_block, {} };
	struct job adviser = { 0, path, image, blocks, until, 3, NULL, {} };

	run(&reader, measure);
	run(&writer, measure);
	run(&control, measure);
	if (advice)
		run(&adviser, advise);
	pthread_join(reader.thread, NULL);
	pthread_join(writer.thread, NULL);
	pthread_join(control.thread, NULL);
	if (advice)
		pthread_join(adviser.thread, NULL);

	printf("{");
	show("read", &reader.latency);
	show("write", &writer.latency);
	show("control", &control.latency);
	printf("\"hints\":%lu,\"cached\":%s}\n", adviser.latency.ops,
	       is_cached(path, blocks * BLOCK) ? "true" : "false");
	return 0;
}

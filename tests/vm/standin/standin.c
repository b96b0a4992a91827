// SPDX-License-Identifier: GPL-2.0-only
/*
 * standin make [-b BLOCKS] [-n RECORDS] PGDATA
 * standin malign absurd|many|spaces|huge PGDATA
 * standin run [-u UID] [-P PID] [-p PACE-US] [-lRTW] PGDATA
 * standin read|churn PGDATA
 * standin mute PGDATA over:FILE|link:FILE|lock:WAL... -- COMMAND...
 *
 * A server that does nothing but replay, in no time: for tests that need
 * hundreds of its lives on slow machines. See standin.h; -l loops, -R starts a
 * startup process again when it was killed, -T leaves it without its title, -W has it
 * read no blocks. What is for tests with a hostile owner is in malice.c and mute.c.
 */
#include "standin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int usage(void)
{
	fputs("usage: standin make [-b BLOCKS] [-n RECORDS] PGDATA\n"
	      "       standin malign absurd|many|spaces|huge PGDATA\n"
	      "       standin run [-u UID] [-P PID] [-p PACE-US] [-lRTW] PGDATA\n"
	      "       standin read|churn PGDATA\n"
	      "       standin mute PGDATA over:FILE|link:FILE|lock:WAL... -- COMMAND...\n", stderr);
	return 2;
}

static unsigned int number(void)
{
	return strtoul(optarg, NULL, 10);
}

static int make(int argc, char **argv)
{
	unsigned int blocks = 256, records = 2000;
	int option;

	while ((option = getopt(argc, argv, "b:n:")) != -1) {
		switch (option) {
		case 'b':
			blocks = number();
			break;
		case 'n':
			records = number();
			break;
		default:
			return usage();
		}
	}
	if (optind + 1 != argc || !blocks)
		return usage();
	return standin_make(argv[optind], blocks, records);
}

/* The arguments and the environment lie behind each other; they become the title. */
static unsigned long area_of(char **argv, char **environ_)
{
	char **last = argv;

	while (last[1])
		last++;
	if (environ_[0]) {
		last = environ_;
		while (last[1])
			last++;
	}
	return *last + strlen(*last) - argv[0];
}

static int run(int argc, char **argv, char *area, unsigned long len)
{
	struct standin_server srv = { .title = 1 };
	int option;

	while ((option = getopt(argc, argv, "u:P:p:lRTW")) != -1) {
		switch (option) {
		case 'u':
			srv.uid = number();
			break;
		case 'P':
			srv.pid = number();
			break;
		case 'p':
			srv.pace_us = number();
			break;
		case 'l':
			srv.loop = 1;
			break;
		case 'R':
			srv.respawn = 1;
			break;
		case 'T':
			srv.title = 0;
			break;
		case 'W':
			srv.wal_only = 1;
			break;
		default:
			return usage();
		}
	}
	if (optind + 1 != argc)
		return usage();
	return standin_serve(argv[optind], &srv, area, len);
}

int main(int argc, char **argv, char **envp)
{
	unsigned long len = area_of(argv, envp);

	if (argc < 3)
		return usage();
	if (!strcmp(argv[1], "make"))
		return make(argc - 1, argv + 1);
	if (!strcmp(argv[1], "run"))
		return run(argc - 1, argv + 1, argv[0], len);
	if (!strcmp(argv[1], "read"))
		return standin_read(argv[2]);
	if (!strcmp(argv[1], "malign") && argc == 4)
		return standin_malign(argv[3], argv[2]);
	if (!strcmp(argv[1], "churn"))
		return standin_churn(argv[2]);
	if (!strcmp(argv[1], "mute"))
		return standin_mute(argv[2], argv + 3);
	return usage();
}

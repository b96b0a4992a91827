// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stand-in's processes. The postmaster starts the startup process, waits
 * for it, and takes it along when it is told to end. The startup process goes
 * through the script: it reads each page of WAL up to a record's end, then the
 * record's blocks, as PostgreSQL does, and at the end it looks for more WAL.
 * Reads that fail are no reason to stop: disks break in these tests.
 */
#include "standin.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	TAIL_US = 20000,
	BROKEN_US = 2000,	/* after a read that failed: no busy loop */
};

struct startup {
	const struct standin_server *srv;
	char *area;
	unsigned long area_len;
	uint64_t page_lsn;	/* of the page read last */
	uint64_t segment_lsn;	/* of the file that is open */
	int segment;
	int relation[STANDIN_RELATIONS];
	unsigned int looked_at;	/* relation whose file was looked at last */
};

static void show_title(const struct startup *st, uint64_t lsn)
{
	char name[STANDIN_NAME_LEN + 1];

	if (!st->srv->title)
		return;
	standin_segment_name(name, lsn);
	memset(st->area, 0, st->area_len);
	snprintf(st->area, st->area_len, "postgres: startup recovering %s", name);
}

static void open_segment(struct startup *st, uint64_t lsn)
{
	char path[64] = "pg_wal/";

	if (st->segment >= 0)
		close(st->segment);
	show_title(st, lsn);
	standin_segment_name(path + strlen(path), lsn);
	st->segment = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	st->segment_lsn = lsn;
}

static void read_page(struct startup *st, uint64_t lsn)
{
	uint64_t segment_lsn = lsn - lsn % STANDIN_SEGMENT;
	char page[STANDIN_PAGE];

	if (st->segment < 0 || segment_lsn != st->segment_lsn)
		open_segment(st, segment_lsn);
	if (pread(st->segment, page, sizeof(page), (off_t)(lsn - segment_lsn)) < 0)
		usleep(BROKEN_US);
	st->page_lsn = lsn;
}

/* All pages that bytes before @end_lsn lie on. */
static void read_wal(struct startup *st, uint64_t end_lsn)
{
	uint64_t last = (end_lsn - 1) / STANDIN_PAGE * STANDIN_PAGE;

	if (!st->page_lsn)
		read_page(st, last);
	while (st->page_lsn < last)
		read_page(st, st->page_lsn + STANDIN_PAGE);
}

static int relation_file(struct startup *st, unsigned int rel)
{
	int *fd = &st->relation[rel % STANDIN_RELATIONS];
	char path[64];

	if (*fd < 0) {
		snprintf(path, sizeof(path), "base/5/%u", rel);
		*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}
	return *fd;
}

static void close_relation(struct startup *st, unsigned int i)
{
	if (st->relation[i] >= 0)
		close(st->relation[i]);
	st->relation[i] = -1;
}

/* A server is told of a relation that was dropped, and lets go of it. */
static void let_go(struct startup *st)
{
	unsigned int i = ++st->looked_at % STANDIN_RELATIONS;
	struct stat file;

	if (st->relation[i] >= 0 && !fstat(st->relation[i], &file) && !file.st_nlink)
		close_relation(st, i);
}

static void read_block(struct startup *st, unsigned int rel, unsigned int block)
{
	int fd = relation_file(st, rel);
	char page[STANDIN_PAGE];

	if (pread(fd, page, sizeof(page), (off_t)block * STANDIN_PAGE) == sizeof(page))
		return;
	close_relation(st, rel % STANDIN_RELATIONS);
	usleep(BROKEN_US);
}

static uint64_t next_number(char **at, int base)
{
	return strtoull(*at, at, base);
}

static void go_through(struct startup *st, FILE *script)
{
	unsigned int references = 0, rel;
	char line[80], *at;

	st->page_lsn = 0;
	rewind(script);
	while (fgets(line, sizeof(line), script)) {
		at = line;
		read_wal(st, next_number(&at, 16));
		rel = next_number(&at, 10);
		if (!st->srv->wal_only) {
			read_block(st, rel, next_number(&at, 10));
			let_go(st);
		}
		if (st->srv->pace_us)
			usleep(st->srv->pace_us);
		references++;
	}
	/* Not even the script could be read. */
	if (!references)
		usleep(BROKEN_US);
}

static void wait_at_tail(struct startup *st)
{
	uint64_t lsn = st->page_lsn;

	for (;;) {
		usleep(TAIL_US);
		read_page(st, lsn);
	}
}

static int be_startup(struct startup *st)
{
	FILE *script = fopen(STANDIN_SCRIPT, "re");
	sigset_t none;

	if (!script)
		return standin_complain(STANDIN_SCRIPT);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (st->srv->uid && (setgid(st->srv->uid) || setuid(st->srv->uid)))
		return standin_complain("setuid");
	st->segment = -1;
	memset(st->relation, 0xff, sizeof(st->relation));
	show_title(st, STANDIN_START);
	do
		go_through(st, script);
	while (st->srv->loop);
	wait_at_tail(st);
	return 0;
}

/* fork(), with the process number that is asked for */
static pid_t fork_as(pid_t pid)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = pid ? (uintptr_t)&pid : 0,
		.set_tid_size = pid ? 1 : 0,
	};

	return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

static pid_t start(struct startup *st)
{
	pid_t pid = fork_as(st->srv->pid);

	if (!pid)
		_exit(be_startup(st));
	if (pid < 0)
		standin_complain("clone3");
	return pid;
}

/* Returns when the startup process has ended, and is to be started again. */
static int watch(pid_t child, const sigset_t *signals)
{
	int status, signal = 0;

	while (sigwait(signals, &signal) || signal == SIGCHLD)
		if (waitpid(child, &status, WNOHANG) == child)
			return 1;
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return 0;
}

int standin_serve(const char *pgdata, const struct standin_server *srv, char *area,
		  unsigned long len)
{
	struct startup st = { .srv = srv, .area = area, .area_len = len };
	struct rlimit no_core = { 0, 0 };
	sigset_t signals;
	pid_t child;

	/* @pgdata lies in the area of the title. */
	if (chdir(pgdata))
		return standin_complain(pgdata);
	setrlimit(RLIMIT_CORE, &no_core);
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGQUIT);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	do {
		child = start(&st);
		if (child < 0)
			return 1;
		if (!watch(child, &signals))
			return 0;
	} while (srv->respawn);
	return 1;
}

static void read_file(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	static char bytes[1 << 16];

	if (fd < 0)
		return;
	while (read(fd, bytes, sizeof(bytes)) > 0)
		continue;
	close(fd);
}

int standin_read(const char *pgdata)
{
	struct dirent *entry;
	DIR *dir;

	if (chdir(pgdata))
		return standin_complain(pgdata);
	for (;;) {
		dir = opendir("pg_wal");
		if (!dir) {
			usleep(TAIL_US);
			continue;
		}
		while ((entry = readdir(dir)))
			if (strlen(entry->d_name) == STANDIN_NAME_LEN)
				read_file(dirfd(dir), entry->d_name);
		closedir(dir);
		usleep(BROKEN_US);
	}
}

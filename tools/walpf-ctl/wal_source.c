// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads segments one after the other through one buffer. Files are opened
 * late and one at a time: a server may remove those that it has not reached.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ctl.h"
#include "wal_dir.h"
#include "wal_source.h"
#include "wal/page.h"

/* Large enough for few system calls, small enough for a processor's cache. */
#define BUFFER_BYTES (256u << 10)

/* Without any notice of a change, look again after this. */
#define LOOK_AGAIN_MS 500

/* After a notice, let the writer go on for a while: one look for many writes. */
#define SETTLE_NS 10000000

int wal_source_init(struct wal_source *src)
{
	memset(src, 0, sizeof(*src));
	src->fd = -1;
	src->watch = -1;
	src->buffer = malloc(BUFFER_BYTES);
	return src->buffer ? CTL_DONE : ctl_fail(NULL, "not enough memory");
}

static void close_file(struct wal_source *src)
{
	if (src->fd >= 0)
		close(src->fd);
	src->fd = -1;
}

void wal_source_exit(struct wal_source *src)
{
	size_t i;

	close_file(src);
	if (src->watch >= 0)
		close(src->watch);
	for (i = 0; i < src->nr; i++)
		free(src->segs[i].path);
	free(src->segs);
	free(src->buffer);
}

/* Takes over the paths of @segs. */
static int append(struct wal_source *src, const struct segment *segs, size_t nr)
{
	struct segment *grown = reallocarray(src->segs, src->nr + nr, sizeof(*grown));

	if (!grown)
		return ctl_fail(NULL, "not enough memory");
	memcpy(grown + src->nr, segs, nr * sizeof(*segs));
	src->segs = grown;
	src->nr += nr;
	return CTL_DONE;
}

static int add_directory(struct wal_source *src, const char *path)
{
	struct segment *segs;
	size_t nr;
	int status = wal_dir_list(path, &segs, &nr);

	if (status == CTL_DONE)
		status = append(src, segs, nr);
	free(segs);
	return status;
}

int wal_source_add(struct wal_source *src, const char *path)
{
	u32 size_hint = src->nr ? src->segs[src->nr - 1].size : 0;
	struct segment seg;
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return add_directory(src, path);
	if (segment_probe(&seg, path, size_hint) != CTL_DONE)
		return CTL_FAILED;
	return append(src, &seg, 1);
}

static bool adjoins(const struct segment *a, const struct segment *b)
{
	return b->size == a->size && b->lsn == a->lsn + a->size && b->tli >= a->tli;
}

struct wal_run wal_source_run(const struct wal_source *src, size_t first)
{
	struct wal_run run = { .first = first, .end = first + 1 };

	while (run.end < src->nr && adjoins(&src->segs[run.end - 1], &src->segs[run.end]))
		run.end++;
	run.lsn = src->segs[first].lsn;
	run.end_lsn = src->segs[run.end - 1].lsn + src->segs[first].size;
	return run;
}

static size_t index_of(const struct wal_source *src, const struct wal_run *run, u64 lsn)
{
	size_t at = run->first + (lsn - run->lsn) / src->segs[run->first].size;

	return at < run->end ? at : run->end - 1;
}

const struct segment *wal_source_segment(const struct wal_source *src, const struct wal_run *run,
					 u64 lsn)
{
	return &src->segs[index_of(src, run, lsn)];
}

static bool open_at(struct wal_source *src, size_t at)
{
	if (src->fd >= 0 && src->open == at)
		return true;
	close_file(src);
	src->fd = segment_open(src->segs[at].path, &src->fd_bytes);
	src->open = at;
	return src->fd >= 0;
}

u64 wal_source_length(struct wal_source *src, const struct wal_run *run, u64 lsn)
{
	return open_at(src, index_of(src, run, lsn)) ? src->fd_bytes : 0;
}

static ssize_t read_file(struct wal_source *src, u64 offset, void *data, size_t len)
{
	ssize_t n = pread(src->fd, data, len, (off_t)offset);

	if (n < 0)
		ctl_fail(src->segs[src->open].path, "cannot be read at byte %llu: %s",
			 (unsigned long long)offset, strerror(errno));
	return n;
}

enum wal_read wal_source_read(struct wal_source *src, const struct wal_run *run, u64 lsn,
			      const u8 **data, size_t *len)
{
	size_t at = index_of(src, run, lsn);
	const struct segment *seg = &src->segs[at];
	u64 offset = lsn - seg->lsn, left;
	ssize_t n;

	if (lsn >= run->end_lsn)
		return WAL_READ_END;
	if (!open_at(src, at))
		return WAL_READ_FAILED;
	left = seg->size - offset;
	n = read_file(src, offset, src->buffer, left < BUFFER_BYTES ? left : BUFFER_BYTES);
	if (n < 0)
		return WAL_READ_FAILED;
	if (n == 0)
		return WAL_READ_CUT;
	src->bytes_read += (u64)n;
	*data = src->buffer;
	*len = (size_t)n;
	return WAL_READ_DATA;
}

/* A page header that is where it says to be. */
static bool page_is_at(const u8 *head, u64 lsn)
{
	struct walpf_wal_page page;

	walpf_page_parse(&page, head);
	return walpf_wal_version_find(page.magic) && page.lsn == lsn;
}

/* The first page in place from @lsn on, in the segment that is open. */
static bool find_page(struct wal_source *src, u64 lsn, u64 *where)
{
	const struct segment *seg = &src->segs[src->open];
	u64 end = seg->lsn + seg->size;

	while (lsn < end) {
		u64 left = end - lsn;
		ssize_t n = pread(src->fd, src->buffer, left < BUFFER_BYTES ? left : BUFFER_BYTES,
				  (off_t)(lsn - seg->lsn));
		ssize_t i;

		for (i = 0; i + WALPF_PAGE_LONG_HEADER <= n; i += WALPF_WAL_PAGE) {
			*where = lsn + (u64)i;
			if (page_is_at(src->buffer + i, *where))
				return true;
		}
		if (n < WALPF_WAL_PAGE)
			return false;
		lsn += (u64)n & ~(u64)(WALPF_WAL_PAGE - 1);
	}
	return false;
}

bool wal_source_goes_on(struct wal_source *src, const struct wal_run *run, u64 lsn, u64 *where)
{
	struct walpf_wal_page page;
	size_t at;

	lsn = (lsn + WALPF_WAL_PAGE - 1) & ~(u64)(WALPF_WAL_PAGE - 1);
	if (lsn >= run->end_lsn)
		return false;
	at = index_of(src, run, lsn);
	if (open_at(src, at) && find_page(src, lsn, where))
		return true;
	if (++at >= run->end || !segment_peek(src->segs[at].path, &page))
		return false;
	*where = src->segs[at].lsn;
	return page.lsn == *where;
}

int wal_source_follow(struct wal_source *src)
{
	const char *path = src->segs[src->nr - 1].path;
	char *dir = segment_dir(path);
	int status = CTL_DONE;

	src->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	/* A file system may have no notices: the time limit is enough, then. */
	if (!dir || src->watch < 0)
		status = ctl_fail(path, "cannot be watched: %s", strerror(errno));
	else
		inotify_add_watch(src->watch, dir, IN_MODIFY | IN_CREATE | IN_MOVED_TO);
	free(dir);
	return status;
}

static void wait_for_notice(struct wal_source *src)
{
	static const struct timespec settle = { .tv_nsec = SETTLE_NS };
	struct pollfd watch = { .fd = src->watch, .events = POLLIN };
	char events[4096];

	if (poll(&watch, 1, LOOK_AGAIN_MS) <= 0)
		return;
	nanosleep(&settle, NULL);
	while (read(src->watch, events, sizeof(events)) > 0)
		;
}

/* The next segment, if its file is there by now. */
static void extend(struct wal_source *src, struct wal_run *run, const char *dir)
{
	const struct segment *last = &src->segs[run->end - 1];
	struct segment seg = { .lsn = run->end_lsn, .tli = last->tli, .size = last->size };

	if (!wal_dir_find(&seg, dir))
		return;
	if (append(src, &seg, 1) != CTL_DONE) {
		free(seg.path);
		return;
	}
	run->end++;
	run->end_lsn += seg.size;
}

/* After a promotion a newer timeline's file goes on in the same segment. */
static void renew(struct segment *seg, const char *dir)
{
	struct segment newer = *seg;

	newer.tli++;
	if (!wal_dir_find(&newer, dir))
		return;
	free(seg->path);
	*seg = newer;
}

void wal_source_wait(struct wal_source *src, struct wal_run *run, u64 lsn)
{
	char *dir;

	wait_for_notice(src);
	/* A restored file takes the place of another. */
	close_file(src);
	dir = segment_dir(src->segs[run->end - 1].path);
	if (!dir)
		return;
	if (lsn >= run->end_lsn)
		extend(src, run, dir);
	else
		renew(&src->segs[index_of(src, run, lsn)], dir);
	free(dir);
}

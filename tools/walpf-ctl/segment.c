// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens segment files and reads their first page header. Every way in which
 * a file can be no segment has a sentence of its own here.
 */
#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctl.h"
#include "lsn.h"
#include "segment.h"
#include "wal/segname.h"

/* What a walreceiver's or an archive's unfinished segment is called. */
#define PARTIAL_SUFFIX ".partial"

const char *segment_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *segment_dir(const char *path)
{
	size_t len = (size_t)(segment_base(path) - path);

	return len ? strndup(path, len) : strdup(".");
}

static int fail_open(const char *path)
{
	switch (errno) {
	case ENOENT:
		return ctl_fail(path, "does not exist: check the path");
	case EACCES:
	case EPERM:
		return ctl_fail(path, "may not be read: "
				"run as root or as the owner of the server's files");
	default:
		return ctl_fail(path, "cannot be opened: %s", strerror(errno));
	}
}

int segment_open(const char *path, u64 *bytes)
{
	/* O_NONBLOCK: a pipe without a writer would block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0) {
		fail_open(path);
		return -1;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
		*bytes = (u64)st.st_size;
		return fd;
	}
	close(fd);
	ctl_fail(path, "is no file: give segment files or a pg_wal directory");
	return -1;
}

/* The name up to a suffix; of unfinished segments, too. */
static bool parse_name(struct walpf_segname *name, const char *path, u32 size)
{
	const char *base = segment_base(path);
	char digits[WALPF_SEGNAME_LEN + 1];

	if (strlen(base) < WALPF_SEGNAME_LEN)
		return false;
	memcpy(digits, base, WALPF_SEGNAME_LEN);
	digits[WALPF_SEGNAME_LEN] = '\0';
	base += WALPF_SEGNAME_LEN;
	return (!*base || !strcmp(base, PARTIAL_SUFFIX)) &&
	       walpf_segname_parse(name, digits, size);
}

static int refuse_magic(const char *path, u16 magic)
{
	if (walpf_wal_version_find(bswap_16(magic)))
		return ctl_fail(path, "is WAL of a machine with the other byte order: "
				"decode it on one of that kind");
	return ctl_fail(path, "is no WAL segment of a known PostgreSQL version "
			"(it begins with %04X): give files of pg_wal, uncompressed", magic);
}

static int check_first_page(const char *path, const struct walpf_wal_page *page)
{
	if (!walpf_wal_version_find(page->magic))
		return refuse_magic(path, page->magic);
	if (page->header != WALPF_PAGE_LONG_HEADER)
		return ctl_fail(path, "does not begin with a segment's first page: "
				"give a whole segment file");
	if (page->blcksz != WALPF_WAL_PAGE)
		return ctl_fail(path, "has WAL pages of %u bytes: "
				"only the usual 8192 are supported", page->blcksz);
	if (!walpf_seg_size_valid(page->seg_size) || page->lsn % page->seg_size)
		return ctl_fail(path, "is damaged: its first page names a segment of %u bytes at "
				"%s: take it from another copy",
				page->seg_size, LSN_TEXT(page->lsn));
	return CTL_DONE;
}

/* Only its name tells where a file that was never written belongs. */
static int place_blank(struct segment *seg, u64 bytes, u32 size_hint)
{
	u32 size = size_hint ? size_hint : bytes <= WALPF_SEG_MAX ? (u32)bytes : 0;
	struct walpf_segname name;

	if (!walpf_seg_size_valid(size) || !parse_name(&name, seg->path, size))
		return ctl_fail(seg->path, "begins with zero bytes: no WAL was ever written to it");
	seg->lsn = name.segno * size;
	seg->tli = name.tli;
	seg->size = size;
	return CTL_DONE;
}

static int place(struct segment *seg, const u8 *head, u64 bytes, u32 size_hint)
{
	struct walpf_segname name;
	struct walpf_wal_page page;

	walpf_page_parse(&page, head);
	if (!page.magic)
		return place_blank(seg, bytes, size_hint);
	if (check_first_page(seg->path, &page) != CTL_DONE)
		return CTL_FAILED;
	if (bytes > page.seg_size)
		return ctl_fail(seg->path, "is longer (%llu bytes) than its segment size (%u): "
				"give one segment a file", (unsigned long long)bytes,
				page.seg_size);
	seg->size = page.seg_size;
	seg->lsn = page.lsn;
	seg->tli = page.tli;
	/* A recycled file's first page is of another place than its name. */
	if (parse_name(&name, seg->path, seg->size)) {
		seg->lsn = name.segno * seg->size;
		seg->tli = name.tli;
	}
	return CTL_DONE;
}

static int read_head(int fd, const char *path, u64 bytes, u8 *head)
{
	ssize_t n;

	if (!bytes)
		return ctl_fail(path, "is empty: give segment files as the server wrote them");
	n = pread(fd, head, WALPF_PAGE_LONG_HEADER, 0);
	if (n < 0)
		return ctl_fail(path, "cannot be read: %s", strerror(errno));
	if (n < WALPF_PAGE_LONG_HEADER)
		return ctl_fail(path, "is no WAL segment: it has only %zd bytes", n);
	return CTL_DONE;
}

int segment_probe(struct segment *seg, const char *path, u32 size_hint)
{
	u8 head[WALPF_PAGE_LONG_HEADER];
	u64 bytes;
	int fd, status;

	fd = segment_open(path, &bytes);
	if (fd < 0)
		return CTL_FAILED;
	status = read_head(fd, path, bytes, head);
	close(fd);
	if (status != CTL_DONE)
		return status;
	seg->path = strdup(path);
	if (!seg->path)
		return ctl_fail(path, "not enough memory");
	status = place(seg, head, bytes, size_hint);
	if (status != CTL_DONE)
		free(seg->path);
	return status;
}

bool segment_peek(const char *path, struct walpf_wal_page *page)
{
	u8 head[WALPF_PAGE_LONG_HEADER];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return false;
	n = pread(fd, head, sizeof(head), 0);
	close(fd);
	if (n != sizeof(head))
		return false;
	walpf_page_parse(page, head);
	return walpf_wal_version_find(page->magic) && page->header == WALPF_PAGE_LONG_HEADER;
}

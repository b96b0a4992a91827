// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads segments in pieces: asks the page cache for them first, waits for the
 * pages, and only then reads, so that the lock a file system takes for
 * reading is never held over I/O: the walreceiver writes to the same file.
 * Nor is that lock waited for: a writer whose memory is a file in user space may
 * keep it. Runs in a cluster's worker only. Believes nothing of what it reads.
 */
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/log2.h>
#include <linux/sizes.h>

#include "cluster.h"
#include "compat/pagecache.h"
#include "relfile.h"
#include "segment.h"
#include "startup.h"
#include "wal/page.h"
#include "wal/segname.h"

/* Asked for beyond the piece that is being read, once pieces are whole. */
#define AHEAD_BYTES	(2 * WALPF_SEGMENT_PIECE)

/* A writer is done with the lock long before so many milliseconds, one by one. */
#define TRIES		4

void walpf_segment_careful(struct walpf_segment *seg)
{
	seg->step = WALPF_WAL_PAGE;
}

void walpf_segment_close(struct walpf_segment *seg)
{
	if (!seg->file)
		return;
	__fput_sync(seg->file);
	seg->file = NULL;
}

/* One that is not a segment size is cut, or being made, which is not for us to judge. */
static bool has_other_size(const struct walpf_segment *seg, const struct file *file)
{
	loff_t size = i_size_read(file_inode(file));

	return size >= SZ_1M && is_power_of_2(size) && size != seg->cl->conf.seg_size;
}

static int open_segment(struct walpf_segment *seg, const struct walpf_anchor *anchor)
{
	struct walpf_segname id = { .tli = seg->tli, .segno = seg->segno };
	char name[WALPF_SEGNAME_LEN + 1];
	struct file *file;
	struct path dir;
	int err;

	err = walpf_pg_wal_path(seg->cl, anchor, &dir);
	if (err)
		return err;
	walpf_segname_format(name, &id, seg->cl->conf.seg_size);
	file = walpf_file_open(seg->cl, &dir, name);
	path_put(&dir);
	if (IS_ERR(file))
		return PTR_ERR(file);
	if (has_other_size(seg, file)) {
		__fput_sync(file);
		return -EFBIG;
	}
	seg->file = file;
	seg->asked = 0;
	walpf_segment_careful(seg);
	return 0;
}

static int switch_to(struct walpf_segment *seg, const struct walpf_anchor *anchor, u32 tli,
		     u64 segno)
{
	bool same = seg->file && seg->tli == tli && seg->segno == segno;

	/* A removed file is recycled under another name, or was restored anew. */
	if (same && file_inode(seg->file)->i_nlink)
		return 0;
	walpf_segment_close(seg);
	seg->tli = tli;
	seg->segno = segno;
	return open_segment(seg, anchor);
}

/* Pages of the file from @from to @to, both in bytes. */
static void ask(struct walpf_segment *seg, u32 from, u32 to)
{
	pgoff_t first, last;

	from = max(from, seg->asked);
	if (from >= to)
		return;
	first = from >> PAGE_SHIFT;
	last = (to - 1) >> PAGE_SHIFT;
	walpf_readahead(seg->file, first, last - first + 1);
	seg->asked = to;
}

static void wait_for(struct walpf_segment *seg, u32 from, u32 to)
{
	struct page *page;
	pgoff_t index;

	for (index = from >> PAGE_SHIFT; index <= (to - 1) >> PAGE_SHIFT; index++) {
		page = find_get_page(seg->file->f_mapping, index);
		if (!page)
			continue;
		walpf_page_wait(page);
		put_page(page);
	}
}

static void populate(struct walpf_segment *seg, u32 from, u32 to, u32 end)
{
	/* Going back, or what was asked for was evicted meanwhile. */
	if (!filemap_range_has_page(seg->file->f_mapping, from, from))
		seg->asked = from;
	ask(seg, from, to);
	if (seg->step == WALPF_SEGMENT_PIECE)
		ask(seg, to, min(end, to + AHEAD_BYTES));
	wait_for(seg, from, to);
}

static bool has_come(const struct walpf_segment *seg, u32 at)
{
	struct page *page = find_get_page(seg->file->f_mapping, at >> PAGE_SHIFT);
	bool come = page && PageUptodate(page);

	if (page)
		put_page(page);
	return come;
}

/*
 * What memory was short for, or a writer has locked, is tried again. What is locked
 * still is as good as not written yet.
 */
static int read_piece(struct walpf_segment *seg, u32 from, u32 to, u32 end)
{
	int tries, got;

	for (tries = 0; tries < TRIES; tries++) {
		if (tries)
			usleep_range(1000, 2000);
		populate(seg, from, to, end);
		got = walpf_file_read(seg->file, seg->buf, to - from, from);
		if (got != -EAGAIN)
			return got;
	}
	if (!has_come(seg, from))
		return -EIO;
	walpf_cluster_reason(seg->cl, "a writer keeps segment %llu of timeline %u locked",
			     seg->segno, seg->tli);
	return 0;
}

int walpf_segment_read(struct walpf_segment *seg, const struct walpf_anchor *anchor,
		       u32 tli, u64 lsn)
{
	u32 size = seg->cl->conf.seg_size;
	u32 from = lsn & (size - 1), to;
	loff_t end;
	int err;

	err = switch_to(seg, anchor, tli, div_u64(lsn, size));
	if (err)
		return err;
	end = min_t(loff_t, size, i_size_read(file_inode(seg->file)));
	if (from >= end)
		return 0;
	to = min_t(u32, end, (from & ~(WALPF_WAL_PAGE - 1)) + seg->step);
	seg->step = min(seg->step * 2, WALPF_SEGMENT_PIECE);
	walpf_count(seg->cl, wal_pages, DIV_ROUND_UP(to - from, WALPF_WAL_PAGE));
	return read_piece(seg, from, to, end);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Asking the page cache for I/O, and how far it is with it. The names of
 * v5.10 that are still there in v7.2, so that there is one form.
 *
 * mapping->invalidate_lock came with v5.15 (730633f0b7f9 "mm: Protect
 * operations adding pages to page cache with invalidate_lock"). With it the
 * random branch of page_cache_sync_readahead() reads exactly what is asked,
 * like a page fault and without a file system's own locks: vfs_fadvise()
 * would take xfs's IOLOCK and make the server's writers wait. Before it only
 * vfs_fadvise() is safe against truncation.
 */
#ifndef WALPF_COMPAT_PAGECACHE_H
#define WALPF_COMPAT_PAGECACHE_H

#include <linux/fadvise.h>
#include <linux/fs.h>
#include <linux/pagemap.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 15, 0)
static inline void walpf_readahead(struct file *file, pgoff_t index, unsigned long pages)
{
	page_cache_sync_readahead(file->f_mapping, &file->f_ra, file, index, pages);
}
#else
static inline void walpf_readahead(struct file *file, pgoff_t index, unsigned long pages)
{
	vfs_fadvise(file, (loff_t)index << PAGE_SHIFT, (loff_t)pages << PAGE_SHIFT,
		    POSIX_FADV_WILLNEED);
}
#endif

/* The most that is asked for at once, in bytes. */
#define WALPF_READAHEAD_MAX	(256u << 10)

/*
 * Prepares an open file for walpf_readahead(). One call reads no more pages
 * than the device takes at once or, if that is more, than the file's own
 * readahead: an extent must not be cut short by a small device.
 */
static inline void walpf_readahead_prepare(struct file *file)
{
	unsigned int pages = WALPF_READAHEAD_MAX >> PAGE_SHIFT;

	vfs_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
	if (file->f_ra.ra_pages < pages)
		file->f_ra.ra_pages = pages;
}

/*
 * Folios came with v5.16; wait_on_page_locked() went before v7.2.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 16, 0)
static inline void walpf_wait_locked(struct page *page)
{
	folio_wait_locked(page_folio(page));
}
#else
static inline void walpf_wait_locked(struct page *page)
{
	wait_on_page_locked(page);
}
#endif

/* Is a page's I/O still going on? */
static inline bool walpf_page_busy(struct page *page)
{
	return PageLocked(page) && !PageUptodate(page);
}

/* Waits for the I/O of a page, if there is any. */
static inline void walpf_page_wait(struct page *page)
{
	if (!PageUptodate(page))
		walpf_wait_locked(page);
}

#endif

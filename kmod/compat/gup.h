/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page of another process. get_user_pages_remote() took an array of vmas
 * until v6.5 (ca5e863233e8 "mm/gup: remove vmas parameter from
 * get_user_pages_remote()").
 */
#ifndef WALPF_COMPAT_GUP_H
#define WALPF_COMPAT_GUP_H

#include <linux/mm.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
static inline bool walpf_get_page_of(struct mm_struct *mm, unsigned long at, unsigned int flags,
				     struct page **page)
{
	return get_user_pages_remote(mm, at, 1, flags, page, NULL) == 1;
}
#else
static inline bool walpf_get_page_of(struct mm_struct *mm, unsigned long at, unsigned int flags,
				     struct page **page)
{
	return get_user_pages_remote(mm, at, 1, flags, page, NULL, NULL) == 1;
}
#endif

#endif

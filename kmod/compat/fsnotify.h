/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Watching a directory from inside the kernel. fsnotify_alloc_group() has
 * taken flags since v5.19 (f3010343d9e1 "fsnotify: make allow_dups a property
 * of the group"); Debian's 5.10 has that too.
 */
#ifndef WALPF_COMPAT_FSNOTIFY_H
#define WALPF_COMPAT_FSNOTIFY_H

#include <linux/fsnotify_backend.h>

static inline struct fsnotify_group *walpf_fsnotify_group(const struct fsnotify_ops *ops)
{
	return fsnotify_alloc_group(ops, 0);
}

#endif

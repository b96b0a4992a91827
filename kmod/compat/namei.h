/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Path look-up below a directory, and opening without waking fsnotify's
 * listeners. vfs_path_lookup() has been exported all the time, but declared
 * in a public header only since v6.4; a second declaration does no harm.
 */
#ifndef WALPF_COMPAT_NAMEI_H
#define WALPF_COMPAT_NAMEI_H

#include <linux/fs.h>
#include <linux/namei.h>

int vfs_path_lookup(struct dentry *dentry, struct vfsmount *mnt, const char *name,
		    unsigned int flags, struct path *path);

/* A fanotify permission listener must not block a look-ahead worker. */
#ifdef __FMODE_NONOTIFY
#define WALPF_O_NONOTIFY	__FMODE_NONOTIFY
#else
#define WALPF_O_NONOTIFY	0
#endif

#endif

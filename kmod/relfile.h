/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From relation, fork and block to an open file: names, tablespaces, and
 * opening safely below the startup process's anchors. Keeps files open that
 * are in use, for a second.
 */
#ifndef WALPF_RELFILE_H
#define WALPF_RELFILE_H

#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "plan.h"
#include "wal/record.h"

struct walpf_anchor;
struct walpf_cluster;

/* Files kept open at once; more relations than this in a batch reopen files. */
#define WALPF_RELFILES	256

/**
 * struct walpf_relfile - a file of a relation, open or known not to open
 * @known: it has been looked for. Before walpf_relfile_open() only a hint
 * @file: the open file, or NULL
 * @verdict: if not open: the reason to skip references to it
 *
 * The rest is relfile.c's.
 */
struct walpf_relfile {
	bool known;
	struct file *file;
	enum walpf_plan_verdict verdict;

	/* private: */
	struct mutex opening;
	unsigned int users;
	bool named;
	struct walpf_wal_rel rel;
	u32 fork;
	u32 segno;
	unsigned long used;
	unsigned long looked;
};

/**
 * struct walpf_relfiles - the files of a cluster
 * @cl: the cluster
 * @nr_open: how many are open
 * @lock: see relfile.c
 * @slot: the files
 */
struct walpf_relfiles {
	struct walpf_cluster *cl;
	unsigned int nr_open;
	spinlock_t lock;			/* see relfile.c */
	struct walpf_relfile slot[WALPF_RELFILES];
};

void walpf_relfiles_init(struct walpf_relfiles *files, struct walpf_cluster *cl);

/**
 * walpf_relfile_get() - the file that holds a block, which may have to be opened
 * @files: files of the cluster
 * @rel: relation
 * @fork: fork
 * @block: block number
 *
 * May sleep, as it may close another file; only from a kernel thread. The
 * cluster's threads may have a quarter of WALPF_RELFILES at a time.
 *
 * Return: never NULL; give back with walpf_relfile_put().
 */
struct walpf_relfile *walpf_relfile_get(struct walpf_relfiles *files,
					const struct walpf_wal_rel *rel, u32 fork, u32 block);
void walpf_relfile_put(struct walpf_relfiles *files, struct walpf_relfile *rf);

/**
 * walpf_relfile_open() - open it, unless somebody has
 * @files: files of the cluster
 * @rf: from walpf_relfile_get()
 * @anchor: taken from the startup process
 *
 * May sleep, and read directories. Afterwards @rf is constant until it is
 * given back.
 */
void walpf_relfile_open(struct walpf_relfiles *files, struct walpf_relfile *rf,
			const struct walpf_anchor *anchor);

/**
 * walpf_relfiles_close() - close files
 * @files: files of the cluster, none of which is in use
 * @unused: close only what was not used for a second, or was unlinked
 *
 * Closed at once, not by delayed work: unmounting succeeds afterwards. Only
 * from a kernel thread.
 */
void walpf_relfiles_close(struct walpf_relfiles *files, bool unused);

/**
 * walpf_file_open() - open a regular file safely for walpf_readahead()
 * @dir: directory below which the name is
 * @name: relative; no link is followed and no mount is crossed
 * @cl: cluster, for the owner
 *
 * Return: the file, to be closed with __fput_sync(); or -ENOENT, or -EACCES
 * if it is not what it should be.
 */
struct file *walpf_file_open(struct walpf_cluster *cl, const struct path *dir, const char *name);

/**
 * walpf_file_read() - read what is in the page cache
 * @file: from walpf_file_open()
 * @buf: where to
 * @len: bytes
 * @pos: from where
 *
 * Waits for no I/O, nor for a lock of the file system: the owner of the file could
 * hold that for good.
 *
 * Return: bytes read, or -EAGAIN.
 */
int walpf_file_read(struct file *file, void *buf, size_t len, loff_t pos);

/**
 * walpf_path_is_local() - may a path lead through this?
 * @path: may be empty
 *
 * Return: true if it is in a file system of the disks and memory of this host.
 */
bool walpf_path_is_local(const struct path *path);

/**
 * walpf_pg_wal_path() - the directory with the WAL segments
 * @cl: cluster
 * @anchor: taken from the startup process
 * @path: filled; give back with path_put()
 *
 * Return: 0, or -ENOENT, or -ESTALE if it is not the registered directory, -EXDEV if
 * the way there leads through a file system that is not local, or -EOPNOTSUPP if
 * ".." is on it.
 */
int walpf_pg_wal_path(struct walpf_cluster *cl, const struct walpf_anchor *anchor,
		      struct path *path);

#endif

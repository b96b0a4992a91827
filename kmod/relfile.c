// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths of relations below the data directory and in tablespaces, opened
 * without following a link or entering a foreign file system. Runs in a
 * cluster's worker and its helpers; may sleep.
 *
 * A tablespace and pg_wal may be a link: its text is walked component by
 * component from the root of the startup process, and each file system on
 * the way is looked at before anything is asked of it: one in user space or
 * on the network could block this thread for good.
 *
 * Locking of the open files:
 *  1. @lock guards which slot is whose, its users, and @nr_open. Nothing sleeps
 *     under it.
 *  2. A slot with users is nobody else's: its name does not change, and its
 *     file is not closed.
 *  3. @opening of a slot is held while its file is looked for, by one of its
 *     users; it is inside of nothing. Different files are opened side by side.
 *  4. Only the worker closes files without @lock, while it has no helper.
 */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/jiffies.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "cluster.h"
#include "compat/namei.h"
#include "compat/pagecache.h"
#include "relfile.h"
#include "startup.h"

#define SPC_DEFAULT	1663
#define SPC_GLOBAL	1664

/* The longest: PG_99_4294967295/4294967295/4294967295_init.4294967295. */
#define NAME_BYTES	80

/* Links on the way to a tablespace; PostgreSQL itself makes one. */
#define LINKS_MAX	8

/* A file that was not there is looked for again after this. */
#define LOOK_AGAIN	(HZ / 10)

#define STRICT		(LOOKUP_BENEATH | LOOKUP_NO_SYMLINKS | LOOKUP_NO_XDEV)

static bool is_served(const struct path *path)
{
	unsigned long magic = path->dentry->d_sb->s_magic;

	return magic == EXT4_SUPER_MAGIC || magic == XFS_SUPER_MAGIC;
}

/*
 * What a path may lead through: file systems of this host's own disks and
 * memory. Not what a user mounted: the layers of such an overlay may be
 * file systems in user space.
 */
bool walpf_path_is_local(const struct path *path)
{
	if (!path->dentry)
		return false;
	if (path->dentry->d_sb->s_user_ns != &init_user_ns)
		return false;
	switch (path->dentry->d_sb->s_magic) {
	case BTRFS_SUPER_MAGIC:
	case OVERLAYFS_SUPER_MAGIC:
	case RAMFS_MAGIC:
	case SQUASHFS_MAGIC:
	case TMPFS_MAGIC:
		return true;
	}
	return is_served(path);
}

struct walk {
	const struct path *root;
	struct path at;
	unsigned int links;
	char *rest;		/* what is still to be walked, in a page of its own */
	char *name;		/* the component before it, in another */
};

/* Puts the text of a link, which lies in a local file system, before the rest of the way. */
static int take_link(struct walk *walk, struct dentry *link)
{
	DEFINE_DELAYED_CALL(done);
	const char *text;
	size_t len, rest;
	int err = 0;

	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	text = vfs_get_link(link, &done);
	if (IS_ERR(text))
		return PTR_ERR(text);
	len = strlen(text);
	rest = strlen(walk->rest);
	if (len + rest + 2 > PAGE_SIZE) {
		err = -ENAMETOOLONG;
	} else {
		memmove(walk->rest + len + 1, walk->rest, rest + 1);
		memcpy(walk->rest, text, len);
		walk->rest[len] = '/';
	}
	do_delayed_call(&done);
	return err;
}

static void move_to(struct walk *walk, const struct path *path)
{
	path_get(path);
	path_put(&walk->at);
	walk->at = *path;
}

/* Where the rest of the way begins: at the root, if it says so. */
static int start_over(struct walk *walk)
{
	if (walk->rest[0] != '/')
		return 0;
	if (!walpf_path_is_local(walk->root))
		return -EXDEV;
	move_to(walk, walk->root);
	return 0;
}

/* Cuts the first component off the rest; false at the end of the way. */
static bool next_component(struct walk *walk)
{
	const char *at = walk->rest + strspn(walk->rest, "/");
	size_t len = strcspn(at, "/");

	if (!len)
		return false;
	memcpy(walk->name, at, len);
	walk->name[len] = '\0';
	memmove(walk->rest, at + len, strlen(at + len) + 1);
	return true;
}

static int step(struct walk *walk)
{
	struct path next;
	int err;

	if (!strcmp(walk->name, "."))
		return 0;
	if (!strcmp(walk->name, ".."))
		return -EOPNOTSUPP;
	err = vfs_path_lookup(walk->at.dentry, walk->at.mnt, walk->name, 0, &next);
	if (err)
		return err;
	if (!walpf_path_is_local(&next)) {
		err = -EXDEV;
	} else if (d_is_symlink(next.dentry)) {
		err = take_link(walk, next.dentry);
		if (!err)
			err = start_over(walk);
	} else {
		move_to(walk, &next);
	}
	path_put(&next);
	return err;
}

/* Where a link leads to, if that is a directory on a served file system. */
static int resolve_link(const struct walpf_anchor *anchor, const struct path *dir,
			struct dentry *link, struct path *out)
{
	struct walk walk = { .root = &anchor->root, .at = *dir };
	int err;

	walk.rest = kmalloc(2 * PAGE_SIZE, GFP_KERNEL);
	if (!walk.rest)
		return -ENOMEM;
	walk.rest[0] = '\0';
	walk.name = walk.rest + PAGE_SIZE;
	path_get(&walk.at);
	err = take_link(&walk, link);
	if (!err)
		err = start_over(&walk);
	while (!err && next_component(&walk))
		err = step(&walk);
	if (!err && (!d_is_dir(walk.at.dentry) || !is_served(&walk.at)))
		err = -EXDEV;
	if (err)
		path_put(&walk.at);
	else
		*out = walk.at;
	kfree(walk.rest);
	return err;
}

/*
 * A directory that may be a link, or something mounted there. The name has
 * one component: whatever is entered by it, a link included, is looked at before
 * it is asked anything.
 */
static int resolve_dir(const struct walpf_anchor *anchor, const struct path *dir,
		       const char *name, struct path *out)
{
	struct path found;
	int err;

	err = vfs_path_lookup(dir->dentry, dir->mnt, name, LOOKUP_BENEATH | LOOKUP_NO_SYMLINKS,
			      &found);
	if (err)
		return err;
	if (is_served(&found) && d_is_dir(found.dentry)) {
		*out = found;
		return 0;
	}
	if (is_served(&found) && d_is_symlink(found.dentry))
		err = resolve_link(anchor, dir, found.dentry, out);
	else
		err = -EXDEV;
	path_put(&found);
	return err;
}

int walpf_pg_wal_path(struct walpf_cluster *cl, const struct walpf_anchor *anchor,
		      struct path *path)
{
	int err = resolve_dir(anchor, &anchor->pwd, "pg_wal", path);

	if (err)
		return err;
	if (walpf_identity_is(&cl->pg_wal, d_inode(path->dentry)))
		return 0;
	path_put(path);
	return -ESTALE;
}

/* A DAX file has no page cache, nor the functions that would fill it. */
static bool is_acceptable(struct walpf_cluster *cl, const struct path *path)
{
	return d_is_reg(path->dentry) && is_served(path) && !IS_DAX(d_inode(path->dentry)) &&
	       uid_eq(d_inode(path->dentry)->i_uid, cl->conf.owner);
}

/* Without O_NONBLOCK opening would wait for the owner of a lease. */
#define OPEN_FLAGS (O_RDONLY | O_LARGEFILE | O_NOATIME | O_NONBLOCK | WALPF_O_NONOTIFY)

struct file *walpf_file_open(struct walpf_cluster *cl, const struct path *dir, const char *name)
{
	struct path path;
	struct file *file;
	int err;

	err = vfs_path_lookup(dir->dentry, dir->mnt, name, STRICT, &path);
	if (err)
		return ERR_PTR(err == -ENOENT || err == -ENOTDIR ? -ENOENT : -EACCES);
	if (is_acceptable(cl, &path))
		file = dentry_open(&path, OPEN_FLAGS, current_cred());
	else
		file = ERR_PTR(-EACCES);
	path_put(&path);
	if (IS_ERR(file))
		return ERR_PTR(-EACCES);
	walpf_readahead_prepare(file);
	walpf_count(cl, opened_files, 1);
	return file;
}

int walpf_file_read(struct file *file, void *buf, size_t len, loff_t pos)
{
	struct kvec vec = { .iov_base = buf, .iov_len = len };
	struct kiocb kiocb;
	struct iov_iter iter;

	iov_iter_kvec(&iter, READ, &vec, 1, len);
	init_sync_kiocb(&kiocb, file);
	kiocb.ki_pos = pos;
	/* RWF_NOWAIT of vfs_iter_read() would refuse a page that readahead has marked. */
	kiocb.ki_flags |= IOCB_NOWAIT;
	return file->f_op->read_iter(&kiocb, &iter);
}

static const char *const fork_suffixes[] = {
	[WALPF_FORK_MAIN] = "",
	[WALPF_FORK_FSM] = "_fsm",
	[WALPF_FORK_VM] = "_vm",
	[WALPF_FORK_INIT] = "_init",
};

/* "REL", "REL_fsm", "REL.1", "REL_vm.1" … behind what is in @name already. */
static void append_file(char *name, const struct walpf_relfile *rf)
{
	size_t len = strlen(name);

	len += scnprintf(name + len, NAME_BYTES - len, "%u%s", rf->rel.rel,
			 fork_suffixes[rf->fork]);
	if (rf->segno)
		scnprintf(name + len, NAME_BYTES - len, ".%u", rf->segno);
}

static int resolve_space(const struct walpf_anchor *anchor, u32 spc, struct path *out)
{
	char name[NAME_BYTES];
	struct path dir;
	int err;

	err = vfs_path_lookup(anchor->pwd.dentry, anchor->pwd.mnt, "pg_tblspc", STRICT, &dir);
	if (err)
		return err;
	snprintf(name, sizeof(name), "%u", spc);
	err = is_served(&dir) ? resolve_dir(anchor, &dir, name, out) : -EXDEV;
	path_put(&dir);
	return err;
}

static struct file *open_in_space(struct walpf_cluster *cl, const struct walpf_anchor *anchor,
				  const struct walpf_relfile *rf)
{
	char name[NAME_BYTES];
	struct path space;
	struct file *file;
	int err;

	err = resolve_space(anchor, rf->rel.spc, &space);
	if (err)
		return ERR_PTR(err == -ENOENT ? -ENXIO : -EACCES);
	snprintf(name, sizeof(name), "PG_%u_%u/%u/", cl->conf.major, cl->conf.catalog_version,
		 rf->rel.db);
	append_file(name, rf);
	file = walpf_file_open(cl, &space, name);
	path_put(&space);
	return file;
}

static struct file *open_file(struct walpf_cluster *cl, const struct walpf_anchor *anchor,
			      const struct walpf_relfile *rf)
{
	char name[NAME_BYTES];

	if (rf->fork >= ARRAY_SIZE(fork_suffixes))
		return ERR_PTR(-ENOENT);
	if (rf->rel.spc == SPC_GLOBAL)
		strscpy(name, "global/", sizeof(name));
	else if (rf->rel.spc == SPC_DEFAULT)
		snprintf(name, sizeof(name), "base/%u/", rf->rel.db);
	else
		return open_in_space(cl, anchor, rf);
	append_file(name, rf);
	return walpf_file_open(cl, &anchor->pwd, name);
}

void walpf_relfiles_init(struct walpf_relfiles *files, struct walpf_cluster *cl)
{
	struct walpf_relfile *rf;

	files->cl = cl;
	spin_lock_init(&files->lock);
	for (rf = files->slot; rf < files->slot + WALPF_RELFILES; rf++)
		mutex_init(&rf->opening);
}

/* Makes a slot nobody's; returns the file that has to be closed, or NULL. */
static struct file *vacate(struct walpf_relfiles *files, struct walpf_relfile *rf)
{
	struct file *file = rf->file;

	rf->named = false;
	rf->known = false;
	rf->file = NULL;
	if (file)
		files->nr_open--;
	return file;
}

static void close_file(struct file *file)
{
	if (file)
		__fput_sync(file);
}

static enum walpf_plan_verdict verdict_of(int err)
{
	switch (err) {
	case -ENOENT:
		return WALPF_SKIP_MISSING;
	case -ENXIO:
		return WALPF_SKIP_SPACE;
	default:
		return WALPF_SKIP_REFUSED;
	}
}

static void look(struct walpf_relfiles *files, struct walpf_relfile *rf,
		 const struct walpf_anchor *anchor)
{
	struct file *file = open_file(files->cl, anchor, rf);

	rf->looked = jiffies;
	if (IS_ERR(file)) {
		rf->verdict = verdict_of(PTR_ERR(file));
	} else {
		rf->file = file;
		spin_lock(&files->lock);
		files->nr_open++;
		spin_unlock(&files->lock);
	}
	WRITE_ONCE(rf->known, true);
}

void walpf_relfile_open(struct walpf_relfiles *files, struct walpf_relfile *rf,
			const struct walpf_anchor *anchor)
{
	mutex_lock(&rf->opening);
	if (!rf->known)
		look(files, rf, anchor);
	mutex_unlock(&rf->opening);
}

static bool is_for(const struct walpf_relfile *rf, const struct walpf_wal_rel *rel, u32 fork,
		   u32 segno)
{
	return rf->named && rf->rel.rel == rel->rel && rf->segno == segno && rf->fork == fork &&
	       rf->rel.db == rel->db && rf->rel.spc == rel->spc;
}

/* Is it better to take this slot than that? */
static bool is_freer(const struct walpf_relfile *rf, const struct walpf_relfile *than)
{
	if (rf->users)
		return false;
	if (!than || rf->named != than->named)
		return !than || !rf->named;
	return time_before(rf->used, than->used);
}

/* The slot of a file; or the one to be taken for it, the longest unused. */
static struct walpf_relfile *find_slot(struct walpf_relfiles *files,
				       const struct walpf_wal_rel *rel, u32 fork, u32 segno)
{
	struct walpf_relfile *rf, *free = NULL;

	for (rf = files->slot; rf < files->slot + WALPF_RELFILES; rf++) {
		if (is_for(rf, rel, fork, segno))
			return rf;
		if (is_freer(rf, free))
			free = rf;
	}
	return free;
}

static bool is_unlinked(const struct walpf_relfile *rf)
{
	return rf->file && !file_inode(rf->file)->i_nlink;
}

static bool is_outdated(const struct walpf_relfile *rf)
{
	return rf->known && !rf->file && time_after(jiffies, rf->looked + LOOK_AGAIN);
}

/* Nobody uses it, and it is not what is wanted or not what it was. */
static bool must_vacate(const struct walpf_relfile *rf, const struct walpf_wal_rel *rel, u32 fork,
			u32 segno)
{
	return !rf->users &&
	       (!is_for(rf, rel, fork, segno) || is_unlinked(rf) || is_outdated(rf));
}

struct walpf_relfile *walpf_relfile_get(struct walpf_relfiles *files,
					const struct walpf_wal_rel *rel, u32 fork, u32 block)
{
	u32 segno = block / files->cl->conf.file_blocks;
	struct file *old = NULL;
	struct walpf_relfile *rf;

	spin_lock(&files->lock);
	rf = find_slot(files, rel, fork, segno);
	if (must_vacate(rf, rel, fork, segno)) {
		old = vacate(files, rf);
		rf->named = true;
		rf->rel = *rel;
		rf->fork = fork;
		rf->segno = segno;
	}
	rf->users++;
	rf->used = jiffies;
	spin_unlock(&files->lock);
	close_file(old);
	return rf;
}

void walpf_relfile_put(struct walpf_relfiles *files, struct walpf_relfile *rf)
{
	spin_lock(&files->lock);
	rf->users--;
	spin_unlock(&files->lock);
}

void walpf_relfiles_close(struct walpf_relfiles *files, bool unused)
{
	struct walpf_relfile *rf;

	for (rf = files->slot; rf < files->slot + WALPF_RELFILES; rf++)
		if (!unused || is_unlinked(rf) || time_after(jiffies, rf->used + HZ))
			close_file(vacate(files, rf));
}

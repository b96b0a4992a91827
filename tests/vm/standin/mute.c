// SPDX-License-Identifier: GPL-2.0-only
/*
 * File systems in user space that never answer, and what a process may do with
 * them to hold up whoever looks at it. Run as the root of a user and mount name
 * space of its own, as anybody can have one. The daemons end with the process that
 * they were made for, and their file systems with them.
 */
#include "standin.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <linux/mount.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	LINK_NODE = 2,
	FILE_NODE = 3,
	FILE_BYTES = 1 << 20,
	REQUEST_MAX = 1 << 18,
};

/* Beside the file system's own, what is in there: "link" and "file" */
static const char mute_dir[] = "pg_tblspc/mute";

static void answer(int fuse, const struct fuse_in_header *in, const void *data, size_t len)
{
	static char out[REQUEST_MAX];
	struct fuse_out_header head = {
		.len = (uint32_t)(sizeof(head) + len), .unique = in->unique,
	};

	memcpy(out, &head, sizeof(head));
	memcpy(out + sizeof(head), data, len);
	if (write(fuse, out, head.len) < 0 && errno != ENOENT)
		standin_complain("answer");
}

/* Closing would wait for that, uninterruptibly. */
static void refuse(int fuse, const struct fuse_in_header *in)
{
	struct fuse_out_header head = {
		.len = sizeof(head), .error = -EIO, .unique = in->unique,
	};

	if (write(fuse, &head, sizeof(head)) < 0)
		standin_complain("refuse");
}

static struct fuse_attr attr_of(uint64_t node)
{
	return (struct fuse_attr){
		.ino = node,
		.size = FILE_BYTES,
		.mode = node == LINK_NODE ? S_IFLNK | 0777 :
			node == FILE_NODE ? S_IFREG | 0600 : S_IFDIR | 0700,
		.nlink = 1,
	};
}

static void answer_lookup(int fuse, const struct fuse_in_header *in)
{
	const char *name = (const char *)(in + 1);
	struct fuse_entry_out entry = {
		.nodeid = *name == 'l' ? LINK_NODE : FILE_NODE,
		.entry_valid = 3600, .attr_valid = 3600,
	};

	entry.attr = attr_of(entry.nodeid);
	answer(fuse, in, &entry, sizeof(entry));
}

/* Nobody hears anything of what is not here: to read, a file or a link. */
static void handle(int fuse, const struct fuse_in_header *in)
{
	struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = REQUEST_MAX / 4, .max_write = REQUEST_MAX / 4,
	};
	struct fuse_attr_out attr = { .attr_valid = 3600, .attr = attr_of(in->nodeid) };
	struct fuse_open_out opened = {};

	switch (in->opcode) {
	case FUSE_INIT:
		answer(fuse, in, &init, sizeof(init));
		break;
	case FUSE_LOOKUP:
		answer_lookup(fuse, in);
		break;
	case FUSE_GETATTR:
		answer(fuse, in, &attr, sizeof(attr));
		break;
	case FUSE_OPEN:
		answer(fuse, in, &opened, sizeof(opened));
		break;
	case FUSE_FLUSH:
		refuse(fuse, in);
	}
}

static void serve(int fuse)
{
	static char request[REQUEST_MAX];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(fuse, request, sizeof(request)) > 0)
		handle(fuse, (const void *)request);
	_exit(0);
}

/* Over a file or a directory */
static int mount_mute(const char *path)
{
	int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	struct stat st;
	char options[80];

	if (fuse < 0 || stat(path, &st))
		return standin_complain(path);
	snprintf(options, sizeof(options), "fd=%d,rootmode=%o,user_id=0,group_id=0", fuse,
		 st.st_mode & S_IFMT);
	if (mount("mute", path, "fuse", MS_NOSUID | MS_NODEV, options))
		return standin_complain(path);
	if (!fork())
		serve(fuse);
	close(fuse);
	return 0;
}

static int mount_dir(void)
{
	if (mkdir(mute_dir, 0700) && errno != EEXIST)
		return standin_complain(mute_dir);
	return mount_mute(mute_dir);
}

/* A link that cannot be read takes the place of a file: mount() would refuse that. */
static int move_link(const char *path)
{
	char link[80];
	int tree;

	snprintf(link, sizeof(link), "%s/link", mute_dir);
	tree = (int)syscall(SYS_open_tree, AT_FDCWD, link,
			    OPEN_TREE_CLONE | AT_SYMLINK_NOFOLLOW);
	if (tree < 0 || syscall(SYS_move_mount, tree, "", AT_FDCWD, path,
				MOVE_MOUNT_F_EMPTY_PATH))
		return standin_complain(path);
	return 0;
}

static void *map_file(void)
{
	char file[80];
	void *at;
	int fd;

	snprintf(file, sizeof(file), "%s/file", mute_dir);
	fd = open(file, O_RDWR | O_CLOEXEC);
	at = mmap(NULL, STANDIN_PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	return fd < 0 || at == MAP_FAILED ? NULL : at;
}

/* A writer of the second segment whose memory does not come keeps the lock of it. */
static int lock_segment(void)
{
	char path[64] = "pg_wal/";
	void *at;
	int fd;

	standin_segment_name(path + strlen(path), STANDIN_START + STANDIN_SEGMENT);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	at = mount_dir() ? NULL : map_file();
	if (fd < 0 || !at)
		return standin_complain(path);
	if (!fork())
		_exit(write(fd, at, STANDIN_PAGE) < 0);
	return 0;
}

static int prepare(const char *what)
{
	const char *path = strchr(what, ':') + 1;

	if (!strncmp(what, "over:", 5))
		return mount_mute(path);
	if (!strncmp(what, "link:", 5))
		return mount_dir() || move_link(path);
	return lock_segment();
}

int standin_mute(const char *pgdata, char **args)
{
	if (chdir(pgdata))
		return standin_complain(pgdata);
	for (; *args && strcmp(*args, "--"); args++)
		if (!strchr(*args, ':') || prepare(*args))
			return 1;
	if (!*args)
		return 2;
	execvp(args[1], args + 1);
	return standin_complain(args[1]);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a directory of segments. Order by name is order by timeline, then by
 * position: file names have a fixed width.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "ctl.h"
#include "wal_dir.h"
#include "wal/page.h"
#include "wal/segname.h"

/* "0000002A.history" */
#define HISTORY_FORMAT "%s/%08X.history"

/* More ancestors than a cluster has had promotions. */
#define ANCESTORS_MAX 256

/* Timelines that the newest one descends from, itself included. */
struct ancestry {
	u32 tlis[ANCESTORS_MAX];
	unsigned int nr;
	bool known;
};

struct listing {
	const char *path;
	struct walpf_segname *names;
	size_t nr;
	u32 size;
};

static int keep_segment_names(const struct dirent *entry)
{
	return strlen(entry->d_name) == WALPF_SEGNAME_LEN &&
	       strspn(entry->d_name, "0123456789ABCDEF") == WALPF_SEGNAME_LEN;
}

static char *join(const char *dir, const char *name)
{
	size_t len = strlen(dir);
	char *path;

	while (len > 1 && dir[len - 1] == '/')
		len--;
	return asprintf(&path, "%.*s/%s", (int)len, dir, name) < 0 ? NULL : path;
}

static bool has_file(const char *dir, const char *name)
{
	char *path = join(dir, name);
	struct stat st;
	bool found = path && stat(path, &st) == 0;

	free(path);
	return found;
}

static int fail_scan(const char *path)
{
	if (errno == EACCES || errno == EPERM)
		return ctl_fail(path, "may not be read: "
				"run as root or as the owner of the server's files");
	return ctl_fail(path, "cannot be read: %s", strerror(errno));
}

static int fail_no_names(const char *path)
{
	if (has_file(path, "pg_wal"))
		return ctl_fail(path, "is a data directory: give its pg_wal");
	if (has_file(path, "pg_xlog"))
		return ctl_fail(path, "is a data directory: give its pg_xlog");
	return ctl_fail(path, "is no WAL directory (no 24-digit segment files)");
}

/* Any segment that was ever written tells, also a recycled one. */
static u32 find_size(const char *path, struct dirent **entries, int nr)
{
	struct walpf_wal_page page;
	u32 size = 0;
	int i;

	for (i = 0; i < nr && !size; i++) {
		char *file = join(path, entries[i]->d_name);

		if (file && segment_peek(file, &page) && walpf_seg_size_valid(page.seg_size))
			size = page.seg_size;
		free(file);
	}
	return size;
}

static int parse_names(struct listing *list, struct dirent **entries, int nr)
{
	int i;

	list->size = find_size(list->path, entries, nr);
	if (!list->size)
		return ctl_fail(list->path, "none of its segments holds WAL of a known version");
	list->names = calloc((size_t)nr, sizeof(*list->names));
	if (!list->names)
		return ctl_fail(list->path, "not enough memory");
	for (i = 0; i < nr; i++)
		if (walpf_segname_parse(&list->names[list->nr], entries[i]->d_name, list->size))
			list->nr++;
	return list->nr ? CTL_DONE : fail_no_names(list->path);
}

static int scan(struct listing *list)
{
	struct dirent **entries;
	int nr, i, status;

	nr = scandir(list->path, &entries, keep_segment_names, alphasort);
	if (nr < 0)
		return fail_scan(list->path);
	status = nr ? parse_names(list, entries, nr) : fail_no_names(list->path);
	for (i = 0; i < nr; i++)
		free(entries[i]);
	free(entries);
	return status;
}

/* Each line of a history file begins with the number of an ancestor. */
static void read_ancestry(struct ancestry *ancestry, const char *dir, u32 newest)
{
	char *path, line[1024];
	FILE *file = NULL;

	ancestry->tlis[0] = newest;
	ancestry->nr = 1;
	if (asprintf(&path, HISTORY_FORMAT, dir, newest) >= 0) {
		file = fopen(path, "re");
		free(path);
	}
	ancestry->known = file;
	if (!file)
		return;
	while (ancestry->nr < ANCESTORS_MAX && fgets(line, sizeof(line), file)) {
		char *end;
		unsigned long tli = strtoul(line, &end, 10);

		if (end != line && tli && tli < newest)
			ancestry->tlis[ancestry->nr++] = (u32)tli;
	}
	fclose(file);
}

static bool is_ancestor(const struct ancestry *ancestry, u32 tli)
{
	unsigned int i;

	if (!ancestry->known)
		return true;
	for (i = 0; i < ancestry->nr; i++)
		if (ancestry->tlis[i] == tli)
			return true;
	return false;
}

/* The segment before @next, of @next's timeline or else the next older one; or NULL. */
static const struct walpf_segname *find_before(const struct listing *list,
					       const struct walpf_segname *next,
					       const struct ancestry *ancestry)
{
	size_t i = (size_t)(next - list->names);

	/* Newer timelines stand behind it in the order of names. */
	while (next->segno && i-- > 0) {
		const struct walpf_segname *name = &list->names[i];

		if (name->segno == next->segno - 1 && is_ancestor(ancestry, name->tli))
			return name;
	}
	return NULL;
}

static int fill_segment(struct segment *seg, const struct listing *list,
			const struct walpf_segname *name)
{
	char base[WALPF_SEGNAME_LEN + 1];

	walpf_segname_format(base, name, list->size);
	seg->path = join(list->path, base);
	seg->lsn = name->segno * list->size;
	seg->tli = name->tli;
	seg->size = list->size;
	return seg->path ? CTL_DONE : ctl_fail(list->path, "not enough memory");
}

/* From the newest segment backwards, until one is missing. */
static int make_chain(const struct listing *list, struct segment **segs, size_t *nr)
{
	const struct walpf_segname *name = &list->names[list->nr - 1], *oldest = name;
	struct segment *chain = reallocarray(NULL, list->nr, sizeof(*chain));
	struct ancestry ancestry;
	int status = CTL_DONE;

	if (!chain)
		return ctl_fail(list->path, "not enough memory");
	read_ancestry(&ancestry, list->path, name->tli);
	for (; name && *nr < list->nr; name = find_before(list, name, &ancestry)) {
		status |= fill_segment(&chain[list->nr - ++*nr], list, name);
		oldest = name;
	}
	memmove(chain, chain + (list->nr - *nr), *nr * sizeof(*chain));
	*segs = chain;
	if (oldest->segno > list->names[0].segno)
		ctl_note(chain[0].path, "decoding begins here, behind a gap or with this "
			 "timeline: for older segments, give their files");
	return status;
}

int wal_dir_list(const char *path, struct segment **segs, size_t *nr)
{
	struct listing list = { .path = path };
	int status = scan(&list);

	*segs = NULL;
	*nr = 0;
	if (status == CTL_DONE && list.nr)
		status = make_chain(&list, segs, nr);
	free(list.names);
	return status;
}

bool wal_dir_find(struct segment *seg, const char *path)
{
	struct walpf_segname name, best = { .tli = 0 };
	struct dirent *entry;
	DIR *dir = opendir(path);
	char base[WALPF_SEGNAME_LEN + 1];

	if (!dir)
		return false;
	while ((entry = readdir(dir)))
		if (walpf_segname_parse(&name, entry->d_name, seg->size) &&
		    name.segno == seg->lsn / seg->size && name.tli >= seg->tli &&
		    name.tli > best.tli)
			best = name;
	closedir(dir);
	if (!best.tli)
		return false;
	walpf_segname_format(base, &best, seg->size);
	seg->path = join(path, base);
	seg->tli = best.tli;
	return seg->path;
}

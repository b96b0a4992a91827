// SPDX-License-Identifier: GPL-2.0-only
/*
 * walpf-ctl register: inspect data directories and hand them to the module.
 */
#include <errno.h>
#include <linux/magic.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/walpf.h>

#include "client.h"
#include "ctl.h"
#include "lsn.h"
#include "pgdata.h"
#include "postmaster.h"
#include "setting.h"

static const struct ctl_option options[] = {
	{ 'a', "all", NULL, "all clusters whose servers run on this host" },
	{ 'n', "name", "NAME", "call it so; default: from the last parts of the path" },
	{ 'k', "keep", NULL, "done, too, if it is registered already" },
	{ 'o', "observe", NULL, "decode, plan and count, but fetch nothing" },
	{ 'u', "untested", NULL, "also a major version that walpf never ran with" },
	{ 'd', "dry-run", NULL, "print what would be registered; needs no module" },
	{ 0, NULL, NULL, NULL },
};

static const struct ctl_syntax syntax = {
	.operands = "PGDATA|--all",
	.about = "Have the module look ahead for the replay of a cluster. Prints the name\n"
		 "under which it is registered.\n",
	.options = options,
};

/* How many clusters of one name --all tells apart by a number. */
#define SAME_NAME_MAX 64

struct registration {
	const char *name;	/* NULL: the one that pgdata.c proposes */
	bool all, keep, observe, untested, dry_run;
	enum ctl_exit end;	/* with all: how it went so far */
};

static int put_facts(struct nl_msg *msg, const struct pgdata *pg)
{
	const struct control *control = &pg->control;
	struct nlattr *nest = nla_nest_start(msg, WALPF_A_FACTS | NLA_F_NESTED);
	int err = !nest;

	err |= nla_put_u64(msg, WALPF_FACT_A_SYSTEM_ID, control->system_id);
	err |= nla_put_u32(msg, WALPF_FACT_A_MAJOR, pg->major);
	err |= nla_put_u32(msg, WALPF_FACT_A_CATALOG_VERSION, control->catalog_version);
	err |= nla_put_u32(msg, WALPF_FACT_A_BLOCK_SIZE, control->block_size);
	err |= nla_put_u32(msg, WALPF_FACT_A_FILE_BLOCKS, control->blocks_per_file);
	err |= nla_put_u32(msg, WALPF_FACT_A_SEGMENT_BYTES, control->segment_bytes);
	err |= nla_put_u64(msg, WALPF_FACT_A_SHARED_BUFFERS, pg->shared_buffers);
	err |= nla_put_u64(msg, WALPF_FACT_A_DECODE_BUFFER_BYTES, pg->decode_buffer_bytes);
	if (!err)
		nla_nest_end(msg, nest);
	return err;
}

static int put_mode(struct nl_msg *msg, const char *mode)
{
	struct nlattr *nest = nla_nest_start(msg, WALPF_A_SETTINGS | NLA_F_NESTED);

	if (!nest || !setting_add(msg, "mode", mode))
		return -1;
	nla_nest_end(msg, nest);
	return 0;
}

static bool try_register(const struct registration *reg, const struct pgdata *pg,
			 const char *name, struct refusal *refusal)
{
	struct nl_msg *msg = client_message(WALPF_CMD_REGISTER, name);
	int err = put_facts(msg, pg);

	err |= nla_put_u32(msg, WALPF_A_PGDATA_FD, (uint32_t)pg->fd);
	err |= nla_put_u32(msg, WALPF_A_PG_WAL_FD, (uint32_t)pg->wal_fd);
	if (reg->untested)
		err |= nla_put_u32(msg, WALPF_A_FLAGS, WALPF_F_UNTESTED);
	if (reg->observe)
		err |= put_mode(msg, "observe");
	if (!err)
		return client_try(msg, refusal);
	nlmsg_free(msg);
	refusal->error = ENOBUFS;
	strcpy(refusal->text, "not enough memory");
	return false;
}

/* Containers like to call all their data directories the same. */
static bool try_names(const struct registration *reg, const struct pgdata *pg, char *name,
		      size_t size, struct refusal *refusal)
{
	const char *wanted = reg->name ? reg->name : pg->name;
	bool done;

	snprintf(name, size, "%s", wanted);
	done = try_register(reg, pg, name, refusal);
	for (int i = 2; !done && reg->all && refusal->error == EEXIST && i <= SAME_NAME_MAX; i++) {
		snprintf(name, size, "%.58s-%d", wanted, i);
		done = try_register(reg, pg, name, refusal);
	}
	return done;
}

static bool is_served(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) &&
	       (fs.f_type == EXT4_SUPER_MAGIC || fs.f_type == XFS_SUPER_MAGIC);
}

static void note_tablespace(uint32_t oid, const char *path, int fd, void *arg)
{
	(void)arg;
	if (fd < 0)
		ctl_note(path, "tablespace %u cannot be opened: nothing of it will be fetched",
			 oid);
	else if (!is_served(fd))
		ctl_note(path, "tablespace %u is neither on ext4 nor on xfs: nothing of it will "
			 "be fetched", oid);
}

static void print_tablespace(uint32_t oid, const char *path, int fd, void *arg)
{
	(void)fd;
	(void)arg;
	printf("tablespace          %u %s\n", oid, path);
}

static void print_facts(const struct registration *reg, const struct pgdata *pg)
{
	const struct control *control = &pg->control;

	printf("name                %s\n", reg->name ? reg->name : pg->name);
	printf("pgdata              %s\n", pg->path);
	printf("pg_wal              %s\n", pg->wal_path);
	printf("postmaster          %d\n", (int)pg->postmaster);
	printf("config_file         %s\n", pg->config_file);
	printf("major               %u\n", pg->major);
	printf("system_id           %llu\n", (unsigned long long)control->system_id);
	printf("catalog_version     %u\n", control->catalog_version);
	printf("cluster_state       %s\n", control_state_name(control->state));
	printf("checkpoint_lsn      %s\n", LSN_TEXT(control->checkpoint_lsn));
	printf("redo_lsn            %s\n", LSN_TEXT(control->redo_lsn));
	printf("timeline            %u\n", control->timeline);
	printf("block_size          %u\n", control->block_size);
	printf("file_blocks         %u\n", control->blocks_per_file);
	printf("segment_bytes       %u\n", control->segment_bytes);
	printf("shared_buffers      %llu\n", (unsigned long long)pg->shared_buffers);
	printf("decode_buffer_bytes %llu\n", (unsigned long long)pg->decode_buffer_bytes);
	pgdata_each_tablespace(pg, print_tablespace, NULL);
}

static enum ctl_exit register_opened(const struct registration *reg, const struct pgdata *pg)
{
	char name[PGDATA_NAME_SIZE];
	struct refusal refusal;

	if (reg->dry_run) {
		print_facts(reg, pg);
		return CTL_DONE;
	}
	if (!try_names(reg, pg, name, sizeof(name), &refusal)) {
		if (reg->keep && refusal.error == EALREADY)
			return CTL_DONE;
		return client_refused(pg->path, &refusal);
	}
	pgdata_each_tablespace(pg, note_tablespace, NULL);
	puts(name);
	return CTL_DONE;
}

static enum ctl_exit end_registration(const struct registration *reg, struct pgdata *pg,
				      enum ctl_exit end)
{
	if (end != CTL_DONE) {
		ctl_fail(pg->object, "%s", pg->fault);
		return end;
	}
	end = register_opened(reg, pg);
	pgdata_close(pg);
	return end;
}

static void register_fd(int fd, void *arg)
{
	struct registration *reg = arg;
	struct pgdata pg;
	enum ctl_exit end = end_registration(reg, &pg, pgdata_open_fd(&pg, fd));

	if (end != CTL_DONE)
		reg->end = end;
}

static enum ctl_exit register_all(struct registration *reg)
{
	int n = postmaster_each(register_fd, reg);

	if (n < 0)
		return ctl_fail("/proc", "cannot be read: is it mounted?");
	if (!n)
		return ctl_fail(NULL, "no running server was found: name a data directory, or "
				"run walpf-ctl as root of the host");
	return reg->end;
}

static enum ctl_exit register_path(struct registration *reg, const char *path)
{
	struct pgdata pg;

	return end_registration(reg, &pg, pgdata_open(&pg, path));
}

static int parse(struct registration *reg, int argc, char **argv)
{
	int letter;

	while ((letter = ctl_getopt(&syntax, argc, argv)) != -1) {
		reg->all |= letter == 'a';
		reg->keep |= letter == 'a' || letter == 'k';
		reg->observe |= letter == 'o';
		reg->untested |= letter == 'u';
		reg->dry_run |= letter == 'd';
		if (letter == 'n')
			reg->name = optarg;
	}
	if (argc - optind != !reg->all)
		return ctl_usage_error(NULL, "takes either one data directory or --all");
	if (reg->all && reg->name)
		return ctl_usage_error("--name", "does not go with --all");
	if (reg->name && strlen(reg->name) >= PGDATA_NAME_SIZE)
		return ctl_usage_error(reg->name, "a name has at most %d bytes",
				       PGDATA_NAME_SIZE - 1);
	return CTL_DONE;
}

int cmd_register(int argc, char **argv)
{
	struct registration reg = { .end = CTL_DONE };
	enum ctl_exit end = (enum ctl_exit)parse(&reg, argc, argv);

	if (end == CTL_DONE && !reg.dry_run)
		end = client_open();
	if (end != CTL_DONE)
		return end;
	end = reg.all ? register_all(&reg) : register_path(&reg, argv[optind]);
	client_close();
	return end;
}

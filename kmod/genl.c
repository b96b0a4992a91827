// SPDX-License-Identifier: GPL-2.0-only
/*
 * The netlink family: takes messages apart, hands them to the registry, and
 * sends answers and events. The messages are those of linux/walpf.h.
 *
 * Commands run in the sender's context, those of several senders at once: the
 * registry, settings and counters have their own locks, and other families
 * must not wait for what the registry waits for. Each refusal has a constant
 * sentence, as the kernel keeps only a pointer to it.
 */
#include <linux/capability.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/path.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "cluster.h"
#include "genl.h"
#include "histogram.h"
#include "setting.h"
#include "stats.h"
#include "wal/version.h"

/* Fits two paths of 1 kB and over 200 items; the current ones take 6 kB. */
#define MESSAGE_BYTES	SZ_16K

static const struct nla_policy fact_policy[WALPF_FACT_A_MAX + 1] = {
#define FACT_u32 NLA_U32
#define FACT_u64 NLA_U64
#define X(name, NAME, width, field) [WALPF_FACT_A_##NAME] = { .type = FACT_##width },
	WALPF_FACTS(X)
#undef X
};

static const struct nla_policy item_policy[WALPF_ITEM_A_MAX + 1] = {
	[WALPF_ITEM_A_NAME] = { .type = NLA_NUL_STRING, .len = WALPF_NAME_MAX },
	[WALPF_ITEM_A_NUMBER] = { .type = NLA_U64 },
	[WALPF_ITEM_A_WORD] = { .type = NLA_NUL_STRING, .len = WALPF_NAME_MAX },
};

static const struct nla_policy items_policy[WALPF_ITEMS_A_MAX + 1] = {
	[WALPF_ITEMS_A_ITEM] = NLA_POLICY_NESTED(item_policy),
};

static const struct nla_policy walpf_policy[WALPF_A_MAX + 1] = {
	[WALPF_A_NAME] = { .type = NLA_NUL_STRING, .len = WALPF_NAME_MAX },
	[WALPF_A_PGDATA_FD] = { .type = NLA_U32 },
	[WALPF_A_PG_WAL_FD] = { .type = NLA_U32 },
	[WALPF_A_FACTS] = NLA_POLICY_NESTED(fact_policy),
	[WALPF_A_FLAGS] = { .type = NLA_U32 },
	[WALPF_A_SETTINGS] = NLA_POLICY_NESTED(items_policy),
};

static const struct genl_multicast_group walpf_groups[] = {
	{ .name = WALPF_GENL_EVENTS },
};

static struct genl_family walpf_family;

/* Clusters outlive the family for a moment when the module goes. */
static bool family_registered;

static int refuse(struct genl_info *info, unsigned int attr, int err, const char *why)
{
	/* A constant that is not a literal: the macros take literals only. */
	if (info->extack) {
		info->extack->_msg = why;
		info->extack->bad_attr = info->attrs[attr];
	}
	return err;
}

static bool may_command(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (netlink_capable(skb, CAP_SYS_ADMIN))
		return true;
	NL_SET_ERR_MSG(extack, "not permitted: run walpf-ctl as root of the host");
	return false;
}

static const char *const missing_texts[WALPF_A_MAX + 1] = {
	[WALPF_A_NAME] = "the cluster's name is missing",
	[WALPF_A_PGDATA_FD] = "the descriptor of the data directory is missing",
	[WALPF_A_PG_WAL_FD] = "the descriptor of pg_wal is missing",
	[WALPF_A_FACTS] = "the facts about the cluster are missing",
	[WALPF_A_SETTINGS] = "there is nothing to set",
};

/* May the sender do this, and are exactly the right attributes there? */
static int admit(struct sk_buff *skb, struct genl_info *info, u32 required, u32 optional)
{
	unsigned int attr;

	if (!may_command(skb, info->extack))
		return -EPERM;
	for (attr = 1; attr <= WALPF_A_MAX; attr++) {
		u32 bit = BIT(attr);

		if (info->attrs[attr] && !((required | optional) & bit))
			return refuse(info, attr, -EINVAL,
				      "this command does not take this attribute");
		if (!info->attrs[attr] && (required & bit))
			return refuse(info, attr, -EINVAL, missing_texts[attr]);
	}
	return 0;
}

static const char *name_of(struct genl_info *info)
{
	return nla_data(info->attrs[WALPF_A_NAME]);
}

static int get_cluster(struct genl_info *info, struct walpf_cluster **cl)
{
	*cl = walpf_cluster_get(name_of(info));
	if (*cl)
		return 0;
	return refuse(info, WALPF_A_NAME, -ENOENT,
		      "no cluster of this name is registered: see walpf-ctl list");
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '-';
}

/* The name becomes a folder in sysfs, and an argument of commands. */
static int take_name(struct walpf_conf *conf, struct genl_info *info)
{
	const char *name = name_of(info);
	const char *p;

	for (p = name; is_name_char(*p); p++)
		;
	if (*p || !name[0] || name[0] == '.' || name[0] == '-')
		return refuse(info, WALPF_A_NAME, -EINVAL,
			      "a name has letters, digits, _ . - and none of . - in front");
	strscpy(conf->name, name, sizeof(conf->name));
	return 0;
}

static int take_facts(struct walpf_conf *conf, struct genl_info *info)
{
	struct nlattr *tb[WALPF_FACT_A_MAX + 1];
	int err;

	err = nla_parse_nested(tb, WALPF_FACT_A_MAX, info->attrs[WALPF_A_FACTS], fact_policy,
			       info->extack);
	if (err)
		return err;
#define X(name, NAME, width, field)						\
	if (!tb[WALPF_FACT_A_##NAME])						\
		return refuse(info, WALPF_A_FACTS, -EINVAL, "a fact is missing: " #name); \
	conf->field = nla_get_##width(tb[WALPF_FACT_A_##NAME]);
	WALPF_FACTS(X)
#undef X
	return 0;
}

enum acquaintance { STRANGER, BY_DOCUMENTS, BY_TESTS };

static enum acquaintance know_major(u32 major)
{
	const struct walpf_wal_version *version;
	enum acquaintance known = STRANGER;
	unsigned int i;

	for (i = 0; (version = walpf_wal_version_at(i)); i++) {
		if (version->major != major)
			continue;
		if (version->run)
			return BY_TESTS;
		known = BY_DOCUMENTS;
	}
	return known;
}

static int check_major(const struct walpf_conf *conf, struct genl_info *info)
{
	switch (know_major(conf->major)) {
	case STRANGER:
		return refuse(info, WALPF_A_FACTS, -EOPNOTSUPP,
			      "the server's major version is unknown: install a newer walpf");
	case BY_DOCUMENTS:
		if (conf->flags & WALPF_F_UNTESTED)
			return 0;
		return refuse(info, WALPF_A_FACTS, -EOPNOTSUPP,
			      "never tried with the server's major version: allow it by --untested");
	case BY_TESTS:
		break;
	}
	return 0;
}

static int take_flags(struct walpf_conf *conf, struct genl_info *info)
{
	if (!info->attrs[WALPF_A_FLAGS])
		return 0;
	conf->flags = nla_get_u32(info->attrs[WALPF_A_FLAGS]);
	if (conf->flags & ~WALPF_F_ALL)
		return refuse(info, WALPF_A_FLAGS, -EOPNOTSUPP,
			      "one of the flags is unknown: install a newer walpf");
	return 0;
}

static int take_item(struct walpf_settings *settings, struct nlattr *item,
		     struct genl_info *info)
{
	struct nlattr *tb[WALPF_ITEM_A_MAX + 1];
	const char *why;
	int err;

	err = nla_parse_nested(tb, WALPF_ITEM_A_MAX, item, item_policy, info->extack);
	if (err)
		return err;
	if (!tb[WALPF_ITEM_A_NAME] || !tb[WALPF_ITEM_A_NUMBER] == !tb[WALPF_ITEM_A_WORD])
		return refuse(info, WALPF_A_SETTINGS, -EINVAL,
			      "a setting has a name and either a number or a word");
	if (tb[WALPF_ITEM_A_NUMBER])
		err = walpf_setting_number(settings, nla_data(tb[WALPF_ITEM_A_NAME]),
					   nla_get_u64(tb[WALPF_ITEM_A_NUMBER]), &why);
	else
		err = walpf_setting_word(settings, nla_data(tb[WALPF_ITEM_A_NAME]),
					 nla_data(tb[WALPF_ITEM_A_WORD]), &why);
	return err ? refuse(info, WALPF_A_SETTINGS, err, why) : 0;
}

static int take_settings(struct walpf_settings *settings, struct genl_info *info)
{
	struct nlattr *item;
	int rem, err;

	if (!info->attrs[WALPF_A_SETTINGS])
		return 0;
	nla_for_each_nested(item, info->attrs[WALPF_A_SETTINGS], rem) {
		err = take_item(settings, item, info);
		if (err)
			return err;
	}
	return 0;
}

#define ON(fs) "the directory is on " fs ", and walpf serves ext4 and xfs only: "

static const struct {
	const char *fs;
	const char *why;
} foreign[] = {
	{ "overlay", ON("overlay") "register the volume of the container" },
	{ "tmpfs", ON("tmpfs") "it is in memory already" },
	{ "ramfs", ON("ramfs") "it is in memory already" },
	{ "btrfs", ON("btrfs") "move the data directory, or do without" },
	{ "zfs", ON("zfs") "move the data directory, or do without" },
	{ "f2fs", ON("f2fs") "move the data directory, or do without" },
	{ "ext2", ON("ext2") "mount it as ext4" },
	{ "ext3", ON("ext3") "mount it as ext4" },
	{ "nfs", ON("nfs") "register on a host that has the disk" },
	{ "nfs4", ON("nfs4") "register on a host that has the disk" },
	{ "cifs", ON("cifs") "register on a host that has the disk" },
	{ "fuse", ON("fuse") "register on a host that has the disk" },
	{ "proc", ON("proc") "name the data directory of a server" },
	{ "sysfs", ON("sysfs") "name the data directory of a server" },
};

static const char *foreign_fs(const struct super_block *sb)
{
	const char *fs = sb->s_type->name;
	size_t i;

	if (!strcmp(fs, "ext4") || !strcmp(fs, "xfs"))
		return NULL;
	for (i = 0; i < ARRAY_SIZE(foreign); i++)
		if (!strcmp(foreign[i].fs, fs))
			return foreign[i].why;
	return "the directory is neither on ext4 nor on xfs: move it, or do without";
}

/* Takes a reference to the directory on success. */
static int take_dir(struct path *path, struct genl_info *info, unsigned int attr)
{
	struct file *file = fget_raw(nla_get_u32(info->attrs[attr]));
	const char *why = NULL;

	if (!file)
		return refuse(info, attr, -EBADF, "the descriptor is not open");
	if (!S_ISDIR(file_inode(file)->i_mode))
		why = "the descriptor is not one of a directory";
	else
		why = foreign_fs(file_inode(file)->i_sb);
	if (!why) {
		*path = file->f_path;
		path_get(path);
	}
	fput(file);
	return why ? refuse(info, attr, -EOPNOTSUPP, why) : 0;
}

/* The path as the operator sees it: relative to the root of the sender. */
static int take_path_name(char *name, size_t size, const struct path *path,
			  struct genl_info *info, unsigned int attr)
{
	char *text = d_path(path, name, size);

	if (IS_ERR(text))
		return refuse(info, attr, PTR_ERR(text),
			      "the path is longer than PostgreSQL allows");
	memmove(name, text, strlen(text) + 1);
	return 0;
}

static int register_dirs(struct walpf_conf *conf, struct genl_info *info,
			 const struct path *pgdata, const struct path *pg_wal)
{
	const char *why = NULL;
	int err;

	err = take_path_name(conf->pgdata, sizeof(conf->pgdata), pgdata, info,
			     WALPF_A_PGDATA_FD);
	if (err)
		return err;
	err = take_path_name(conf->pg_wal, sizeof(conf->pg_wal), pg_wal, info,
			     WALPF_A_PG_WAL_FD);
	if (err)
		return err;
	conf->owner = d_inode(pgdata->dentry)->i_uid;
	err = walpf_cluster_register(conf, pgdata, pg_wal, &why);
	return err ? refuse(info, WALPF_A_NAME, err, why) : 0;
}

static int open_and_register(struct walpf_conf *conf, struct genl_info *info)
{
	struct path pgdata, pg_wal;
	int err;

	err = take_dir(&pgdata, info, WALPF_A_PGDATA_FD);
	if (err)
		return err;
	err = take_dir(&pg_wal, info, WALPF_A_PG_WAL_FD);
	if (err)
		goto out_pgdata;
	err = register_dirs(conf, info, &pgdata, &pg_wal);
	path_put(&pg_wal);
out_pgdata:
	path_put(&pgdata);
	return err;
}

static int take_conf(struct walpf_conf *conf, struct genl_info *info)
{
	int err;

	err = take_name(conf, info);
	if (err)
		return err;
	err = take_flags(conf, info);
	if (err)
		return err;
	err = take_facts(conf, info);
	if (err)
		return err;
	err = check_major(conf, info);
	if (err)
		return err;
	walpf_setting_defaults(&conf->settings);
	return take_settings(&conf->settings, info);
}

static int register_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct walpf_conf *conf;
	int err;

	err = admit(skb, info, BIT(WALPF_A_NAME) | BIT(WALPF_A_PGDATA_FD) |
		    BIT(WALPF_A_PG_WAL_FD) | BIT(WALPF_A_FACTS),
		    BIT(WALPF_A_FLAGS) | BIT(WALPF_A_SETTINGS));
	if (err)
		return err;
	conf = kzalloc(sizeof(*conf), GFP_KERNEL);
	if (!conf)
		return -ENOMEM;
	err = take_conf(conf, info);
	if (!err)
		err = open_and_register(conf, info);
	kfree(conf);
	return err;
}

static int unregister_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = admit(skb, info, BIT(WALPF_A_NAME), 0);

	if (err)
		return err;
	if (walpf_cluster_unregister(name_of(info)))
		return refuse(info, WALPF_A_NAME, -ENOENT,
			      "no cluster of this name is registered: see walpf-ctl list");
	return 0;
}

static int set_cluster(struct walpf_cluster *cl, struct genl_info *info)
{
	struct walpf_settings settings;
	const char *why = NULL;
	int err;

	walpf_cluster_settings(cl, &settings);
	err = take_settings(&settings, info);
	if (err)
		return err;
	err = walpf_cluster_set(cl, &settings, &why);
	return err ? refuse(info, WALPF_A_SETTINGS, err, why) : 0;
}

static int set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct walpf_cluster *cl;
	int err;

	err = admit(skb, info, BIT(WALPF_A_NAME) | BIT(WALPF_A_SETTINGS), 0);
	if (!err)
		err = get_cluster(info, &cl);
	if (err)
		return err;
	mutex_lock(&walpf_setting_mutex);
	err = set_cluster(cl, info);
	mutex_unlock(&walpf_setting_mutex);
	walpf_cluster_put(cl);
	return err;
}

static int reset_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct walpf_cluster *cl;
	int err;

	err = admit(skb, info, BIT(WALPF_A_NAME), 0);
	if (!err)
		err = get_cluster(info, &cl);
	if (err)
		return err;
	walpf_counters_reset(cl);
	walpf_cluster_put(cl);
	return 0;
}

static int put_item(struct sk_buff *msg, const char *name, u64 number, const char *word)
{
	struct nlattr *item = nla_nest_start(msg, WALPF_ITEMS_A_ITEM);
	int err;

	if (!item || nla_put_string(msg, WALPF_ITEM_A_NAME, name))
		return -EMSGSIZE;
	if (word)
		err = nla_put_string(msg, WALPF_ITEM_A_WORD, word);
	else
		err = nla_put_u64_64bit(msg, WALPF_ITEM_A_NUMBER, number, WALPF_ITEM_A_PAD);
	if (err)
		return err;
	nla_nest_end(msg, item);
	return 0;
}

static int put_facts(struct sk_buff *msg, const struct walpf_conf *conf)
{
	struct nlattr *nest = nla_nest_start(msg, WALPF_A_FACTS);

	if (!nest)
		return -EMSGSIZE;
#define PUT_u32(attr, v) nla_put_u32(msg, attr, v)
#define PUT_u64(attr, v) nla_put_u64_64bit(msg, attr, v, WALPF_FACT_A_PAD)
#define X(name, NAME, width, field) \
	if (PUT_##width(WALPF_FACT_A_##NAME, conf->field)) \
		return -EMSGSIZE;
	WALPF_FACTS(X)
#undef X
	nla_nest_end(msg, nest);
	return 0;
}

static int put_settings(struct sk_buff *msg, struct walpf_cluster *cl)
{
	struct nlattr *nest = nla_nest_start(msg, WALPF_A_SETTINGS);
	struct walpf_settings settings;

	walpf_cluster_settings(cl, &settings);
	if (!nest || put_item(msg, "mode", 0, walpf_mode_name(settings.mode)))
		return -EMSGSIZE;
#define X(name, min, max, dflt, text) \
	if (put_item(msg, #name, settings.name, NULL)) \
		return -EMSGSIZE;
	WALPF_SETTINGS(X)
#undef X
	nla_nest_end(msg, nest);
	return 0;
}

static const char *const gauge_names[] = {
#define X(name, kind, text) #name,
	WALPF_GAUGES(X)
#undef X
};

static const char *const counter_names[] = {
#define X(name, text) #name,
	WALPF_COUNTERS(X)
#undef X
};

static int put_gauge(struct sk_buff *msg, struct walpf_cluster *cl, int i)
{
	return put_item(msg, gauge_names[i], walpf_gauge_read(cl, i), NULL);
}

static int put_counter(struct sk_buff *msg, struct walpf_cluster *cl, int i)
{
	return put_item(msg, counter_names[i], walpf_counter_read(cl, i), NULL);
}

static int put_histogram(struct sk_buff *msg, struct walpf_cluster *cl, int i)
{
	struct nlattr *item = nla_nest_start(msg, WALPF_ITEMS_A_ITEM);
	u64 counts[WALPF_BUCKETS];

	walpf_histogram_read(cl, i, counts);
	if (!item || nla_put_string(msg, WALPF_ITEM_A_NAME, walpf_histogram_name(i)) ||
	    nla_put_64bit(msg, WALPF_ITEM_A_NUMBERS, sizeof(counts), counts, WALPF_ITEM_A_PAD))
		return -EMSGSIZE;
	nla_nest_end(msg, item);
	return 0;
}

/* A list of @nr items, each put by @put. */
static int put_list(struct sk_buff *msg, struct walpf_cluster *cl, int attr, int nr,
		    int (*put)(struct sk_buff *msg, struct walpf_cluster *cl, int i))
{
	struct nlattr *nest = nla_nest_start(msg, attr);
	int i;

	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < nr; i++)
		if (put(msg, cl, i))
			return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

static int put_counters(struct sk_buff *msg, struct walpf_cluster *cl)
{
	return put_list(msg, cl, WALPF_A_COUNTERS, WALPF_NR_COUNTERS, put_counter);
}

/* What changes by itself. */
static int put_figures(struct sk_buff *msg, struct walpf_cluster *cl)
{
	if (put_list(msg, cl, WALPF_A_GAUGES, WALPF_NR_GAUGES, put_gauge) ||
	    put_counters(msg, cl) ||
	    put_list(msg, cl, WALPF_A_HISTOGRAMS, WALPF_NR_HISTOGRAMS, put_histogram))
		return -EMSGSIZE;
	return 0;
}

static int put_status(struct sk_buff *msg, struct walpf_cluster *cl)
{
	char reason[WALPF_REASON_MAX];
	enum walpf_state state = walpf_cluster_status(cl, reason);

	if (nla_put_string(msg, WALPF_A_NAME, cl->conf.name) ||
	    nla_put_string(msg, WALPF_A_STATE, walpf_state_name(state)) ||
	    nla_put_string(msg, WALPF_A_LAST_REASON, reason))
		return -EMSGSIZE;
	return 0;
}

static int put_cluster(struct sk_buff *msg, struct walpf_cluster *cl)
{
	if (nla_put_string(msg, WALPF_A_PGDATA, cl->conf.pgdata) ||
	    nla_put_string(msg, WALPF_A_PG_WAL, cl->conf.pg_wal) ||
	    nla_put_u32(msg, WALPF_A_FLAGS, cl->conf.flags) ||
	    put_status(msg, cl) || put_facts(msg, &cl->conf) || put_settings(msg, cl) ||
	    put_figures(msg, cl))
		return -EMSGSIZE;
	return 0;
}

static int fill_cluster(struct sk_buff *msg, u32 portid, u32 seq, int flags,
			struct walpf_cluster *cl)
{
	void *hdr = genlmsg_put(msg, portid, seq, &walpf_family, flags, WALPF_CMD_GET);

	if (!hdr)
		return -EMSGSIZE;
	if (put_cluster(msg, cl)) {
		genlmsg_cancel(msg, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return 0;
}

static int answer(struct genl_info *info, struct walpf_cluster *cl)
{
	struct sk_buff *msg = genlmsg_new(MESSAGE_BYTES, GFP_KERNEL);
	int err;

	if (!msg)
		return -ENOMEM;
	err = fill_cluster(msg, info->snd_portid, info->snd_seq, 0, cl);
	if (err) {
		nlmsg_free(msg);
		return err;
	}
	return genlmsg_reply(msg, info);
}

static int get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct walpf_cluster *cl;
	int err;

	err = admit(skb, info, BIT(WALPF_A_NAME), 0);
	if (!err)
		err = get_cluster(info, &cl);
	if (err)
		return err;
	err = answer(info, cl);
	walpf_cluster_put(cl);
	return err;
}

/* args[0]: the cluster that comes next, referenced; args[1]: begun. */
static int dump_start(struct netlink_callback *cb)
{
	if (!may_command(cb->skb, cb->extack))
		return -EPERM;
	cb->min_dump_alloc = MESSAGE_BYTES;
	return 0;
}

static int dump_clusters(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct walpf_cluster *cl = (struct walpf_cluster *)cb->args[0];

	if (!cb->args[1]) {
		cb->args[1] = 1;
		cl = walpf_cluster_next(NULL);
	}
	while (cl && !fill_cluster(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				   NLM_F_MULTI, cl))
		cl = walpf_cluster_next(cl);
	cb->args[0] = (long)cl;
	return skb->len;
}

static int dump_done(struct netlink_callback *cb)
{
	if (cb->args[0])
		walpf_cluster_put((struct walpf_cluster *)cb->args[0]);
	return 0;
}

static const struct genl_ops walpf_ops[] = {
	{ .cmd = WALPF_CMD_REGISTER, .doit = register_doit },
	{ .cmd = WALPF_CMD_UNREGISTER, .doit = unregister_doit },
	{
		.cmd = WALPF_CMD_GET,
		.doit = get_doit,
		.start = dump_start,
		.dumpit = dump_clusters,
		.done = dump_done,
	},
	{ .cmd = WALPF_CMD_SET, .doit = set_doit },
	{ .cmd = WALPF_CMD_RESET, .doit = reset_doit },
};

static struct genl_family walpf_family = {
	.name = WALPF_GENL_NAME,
	.version = WALPF_GENL_VERSION,
	.maxattr = WALPF_A_MAX,
	.policy = walpf_policy,
	.ops = walpf_ops,
	.n_ops = ARRAY_SIZE(walpf_ops),
	.mcgrps = walpf_groups,
	.n_mcgrps = ARRAY_SIZE(walpf_groups),
	.module = THIS_MODULE,
	.parallel_ops = true,
};

static int fill_event(struct sk_buff *msg, struct walpf_cluster *cl, enum walpf_event event)
{
	void *hdr = genlmsg_put(msg, 0, 0, &walpf_family, 0, WALPF_CMD_EVENT);

	if (!hdr || nla_put_u32(msg, WALPF_A_EVENT, event) || put_status(msg, cl))
		return -EMSGSIZE;
	if (event == WALPF_EVENT_RECOVERY_END && put_counters(msg, cl))
		return -EMSGSIZE;
	genlmsg_end(msg, hdr);
	return 0;
}

void walpf_genl_event(struct walpf_cluster *cl, enum walpf_event event)
{
	struct sk_buff *msg;

	if (!READ_ONCE(family_registered) || !genl_has_listeners(&walpf_family, &init_net, 0))
		return;
	msg = genlmsg_new(MESSAGE_BYTES, GFP_KERNEL);
	if (!msg)
		return;
	if (fill_event(msg, cl, event))
		nlmsg_free(msg);
	else
		genlmsg_multicast(&walpf_family, msg, 0, 0, GFP_KERNEL);
}

int walpf_genl_init(void)
{
	int err = genl_register_family(&walpf_family);

	WRITE_ONCE(family_registered, !err);
	return err;
}

void walpf_genl_exit(void)
{
	WRITE_ONCE(family_registered, false);
	genl_unregister_family(&walpf_family);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Speaks to the module: requests, answers, and the sentences with which it
 * refuses. The messages are described in linux/walpf.h.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/walpf.h>

#include "client.h"
#include "lsn.h"

/* The module answers in messages of at most 16 kB. */
#define RECEIVE_BYTES (32 * 1024)

static struct nl_sock *sock;
static int family;

struct call {
	bool done;
	struct refusal *refusal;
	struct clusters *clusters;	/* NULL: no answer is expected */
};

static void no_memory(void)
{
	exit(ctl_fail(NULL, "not enough memory"));
}

static enum ctl_exit no_family(void)
{
	client_close();
	return ctl_fail(NULL, "the module walpf is loaded but not to be seen from this network "
			"namespace: run walpf-ctl in the one of the host");
}

enum ctl_exit client_open(void)
{
	int one = 1;

	if (access("/sys/kernel/walpf", F_OK)) {
		ctl_fail(NULL, "the module walpf is not loaded: run 'modprobe walpf' as root");
		return CTL_NO_MODULE;
	}
	sock = nl_socket_alloc();
	if (!sock)
		no_memory();
	nl_socket_disable_seq_check(sock);
	if (nl_socket_set_msg_buf_size(sock, RECEIVE_BYTES) || genl_connect(sock)) {
		client_close();
		return ctl_fail(NULL, "no netlink socket: does this system let you have one?");
	}
	/* Sentences with the refusals, and refusals without our own message. */
	setsockopt(nl_socket_get_fd(sock), SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	setsockopt(nl_socket_get_fd(sock), SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	family = genl_ctrl_resolve(sock, WALPF_GENL_NAME);
	return family < 0 ? no_family() : CTL_DONE;
}

void client_close(void)
{
	nl_socket_free(sock);
	sock = NULL;
}

static struct nl_msg *new_message(uint8_t command, int flags)
{
	struct nl_msg *msg = nlmsg_alloc();

	if (!msg || !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, flags, command,
				 WALPF_GENL_VERSION))
		no_memory();
	return msg;
}

struct nl_msg *client_message(uint8_t command, const char *name)
{
	struct nl_msg *msg = new_message(command, 0);

	if (nla_put_string(msg, WALPF_A_NAME, name))
		no_memory();
	return msg;
}

/* The sentence behind an error message of the kernel, if it brought one. */
static void take_sentence(const struct nlmsgerr *err, struct refusal *refusal)
{
	const struct nlmsghdr *hdr = (const struct nlmsghdr *)err - 1;
	size_t offset = sizeof(*err);
	size_t len = hdr->nlmsg_len - NLMSG_HDRLEN;
	struct nlattr *text;

	if (!(hdr->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(hdr->nlmsg_flags & NLM_F_CAPPED))
		offset += NLMSG_ALIGN(err->msg.nlmsg_len - NLMSG_HDRLEN);
	if (offset >= len)
		return;
	text = nla_find((struct nlattr *)((char *)err + offset), (int)(len - offset),
			NLMSGERR_ATTR_MSG);
	if (text)
		snprintf(refusal->text, sizeof(refusal->text), "%.*s", nla_len(text),
			 (const char *)nla_data(text));
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *err, void *arg)
{
	struct call *call = arg;

	(void)from;
	call->done = true;
	call->refusal->error = -err->error;
	take_sentence(err, call->refusal);
	return NL_STOP;
}

static int on_end(struct nl_msg *msg, void *arg)
{
	struct call *call = arg;

	(void)msg;
	call->done = true;
	return NL_STOP;
}

static struct item *add_item(struct items *items)
{
	struct item *grown = reallocarray(items->item, items->n + 1, sizeof(*grown));

	if (!grown)
		no_memory();
	items->item = grown;
	memset(&grown[items->n], 0, sizeof(*grown));
	return &grown[items->n++];
}

static void take_text(char *out, size_t size, struct nlattr *attr)
{
	if (attr)
		snprintf(out, size, "%.*s", nla_len(attr), (const char *)nla_data(attr));
}

static uint64_t number_of(struct nlattr *attr)
{
	switch (nla_len(attr)) {
	case sizeof(uint64_t):
		return nla_get_u64(attr);
	case sizeof(uint32_t):
		return nla_get_u32(attr);
	default:
		return 0;
	}
}

/* Takes an item of a list apart; false if it is none, or has no name. */
static bool parse_item(struct nlattr **tb, struct nlattr *attr)
{
	return nla_type(attr) == WALPF_ITEMS_A_ITEM &&
	       !nla_parse_nested(tb, WALPF_ITEM_A_MAX, attr, NULL) && tb[WALPF_ITEM_A_NAME];
}

static void take_items(struct items *items, struct nlattr *nest)
{
	struct nlattr *tb[WALPF_ITEM_A_MAX + 1], *attr;
	struct item *item;
	int rem;

	if (!nest)
		return;
	nla_for_each_nested(attr, nest, rem) {
		if (!parse_item(tb, attr))
			continue;
		item = add_item(items);
		take_text(item->name, sizeof(item->name), tb[WALPF_ITEM_A_NAME]);
		take_text(item->word, sizeof(item->word), tb[WALPF_ITEM_A_WORD]);
		if (tb[WALPF_ITEM_A_NUMBER])
			item->number = number_of(tb[WALPF_ITEM_A_NUMBER]);
	}
}

static void take_numbers(struct histogram *histogram, struct nlattr *attr)
{
	size_t n = attr ? (size_t)nla_len(attr) / sizeof(uint64_t) : 0;

	histogram->n = n < BUCKETS_MAX ? n : BUCKETS_MAX;
	if (histogram->n)
		memcpy(histogram->count, nla_data(attr), histogram->n * sizeof(uint64_t));
}

static struct histogram *add_histogram(struct histograms *histograms)
{
	struct histogram *grown = reallocarray(histograms->histogram, histograms->n + 1,
					       sizeof(*grown));

	if (!grown)
		no_memory();
	histograms->histogram = grown;
	memset(&grown[histograms->n], 0, sizeof(*grown));
	return &grown[histograms->n++];
}

static void take_histograms(struct histograms *histograms, struct nlattr *nest)
{
	struct nlattr *tb[WALPF_ITEM_A_MAX + 1], *attr;
	struct histogram *histogram;
	int rem;

	if (!nest)
		return;
	nla_for_each_nested(attr, nest, rem) {
		if (!parse_item(tb, attr))
			continue;
		histogram = add_histogram(histograms);
		take_text(histogram->name, sizeof(histogram->name), tb[WALPF_ITEM_A_NAME]);
		take_numbers(histogram, tb[WALPF_ITEM_A_NUMBERS]);
	}
}

static const char * const fact_names[WALPF_FACT_A_MAX + 1] = {
	[WALPF_FACT_A_SYSTEM_ID] = "system_id",
	[WALPF_FACT_A_MAJOR] = "major",
	[WALPF_FACT_A_CATALOG_VERSION] = "catalog_version",
	[WALPF_FACT_A_BLOCK_SIZE] = "block_size",
	[WALPF_FACT_A_FILE_BLOCKS] = "file_blocks",
	[WALPF_FACT_A_SEGMENT_BYTES] = "segment_bytes",
	[WALPF_FACT_A_SHARED_BUFFERS] = "shared_buffers",
	[WALPF_FACT_A_DECODE_BUFFER_BYTES] = "decode_buffer_bytes",
};

static void take_facts(struct items *items, struct nlattr *nest)
{
	struct nlattr *attr;
	struct item *item;
	int rem;

	if (!nest)
		return;
	nla_for_each_nested(attr, nest, rem) {
		if (nla_type(attr) > WALPF_FACT_A_MAX || !fact_names[nla_type(attr)])
			continue;
		item = add_item(items);
		snprintf(item->name, sizeof(item->name), "%s", fact_names[nla_type(attr)]);
		item->number = number_of(attr);
	}
}

static struct cluster *add_cluster(struct clusters *clusters)
{
	struct cluster *grown = reallocarray(clusters->cluster, clusters->n + 1, sizeof(*grown));

	if (!grown)
		no_memory();
	clusters->cluster = grown;
	memset(&grown[clusters->n], 0, sizeof(*grown));
	return &grown[clusters->n++];
}

static int on_cluster(struct nl_msg *msg, void *arg)
{
	struct nlattr *tb[WALPF_A_MAX + 1];
	struct call *call = arg;
	struct cluster *cluster;

	if (!call->clusters || genlmsg_parse(nlmsg_hdr(msg), 0, tb, WALPF_A_MAX, NULL))
		return NL_SKIP;
	cluster = add_cluster(call->clusters);
	take_text(cluster->name, sizeof(cluster->name), tb[WALPF_A_NAME]);
	take_text(cluster->pgdata, sizeof(cluster->pgdata), tb[WALPF_A_PGDATA]);
	take_text(cluster->pg_wal, sizeof(cluster->pg_wal), tb[WALPF_A_PG_WAL]);
	take_text(cluster->state, sizeof(cluster->state), tb[WALPF_A_STATE]);
	take_text(cluster->last_reason, sizeof(cluster->last_reason), tb[WALPF_A_LAST_REASON]);
	take_facts(&cluster->facts, tb[WALPF_A_FACTS]);
	take_items(&cluster->settings, tb[WALPF_A_SETTINGS]);
	take_items(&cluster->gauges, tb[WALPF_A_GAUGES]);
	take_items(&cluster->counters, tb[WALPF_A_COUNTERS]);
	take_histograms(&cluster->histograms, tb[WALPF_A_HISTOGRAMS]);
	return NL_OK;
}

static void receive(struct call *call)
{
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int err;

	if (!cb)
		no_memory();
	nl_cb_err(cb, NL_CB_CUSTOM, on_error, call);
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_cluster, call);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_end, call);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_end, call);
	nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_DEFAULT, NULL, NULL);
	while (!call->done) {
		err = nl_recvmsgs(sock, cb);
		if (err < 0 && !call->done) {
			call->done = true;
			call->refusal->error = EIO;
			snprintf(call->refusal->text, sizeof(call->refusal->text),
				 "the module's answer is lost (%s)", nl_geterror(err));
		}
	}
	nl_cb_put(cb);
}

static bool transact(struct nl_msg *msg, struct refusal *refusal, struct clusters *clusters)
{
	struct call call = { .refusal = refusal, .clusters = clusters };

	memset(refusal, 0, sizeof(*refusal));
	if (nl_send_auto(sock, msg) < 0) {
		refusal->error = EIO;
		strcpy(refusal->text, "the module cannot be reached");
	} else {
		receive(&call);
	}
	nlmsg_free(msg);
	return !refusal->error;
}

bool client_try(struct nl_msg *msg, struct refusal *refusal)
{
	return transact(msg, refusal, NULL);
}

enum ctl_exit client_refused(const char *object, const struct refusal *refusal)
{
	if (refusal->text[0])
		ctl_fail(object, "%s", refusal->text);
	else if (refusal->error == EPERM)
		ctl_fail(object, "not permitted: run walpf-ctl as root of the host");
	else
		ctl_fail(object, "the module refuses without a reason (%s): are tool and module "
			 "of the same version?", strerror(refusal->error));
	return refusal->error == EPERM ? CTL_NOT_PERMITTED : CTL_FAILED;
}

enum ctl_exit client_do(struct nl_msg *msg, const char *object)
{
	struct refusal refusal;

	if (client_try(msg, &refusal))
		return CTL_DONE;
	return client_refused(object, &refusal);
}

enum ctl_exit client_get(const char *name, struct clusters *out)
{
	struct nl_msg *msg = name ? client_message(WALPF_CMD_GET, name) :
				    new_message(WALPF_CMD_GET, NLM_F_DUMP);
	struct refusal refusal;

	memset(out, 0, sizeof(*out));
	if (transact(msg, &refusal, out))
		return CTL_DONE;
	return client_refused(name, &refusal);
}

void clusters_free(struct clusters *clusters)
{
	for (size_t i = 0; i < clusters->n; i++) {
		free(clusters->cluster[i].facts.item);
		free(clusters->cluster[i].settings.item);
		free(clusters->cluster[i].gauges.item);
		free(clusters->cluster[i].counters.item);
		free(clusters->cluster[i].histograms.histogram);
	}
	free(clusters->cluster);
	memset(clusters, 0, sizeof(*clusters));
}

const struct item *items_find(const struct items *items, const char *name)
{
	for (size_t i = 0; i < items->n; i++)
		if (!strcmp(items->item[i].name, name))
			return &items->item[i];
	return NULL;
}

uint64_t items_number(const struct items *items, const char *name)
{
	const struct item *item = items_find(items, name);

	return item ? item->number : 0;
}

uint64_t bucket_first(size_t bucket)
{
	return bucket ? (uint64_t)1 << (bucket - 1) : 0;
}

bool item_is_lsn(const struct item *item)
{
	size_t n = strlen(item->name);

	return n > 4 && !strcmp(item->name + n - 4, "_lsn");
}

const char *item_text(const struct item *item, char *text)
{
	if (item->word[0])
		snprintf(text, ITEM_SIZE, "%s", item->word);
	else if (item_is_lsn(item))
		snprintf(text, ITEM_SIZE, "%s", LSN_TEXT(item->number));
	else
		snprintf(text, ITEM_SIZE, "%llu", (unsigned long long)item->number);
	return text;
}

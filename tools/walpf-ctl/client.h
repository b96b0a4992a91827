/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's netlink family, from the tool's side.
 */
#ifndef WALPF_CTL_CLIENT_H
#define WALPF_CTL_CLIENT_H

#include <netlink/msg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ctl.h"

#define ITEM_SIZE 64

/* A fact, setting, gauge or counter with its name. */
struct item {
	char name[ITEM_SIZE];
	uint64_t number;
	char word[ITEM_SIZE];	/* instead of the number, unless empty */
};

struct items {
	struct item *item;
	size_t n;
};

/* More buckets than any histogram of the module has. */
#define BUCKETS_MAX 64

struct histogram {
	char name[ITEM_SIZE];
	uint64_t count[BUCKETS_MAX];
	size_t n;
};

struct histograms {
	struct histogram *histogram;
	size_t n;
};

/* A registered cluster, as WALPF_CMD_GET tells it. */
struct cluster {
	char name[64];
	char pgdata[1024];
	char pg_wal[1024];
	char state[32];
	char last_reason[256];
	struct items facts, settings, gauges, counters;
	struct histograms histograms;
};

struct clusters {
	struct cluster *cluster;
	size_t n;
};

/**
 * client_open() - connect to the module
 *
 * Return: CTL_DONE; or, after a message, how to end.
 */
enum ctl_exit client_open(void);
void client_close(void);

/**
 * client_message() - begin a command
 * @command: WALPF_CMD_*
 * @name: of the cluster it is about
 *
 * Return: a message; ends the program if there is no memory.
 */
struct nl_msg *client_message(uint8_t command, const char *name);

/* A reason to refuse, from the module. */
struct refusal {
	int error;		/* errno, 0 for none */
	char text[512];
};

/**
 * client_try() - send a command and wait for the answer
 * @msg: freed
 * @refusal: filled
 *
 * Return: true if it was done.
 */
bool client_try(struct nl_msg *msg, struct refusal *refusal);

/**
 * client_refused() - say why the module refused, and how to end
 * @object: what the command was about
 */
enum ctl_exit client_refused(const char *object, const struct refusal *refusal);

/**
 * client_do() - client_try() and, if need be, client_refused()
 */
enum ctl_exit client_do(struct nl_msg *msg, const char *object);

/**
 * client_get() - one cluster, or all
 * @name: NULL for all
 * @out: filled; free with clusters_free(), also on failure
 *
 * Return: CTL_DONE; or, after a message, how to end.
 */
enum ctl_exit client_get(const char *name, struct clusters *out);
void clusters_free(struct clusters *clusters);

/* The item of that name, or NULL. */
const struct item *items_find(const struct items *items, const char *name);

/* Its number; 0 if there is none. */
uint64_t items_number(const struct items *items, const char *name);

/**
 * item_text() - an item as people read it: a word, a number or a position
 * @text: of ITEM_SIZE bytes
 *
 * Return: @text.
 */
const char *item_text(const struct item *item, char *text);

/* The least value that a bucket of a histogram counts. */
uint64_t bucket_first(size_t bucket);

/* Is it a position in WAL? */
bool item_is_lsn(const struct item *item);

#endif

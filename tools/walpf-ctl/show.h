/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the commands share that ask for clusters and print them.
 */
#ifndef WALPF_CTL_SHOW_H
#define WALPF_CTL_SHOW_H

#include <stdbool.h>

#include "client.h"

/**
 * struct show - such a command
 * @operands: "NAME" to ask for one cluster, "" for all
 * @about: what it does, for its help
 * @print: prints what was asked for, @raw without headings and for scripts
 */
struct show {
	const char *operands;
	const char *about;
	void (*print)(const struct clusters *clusters, bool raw);
};

/**
 * show() - run it
 *
 * Return: how to end.
 */
int show(const struct show *show, int argc, char **argv);

#endif

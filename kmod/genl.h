/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generic netlink: commands in, events out. The messages are described in
 * include/uapi/linux/walpf.h.
 */
#ifndef WALPF_GENL_H
#define WALPF_GENL_H

#include <linux/walpf.h>

struct walpf_cluster;

/**
 * walpf_genl_event() - tell whoever listens what happened to a cluster
 * @cl: cluster, referenced
 * @event: what
 *
 * Process context, may sleep, no lock held. An event that cannot be sent is
 * lost: listeners read the state after they subscribe.
 */
void walpf_genl_event(struct walpf_cluster *cl, enum walpf_event event);

int walpf_genl_init(void);
void walpf_genl_exit(void);

#endif

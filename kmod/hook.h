/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes on the file systems' read functions: where walpf learns what a
 * startup process reads.
 */
#ifndef WALPF_HOOK_H
#define WALPF_HOOK_H

#include <linux/types.h>

struct file;
struct task_struct;
struct walpf_cluster;

enum walpf_probe_state {
	WALPF_PROBE_IDLE,	/* no startup process is observed */
	WALPF_PROBE_ABSENT,	/* its file system is not loaded */
	WALPF_PROBE_ARMED,
	WALPF_PROBE_FAILED,
};

/**
 * struct walpf_probe_info - a probe as people see it
 * @symbol: probed function
 * @state: enum walpf_probe_state
 * @error: errno of registering, if failed
 * @dead: armed, but reads do not reach it: failed, without an errno
 * @missed: hits that the kernel did not deliver
 */
struct walpf_probe_info {
	const char *symbol;
	enum walpf_probe_state state;
	int error;
	bool dead;
	unsigned long missed;
};

/**
 * walpf_hook_info() - what a probe is up to
 * @i: index from 0
 * @info: filled
 *
 * Process context, may sleep.
 *
 * Return: false behind the last probe.
 */
bool walpf_hook_info(unsigned int i, struct walpf_probe_info *info);

const char *walpf_probe_state_name(enum walpf_probe_state state);

/**
 * walpf_hook_attach() - observe the reads of a process
 * @cl: its cluster, which must stay until walpf_hook_detach()
 * @task: the startup process, needed only during the call
 *
 * Arms the probes if this is the first one. Process context, may sleep.
 *
 * Return: 0, or why no probe could be armed.
 */
int walpf_hook_attach(struct walpf_cluster *cl, const struct task_struct *task);

/**
 * walpf_hook_detach() - end that
 * @cl: the cluster; need not be attached
 *
 * No handler uses @cl any more when it returns. Disarms the probes if this
 * was the last one. Process context, may sleep for some RCU grace periods.
 */
void walpf_hook_detach(struct walpf_cluster *cl);

/**
 * walpf_hook_test() - does a read of this file reach its probe?
 * @file: an open, readable, regular file
 *
 * A probe can be registered and silently dead (ftrace or kprobes switched
 * off). Only from a kernel thread.
 *
 * Return: true if it does.
 */
bool walpf_hook_test(struct file *file);

int walpf_hook_init(void);
void walpf_hook_exit(void);

#endif

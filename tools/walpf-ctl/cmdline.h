/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings on the command line of a server.
 */
#ifndef WALPF_CTL_CMDLINE_H
#define WALPF_CTL_CMDLINE_H

#include <sys/types.h>

/**
 * cmdline_each() - visit the settings on a server's command line, in order
 * @pgdata_fd: its data directory
 * @postmaster: its process; 0 for that of its last start, whenever that was
 * @visit: given a setting and its value; "-D" is the folder of that option
 * @arg: passed on
 */
void cmdline_each(int pgdata_fd, pid_t postmaster,
		  void (*visit)(const char *name, const char *value, void *arg), void *arg);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running servers of this host, seen through /proc.
 */
#ifndef WALPF_CTL_POSTMASTER_H
#define WALPF_CTL_POSTMASTER_H

#include <sys/types.h>

/**
 * postmaster_of() - the server that runs on a data directory
 * @pgdata_fd: the directory
 *
 * Return: its process, in this pid namespace; 0 if none runs.
 */
pid_t postmaster_of(int pgdata_fd);

/**
 * postmaster_each() - visit the data directory of every running server
 * @visit: given a descriptor of the directory, which stays the caller's
 * @arg: passed on
 *
 * Return: how many were visited, or -1 if /proc cannot be read.
 */
int postmaster_each(void (*visit)(int pgdata_fd, void *arg), void *arg);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Order of initialisation and exit; nothing else. What can start work comes
 * up last and goes down first.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "trace.h"

#include "cluster.h"
#include "genl.h"
#include "hook.h"
#include "startup.h"
#include "stats.h"

static int __init walpf_init(void)
{
	int err;

	err = walpf_hook_init();
	if (err)
		return err;
	err = walpf_startup_init();
	if (err)
		goto err_hook;
	err = walpf_stats_init();
	if (err)
		goto err_startup;
	err = walpf_genl_init();
	if (err)
		goto err_stats;
	pr_info("version %s loaded\n", WALPF_VERSION);
	return 0;

err_stats:
	walpf_stats_exit();
err_startup:
	walpf_startup_exit();
err_hook:
	walpf_hook_exit();
	return err;
}

static void __exit walpf_exit(void)
{
	walpf_genl_exit();
	walpf_cluster_exit();
	walpf_startup_exit();
	walpf_cluster_wait_freed();
	walpf_startup_drain();
	walpf_stats_exit();
	walpf_hook_exit();
	pr_info("unloaded\n");
}

module_init(walpf_init);
module_exit(walpf_exit);

MODULE_DESCRIPTION("Look-ahead for PostgreSQL's WAL replay");
MODULE_LICENSE("GPL");
MODULE_VERSION(WALPF_VERSION);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kprobe on each function that walpf probes, with a handler that does
 * nothing: the least that observing a read can cost on a kernel.
 */
#include <linux/kprobes.h>
#include <linux/module.h>

static int handler(struct kprobe *kp, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(handler);

static struct kprobe ext4_probe = { .symbol_name = "ext4_file_read_iter", .pre_handler = handler };
static struct kprobe xfs_probe = { .symbol_name = "xfs_file_read_iter", .pre_handler = handler };

static int __init empty_init(void)
{
	int err = register_kprobe(&ext4_probe);

	if (err)
		return err;
	err = register_kprobe(&xfs_probe);
	return err == -ENOENT ? 0 : err;
}

static void __exit empty_exit(void)
{
	unregister_kprobe(&ext4_probe);
	if (xfs_probe.addr)
		unregister_kprobe(&xfs_probe);
}

module_init(empty_init);
module_exit(empty_exit);
MODULE_DESCRIPTION("kprobes that do nothing, to compare with");
MODULE_LICENSE("GPL");

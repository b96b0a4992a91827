/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Charging page cache to somebody else's memory cgroup. Page cache respects
 * set_active_memcg() since v5.14 (04f94e3fbe1a "mm: charge active memcg when
 * no mm is set"). Before that it needs an address space to borrow, which
 * would keep the server's shared memory alive: not done.
 */
#ifndef WALPF_COMPAT_MEMCG_H
#define WALPF_COMPAT_MEMCG_H

#include <linux/memcontrol.h>
#include <linux/page_counter.h>
#include <linux/sched/mm.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
/* The cgroup of a task's address space, referenced; NULL: nobody in particular. */
static inline struct mem_cgroup *walpf_memcg_get(struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);
	struct mem_cgroup *memcg;

	if (!mm)
		return NULL;
	memcg = get_mem_cgroup_from_mm(mm);
	mmput(mm);
	return memcg;
}

static inline struct mem_cgroup *walpf_memcg_enter(struct mem_cgroup *memcg)
{
	return set_active_memcg(memcg);
}

static inline void walpf_memcg_leave(struct mem_cgroup *old)
{
	set_active_memcg(old);
}
#else
static inline struct mem_cgroup *walpf_memcg_get(struct task_struct *task)
{
	return NULL;
}

static inline struct mem_cgroup *walpf_memcg_enter(struct mem_cgroup *memcg)
{
	return NULL;
}

static inline void walpf_memcg_leave(struct mem_cgroup *old)
{
}
#endif

/* The most memory that a cgroup may have, in pages, those above it considered. */
static inline u64 walpf_memcg_max(struct mem_cgroup *memcg)
{
	unsigned long max = PAGE_COUNTER_MAX;
#ifdef CONFIG_MEMCG
	struct page_counter *counter;

	for (counter = memcg ? &memcg->memory : NULL; counter; counter = counter->parent)
		max = min(max, READ_ONCE(counter->max));
#endif
	return max;
}

static inline void walpf_memcg_put(struct mem_cgroup *memcg)
{
	if (memcg)
		mem_cgroup_put(memcg);
}

#endif

/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_charge.h - pages that the GPU touches first are charged to the memory cgroup of the process that has made the buffer: the
 * worker thread that allocates them belongs to no process.
 */
#ifndef AMDGPU_CHARGE_H
#define AMDGPU_CHARGE_H

#include <linux/memcontrol.h>
#include <linux/sched/mm.h>

/** amdm_charge_caller() - the caller's cgroup, referenced; NULL without cgroups */
static inline struct mem_cgroup *amdm_charge_caller(void)
{
	return get_mem_cgroup_from_mm(current->mm);
}

/** amdm_charge_get() - a reference to @memcg, which may be on its way out (RCU protects it). Return: NULL if it is gone. */
static inline struct mem_cgroup *amdm_charge_get(struct mem_cgroup *memcg)
{
#ifdef CONFIG_MEMCG
	if (memcg && !css_tryget(&memcg->css))
		return NULL;
#endif
	return memcg;
}

/** amdm_charge_page() - a zeroed page, charged to @memcg; to no cgroup if that is NULL. Return: NULL without memory, or over the limit. */
static inline struct page *amdm_charge_page(struct mem_cgroup *memcg, gfp_t gfp)
{
	struct mem_cgroup *old = set_active_memcg(memcg);
	struct page *page = alloc_page(gfp | __GFP_ZERO | __GFP_NOWARN | (memcg ? __GFP_ACCOUNT : 0));

	set_active_memcg(old);
	return page;
}

#endif

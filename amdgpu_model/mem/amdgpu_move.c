// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_move.c - one buffer from one place to another
 *
 * The caller holds amdm_placement.sem for writing, and the buffer is not in use: no fence of a job is pending for it, and the queues of KFD
 * that map it are off. CPU mappings are removed first and come back by page faults. Then contents are copied, by the CPU: pages that nobody
 * has ever touched read as zero in either place and are not made. Then the page tables of all address spaces that map it say the new place;
 * they have all the tables already, so that this cannot fail. An entry for a buffer in the place CPU is not valid.
 *
 * How much may be moved for the sake of CS is a budget (amdgpu_cs_get_threshold_for_moves()): 8 MB for each second, at most that of
 * 200 ms, and a quarter of VRAM that is free.
 */
#include <drm/drm_vma_manager.h>
#include <linux/highmem.h>
#include <linux/mm.h>

#include "amdgpu_evict.h"
#include "amdgpu_gart.h"
#include "amdgpu_vm.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_trace.h"

#define MOVE_BYTES_PER_US	8	/* amdgpu_benchmark_move_rate: 8 MB/s, and it is bytes a us */
#define MOVE_MAX_US		200000

/** amdm_move_is_usable() - may jobs and queues touch it where it is? amdm_placement.sem held */
bool amdm_move_is_usable(const struct amdm_bo *bo)
{
	return bo->kind != AMDM_CPU;
}

/** amdm_move_is_wanted() - should it be elsewhere? amdm_placement.sem held */
bool amdm_move_is_wanted(const struct amdm_bo *bo)
{
	bool vram = bo->domains & AMDGPU_GEM_DOMAIN_VRAM, gtt = bo->domains & AMDGPU_GEM_DOMAIN_GTT;

	switch (bo->kind) {
	case AMDM_VRAM:
		return gtt && !vram;
	case AMDM_GTT:
		return vram && !gtt;
	default:
		return bo->kind == AMDM_CPU;
	}
}

static s64 amdm_move_budget_locked(struct amdm_device *adev)
{
	struct amdm_placement *placement = &adev->placement;
	u64 used = amdm_vram_used(adev), left = adev->vram.size - min(used, adev->vram.size);
	s64 now = ktime_to_us(ktime_get());

	placement->budget = min_t(s64, placement->budget + now - placement->budget_at, MOVE_MAX_US);
	placement->budget_at = now;
	if (left >= 128ULL << 20 || left >= adev->vram.size / 8)
		placement->budget = max_t(s64, placement->budget, left / 4 / MOVE_BYTES_PER_US);
	return placement->budget;
}

/** amdm_move_allowance() - bytes that a submission may move */
u64 amdm_move_allowance(struct amdm_device *adev)
{
	s64 us;

	spin_lock(&adev->placement.lock);
	us = amdm_move_budget_locked(adev);
	spin_unlock(&adev->placement.lock);
	return us > 0 ? us * MOVE_BYTES_PER_US : 0;
}

/** amdm_move_spend() - that much has been moved */
void amdm_move_spend(struct amdm_device *adev, u64 bytes)
{
	spin_lock(&adev->placement.lock);
	adev->placement.budget -= bytes / MOVE_BYTES_PER_US;
	spin_unlock(&adev->placement.lock);
}

/* Of gigabytes that hold a few pages only these are looked at. */
static int move_out(struct amdm_device *adev, const struct amdm_vram_alloc *from, struct amdm_sysmem *to)
{
	unsigned long done, run;

	for (done = 0; done < to->count; done += run) {
		struct page *source;
		unsigned long first, at;
		u64 bytes;

		first = amdm_vram_offset(from, (u64)done << PAGE_SHIFT, &bytes) >> PAGE_SHIFT;
		run = min_t(u64, bytes >> PAGE_SHIFT, to->count - done);
		xa_for_each_range(&adev->vram.pages, at, source, first, first + run - 1) {
			struct page *page = amdm_sysmem_page(adev, to, done + at - first, GFP_KERNEL | __GFP_RETRY_MAYFAIL);

			if (!page)
				return -ENOMEM;
			copy_highpage(page, source);
			cond_resched();
		}
		cond_resched();
	}
	return 0;
}

static int move_in(struct amdm_device *adev, const struct amdm_sysmem *from, const struct amdm_vram_alloc *to)
{
	unsigned long i;

	for (i = 0; i < from->count; i++) {
		struct page *page;

		if (!from->pages[i])
			continue;
		page = amdm_vram_page(adev, amdm_vram_offset(to, (u64)i << PAGE_SHIFT, NULL), GFP_KERNEL | __GFP_RETRY_MAYFAIL);
		if (!page)
			return -ENOMEM;
		copy_highpage(page, from->pages[i]);
		cond_resched();
	}
	return 0;
}

/* Take the place @kind; *vram and *mem are the old place. */
static int move_contents(struct amdm_bo *bo, enum amdm_kind kind, struct amdm_vram_alloc **vram, struct amdm_sysmem **mem)
{
	struct amdm_device *adev = amdm_bo_device(bo);
	struct amdm_sysmem *to;
	int ret;

	if (kind == AMDM_VRAM) {
		ret = move_in(adev, bo->sysmem, *vram);
		if (ret)
			return ret;
		*mem = bo->sysmem;
		bo->vram = *vram;
		*vram = NULL;
		return 0;
	}
	to = amdm_sysmem_new(bo->base.size);
	if (!to)
		return -ENOMEM;
	/* A buffer that leaves for plain system memory must not occupy GTT during the copy: others may need the room. */
	ret = kind == AMDM_GTT ? amdm_sysmem_bind(adev, to) : 0;
	if (!ret)
		ret = move_out(adev, bo->vram, to);
	if (ret) {
		amdm_sysmem_free(adev, to);
		return ret;
	}
	*vram = bo->vram;
	bo->sysmem = to;
	return 0;
}

static void move_mappings(struct amdm_bo *bo)
{
	struct amdm_device *adev = amdm_bo_device(bo);
	struct amdm_mapping *mapping;
	bool any = false;

	list_for_each_entry(mapping, &bo->mappings, of_bo) {
		amdm_vm_rewrite(mapping);
		any = true;
	}
	/* Also for accesses to a buffer that the job did not list: another buffer may get the place soon. */
	if (any)
		amdm_gmc_flush_vmids(adev, 0xfffe, 0);
}

static void move_between_lists(struct amdm_bo *bo, enum amdm_kind kind)
{
	struct amdm_placement *placement = &amdm_bo_device(bo)->placement;

	spin_lock(&placement->lock);
	bo->kind = kind;
	list_del_init(&bo->place);
	if (kind < AMDM_PLACES)
		list_add_tail(&bo->place, &placement->in[kind]);
	if (bo->vm && amdm_move_is_wanted(bo))
		list_move_tail(&bo->stray, &bo->vm->strays);
	else
		list_del_init(&bo->stray);
	spin_unlock(&placement->lock);
}

/* Linux: TTM_PL_SYSTEM, TTM_PL_TT, TTM_PL_VRAM */
static const u32 ttm_place[] = { [AMDM_CPU] = 0, [AMDM_GTT] = 1, [AMDM_VRAM] = 2 };

/**
 * amdm_move() - move an idle buffer with its contents
 * @bo:   buffer; is in VRAM, GTT or CPU
 * @kind: another place
 * @vram: for VRAM: the room, which is the buffer's if this succeeds; else NULL
 *
 * amdm_placement.sem is held for writing. Return: 0, -ENOMEM: it stays.
 */
int amdm_move(struct amdm_bo *bo, enum amdm_kind kind, struct amdm_vram_alloc *vram)
{
	struct amdm_device *adev = amdm_bo_device(bo);
	enum amdm_kind from = bo->kind;
	struct amdm_sysmem *mem = NULL;
	int ret = 0;

	drm_vma_node_unmap(&bo->base.vma_node, adev->ddev.anon_inode->i_mapping);
	amdm_gart_unmap(adev, &bo->gart);
	if (kind == AMDM_VRAM || from == AMDM_VRAM)
		ret = move_contents(bo, kind, &vram, &mem);
	else if (kind == AMDM_GTT)
		ret = amdm_sysmem_bind(adev, bo->sysmem);
	if (ret)
		return ret;
	move_between_lists(bo, kind);
	move_mappings(bo);
	trace_amdgpu_bo_move(bo, bo->base.size, ttm_place[kind], ttm_place[from]);
	if (from == AMDM_GTT && kind == AMDM_CPU)
		amdm_sysmem_unbind(adev, bo->sysmem);
	amdm_sysmem_free(adev, mem);
	amdm_vram_free(adev, vram);
	atomic64_add(bo->base.size, &adev->placement.moved);
	return 0;
}

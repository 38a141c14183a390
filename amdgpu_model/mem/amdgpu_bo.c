// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_bo.c - where the memory of a buffer is, for GPUs, for VMID 0, and for the kernel
 */
#include <linux/dma-resv.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "amdgpu_gart.h"
#include "amdgpu_gem.h"
#include "amdgpu_vram.h"
#include "amdgpu_model/glue/glue.h"

#define GART_TRIES	1024	/* buffers that are looked at for room */

/** amdm_bo_leave_gart() - a buffer goes: whoever looks for room in the GART leaves it alone when this returns */
void amdm_bo_leave_gart(struct amdm_bo *bo)
{
	struct amdm_device *adev = amdm_bo_device(bo);

	mutex_lock(&adev->gart.users_lock);
	list_del_init(&bo->gart_user);
	mutex_unlock(&adev->gart.users_lock);
	amdm_gart_unmap(adev, &bo->gart);
}

/**
 * amdm_bo_address() - where the GPU finds a byte of a buffer; amdm_placement.sem held
 * @bo:  buffer
 * @at:  byte, page aligned
 * @run: out: bytes that follow without a gap
 * Return: VRAM offset (AMDM_VRAM) or bus address.
 */
u64 amdm_bo_address(struct amdm_bo *bo, u64 at, u64 *run)
{
	*run = bo->base.size - at;
	switch (bo->kind) {
	case AMDM_VRAM:
		return amdm_vram_offset(bo->vram, at, run);
	case AMDM_GTT:
		return bo->sysmem->bus.node.start + at;
	case AMDM_USERPTR:
		return amdm_userptr_bus(bo->user) + at;
	case AMDM_CPU:
		return 0;
	default:
		return bo->bar.node.start + at;
	}
}

/** amdm_bo_page() - the page that CPUs see at a byte of a buffer, pinned or amdm_placement.sem held; NULL: none, or no memory */
struct page *amdm_bo_page(struct amdm_bo *bo, u64 at)
{
	struct amdm_device *adev = amdm_bo_device(bo);

	switch (bo->kind) {
	case AMDM_VRAM:
		return amdm_vram_page(adev, amdm_vram_offset(bo->vram, at, NULL), GFP_KERNEL_ACCOUNT);
	case AMDM_GTT:
	case AMDM_CPU:
		return amdm_sysmem_page(adev, bo->sysmem, at >> PAGE_SHIFT, GFP_KERNEL_ACCOUNT);
	case AMDM_DOORBELL:
		return amdm_doorbell_page(adev, bo->bar_offset + at);
	case AMDM_MMIO:
		return bo->mmio_page;
	case AMDM_PEER:
		return amdm_bo_page(bo->origin, at);
	case AMDM_FOREIGN:
		return bo->pages[at >> PAGE_SHIFT];
	default:
		return NULL;
	}
}

static bool amdm_bo_is_idle_in_gart(struct amdm_bo *bo)
{
	return drm_mm_node_allocated(&bo->gart) && dma_resv_test_signaled(bo->base.resv, DMA_RESV_USAGE_BOOKKEEP);
}

/*
 * The GART is full: take the place of a buffer whose jobs have ended. It gets another one with its next job. Who is about to
 * submit one has locked the reservation. Return: has one gone?
 */
static bool amdm_bo_reclaim_gart(struct amdm_device *adev)
{
	struct amdm_gart *gart = &adev->gart;
	u32 tries = GART_TRIES;
	bool found = false;
	struct amdm_bo *bo;

	mutex_lock(&gart->users_lock);
	while (!found && tries-- && !list_empty(&gart->users)) {
		bo = list_first_entry(&gart->users, struct amdm_bo, gart_user);
		list_move_tail(&bo->gart_user, &gart->users);
		if (!dma_resv_trylock(bo->base.resv))
			continue;
		found = amdm_bo_is_idle_in_gart(bo);
		if (found) {
			list_del_init(&bo->gart_user);
			amdm_gart_unmap(adev, &bo->gart);
		}
		dma_resv_unlock(bo->base.resv);
	}
	mutex_unlock(&gart->users_lock);
	return found;
}

static int amdm_bo_enter_gart(struct amdm_bo *bo)
{
	struct amdm_device *adev = amdm_bo_device(bo);
	int ret;

	do
		ret = amdm_gart_map(adev, &bo->gart, bo->sysmem);
	while (ret == -ENOSPC && amdm_bo_reclaim_gart(adev));
	if (ret)
		return ret;
	mutex_lock(&adev->gart.users_lock);
	list_move_tail(&bo->gart_user, &adev->gart.users);
	mutex_unlock(&adev->gart.users_lock);
	return 0;
}

/**
 * amdm_bo_mc_address() - where VMID 0 sees the first page of a buffer
 * @bo:   VRAM or GTT; amdm_placement.sem held, and its reservation locked
 * @addr: out, good until jobs whose fences the reservation has by its unlocking have ended
 * Return: 0, -ENOSPC: the GART is full.
 */
int amdm_bo_mc_address(struct amdm_bo *bo, u64 *addr)
{
	struct amdm_device *adev = amdm_bo_device(bo);
	int ret = 0;

	if (bo->kind == AMDM_VRAM) {
		*addr = amdm_fb_start(adev) + amdm_vram_offset(bo->vram, 0, NULL);
		return 0;
	}
	mutex_lock(&bo->lock);
	if (!drm_mm_node_allocated(&bo->gart))
		ret = amdm_bo_enter_gart(bo);
	*addr = adev->gart.start + (bo->gart.start << PAGE_SHIFT);
	mutex_unlock(&bo->lock);
	return ret;
}

static void *amdm_bo_vmap(struct amdm_bo *bo)
{
	unsigned long count = bo->base.size >> PAGE_SHIFT, i;
	struct page **pages = kvcalloc(count, sizeof(*pages), GFP_KERNEL);
	void *cpu = NULL;

	if (!pages)
		return NULL;
	for (i = 0; i < count; i++) {
		pages[i] = amdm_bo_page(bo, (u64)i << PAGE_SHIFT);
		if (!pages[i])
			goto free;
	}
	cpu = vmap(pages, count, VM_MAP, PAGE_KERNEL);
free:
	kvfree(pages);
	return cpu;
}

/** amdm_bo_kmap() - kernel address of a VRAM or GTT buffer, until amdm_bo_kunmap() */
int amdm_bo_kmap(struct amdm_bo *bo, void **cpu)
{
	int ret = 0;

	if (!amdm_bo_is_memory(bo))
		return -EINVAL;
	down_read(&amdm_bo_device(bo)->placement.sem);
	mutex_lock(&bo->lock);
	if (!bo->kmap_count)
		bo->kmap = amdm_bo_vmap(bo);
	if (bo->kmap)
		bo->kmap_count++;
	else
		ret = -ENOMEM;
	*cpu = bo->kmap;
	mutex_unlock(&bo->lock);
	up_read(&amdm_bo_device(bo)->placement.sem);
	return ret;
}

/** amdm_bo_kunmap() - undo one amdm_bo_kmap() */
void amdm_bo_kunmap(struct amdm_bo *bo)
{
	mutex_lock(&bo->lock);
	if (!WARN_ON(!bo->kmap_count) && !--bo->kmap_count) {
		vunmap(bo->kmap);
		bo->kmap = NULL;
	}
	mutex_unlock(&bo->lock);
}

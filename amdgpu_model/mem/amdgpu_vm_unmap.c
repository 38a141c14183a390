// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_vm_unmap.c - mappings on their way out
 *
 * KFD's mappings go at once: KFD has stopped its queues. What GEM_VA has mapped may be in use by jobs. Such a mapping leaves the
 * address space's tree, where nobody sees it any more, and stays in another one until the last job that uses its buffer has
 * ended; only then its page table entries are cleared and the buffer let go.
 *
 * Queues of KFD in the same address space go on meanwhile (GEM_VA beside KFD's mappings, since KFD 1.15): their TLBs have to hear of it.
 */
#include <linux/dma-resv.h>
#include <linux/slab.h>

#include "amdgpu_gart.h"
#include "amdgpu_gem.h"
#include "amdgpu_vm.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_trace.h"

static void amdm_vm_trace_unmap(const struct amdm_mapping *mapping)
{
	trace_amdgpu_vm_bo_unmap(mapping->bo, mapping->node.start, mapping->node.last, mapping->offset, mapping->flags);
}

static void amdm_vm_free_mapping(struct amdm_mapping *mapping)
{
	list_del(&mapping->link);
	drm_gem_object_put(&mapping->bo->base);
	kfree(mapping);
}

/** amdm_vm_flush_queues() - GEM_VA has changed page tables: queues of KFD know of it when this returns. Context: may sleep, no locks. */
void amdm_vm_flush_queues(struct amdm_vm *vm)
{
	u32 pasid = smp_load_acquire(&vm->pasid);

	if (pasid)
		vm->flush(vm->adev, pasid, KFD_BRIDGE_TLB_HEAVYWEIGHT);
}

static void amdm_vm_left(struct work_struct *work)
{
	struct amdm_mapping *mapping = container_of(work, struct amdm_mapping, work);
	struct amdm_vm *vm = mapping->vm;

	down_read(&vm->adev->placement.sem);
	mutex_lock(&vm->lock);
	interval_tree_remove(&mapping->node, &vm->leaving);
	amdm_vm_clear_ptes_locked(mapping);
	mutex_unlock(&vm->lock);
	up_read(&vm->adev->placement.sem);
	amdm_vm_flush_queues(vm);
	dma_fence_put(mapping->fence);
	amdm_vm_free_mapping(mapping);
	amdm_vm_put(vm);
}

static void amdm_vm_jobs_done(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct amdm_mapping *mapping = container_of(cb, struct amdm_mapping, cb);

	queue_work(mapping->vm->adev->vm_wq, &mapping->work);
}

/* The jobs that may use a mapping; NULL: none, or there is no memory to name them all, and they have been waited for. */
static struct dma_fence *amdm_vm_users(const struct amdm_mapping *mapping)
{
	struct dma_resv *resv = mapping->bo->base.resv;
	struct dma_fence *fence;

	if (dma_resv_test_signaled(resv, DMA_RESV_USAGE_BOOKKEEP))
		return NULL;
	if (!dma_resv_get_singleton(resv, DMA_RESV_USAGE_BOOKKEEP, &fence))
		return fence;
	dma_resv_wait_timeout(resv, DMA_RESV_USAGE_BOOKKEEP, false, MAX_SCHEDULE_TIMEOUT);
	return NULL;
}

/**
 * amdm_vm_leave_locked() - unmap as GEM_VA does
 *
 * Page tables change when the jobs that use the buffer have ended (amdgpu_vm_clear_freed); the caller does not wait. vm->lock held.
 */
void amdm_vm_leave_locked(struct amdm_mapping *mapping)
{
	struct amdm_vm *vm = mapping->vm;

	amdm_vm_trace_unmap(mapping);
	interval_tree_remove(&mapping->node, &vm->va);
	mapping->fence = amdm_vm_users(mapping);
	if (!mapping->fence) {
		amdm_vm_clear_ptes_locked(mapping);
		amdm_vm_free_mapping(mapping);
		return;
	}
	amdm_vm_get(vm);
	INIT_WORK(&mapping->work, amdm_vm_left);
	interval_tree_insert(&mapping->node, &vm->leaving);
	if (dma_fence_add_callback(mapping->fence, &mapping->cb, amdm_vm_jobs_done))
		queue_work(vm->adev->vm_wq, &mapping->work);
}

/** amdm_vm_wait_leaving() - until no job uses what was mapped at some pages. Return: 0, -ERESTARTSYS. */
int amdm_vm_wait_leaving(struct amdm_vm *vm, unsigned long first, unsigned long last)
{
	struct interval_tree_node *node;
	long ret = 0;

	while (!ret) {
		struct dma_fence *fence = NULL;

		mutex_lock(&vm->lock);
		node = interval_tree_iter_first(&vm->leaving, first, last);
		if (node)
			fence = dma_fence_get(container_of(node, struct amdm_mapping, node)->fence);
		mutex_unlock(&vm->lock);
		if (!node)
			break;
		ret = dma_fence_wait(fence, true);
		dma_fence_put(fence);
		flush_workqueue(vm->adev->vm_wq);
	}
	return ret;
}

/** amdm_vm_unmap() - undo amdm_vm_map(), by the owner of the mapping; the TLB is the caller's business */
void amdm_vm_unmap(struct amdm_mapping *mapping)
{
	struct amdm_vm *vm = mapping->vm;

	amdm_vm_trace_unmap(mapping);
	down_read(&vm->adev->placement.sem);
	mutex_lock(&vm->lock);
	interval_tree_remove(&mapping->node, &vm->va);
	amdm_vm_clear_ptes_locked(mapping);
	mutex_unlock(&vm->lock);
	up_read(&vm->adev->placement.sem);
	amdm_vm_free_mapping(mapping);
}

/**
 * amdm_vm_unmap_gem() - unmap what GEM_VA has mapped, when the jobs that use it have ended
 * @vm: address space
 * @bo: buffer
 * @va: first address of the mapping, 0: any of @bo
 * Return: 0, -ENOENT.
 */
int amdm_vm_unmap_gem(struct amdm_vm *vm, struct amdm_bo *bo, u64 va)
{
	unsigned long first = va >> PAGE_SHIFT, last = va ? first : ULONG_MAX;
	struct amdm_mapping *mapping = NULL;
	struct interval_tree_node *node;

	down_read(&vm->adev->placement.sem);
	mutex_lock(&vm->lock);
	for (node = interval_tree_iter_first(&vm->va, first, last); node; node = interval_tree_iter_next(node, first, last)) {
		mapping = container_of(node, struct amdm_mapping, node);
		if (mapping->bo == bo && !mapping->owner && (!va || node->start == first))
			break;
	}
	if (node)
		amdm_vm_leave_locked(mapping);
	mutex_unlock(&vm->lock);
	up_read(&vm->adev->placement.sem);
	return node ? 0 : -ENOENT;
}

static struct amdm_mapping *amdm_vm_piece(const struct amdm_mapping *of, unsigned long first, unsigned long last)
{
	struct amdm_mapping *piece = kzalloc(sizeof(*piece), GFP_KERNEL_ACCOUNT);

	if (!piece)
		return NULL;
	piece->node.start = first;
	piece->node.last = last;
	piece->vm = of->vm;
	piece->bo = of->bo;
	piece->offset = of->offset + ((u64)(first - of->node.start) << PAGE_SHIFT);
	piece->flags = of->flags;
	INIT_LIST_HEAD(&piece->link);
	INIT_LIST_HEAD(&piece->of_bo);
	drm_gem_object_get(&piece->bo->base);
	return piece;
}

static void amdm_vm_add_piece(struct amdm_mapping *piece)
{
	interval_tree_insert(&piece->node, &piece->vm->va);
	amdm_vm_hook(piece);
}

/* What of a mapping lies outside of the pages stays as mappings of their own; their page table entries are not touched. */
static int amdm_vm_cut_locked(struct amdm_mapping *mapping, unsigned long first, unsigned long last)
{
	struct amdm_vm *vm = mapping->vm;
	unsigned long start = mapping->node.start, end = mapping->node.last;
	struct amdm_mapping *before = NULL, *after = NULL;

	if (mapping->owner)
		return -EINVAL;
	if (start < first)
		before = amdm_vm_piece(mapping, start, first - 1);
	if (end > last)
		after = amdm_vm_piece(mapping, last + 1, end);
	if ((start < first && !before) || (end > last && !after)) {
		if (before)
			amdm_vm_free_mapping(before);
		if (after)
			amdm_vm_free_mapping(after);
		return -ENOMEM;
	}
	interval_tree_remove(&mapping->node, &vm->va);
	mapping->node.start = max(start, first);
	mapping->node.last = min(end, last);
	mapping->offset += (u64)(mapping->node.start - start) << PAGE_SHIFT;
	interval_tree_insert(&mapping->node, &vm->va);
	if (before)
		amdm_vm_add_piece(before);
	if (after)
		amdm_vm_add_piece(after);
	amdm_vm_leave_locked(mapping);
	return 0;
}

/**
 * amdm_vm_clear() - unmap whatever GEM_VA has mapped in a range
 * @vm:   address space
 * @va:   first address
 * @size: bytes
 * Return: 0, -EINVAL: misaligned, or KFD has mapped something there; -ENOMEM.
 */
int amdm_vm_clear(struct amdm_vm *vm, u64 va, u64 size)
{
	unsigned long first = va >> PAGE_SHIFT, last = first + (size >> PAGE_SHIFT) - 1;
	struct interval_tree_node *node;
	int ret = 0;

	if (!size || (va | size) & ~PAGE_MASK || va + size < va)
		return -EINVAL;
	down_read(&vm->adev->placement.sem);
	mutex_lock(&vm->lock);
	while (!ret && (node = interval_tree_iter_first(&vm->va, first, last)))
		ret = amdm_vm_cut_locked(container_of(node, struct amdm_mapping, node), first, last);
	mutex_unlock(&vm->lock);
	up_read(&vm->adev->placement.sem);
	return ret;
}

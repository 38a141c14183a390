// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_hold.c - mappings that queues rely on
 *
 * While a queue lives KFD does not unmap its ring, its pointers and where its waves are saved (kfd_queue_buffer_get and its user,
 * unmap_bo_from_gpuvm). GEM_VA may nevertheless unmap what it has mapped; then only the reference to the buffer remains to be dropped.
 */
#include <linux/slab.h>

#include "amdgpu_amdkfd.h"
#include "amdgpu_model/hw/gpuvm_v9.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_iommu.h"
#include "amdgpu_model/mem/amdgpu_vm.h"

/** struct amdm_hold - a user of a mapping: @bo was mapped in @vm from page @first on; both are referenced */
struct amdm_hold {
	struct amdm_vm *vm;
	struct amdm_bo *bo;
	unsigned long first;
};

/* KFD holds shared virtual memory itself: it is no buffer of user space's. */
static bool amdm_mapping_is_shared(const struct amdm_mapping *mapping)
{
	return mapping->bo->kind == AMDM_USERPTR && amdm_userptr_is_quiet(mapping->bo->user);
}

/* What begins at that page; vm->lock held. */
static struct amdm_mapping *amdm_hold_find(struct amdm_vm *vm, unsigned long first)
{
	struct interval_tree_node *node = interval_tree_iter_first(&vm->va, first, first);

	struct amdm_mapping *mapping = node ? container_of(node, struct amdm_mapping, node) : NULL;

	return mapping && node->start == first && !amdm_mapping_is_shared(mapping) ? mapping : NULL;
}

/** amdm_kgd_vm_hold() - see kfd_bridge.h */
int amdm_kgd_vm_hold(struct amdm_vm *vm, u64 va, u64 bytes, struct amdm_hold **out)
{
	struct amdm_hold *hold = kzalloc(sizeof(*hold), GFP_KERNEL_ACCOUNT);
	const u64 pages = bytes >> PAGE_SHIFT;
	struct amdm_mapping *mapping;

	if (!hold)
		return -ENOMEM;
	hold->first = va >> PAGE_SHIFT;
	mutex_lock(&vm->lock);
	mapping = amdm_hold_find(vm, hold->first);
	if (mapping && pages && mapping->node.last - mapping->node.start + 1 != pages)
		mapping = NULL;
	if (mapping) {
		mapping->holds++;
		hold->bo = mapping->bo;
		drm_gem_object_get(&hold->bo->base);
	}
	mutex_unlock(&vm->lock);
	if (!mapping) {
		kfree(hold);
		return -EINVAL;
	}
	hold->vm = amdm_vm_get(vm);
	*out = hold;
	return 0;
}

/** amdm_kgd_vm_unhold() - see kfd_bridge.h */
void amdm_kgd_vm_unhold(struct amdm_hold *hold)
{
	struct amdm_mapping *mapping;

	mutex_lock(&hold->vm->lock);
	mapping = amdm_hold_find(hold->vm, hold->first);
	if (mapping && mapping->bo == hold->bo && mapping->holds)
		mapping->holds--;
	mutex_unlock(&hold->vm->lock);
	drm_gem_object_put(&hold->bo->base);
	amdm_vm_put(hold->vm);
	kfree(hold);
}

/** amdm_kgd_vm_is_used() - see kfd_bridge.h */
bool amdm_kgd_vm_is_used(struct amdm_vm *vm, u64 va, u64 bytes)
{
	unsigned long first = va >> PAGE_SHIFT, last = (va + bytes - 1) >> PAGE_SHIFT;
	struct interval_tree_node *node;

	mutex_lock(&vm->lock);
	node = interval_tree_iter_first(&vm->va, first, last);
	while (node && amdm_mapping_is_shared(container_of(node, struct amdm_mapping, node)))
		node = interval_tree_iter_next(node, first, last);
	mutex_unlock(&vm->lock);
	return node;
}

/** amdm_kgd_vm_refuse() - see kfd_bridge.h */
int amdm_kgd_vm_refuse(struct amdm_vm *vm, u64 va)
{
	int ret;

	mutex_lock(&vm->lock);
	ret = amdm_pt_set(vm->adev, vm->root, va & AMDM_VA_MASK & PAGE_MASK, GPUVM_PTE_NORETRY, 1);
	mutex_unlock(&vm->lock);
	return ret;
}

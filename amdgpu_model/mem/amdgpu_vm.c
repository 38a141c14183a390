// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_vm.c - which buffer is where in a GPU address space
 *
 * Each open DRM file has an address space from its first use to its close. Mappings are kept in an interval tree by page
 * number, so that overlaps are found before a page table is touched; the tables themselves are amdgpu_vm_pt.c's.
 *
 * KFD turns an address space into its own (amdm_vm_acquire() in amdgpu_amdkfd_gpuvm.c) and then maps into it through the
 * same functions as GEM_VA does.
 */
#include <linux/slab.h>

#include "amdgpu_evict.h"
#include "amdgpu_gart.h"
#include "amdgpu_gem.h"
#include "amdgpu_vm.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_trace.h"
#include "amdgpu_model/hw/gpuvm_v9.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

static atomic64_t amdm_vm_ids = ATOMIC64_INIT(0);

/** amdm_vm_create() - an empty address space. Return: ERR_PTR(-ENOMEM) on failure. */
struct amdm_vm *amdm_vm_create(struct amdm_device *adev, struct drm_file *drm)
{
	struct amdm_vm *vm = kzalloc(sizeof(*vm), GFP_KERNEL_ACCOUNT);

	if (!vm)
		return ERR_PTR(-ENOMEM);
	kref_init(&vm->ref);
	vm->id = atomic64_inc_return(&amdm_vm_ids);
	vm->adev = adev;
	vm->drm = drm;
	vm->va = RB_ROOT_CACHED;
	vm->leaving = RB_ROOT_CACHED;
	INIT_LIST_HEAD(&vm->strays);
	mutex_init(&vm->lock);
	do
		vm->root = amdm_pt_create_root(adev);
	while (!vm->root && amdm_evict_for_tables(adev));
	if (!vm->root) {
		kfree(vm);
		return ERR_PTR(-ENOMEM);
	}
	drm_gem_private_object_init(&adev->ddev, &vm->root_obj, PAGE_SIZE);
	return vm;
}

/** amdm_vm_check() - may this be mapped there? Return: 0, -EINVAL. */
int amdm_vm_check(const struct amdm_device *adev, const struct amdm_bo *bo, u64 va, u64 offset, u64 size)
{
	if (!va || !size || (va | offset | size) & ~PAGE_MASK || bo->kind == AMDM_ONCHIP)
		return -EINVAL;
	if (va + size < va || va + size > amdm_va_table_end(adev))
		return -EINVAL;
	if (offset + size < offset || offset + size > bo->base.size)
		return -EINVAL;
	return 0;
}

static int amdm_vm_insert_locked(struct amdm_mapping *mapping)
{
	struct amdm_vm *vm = mapping->vm;
	int ret;

	if (interval_tree_iter_first(&vm->va, mapping->node.start, mapping->node.last) ||
	    interval_tree_iter_first(&vm->leaving, mapping->node.start, mapping->node.last))
		return -EINVAL;
	ret = amdm_vm_write_locked(vm, mapping);
	if (ret) {
		amdm_vm_clear_ptes_locked(mapping);
		return ret;
	}
	atomic64_inc(&vm->updates);
	interval_tree_insert(&mapping->node, &vm->va);
	amdm_vm_hook(mapping);
	return 0;
}

static int amdm_vm_insert(struct amdm_mapping *mapping)
{
	struct amdm_vm *vm = mapping->vm;
	int ret;

	down_read(&vm->adev->placement.sem);
	mutex_lock(&vm->lock);
	/* What queues may touch at once has to be where they can. */
	if (amdm_mapping_is_of_kfd(mapping) && !vm->queues_off && !amdm_move_is_usable(mapping->bo))
		ret = -EAGAIN;
	else
		ret = amdm_vm_insert_locked(mapping);
	mutex_unlock(&vm->lock);
	up_read(&vm->adev->placement.sem);
	return ret;
}

/**
 * amdm_vm_map() - map a part of a buffer
 * @vm:     address space
 * @bo:     buffer; the mapping takes its own reference
 * @va:     GPU address
 * @offset: byte in the buffer
 * @size:   bytes
 * @flags:  GPUVM_PTE_READABLE, _WRITEABLE, _EXECUTABLE, _MTYPE()
 * @owner:  see struct amdm_mapping
 * Return: ERR_PTR: -EINVAL: misaligned, out of range or overlapping; -EAGAIN: KFD's, and where nobody reaches it; -ENOMEM.
 */
struct amdm_mapping *amdm_vm_map(struct amdm_vm *vm, struct amdm_bo *bo, u64 va, u64 offset, u64 size, u64 flags,
				 void *owner)
{
	struct amdm_mapping *mapping;
	int ret;

	ret = amdm_vm_check(vm->adev, bo, va, offset, size);
	if (ret)
		return ERR_PTR(ret);
	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL_ACCOUNT);
	if (!mapping)
		return ERR_PTR(-ENOMEM);
	mapping->node.start = va >> PAGE_SHIFT;
	mapping->node.last = ((va + size) >> PAGE_SHIFT) - 1;
	mapping->vm = vm;
	mapping->bo = bo;
	mapping->offset = offset;
	mapping->flags = flags;
	mapping->owner = owner;
	INIT_LIST_HEAD(&mapping->link);
	INIT_LIST_HEAD(&mapping->of_bo);

	ret = amdm_vm_wait_leaving(vm, mapping->node.start, mapping->node.last);
	if (ret)
		goto free;
	do
		ret = amdm_vm_insert(mapping);
	while (ret == -ENOMEM && amdm_evict_for_tables(vm->adev));
	if (ret)
		goto free;
	drm_gem_object_get(&bo->base);
	trace_amdgpu_vm_bo_map(bo, va >> PAGE_SHIFT, ((va + size) >> PAGE_SHIFT) - 1, offset, flags);
	return mapping;
free:
	kfree(mapping);
	return ERR_PTR(ret);
}

/** amdm_vm_close() - its file is closed: mappings that GEM_VA has left in it go, jobs may keep the rest for a while */
void amdm_vm_close(struct amdm_vm *vm)
{
	struct interval_tree_node *node;

	vm->drm = NULL;
	amdm_vmid_unreserve(vm->adev, vm);
	down_read(&vm->adev->placement.sem);
	mutex_lock(&vm->lock);
	while ((node = interval_tree_iter_first(&vm->va, 0, ULONG_MAX)))
		amdm_vm_leave_locked(container_of(node, struct amdm_mapping, node));
	mutex_unlock(&vm->lock);
	up_read(&vm->adev->placement.sem);
	amdm_vm_put(vm);
}

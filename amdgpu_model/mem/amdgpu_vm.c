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

/** amdm_vm_page_table_base() - value for MAP_PROCESS and VM_CONTEXTn_PAGE_TABLE_BASE */
u64 amdm_vm_page_table_base(struct amdm_vm *vm)
{
	u64 base = amdm_pt_address(vm->adev, vm->root);

	/* Before GFX9 the register holds a page number, and so does the packet (amdgpu_amdkfd_gpuvm_get_process_page_dir). */
	return vm->adev->asic->before_gfx9 ? base >> PAGE_SHIFT : base;
}

static u64 amdm_vm_pte_flags(const struct amdm_bo *bo, u64 flags)
{
	if (bo->kind != AMDM_CPU)
		flags |= GPUVM_PTE_VALID;
	if (bo->kind != AMDM_VRAM)
		flags |= GPUVM_PTE_SYSTEM | GPUVM_PTE_SNOOPED;
	return flags;
}

static int amdm_vm_write(struct amdm_vm *vm, const struct amdm_mapping *mapping)
{
	u64 size = (mapping->node.last - mapping->node.start + 1) << PAGE_SHIFT;
	u64 va = (u64)mapping->node.start << PAGE_SHIFT, done = 0;

	while (done < size) {
		u64 run, address = amdm_bo_address(mapping->bo, mapping->offset + done, &run);
		int ret;

		run = min(run, size - done);
		ret = amdm_pt_set(vm->adev, vm->root, va + done, address | amdm_vm_pte_flags(mapping->bo, mapping->flags),
				  run >> PAGE_SHIFT);
		if (ret)
			return ret;
		done += run;
	}
	return 0;
}

/** amdm_vm_hook() - the page tables have a mapping; amdm_placement.sem and vm->lock held */
void amdm_vm_hook(struct amdm_mapping *mapping)
{
	mutex_lock(&mapping->bo->lock);
	list_add_tail(&mapping->of_bo, &mapping->bo->mappings);
	mutex_unlock(&mapping->bo->lock);
}

/** amdm_vm_rewrite() - the buffer of a mapping has another place; amdm_placement.sem held for writing */
void amdm_vm_rewrite(struct amdm_mapping *mapping)
{
	struct amdm_vm *vm = mapping->vm;

	mutex_lock(&vm->lock);
	WARN_ON(amdm_vm_write(vm, mapping));	/* the tables are there */
	atomic64_inc(&vm->updates);
	mutex_unlock(&vm->lock);
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
	ret = amdm_vm_write(vm, mapping);
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
	if (mapping->owner && !vm->queues_off && !amdm_move_is_usable(mapping->bo))
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

static void amdm_vm_release(struct kref *ref)
{
	struct amdm_vm *vm = container_of(ref, struct amdm_vm, ref);

	WARN_ON(interval_tree_iter_first(&vm->leaving, 0, ULONG_MAX));
	amdm_pt_destroy(vm->adev, vm->root);
	drm_gem_object_release(&vm->root_obj);
	mutex_destroy(&vm->lock);
	kfree(vm);
}

/** amdm_vm_put() - the last one is the end of an address space. Context: may sleep. */
void amdm_vm_put(struct amdm_vm *vm)
{
	kref_put(&vm->ref, amdm_vm_release);
}

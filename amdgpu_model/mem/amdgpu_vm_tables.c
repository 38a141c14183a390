// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_vm_tables.c - the page tables of an address space say where the buffers of its mappings are
 *
 * Called by whoever maps, unmaps or moves buffers. How entries are stored is in amdgpu_vm_pt.c.
 */
#include <linux/slab.h>

#include "amdgpu_gem.h"
#include "amdgpu_vm.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/hw/gpuvm_v9.h"

/** amdm_vm_page_table_base() - value for MAP_PROCESS and VM_CONTEXTn_PAGE_TABLE_BASE */
u64 amdm_vm_page_table_base(struct amdm_vm *vm)
{
	return amdm_pt_address(vm->adev, vm->root) >> vm->adev->asic->gmc->base_shift;
}

static u64 amdm_vm_pte_flags(const struct amdm_bo *bo, u64 flags)
{
	if (bo->kind != AMDM_CPU)
		flags |= GPUVM_PTE_VALID;
	if (bo->kind != AMDM_VRAM)
		flags |= GPUVM_PTE_SYSTEM | GPUVM_PTE_SNOOPED;
	return flags;
}

/** amdm_vm_write_locked() - the page tables say where a mapping is; amdm_placement.sem and vm->lock held. Return: 0, -ENOMEM. */
int amdm_vm_write_locked(struct amdm_vm *vm, const struct amdm_mapping *mapping)
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
	WARN_ON(amdm_vm_write_locked(vm, mapping));	/* the tables are there */
	atomic64_inc(&vm->updates);
	mutex_unlock(&vm->lock);
}

/** amdm_vm_unhook() - undo amdm_vm_hook(), if it was done; amdm_placement.sem held */
void amdm_vm_unhook(struct amdm_mapping *mapping)
{
	mutex_lock(&mapping->bo->lock);
	list_del_init(&mapping->of_bo);
	mutex_unlock(&mapping->bo->lock);
}

/** amdm_vm_clear_ptes_locked() - the page tables forget a mapping; amdm_placement.sem and vm->lock held */
void amdm_vm_clear_ptes_locked(struct amdm_mapping *mapping)
{
	struct amdm_vm *vm = mapping->vm;

	amdm_vm_unhook(mapping);
	amdm_pt_clear(vm->adev, vm->root, (u64)mapping->node.start << PAGE_SHIFT, mapping->node.last - mapping->node.start + 1);
	atomic64_inc(&vm->updates);
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

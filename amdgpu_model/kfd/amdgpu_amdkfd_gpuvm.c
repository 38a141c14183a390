// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_amdkfd_gpuvm.c - KFD's buffers and address spaces
 *
 * A struct amdm_mem is a buffer as KFD knows it: a GEM object, the GPU address that it was made for, and the address spaces
 * it is mapped into. A GPU other than the owner reaches system memory through a buffer of its own on the same pages, made
 * at the first mapping; it cannot reach the owner's VRAM, doorbells or registers, as on a board without large BARs. The ring of a gfx8 AQL
 * queue (AQL_QUEUE_MEM) is half as large as it says and is mapped twice back to back.
 *
 * An address space belongs to an open DRM file. KFD takes it by amdm_kgd_vm_acquire(), once: the ownership is a single
 * compare-and-exchange, so that two racing calls cannot both win.
 */
#include <drm/drm_file.h>
#include <linux/dma-buf.h>
#include <linux/file.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "amdgpu_amdkfd.h"
#include "amdgpu_amdkfd_mem.h"
#include "amdgpu_model/base/amdgpu_file.h"
#include "amdgpu_model/drm/amdgpu_kms.h"
#include "amdgpu_model/hw/gpuvm_v9.h"
#include "amdgpu_model/mem/amdgpu_evict.h"
#include "amdgpu_model/mem/amdgpu_gart.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_migrate.h"
#include "amdgpu_model/mem/amdgpu_vm.h"
#include "uapi/kfd_ioctl.h"

/* What is in TTM's preemptible place in Linux 6.1: none of it is the driver's (AMDGPU_GEM_CREATE_PREEMPTIBLE). */
#define MEM_PREEMPTIBLE \
	(KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL | KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP)
#define MEM_MAP_TRIES	8	/* to have a buffer stay until it is mapped */

/** amdm_kgd_vm_acquire() - see kfd_bridge.h */
int amdm_kgd_vm_acquire(struct amdm_device *adev, struct file *drm_file, u32 pasid, struct amdm_vm **vm)
{
	struct drm_file *drm;
	struct amdm_vm *found;

	if (drm_file->f_op != &amdm_drm_fops)
		return -EINVAL;
	drm = drm_file->private_data;
	if (drm->minor->dev != &adev->ddev)
		return -EINVAL;
	found = amdm_file_vm(drm);
	if (atomic_cmpxchg(&found->compute, 0, 1))
		return -EINVAL;
	/* Nothing may ever have been mapped: Linux keeps the page tables of what is gone (amdgpu_vm_make_compute). */
	if (atomic64_read(&found->updates)) {
		atomic_set_release(&found->compute, 0);
		return -EINVAL;
	}
	found->flush = amdm_kgd_tlb_flush_pasid;
	smp_store_release(&found->pasid, pasid);
	found->file = get_file(drm_file);
	mmgrab(current->mm);
	down_write(&adev->placement.sem);
	found->mm = current->mm;
	found->queues_off = false;
	up_write(&adev->placement.sem);
	*vm = found;
	return 0;
}

/** amdm_kgd_vm_release() - see kfd_bridge.h */
void amdm_kgd_vm_release(struct amdm_device *adev, struct amdm_vm *vm)
{
	struct mm_struct *mm = vm->mm;
	struct file *file = vm->file;

	down_write(&adev->placement.sem);
	vm->mm = NULL;
	WRITE_ONCE(adev->placement.departures, adev->placement.departures + 1);
	up_write(&adev->placement.sem);
	wake_up_all(&adev->placement.left);
	mmdrop(mm);
	vm->file = NULL;
	WRITE_ONCE(vm->pasid, 0);
	atomic_set_release(&vm->compute, 0);
	fput(file);
}

static u64 amdm_mem_pte_flags(const struct amdm_device *adev, u32 flags)
{
	bool uc = flags & (KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED | KFD_IOC_ALLOC_MEM_FLAGS_COHERENT);
	u64 pte = GPUVM_PTE_READABLE | amdm_gmc_mtype(adev, uc ? GPUVM_MTYPE_UC : GPUVM_MTYPE_NC);

	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)
		pte |= GPUVM_PTE_WRITEABLE;
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE)
		pte |= GPUVM_PTE_EXECUTABLE;
	return pte;
}

static int amdm_mem_charge(struct amdm_device *adev, struct amdm_mem *mem, u64 size)
{
	int ret;

	if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_VRAM)
		mem->limit = AMDM_LIMIT_VRAM;
	else if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_GTT)
		mem->limit = AMDM_LIMIT_GTT;
	else if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR)
		mem->limit = AMDM_LIMIT_USERPTR;
	else
		return 0;
	ret = amdm_limit_charge(adev, mem->xcp, mem->limit, size);
	if (!ret)
		mem->charge = size;
	return ret;
}

static struct amdm_bo *amdm_mem_userptr(struct amdm_device *adev, u32 flags, u64 size, u64 user_addr)
{
	const bool readonly = !(flags & KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE);
	struct amdm_bo *bo;

	if (flags & KFD_BRIDGE_MEM_AHEAD)
		bo = amdm_bo_create_userptr_ahead(adev, user_addr, size, readonly);
	else
		bo = amdm_bo_create_userptr(adev, user_addr, size, readonly);
	if (!IS_ERR(bo) && flags & KFD_BRIDGE_MEM_SVM)
		amdm_userptr_keep_quiet(bo->user);
	return bo;
}

static struct amdm_bo *amdm_mem_bo(struct amdm_device *adev, u32 flags, u64 size, u64 user_addr)
{
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_VRAM)
		return amdm_bo_create_vram(adev, size, size >= (2u << 20) ? 2u << 20 : PAGE_SIZE, true);
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_GTT)
		return amdm_bo_create_gtt(adev, size, true);
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR) {
		if (!user_addr || user_addr & ~PAGE_MASK)
			return ERR_PTR(-EINVAL);
		return amdm_mem_userptr(adev, flags, size, user_addr);
	}
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL)
		return amdm_bo_create_doorbell(adev, user_addr, size);
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP)
		return size == PAGE_SIZE ? amdm_bo_create_mmio(adev) : ERR_PTR(-EINVAL);
	return ERR_PTR(-EINVAL);
}

/**
 * amdm_mem_new() - a buffer of KFD that has no memory yet
 * @va:    GPU address
 * @flags: KFD_IOC_ALLOC_MEM_FLAGS_*
 *
 * Return: NULL without memory for it.
 */
struct amdm_mem *amdm_mem_new(u64 va, u32 flags)
{
	struct amdm_mem *mem = kzalloc(sizeof(*mem), GFP_KERNEL);

	if (!mem)
		return NULL;
	mem->va = va;
	mem->flags = flags;
	mutex_init(&mem->lock);
	INIT_LIST_HEAD(&mem->mappings);
	return mem;
}

/** amdm_mem_delete() - the end of a buffer that is mapped nowhere, however far it has got */
void amdm_mem_delete(struct amdm_device *adev, struct amdm_mem *mem)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(mem->peers); i++)
		if (mem->peers[i])
			drm_gem_object_put(&mem->peers[i]->base);
	if (mem->drm)
		drm_vma_node_revoke(&mem->bo->base.vma_node, mem->drm);
	if (!IS_ERR_OR_NULL(mem->bo))
		drm_gem_object_put(&mem->bo->base);
	if (mem->dmabuf)
		dma_buf_put(mem->dmabuf);
	atomic64_sub(mem->preempt, &adev->preempt_bytes);
	if (mem->charge)
		amdm_limit_uncharge(adev, mem->xcp, mem->limit, mem->charge);
	mutex_destroy(&mem->lock);
	kfree(mem);
}

static int amdm_mem_make(struct amdm_device *adev, struct amdm_vm *vm, struct amdm_mem *mem, u64 size, u64 user_addr)
{
	int ret;

	ret = amdm_mem_charge(adev, mem, size);
	if (ret)
		return ret;
	mem->bo = amdm_mem_bo(adev, mem->flags, size, user_addr);
	if (IS_ERR(mem->bo))
		return PTR_ERR(mem->bo);
	if (mem->flags & MEM_PREEMPTIBLE)
		mem->preempt = size;
	atomic64_add(mem->preempt, &adev->preempt_bytes);
	ret = drm_vma_node_allow(&mem->bo->base.vma_node, vm->drm);
	if (!ret)
		mem->drm = vm->drm;
	return ret;
}

/** amdm_kgd_mem_alloc() - see kfd_bridge.h */
int amdm_kgd_mem_alloc(struct amdm_xcp *xcp, struct amdm_vm *vm, u64 va, u64 size, u32 flags, u64 user_addr,
		       struct amdm_mem **out, u64 *mmap_offset)
{
	struct amdm_device *adev = xcp->adev;
	struct amdm_mem *mem;
	int ret;

	size = PAGE_ALIGN(size);
	if (!size)
		return -EINVAL;
	mem = amdm_mem_new(va, flags);
	if (!mem)
		return -ENOMEM;
	mem->xcp = xcp->id;
	mem->user_addr = user_addr;
	mem->twice = flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM;
	if (mem->twice)
		size = PAGE_ALIGN(size / 2);
	ret = amdm_mem_make(adev, vm, mem, size, user_addr);
	if (ret) {
		amdm_mem_delete(adev, mem);
		return ret;
	}
	*out = mem;
	if (mmap_offset)
		*mmap_offset = mem->bo->kind == AMDM_USERPTR ? 0 : drm_vma_node_offset_addr(&mem->bo->base.vma_node);
	return 0;
}

/** amdm_kgd_mem_free() - see kfd_bridge.h */
int amdm_kgd_mem_free(struct amdm_device *adev, struct amdm_mem *mem)
{
	bool mapped;

	mutex_lock(&mem->lock);
	mapped = !list_empty(&mem->mappings);
	mutex_unlock(&mem->lock);
	if (mapped)
		return -EBUSY;
	amdm_mem_delete(adev, mem);
	return 0;
}

static bool amdm_mem_is_mapped(struct amdm_mem *mem, struct amdm_vm *vm)
{
	struct amdm_mapping *mapping;

	list_for_each_entry(mapping, &mem->mappings, link)
		if (mapping->vm == vm)
			return true;
	return false;
}

/* Queues rely on it; KFD's own lock keeps new ones from coming now. */
static bool amdm_mem_is_held(struct amdm_mem *mem, struct amdm_vm *vm)
{
	const struct amdm_mapping *mapping;
	u32 holds = 0;

	mutex_lock(&vm->lock);
	list_for_each_entry(mapping, &mem->mappings, link)
		if (mapping->vm == vm)
			holds += mapping->holds;
	mutex_unlock(&vm->lock);
	return holds;
}

static int amdm_mem_unmap_locked(struct amdm_mem *mem, struct amdm_vm *vm)
{
	struct amdm_mapping *mapping, *next;
	int ret = -EINVAL;

	if (amdm_mem_is_held(mem, vm))
		return -EBUSY;
	list_for_each_entry_safe(mapping, next, &mem->mappings, link) {
		if (mapping->vm != vm)
			continue;
		amdm_vm_unmap(mapping);
		ret = 0;
	}
	return ret;
}

/* The buffer through which @adev reaches the memory; mem->lock held. */
static struct amdm_bo *amdm_mem_bo_for(struct amdm_mem *mem, struct amdm_device *adev)
{
	struct amdm_bo *bo;

	if (amdm_bo_device(mem->bo) == adev)
		return mem->bo;
	if (mem->peers[adev->index])
		return mem->peers[adev->index];
	if (mem->bo->kind == AMDM_USERPTR)
		bo = amdm_mem_userptr(adev, mem->flags, mem->bo->base.size, mem->user_addr);
	else
		bo = amdm_bo_create_peer(adev, mem->bo);
	if (!IS_ERR(bo))
		mem->peers[adev->index] = bo;
	return bo;
}

static int amdm_mem_map_locked(struct amdm_mem *mem, struct amdm_vm *vm)
{
	struct amdm_bo *bo = amdm_mem_bo_for(mem, vm->adev);
	u64 size = mem->bo->base.size, i;

	if (IS_ERR(bo))
		return PTR_ERR(bo);
	for (i = 0; i <= mem->twice; i++) {
		struct amdm_mapping *mapping;

		mapping = amdm_vm_map(vm, bo, mem->va + i * size, 0, size, amdm_mem_pte_flags(vm->adev, mem->flags), mem);
		if (IS_ERR(mapping)) {
			amdm_mem_unmap_locked(mem, vm);
			return PTR_ERR(mapping);
		}
		list_add_tail(&mapping->link, &mem->mappings);
	}
	return 0;
}

/** amdm_kgd_mem_map() - see kfd_bridge.h */
int amdm_kgd_mem_map(struct amdm_device *adev, struct amdm_mem *mem, struct amdm_vm *vm)
{
	const struct amdm_evict_who who = { .before = amdm_evict_now(adev) };
	int tries = MEM_MAP_TRIES, ret;

	amdm_evict_touch(mem->bo);
	do {
		ret = amdm_evict_validate(mem->bo, &who, true);
		if (ret)
			break;
		mutex_lock(&mem->lock);
		if (!amdm_mem_is_mapped(mem, vm))
			ret = amdm_mem_map_locked(mem, vm);
		mutex_unlock(&mem->lock);
	} while (ret == -EAGAIN && --tries);
	return ret == -EAGAIN ? -ENOMEM : ret;
}

/** amdm_kgd_mem_unmap() - see kfd_bridge.h */
int amdm_kgd_mem_unmap(struct amdm_device *adev, struct amdm_mem *mem, struct amdm_vm *vm)
{
	int ret;

	mutex_lock(&mem->lock);
	ret = amdm_mem_unmap_locked(mem, vm);
	mutex_unlock(&mem->lock);
	return ret;
}

/** amdm_kgd_mem_is_refused() - see kfd_bridge.h */
bool amdm_kgd_mem_is_refused(struct amdm_mem *mem, u64 offset, bool write)
{
	return amdm_userptr_is_refused(mem->bo->user, offset >> PAGE_SHIFT, write);
}

/** amdm_kgd_mem_kmap() - see kfd_bridge.h */
int amdm_kgd_mem_kmap(struct amdm_mem *mem, void **cpu, u64 *size)
{
	if (size)
		*size = mem->bo->base.size;
	return amdm_bo_kmap(mem->bo, cpu);
}

/** amdm_kgd_mem_kunmap() - see kfd_bridge.h */
void amdm_kgd_mem_kunmap(struct amdm_mem *mem)
{
	amdm_bo_kunmap(mem->bo);
}

/** amdm_bo_fill_info() - what KFD is told of a buffer with these KFD_IOC_ALLOC_MEM_FLAGS_* */
void amdm_bo_fill_info(struct amdm_bo *bo, u32 flags, struct kfd2kgd_mem_info *info)
{
	info->size = bo->base.size;
	info->flags = flags;
	info->adev = amdm_bo_device(bo);
	info->mmap_offset = bo->kind == AMDM_USERPTR ? 0 : drm_vma_node_offset_addr(&bo->base.vma_node);
}

/** amdm_kgd_mem_info() - see kfd_bridge.h */
void amdm_kgd_mem_info(struct amdm_mem *mem, struct kfd2kgd_mem_info *info)
{
	amdm_bo_fill_info(mem->bo, mem->flags, info);
}

/** amdm_kgd_svm_move() - see kfd_bridge.h */
int amdm_kgd_svm_move(struct amdm_device *adev, u64 start, u64 end, bool to_vram, u32 trigger)
{
	const struct kfd_bridge_migration what = { .start = start, .end = end, .to_vram = to_vram, .trigger = trigger };

	return amdm_migrate_is_built() ? amdm_migrate(adev, current->mm, what) : -EOPNOTSUPP;
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Buffers of a process
 *
 * amdgpu_model makes buffers and maps them; KFD keeps the handles, knows on which devices a buffer is mapped, and takes all
 * of them away when the process ends. A handle is gpu_id << 32 | number. All functions are called with the process's mutex
 * held (Linux: amdgpu_amdkfd_gpuvm.c, kfd_process.c).
 */
#include "kfd_memory.h"

#include <linux/mm.h>
#include <linux/slab.h>

#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

static struct kfdm_bo *bo_new(struct kfdm_process_device *pdd, u64 va, u64 size, u32 flags)
{
	struct kfdm_bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL_ACCOUNT);

	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->owner = pdd;
	bo->va = va;
	bo->size = size;
	bo->flags = flags;
	bo->handle = -1;
	return bo;
}

/* A ring that is mapped twice is half as large as it says. */
static u64 vram_bytes(const struct kfdm_bo *bo)
{
	u64 size = bo->flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM ? bo->size / 2 : bo->size;

	return bo->flags & KFD_IOC_ALLOC_MEM_FLAGS_VRAM && !bo->is_imported ? PAGE_ALIGN(size) : 0;
}

/**
 * kfdm_bo_create() - a new buffer
 * @pdd:         on this device
 * @va:          GPU address it is for
 * @size:        bytes, not 0, at most KFDM_MAX_BO_SIZE
 * @flags:       KFD_IOC_ALLOC_MEM_FLAGS_*, KFD_BRIDGE_MEM_AHEAD
 * @user_addr:   USERPTR: CPU address; DOORBELL: offset in the BAR
 * @mmap_offset: out
 *
 * Return: buffer or ERR_PTR.
 */
struct kfdm_bo *kfdm_bo_create(struct kfdm_process_device *pdd, u64 va, u64 size, u32 flags, u64 user_addr,
			       u64 *mmap_offset)
{
	struct kfdm_bo *bo = bo_new(pdd, va, size, flags & ~KFD_BRIDGE_MEM_AHEAD);
	int ret;

	if (IS_ERR(bo))
		return bo;
	bo->user_addr = user_addr;
	ret = kfdm_kgd->mem_alloc(pdd->dev->xcp, pdd->vm, va, size, flags, user_addr, &bo->mem, mmap_offset);
	if (ret) {
		kfree(bo);
		return ERR_PTR(ret);
	}
	pdd->vram_usage += vram_bytes(bo);
	return bo;
}

/**
 * kfdm_bo_import() - a buffer that another driver object or process owns
 * @pdd:       on this device
 * @dmabuf_fd: its dma-buf
 * @va:        GPU address it is for
 *
 * Return: buffer or ERR_PTR.
 */
struct kfdm_bo *kfdm_bo_import(struct kfdm_process_device *pdd, int dmabuf_fd, u64 va)
{
	struct kfdm_bo *bo = bo_new(pdd, va, 0, 0);
	struct kfd2kgd_mem_info info = {};
	int ret;

	if (IS_ERR(bo))
		return bo;
	ret = kfdm_kgd->mem_import(pdd->dev->adev, pdd->vm, dmabuf_fd, kfdm_abi->imports_of_others, va, &bo->mem);
	if (ret) {
		kfree(bo);
		return ERR_PTR(ret);
	}
	kfdm_kgd->mem_info(bo->mem, &info);
	bo->size = info.size;
	bo->flags = info.flags;
	bo->is_imported = true;
	return bo;
}

/**
 * kfdm_bo_map() - into a device's address space; a mapped one stays mapped
 * @bo:  buffer
 * @pdd: device, bound
 *
 * Return: 0 or an error of mem_map.
 */
int kfdm_bo_map(struct kfdm_bo *bo, struct kfdm_process_device *pdd)
{
	int ret;

	if (bo->mapped & 1u << pdd->index)
		return 0;
	ret = kfdm_kgd->mem_map(pdd->dev->adev, bo->mem, pdd->vm);
	if (!ret)
		bo->mapped |= 1u << pdd->index;
	return ret;
}

/** kfdm_bo_unmap() - undo kfdm_bo_map(). Return: 0, -EINVAL: not mapped there, or an error of mem_unmap */
int kfdm_bo_unmap(struct kfdm_bo *bo, struct kfdm_process_device *pdd)
{
	int ret;

	if (!(bo->mapped & 1u << pdd->index))
		return -EINVAL;
	ret = kfdm_kgd->mem_unmap(pdd->dev->adev, bo->mem, pdd->vm);
	if (!ret)
		bo->mapped &= ~(1u << pdd->index);
	return ret;
}

/**
 * kfdm_bo_destroy() - free a buffer and its handle
 * @bo: buffer
 *
 * Return: 0, -EBUSY: it is still mapped, or an error of mem_free: it stays.
 */
int kfdm_bo_destroy(struct kfdm_bo *bo)
{
	struct kfdm_process_device *pdd = bo->owner;
	int ret;

	if (bo->mapped)
		return -EBUSY;
	/* Linux leaves stale entries to the next flush also here. The pages may become somebody else's. */
	kfdm_process_flush_stale_tlbs(pdd->process);
	ret = kfdm_kgd->mem_free(pdd->dev->adev, bo->mem);
	if (ret)
		return ret;
	pdd->vram_usage -= vram_bytes(bo);
	if (bo->handle >= 0)
		idr_remove(&pdd->bos, bo->handle);
	kfree(bo);
	return 0;
}

/** kfdm_bo_handle() - how user space calls a buffer that has been published */
u64 kfdm_bo_handle(const struct kfdm_bo *bo)
{
	return (u64)bo->owner->user_gpu_id << 32 | bo->handle;
}

/** kfdm_bo_publish() - give a buffer its handle. Return: 0, -EFAULT: none left */
int kfdm_bo_publish(struct kfdm_bo *bo, u64 *handle)
{
	int id = idr_alloc(&bo->owner->bos, bo, 0, 0, GFP_KERNEL_ACCOUNT);

	if (id < 0)
		return -EFAULT;
	bo->handle = id;
	*handle = kfdm_bo_handle(bo);
	return 0;
}

/** kfdm_bo_publish_as() - the same with a number that it had before. Return: 0, -EINVAL: no number, -ENOMEM: also if it is taken */
int kfdm_bo_publish_as(struct kfdm_bo *bo, u32 number)
{
	int id;

	if (number > INT_MAX)
		return -EINVAL;
	id = idr_alloc(&bo->owner->bos, bo, number, number + 1, GFP_KERNEL_ACCOUNT);
	if (id < 0)
		return -ENOMEM;
	bo->handle = id;
	return 0;
}

/**
 * kfdm_bo_find() - a buffer by its handle
 * @p:      process
 * @handle: gpu_id << 32 | number
 * @pdd:    out: device of the handle, NULL: the process has none of that id
 *
 * Return: NULL when there is none.
 */
struct kfdm_bo *kfdm_bo_find(struct kfdm_process *p, u64 handle, struct kfdm_process_device **pdd)
{
	*pdd = kfdm_pdd_by_id(p, upper_32_bits(handle));
	if (!*pdd || lower_32_bits(handle) > INT_MAX)
		return NULL;
	return idr_find(&(*pdd)->bos, lower_32_bits(handle));
}

/**
 * kfdm_bo_create_internal() - a buffer of the driver's own in a process's address space
 * @pdd:   device with a VM
 * @va:    GPU address below those of user space
 * @size:  bytes
 * @flags: KFD_IOC_ALLOC_MEM_FLAGS_*
 * @cpu:   out, kernel address; NULL: not wanted
 *
 * Return: mapped buffer or ERR_PTR.
 */
struct kfdm_bo *kfdm_bo_create_internal(struct kfdm_process_device *pdd, u64 va, u64 size, u32 flags, void **cpu)
{
	struct kfdm_bo *bo;
	u64 offset;
	int ret;

	bo = kfdm_bo_create(pdd, va, size, flags, 0, &offset);
	if (IS_ERR(bo))
		return bo;
	ret = kfdm_bo_map(bo, pdd);
	if (!ret && cpu) {
		ret = kfdm_kgd->mem_kmap(bo->mem, cpu, &size);
		if (ret)
			kfdm_bo_unmap(bo, pdd);
	}
	if (ret) {
		kfdm_bo_destroy(bo);
		return ERR_PTR(ret);
	}
	return bo;
}

/** kfdm_bo_destroy_internal() - undo kfdm_bo_create_internal() */
void kfdm_bo_destroy_internal(struct kfdm_bo *bo, bool mapped_by_cpu)
{
	if (IS_ERR_OR_NULL(bo))
		return;
	if (mapped_by_cpu)
		kfdm_kgd->mem_kunmap(bo->mem);
	kfdm_bo_unmap(bo, bo->owner);
	kfdm_bo_destroy(bo);
}

static void unmap_everywhere(struct kfdm_process *p, struct kfdm_bo *bo)
{
	u32 i;

	for (i = 0; i < p->n_pdds; i++)
		if (bo->mapped & 1u << i)
			kfdm_bo_unmap(bo, p->pdds[i]);
}

/** kfdm_bos_unmap_all() - a dying process's buffers leave all devices, which no longer run it */
void kfdm_bos_unmap_all(struct kfdm_process *p)
{
	struct kfdm_bo *bo;
	u32 i;
	int id;

	for (i = 0; i < p->n_pdds; i++)
		idr_for_each_entry(&p->pdds[i]->bos, bo, id)
			unmap_everywhere(p, bo);
}

/** kfdm_bos_free_all() - and then their memory */
void kfdm_bos_free_all(struct kfdm_process *p)
{
	struct kfdm_bo *bo;
	u32 i;
	int id;

	for (i = 0; i < p->n_pdds; i++)
		idr_for_each_entry(&p->pdds[i]->bos, bo, id)
			WARN_ON(kfdm_bo_destroy(bo));
}

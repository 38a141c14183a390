/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef AMDGPU_AMDKFD_MEM_H
#define AMDGPU_AMDKFD_MEM_H

#include <linux/list.h>
#include <linux/mutex.h>

#include "amdgpu_model/mem/amdgpu_gem.h"

struct dma_buf;
struct drm_file;
struct kfd2kgd_mem_info;

/**
 * struct amdm_mem - a buffer of KFD
 * @bo:       GEM object
 * @va:       GPU address
 * @flags:    KFD_IOC_ALLOC_MEM_FLAGS_*
 * @twice:    mapped at @va and again behind it
 * @imported: not charged
 * @charge:   bytes charged as @limit, to partition @xcp
 * @preempt:  bytes of them in amdm_device.preempt_bytes
 * @drm:      file that may mmap it, NULL: none
 * @user_addr: CPU address of a USERPTR buffer
 * @lock:     protects what follows
 * @dmabuf:   that others know it by, held, or NULL
 * @mappings: struct amdm_mapping
 * @peers:    buffers of other GPUs on the same memory, by device index
 */
struct amdm_mem {
	struct amdm_bo *bo;
	u64 va;
	u32 flags;
	bool twice;
	bool imported;
	u32 xcp;
	enum amdm_limit limit;
	u64 charge;
	u64 preempt;
	struct drm_file *drm;
	u64 user_addr;
	struct mutex lock;
	struct dma_buf *dmabuf;
	struct list_head mappings;
	struct amdm_bo *peers[32];
};

/* amdgpu_amdkfd_gpuvm.c */
struct amdm_mem *amdm_mem_new(u64 va, u32 flags);
void amdm_mem_delete(struct amdm_device *adev, struct amdm_mem *mem);
void amdm_bo_fill_info(struct amdm_bo *bo, u32 flags, struct kfd2kgd_mem_info *info);

#endif

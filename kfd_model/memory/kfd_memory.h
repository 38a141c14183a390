/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_MEMORY_H
#define KFD_MEMORY_H

#include <linux/types.h>

struct amdm_mem;
struct kfdm_process;
struct kfdm_process_device;

#define KFDM_MAX_BO_SIZE (1ULL << 47)

/**
 * struct kfdm_bo - a buffer of a process
 * @mem:         amdgpu_model's side
 * @owner:       device that it was allocated on
 * @va, @size:   GPU address and bytes
 * @flags:       KFD_IOC_ALLOC_MEM_FLAGS_*
 * @user_addr:   CPU address of a USERPTR buffer
 * @handle:      in the owner's idr, -1: the driver's own
 * @mapped:      bit: index of a process device it is mapped on
 * @is_imported: from a dma-buf: not counted as VRAM use
 * @is_event_page: holds the signal page; must not be freed by user space
 */
struct kfdm_bo {
	struct amdm_mem *mem;
	struct kfdm_process_device *owner;
	u64 va, size;
	u32 flags;
	u64 user_addr;
	int handle;
	u32 mapped;
	bool is_imported;
	bool is_event_page;
};

struct kfdm_bo *kfdm_bo_create(struct kfdm_process_device *pdd, u64 va, u64 size, u32 flags, u64 user_addr,
			       u64 *mmap_offset);
struct kfdm_bo *kfdm_bo_import(struct kfdm_process_device *pdd, int dmabuf_fd, u64 va);
int kfdm_bo_destroy(struct kfdm_bo *bo);
int kfdm_bo_map(struct kfdm_bo *bo, struct kfdm_process_device *pdd);
int kfdm_bo_unmap(struct kfdm_bo *bo, struct kfdm_process_device *pdd);
u64 kfdm_bo_handle(const struct kfdm_bo *bo);
int kfdm_bo_publish(struct kfdm_bo *bo, u64 *handle);
int kfdm_bo_publish_as(struct kfdm_bo *bo, u32 number);
struct kfdm_bo *kfdm_bo_find(struct kfdm_process *p, u64 handle, struct kfdm_process_device **pdd);
struct kfdm_bo *kfdm_bo_create_internal(struct kfdm_process_device *pdd, u64 va, u64 size, u32 flags, void **cpu);
void kfdm_bo_destroy_internal(struct kfdm_bo *bo, bool mapped_by_cpu);
void kfdm_bos_unmap_all(struct kfdm_process *p);
void kfdm_bos_free_all(struct kfdm_process *p);

#endif

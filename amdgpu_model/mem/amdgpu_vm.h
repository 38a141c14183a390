/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_vm.h - GPU address spaces.
 */
#ifndef AMDGPU_VM_H
#define AMDGPU_VM_H

#include <drm/drm_gem.h>
#include <linux/dma-fence.h>
#include <linux/interval_tree.h>

#include "amdgpu_model/base/amdgpu_device.h"

struct amdm_bo;
struct amdm_pt;
struct drm_file;

/**
 * struct amdm_vm - the address space of an open DRM file
 * @ref:     the file has one, jobs have one each
 * @id:      never given twice
 * @adev:    device
 * @root_obj: its reservation holds the jobs of this address space, and is that of its always-valid buffers
 * @updates: counts changes of mappings: older TLBs have to be flushed
 * @lock:    protects the rest
 * @va:      mappings by GPU page number
 * @leaving: mappings that jobs may still use, by GPU page number as well
 * @root:    directory of the first level
 * @compute: 1: KFD has it (see amdm_vm_acquire())
 * @pasid:   of its KFD process
 * @flush:   empties the TLBs that queues of @pasid use; set before @pasid is, and for good
 * @file:    held while KFD has it
 * @drm:     the DRM file, for mmap permissions
 * @mm:      of its KFD process (mm_count)
 * @queues_off: none of KFD's queues of the process runs; amdm_placement.sem protects it
 * @used_at: amdm_placement.clock at its last job
 * @strays:  always-valid buffers that are not where they are to be; amdm_placement.lock
 */
struct amdm_vm {
	struct kref ref;
	u64 id;
	struct amdm_device *adev;
	struct drm_gem_object root_obj;
	atomic64_t updates;
	struct mutex lock;
	struct rb_root_cached va;
	struct rb_root_cached leaving;
	struct amdm_pt *root;
	atomic_t compute;
	u32 pasid;
	int (*flush)(struct amdm_device *adev, u32 pasid, enum kfd_bridge_tlb_flush type);
	struct file *file;
	struct drm_file *drm;
	struct mm_struct *mm;
	bool queues_off;
	u64 used_at;
	struct list_head strays;
};

/**
 * struct amdm_mapping - some pages of a buffer at a GPU address
 * @node:   place in amdm_vm.va, page numbers
 * @vm:     address space
 * @bo:     buffer; the mapping holds a reference
 * @offset: byte in the buffer
 * @flags:  GPUVM_PTE_* permission bits
 * @owner:  KFD's buffer, NULL: GEM_VA has made it
 * @holds:  queues that rely on it; vm->lock
 * @link:   in the owner's list
 * @of_bo:  in amdm_bo.mappings while page tables have it
 * @fence:  leaving: jobs that may still use it
 * @cb, @work: leaving: what @fence sets in motion
 */
struct amdm_mapping {
	struct interval_tree_node node;
	struct amdm_vm *vm;
	struct amdm_bo *bo;
	u64 offset;
	u64 flags;
	void *owner;
	u32 holds;
	struct list_head link;
	struct list_head of_bo;
	struct dma_fence *fence;
	struct dma_fence_cb cb;
	struct work_struct work;
};

/* May queues of KFD touch it, whoever has made it? amdm_placement.sem held */
static inline bool amdm_mapping_is_of_kfd(const struct amdm_mapping *mapping)
{
	return mapping->owner || mapping->vm->mm;
}

/* As owner of drm_sched fences */
static inline void *amdm_vm_owner(const struct amdm_vm *vm)
{
	return (void *)(uintptr_t)vm->id;
}

static inline struct amdm_vm *amdm_vm_get(struct amdm_vm *vm)
{
	kref_get(&vm->ref);
	return vm;
}

struct amdm_vm *amdm_vm_create(struct amdm_device *adev, struct drm_file *drm);
void amdm_vm_close(struct amdm_vm *vm);
int amdm_vm_check(const struct amdm_device *adev, const struct amdm_bo *bo, u64 va, u64 offset, u64 size);
struct amdm_mapping *amdm_vm_map(struct amdm_vm *vm, struct amdm_bo *bo, u64 va, u64 offset, u64 size, u64 flags,
				 void *owner);

/* amdgpu_vm_tables.c */
u64 amdm_vm_page_table_base(struct amdm_vm *vm);
int amdm_vm_write_locked(struct amdm_vm *vm, const struct amdm_mapping *mapping);
void amdm_vm_rewrite(struct amdm_mapping *mapping);
void amdm_vm_hook(struct amdm_mapping *mapping);
void amdm_vm_unhook(struct amdm_mapping *mapping);
void amdm_vm_clear_ptes_locked(struct amdm_mapping *mapping);
void amdm_vm_put(struct amdm_vm *vm);

/* amdgpu_vm_unmap.c */
void amdm_vm_unmap(struct amdm_mapping *mapping);
void amdm_vm_leave_locked(struct amdm_mapping *mapping);
int amdm_vm_wait_leaving(struct amdm_vm *vm, unsigned long first, unsigned long last);
int amdm_vm_unmap_gem(struct amdm_vm *vm, struct amdm_bo *bo, u64 va);
int amdm_vm_clear(struct amdm_vm *vm, u64 va, u64 size);
void amdm_vm_flush_queues(struct amdm_vm *vm);

/**
 * struct amdm_pt_format - page tables of a generation
 * @levels:       how many
 * @shift, @bits: which bits of an address each level is indexed by
 * @tables_at_mc: directories hold MC addresses, not offsets in VRAM
 */
struct amdm_pt_format {
	u32 levels;
	u8 shift[4], bits[4];
	bool tables_at_mc;
};

extern const struct amdm_pt_format amdm_pt_v9, amdm_pt_v8;

/* amdgpu_vm_pt.c; vm->lock held */
struct amdm_pt *amdm_pt_create_root(struct amdm_device *adev);
void amdm_pt_destroy(struct amdm_device *adev, struct amdm_pt *pt);
u64 amdm_pt_address(const struct amdm_device *adev, const struct amdm_pt *pt);
int amdm_pt_set(struct amdm_device *adev, struct amdm_pt *root, u64 va, u64 pte, u64 pages);
void amdm_pt_clear(struct amdm_device *adev, struct amdm_pt *root, u64 va, u64 pages);

#define AMDM_VA_HOLE_START	0x0000800000000000ULL	/* AMDGPU_GMC_HOLE_START, _END, _MASK */
#define AMDM_VA_HOLE_END	0xffff800000000000ULL
#define AMDM_VA_MASK		0x0000ffffffffffffULL
#define AMDM_VA_RESERVED	(2ULL << 20)		/* AMDGPU_VA_RESERVED_SIZE */

#endif

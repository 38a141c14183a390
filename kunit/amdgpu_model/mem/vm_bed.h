/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * vm_bed.h - an address space with real page tables in real VRAM, and buffers that are nothing but addresses, for the suites of what maps
 * and unmaps. For suites that stand alone.
 */
#ifndef KUNIT_VM_BED_H
#define KUNIT_VM_BED_H

#include <drm/drm_file.h>
#include <drm/drm_vma_manager.h>
#include <linux/dma-resv.h>

#include "real_memory.h"

#include "amdgpu_model/mem/amdgpu_vm_pt.c"
#include "amdgpu_model/mem/amdgpu_vm_tables.c"
#include "amdgpu_model/mem/amdgpu_vm.c"
#include "amdgpu_model/mem/amdgpu_vm_unmap.c"

#define BED_VRAM	(8ULL << 20)
#define BED_BUFFERS	2
#define BED_PAGES	16
#define BED_PERMISSIONS	(GPUVM_PTE_READABLE | GPUVM_PTE_WRITEABLE)
#define VA		0x40000000ULL

/**
 * struct vm_bed - @bo has its pages from @at[], those of the second half from a place that does not follow
 * @used: bytes of VRAM that the empty address space has
 */
struct vm_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct amdm_gmc gmc;
	struct drm_vma_offset_manager manager;
	struct drm_file drm;
	struct amdm_bo bo[BED_BUFFERS];
	u64 at[BED_BUFFERS];
	struct amdm_vm *vm;
	u64 used;
	spinlock_t fence_lock;
};

static struct {
	struct vm_bed *bed;
	bool unusable;
	u32 evictions, may_evict, unreserved;
	struct amdm_vram_alloc *hog;	/* goes when somebody is evicted */
} bed_seen;

u64 amdm_bo_address(struct amdm_bo *bo, u64 at, u64 *run)
{
	const u64 half = BED_PAGES / 2 * PAGE_SIZE;
	u64 base = bed_seen.bed->at[bo - bed_seen.bed->bo];

	*run = at < half ? half - at : 2 * half - at;
	return base + at + (at < half ? 0 : 0x10000000);
}

bool amdm_move_is_usable(const struct amdm_bo *bo)
{
	return !bed_seen.unusable;
}

bool amdm_evict_for_tables(struct amdm_device *adev)
{
	bed_seen.evictions++;
	if (bed_seen.evictions == bed_seen.may_evict) {
		amdm_vram_free(adev, bed_seen.hog);
		bed_seen.hog = NULL;
	}
	return bed_seen.evictions <= bed_seen.may_evict;
}

void amdm_vmid_unreserve(struct amdm_device *adev, struct amdm_vm *vm)
{
	bed_seen.unreserved++;
}

u64 amdm_fb_start(const struct amdm_device *adev)
{
	return adev->asic->gmc->fb_start;
}

u64 amdm_va_table_end(const struct amdm_device *adev)
{
	return (1ULL << 48) - (2 << 20);
}

static inline int vm_bed_init(struct kunit *test)
{
	struct vm_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&bed_seen, 0, sizeof(bed_seen));
	bed_seen.bed = bed;
	bed->gmc.tables = &amdm_pt_v9;
	bed->asic.gmc = &bed->gmc;
	bed->adev.asic = &bed->asic;
	bed->adev.ddev.vma_offset_manager = &bed->manager;
	drm_vma_offset_manager_init(&bed->manager, 1 << 20, 1 << 20);
	spin_lock_init(&bed->fence_lock);
	init_rwsem(&bed->adev.placement.sem);
	spin_lock_init(&bed->adev.placement.lock);
	bed->adev.vm_wq = alloc_workqueue("vm_bed", WQ_UNBOUND, 0);
	real_memory_init(&bed->adev, BED_VRAM);
	for (i = 0; i < BED_BUFFERS; i++) {
		struct amdm_bo *bo = &bed->bo[i];

		drm_gem_private_object_init(&bed->adev.ddev, &bo->base, BED_PAGES * PAGE_SIZE);
		bo->kind = AMDM_VRAM;
		INIT_LIST_HEAD(&bo->mappings);
		mutex_init(&bo->lock);
		bed->at[i] = 0x1000000ULL * (i + 1);
	}
	bed->vm = amdm_vm_create(&bed->adev, &bed->drm);
	bed->used = amdm_vram_used(&bed->adev);
	return !bed->adev.vm_wq || IS_ERR(bed->vm) ? -ENOMEM : 0;
}

/* With the file all mappings go; what they held is back, and so are all tables. */
static inline void vm_bed_fini(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	u32 i;

	if (!IS_ERR_OR_NULL(bed->vm))
		amdm_vm_close(bed->vm);
	destroy_workqueue(bed->adev.vm_wq);
	for (i = 0; i < BED_BUFFERS; i++) {
		KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[i].base.refcount), 1u);
		KUNIT_EXPECT_TRUE(test, list_empty(&bed->bo[i].mappings));
		drm_gem_object_release(&bed->bo[i].base);
	}
	amdm_vram_free(&bed->adev, bed_seen.hog);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.pt_bytes), 0LL);
	drm_vma_offset_manager_destroy(&bed->manager);
	real_memory_fini(test, &bed->adev);
}

/* What the page tables say of an address. */
static inline u64 bed_pte(struct kunit *test, u64 va)
{
	struct vm_bed *bed = test->priv;
	u64 entry = amdm_pt_address(&bed->adev, bed->vm->root);
	int shift;

	for (shift = 39; shift >= 12 && entry; shift -= 9)
		entry = *real_vram_word(test, &bed->adev, (entry & ~0xfffULL) + (va >> shift & 0x1ff) * 8);
	return entry;
}

static inline struct amdm_mapping *bed_map(struct kunit *test, u32 bo, u64 va, u32 page, u32 pages, void *owner)
{
	struct vm_bed *bed = test->priv;

	return amdm_vm_map(bed->vm, &bed->bo[bo], va, page * PAGE_SIZE, pages * PAGE_SIZE, BED_PERMISSIONS, owner);
}

static inline u32 bed_mappings(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct interval_tree_node *node;
	u32 n = 0;

	for (node = interval_tree_iter_first(&bed->vm->va, 0, ULONG_MAX); node; node = interval_tree_iter_next(node, 0, ULONG_MAX))
		n++;
	return n;
}

static const char *bed_fence_name(struct dma_fence *fence)
{
	return "vm_bed";
}

static const struct dma_fence_ops bed_fence_ops = { .get_driver_name = bed_fence_name, .get_timeline_name = bed_fence_name };

/* A job that uses a buffer, until its fence is signalled; the caller puts it. */
static inline struct dma_fence *bed_job(struct kunit *test, u32 bo)
{
	struct vm_bed *bed = test->priv;
	struct dma_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL);
	struct dma_resv *resv = bed->bo[bo].base.resv;

	KUNIT_ASSERT_NOT_NULL(test, fence);
	dma_fence_init(fence, &bed_fence_ops, &bed->fence_lock, dma_fence_context_alloc(1), 1);
	dma_resv_lock(resv, NULL);
	KUNIT_EXPECT_EQ(test, dma_resv_reserve_fences(resv, 1), 0);
	dma_resv_add_fence(resv, fence, DMA_RESV_USAGE_READ);
	dma_resv_unlock(resv);
	return fence;
}

#endif

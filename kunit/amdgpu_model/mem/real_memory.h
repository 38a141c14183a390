/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * real_memory.h - VRAM and bus addresses as they are, for the suites of what stands on them: amdgpu_vram.c and amdgpu_iommu.c without a
 * chip. Pages run out when the suite says so; the allocator's other failures are fail_nth.h's. For suites that stand alone.
 */
#ifndef KUNIT_REAL_MEMORY_H
#define KUNIT_REAL_MEMORY_H

#include <drm/drm_drv.h>
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

/**
 * struct real_memory - what the suite says and sees
 * @pages_left: pages that can still be had, -1: any number
 * @gone:       calls of amdm_glue_pages_gone()
 * @requests:   of user pages; @wanted, @for_write: the last one
 * @at_gone:    called then: are the pages still those of before?
 */
static struct real_memory {
	int pages_left;
	u32 gone, requests;
	u64 wanted;
	bool for_write;
	void (*at_gone)(void);
} real_memory;

static inline struct page *real_memory_page(gfp_t gfp)
{
	if (!real_memory.pages_left)
		return NULL;
	if (real_memory.pages_left > 0)
		real_memory.pages_left--;
	return alloc_pages(gfp, 0);
}

#undef alloc_page
#define alloc_page real_memory_page
#include "amdgpu_model/mem/amdgpu_vram.c"
#include "amdgpu_model/mem/amdgpu_iommu.c"

void amdm_glue_pages_gone(struct amdm_device *adev)
{
	real_memory.gone++;
	if (real_memory.at_gone)
		real_memory.at_gone();
}

/* As amdm_bus_range.request */
static inline void real_memory_request(struct amdm_userptr *user, u64 at, bool write)
{
	real_memory.requests++;
	real_memory.wanted = at;
	real_memory.for_write = write;
}

/* Buffers ask for its features. */
static const struct drm_driver real_memory_driver;

static inline void real_memory_init(struct amdm_device *adev, u64 vram_bytes)
{
	memset(&real_memory, 0, sizeof(real_memory));
	real_memory.pages_left = -1;
	adev->ddev.driver = &real_memory_driver;
	amdm_vram_init(adev, vram_bytes);
	amdm_iommu_init(adev);
}

/* What was lent is back: both complain otherwise. */
static inline void real_memory_fini(struct kunit *test, struct amdm_device *adev)
{
	KUNIT_EXPECT_EQ(test, amdm_vram_used(adev), 0ULL);
	KUNIT_EXPECT_EQ(test, atomic64_read(&adev->gtt_bytes), 0LL);
	amdm_iommu_fini(adev);
	amdm_vram_fini(adev);
}

static inline u64 *real_vram_word(struct kunit *test, struct amdm_device *adev, u64 offset)
{
	struct page *page = amdm_vram_page(adev, offset, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, page);
	return page_address(page) + offset_in_page(offset);
}

#endif

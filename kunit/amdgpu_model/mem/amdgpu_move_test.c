// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_move_test.c - VRAM, system memory, and buffers on their way between them; how much may be on the way.
 */
#include <kunit/test.h>
#include <linux/fs.h>

#define amdm_glue_pages_gone fake_pages_gone
#define amdm_gart_unmap fake_gart_unmap
#define amdm_gmc_flush_vmids fake_flush_vmids
#define amdm_vm_rewrite fake_rewrite
#include "amdgpu_model/mem/amdgpu_vram.c"
#include "amdgpu_model/mem/amdgpu_iommu.c"
#include "amdgpu_model/mem/amdgpu_move.c"

#define VRAM_SIZE	(64ULL << 20)
#define BO_PAGES	16

static u32 fake_flushes, fake_rewrites;

void fake_pages_gone(struct amdm_device *adev)
{
}

void fake_gart_unmap(struct amdm_device *adev, struct drm_mm_node *node)
{
}

void fake_flush_vmids(struct amdm_device *adev, u32 vmids, u32 type)
{
	fake_flushes++;
}

void fake_rewrite(struct amdm_mapping *mapping)
{
	fake_rewrites++;
}

/** struct bed - a device with memory, a buffer, and a mapping of it */
struct bed {
	struct amdm_device adev;
	struct inode inode;
	struct amdm_bo bo;
	struct amdm_mapping mapping;
};

static struct bed *make_bed(struct kunit *test)
{
	struct bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, bed);
	bed->adev.ddev.anon_inode = &bed->inode;
	amdm_vram_init(&bed->adev, VRAM_SIZE);
	amdm_iommu_init(&bed->adev);
	spin_lock_init(&bed->adev.placement.lock);
	for (i = 0; i < AMDM_PLACES; i++)
		INIT_LIST_HEAD(&bed->adev.placement.in[i]);
	bed->bo.base.dev = &bed->adev.ddev;
	bed->bo.base.size = BO_PAGES * PAGE_SIZE;
	bed->bo.domains = AMDGPU_GEM_DOMAIN_VRAM;
	INIT_LIST_HEAD(&bed->bo.place);
	INIT_LIST_HEAD(&bed->bo.stray);
	INIT_LIST_HEAD(&bed->bo.mappings);
	list_add(&bed->mapping.of_bo, &bed->bo.mappings);
	fake_flushes = fake_rewrites = 0;
	return bed;
}

static void end_bed(struct kunit *test, struct bed *bed)
{
	KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), 0ULL);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.gtt_bytes), 0LL);
	amdm_iommu_fini(&bed->adev);
	amdm_vram_fini(&bed->adev);
}

static u64 *vram_word(struct kunit *test, struct bed *bed, u32 page)
{
	struct page *found = amdm_vram_page(&bed->adev, amdm_vram_offset(bed->bo.vram, (u64)page << PAGE_SHIFT, NULL), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, found);
	return page_address(found);
}

static void vram_is_taken_in_pieces(struct kunit *test)
{
	struct bed *bed = make_bed(test);
	struct amdm_vram_alloc *all[4], *rest;
	u64 run;
	u32 i;

	for (i = 0; i < 4; i++)
		all[i] = amdm_vram_alloc(&bed->adev, VRAM_SIZE / 4, PAGE_SIZE, true);
	KUNIT_EXPECT_PTR_EQ(test, amdm_vram_alloc(&bed->adev, PAGE_SIZE, PAGE_SIZE, false), ERR_PTR(-ENOSPC));
	amdm_vram_free(&bed->adev, all[0]);
	amdm_vram_free(&bed->adev, all[2]);
	KUNIT_EXPECT_PTR_EQ(test, amdm_vram_alloc(&bed->adev, VRAM_SIZE / 2, PAGE_SIZE, true), ERR_PTR(-ENOSPC));
	KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), VRAM_SIZE / 2);
	rest = amdm_vram_alloc(&bed->adev, VRAM_SIZE / 2, PAGE_SIZE, false);
	KUNIT_ASSERT_FALSE(test, IS_ERR(rest));
	amdm_vram_offset(rest, 0, &run);
	KUNIT_EXPECT_EQ(test, run, VRAM_SIZE / 4);
	amdm_vram_free(&bed->adev, rest);
	amdm_vram_free(&bed->adev, all[1]);
	amdm_vram_free(&bed->adev, all[3]);
	end_bed(test, bed);
}

static void system_memory_comes_when_touched(struct kunit *test)
{
	struct bed *bed = make_bed(test);
	struct amdm_sysmem *mem = amdm_sysmem_alloc(&bed->adev, 3 * PAGE_SIZE - 1);
	u64 bus = mem->bus.node.start;
	void *host = NULL;

	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.gtt_bytes), 3LL * (s64)PAGE_SIZE);
	KUNIT_EXPECT_NULL(test, mem->pages[1]);
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, bus + PAGE_SIZE, true, &host), 0);
	KUNIT_EXPECT_PTR_EQ(test, host, page_address(mem->pages[1]));
	KUNIT_EXPECT_EQ(test, *(u64 *)host, 0ULL);
	KUNIT_EXPECT_NULL(test, mem->pages[0]);
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, bus + 3 * PAGE_SIZE, true, &host), -EFAULT);
	amdm_sysmem_unbind(&bed->adev, mem);
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, bus + PAGE_SIZE, false, &host), -EFAULT);
	KUNIT_EXPECT_NOT_NULL(test, mem->pages[1]);
	amdm_sysmem_free(&bed->adev, mem);
	end_bed(test, bed);
}

static void contents_move(struct kunit *test)
{
	struct bed *bed = make_bed(test);
	struct amdm_bo *bo = &bed->bo;
	struct amdm_vram_alloc *room;

	bo->kind = AMDM_VRAM;
	bo->vram = amdm_vram_alloc(&bed->adev, bo->base.size, PAGE_SIZE, false);
	*vram_word(test, bed, 3) = 333;
	*vram_word(test, bed, BO_PAGES - 1) = 777;
	KUNIT_EXPECT_FALSE(test, amdm_move_is_wanted(bo));

	KUNIT_ASSERT_EQ(test, amdm_move(bo, AMDM_GTT, NULL), 0);
	KUNIT_EXPECT_TRUE(test, amdm_move_is_wanted(bo) && amdm_move_is_usable(bo));
	KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), 0ULL);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.gtt_bytes), (s64)bo->base.size);
	KUNIT_EXPECT_EQ(test, *(u64 *)page_address(bo->sysmem->pages[3]), 333ULL);
	KUNIT_EXPECT_NULL(test, bo->sysmem->pages[4]);

	KUNIT_ASSERT_EQ(test, amdm_move(bo, AMDM_CPU, NULL), 0);
	KUNIT_EXPECT_FALSE(test, amdm_move_is_usable(bo));
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.gtt_bytes), 0LL);
	KUNIT_EXPECT_TRUE(test, list_empty(&bo->place));

	room = amdm_vram_alloc(&bed->adev, bo->base.size, PAGE_SIZE, false);
	KUNIT_ASSERT_EQ(test, amdm_move(bo, AMDM_VRAM, room), 0);
	KUNIT_EXPECT_EQ(test, *vram_word(test, bed, 3), 333ULL);
	KUNIT_EXPECT_EQ(test, *vram_word(test, bed, BO_PAGES - 1), 777ULL);
	KUNIT_EXPECT_PTR_EQ(test, bo->place.next, &bed->adev.placement.in[AMDM_VRAM]);

	KUNIT_ASSERT_EQ(test, amdm_move(bo, AMDM_CPU, NULL), 0);
	KUNIT_ASSERT_EQ(test, amdm_move(bo, AMDM_GTT, NULL), 0);
	KUNIT_EXPECT_EQ(test, *(u64 *)page_address(bo->sysmem->pages[BO_PAGES - 1]), 777ULL);
	KUNIT_EXPECT_EQ(test, fake_rewrites, 5u);
	KUNIT_EXPECT_EQ(test, fake_flushes, 5u);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.placement.moved), 5 * (s64)bo->base.size);
	amdm_sysmem_free(&bed->adev, bo->sysmem);
	end_bed(test, bed);
}

/* A full GTT does not keep buffers from leaving VRAM, and buffers that leave VRAM do not fill GTT for others. */
static void no_room_in_gtt_is_taken_on_the_way(struct kunit *test)
{
	struct bed *bed = make_bed(test);
	struct amdm_bus_range all = {};
	struct amdm_bo *bo = &bed->bo;

	bo->kind = AMDM_VRAM;
	bo->vram = amdm_vram_alloc(&bed->adev, bo->base.size, PAGE_SIZE, false);
	*vram_word(test, bed, 3) = 333;
	KUNIT_ASSERT_EQ(test, amdm_bus_alloc(&bed->adev, &all, AMDM_BUS_SIZE), 0);
	KUNIT_EXPECT_EQ(test, amdm_move(bo, AMDM_GTT, NULL), -ENOMEM);
	KUNIT_ASSERT_EQ(test, amdm_move(bo, AMDM_CPU, NULL), 0);
	KUNIT_EXPECT_EQ(test, *(u64 *)page_address(bo->sysmem->pages[3]), 333ULL);
	amdm_bus_free(&bed->adev, &all);
	amdm_sysmem_free(&bed->adev, bo->sysmem);
	end_bed(test, bed);
}

static void places_are_wanted(struct kunit *test)
{
	static const struct {
		u64 domains;
		enum amdm_kind kind;
		bool wanted;
	} rows[] = {
		{ AMDGPU_GEM_DOMAIN_VRAM, AMDM_VRAM, false },
		{ AMDGPU_GEM_DOMAIN_VRAM, AMDM_GTT, true },
		{ AMDGPU_GEM_DOMAIN_VRAM, AMDM_CPU, true },
		{ AMDGPU_GEM_DOMAIN_GTT, AMDM_VRAM, true },
		{ AMDGPU_GEM_DOMAIN_GTT, AMDM_GTT, false },
		{ AMDGPU_GEM_DOMAIN_GTT, AMDM_CPU, true },
		{ AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT, AMDM_VRAM, false },
		{ AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT, AMDM_GTT, false },
		{ AMDGPU_GEM_DOMAIN_GTT, AMDM_USERPTR, false },
	};
	struct amdm_bo *bo = kunit_kzalloc(test, sizeof(*bo), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, bo);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		bo->domains = rows[i].domains;
		bo->kind = rows[i].kind;
		KUNIT_EXPECT_EQ_MSG(test, amdm_move_is_wanted(bo), rows[i].wanted, "row %u", i);
	}
}

static void budget_is_limited(struct kunit *test)
{
	struct bed *bed = make_bed(test);
	struct amdm_vram_alloc *most = amdm_vram_alloc(&bed->adev, VRAM_SIZE - VRAM_SIZE / 16, PAGE_SIZE, false);

	/* However long nothing has been moved, the budget is at most that of 200 ms. */
	KUNIT_EXPECT_EQ(test, amdm_move_allowance(&bed->adev), 200000ULL * 8);
	amdm_move_spend(&bed->adev, 1ULL << 40);
	KUNIT_EXPECT_EQ(test, amdm_move_allowance(&bed->adev), 0ULL);
	/* Much is free: a quarter of it may be filled at once, debts or not. */
	amdm_vram_free(&bed->adev, most);
	KUNIT_EXPECT_EQ(test, amdm_move_allowance(&bed->adev), VRAM_SIZE / 4);
	end_bed(test, bed);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(vram_is_taken_in_pieces),
	KUNIT_CASE(system_memory_comes_when_touched),
	KUNIT_CASE(contents_move),
	KUNIT_CASE(no_room_in_gtt_is_taken_on_the_way),
	KUNIT_CASE(places_are_wanted),
	KUNIT_CASE(budget_is_limited),
	{},
};

static struct kunit_suite suite = {
	.name = "amdgpu_move",
	.test_cases = cases,
};
kunit_test_suite(suite);

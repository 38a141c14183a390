// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_gart_test.c - the kernel's memory as VMID 0 sees it: its page table, word by word, and what is left of it when it goes.
 */
#include "kunit/fail_nth.h"
#include "real_memory.h"

#include "amdgpu_model/mem/amdgpu_gart.c"

#define MTYPE	(3ULL << 57)	/* AMDGPU_PTE_MTYPE_VG10(MTYPE_UC) */

static struct {
	u32 flushes, vmids;
	u64 entry;	/* of the table, when the TLB was emptied */
	struct amdm_device *adev;
	u64 watched;
} gart_seen;

struct gart_bed {
	struct amdm_device adev;
};

static u64 entry_of(struct amdm_device *adev, u64 page)
{
	u64 at = amdm_vram_offset(adev->gart.table, page * sizeof(u64), NULL);
	struct page *found = xa_load(&adev->vram.pages, at >> PAGE_SHIFT);

	return found ? *(u64 *)(page_address(found) + offset_in_page(at)) : 0;
}

void amdm_gmc_flush_vmids(struct amdm_device *adev, u32 vmids, u32 type)
{
	gart_seen.flushes++;
	gart_seen.vmids = vmids;
	gart_seen.entry = entry_of(adev, gart_seen.watched);
}

u64 amdm_gmc_mtype(const struct amdm_device *adev, enum gpuvm_mtype mtype)
{
	return mtype == GPUVM_MTYPE_UC ? MTYPE : 0;
}

static int gart_setup(struct kunit *test)
{
	struct gart_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&gart_seen, 0, sizeof(gart_seen));
	real_memory_init(&bed->adev, 16 << 20);
	return amdm_gart_init(&bed->adev);
}

static void gart_teardown(struct kunit *test)
{
	struct gart_bed *bed = test->priv;

	amdm_gart_fini(&bed->adev);
	real_memory_fini(test, &bed->adev);
}

static void the_table(struct kunit *test)
{
	struct gart_bed *bed = test->priv;
	struct amdm_vram_alloc *all = bed->adev.gart.table;
	u64 run;

	KUNIT_EXPECT_EQ(test, all->size, (512ULL << 20) / 4096 * 8);
	amdm_vram_offset(all, 0, &run);
	KUNIT_EXPECT_EQ(test, run, all->size);	/* the chip walks it as one piece */
}

/* Bits: valid, system, snooped, executable, readable, writeable (AMDGPU_PTE_*) and the MTYPE. */
static void entries(struct kunit *test)
{
	struct gart_bed *bed = test->priv;
	struct amdm_gtt *gtt = amdm_gtt_create(&bed->adev, 3 * PAGE_SIZE);
	u64 first, bus;
	u32 i;

	KUNIT_ASSERT_FALSE(test, IS_ERR(gtt));
	first = gtt->addr >> PAGE_SHIFT;
	bus = gtt->mem->bus.node.start;
	KUNIT_EXPECT_GE(test, first, 1ULL);	/* address 0 is a fault */
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, entry_of(&bed->adev, first + i), (bus + i * PAGE_SIZE) | 0x77 | MTYPE);
	KUNIT_EXPECT_EQ(test, entry_of(&bed->adev, first + 3), 0ULL);
	KUNIT_EXPECT_EQ(test, entry_of(&bed->adev, 0), 0ULL);
	((u64 *)gtt->cpu)[PAGE_SIZE / 8] = 5;
	KUNIT_EXPECT_EQ(test, *(u64 *)page_address(gtt->mem->pages[1]), 5ULL);
	gart_seen.watched = first + 2;
	gart_seen.entry = 1;
	amdm_gtt_destroy(&bed->adev, gtt);
	KUNIT_EXPECT_EQ(test, gart_seen.flushes, 1u);
	KUNIT_EXPECT_EQ(test, gart_seen.vmids, 1u);
	KUNIT_EXPECT_EQ(test, gart_seen.entry, 0ULL);	/* entries first, then the TLB, then the pages */
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, entry_of(&bed->adev, first + i), 0ULL);
}

/* A buffer's memory; pages that have never been touched have addresses, too. */
static void memory_of_a_buffer(struct kunit *test)
{
	struct gart_bed *bed = test->priv;
	struct amdm_sysmem *mem = amdm_sysmem_alloc(&bed->adev, 2 * PAGE_SIZE);
	struct drm_mm_node node = {};

	KUNIT_ASSERT_FALSE(test, IS_ERR(mem));
	amdm_gart_unmap(&bed->adev, &node);
	KUNIT_EXPECT_EQ(test, gart_seen.flushes, 0u);
	KUNIT_ASSERT_EQ(test, amdm_gart_map(&bed->adev, &node, mem), 0);
	KUNIT_EXPECT_EQ(test, entry_of(&bed->adev, node.start + 1), (mem->bus.node.start + PAGE_SIZE) | 0x77 | MTYPE);
	amdm_gart_unmap(&bed->adev, &node);
	KUNIT_EXPECT_FALSE(test, drm_mm_node_allocated(&node));
	amdm_sysmem_free(&bed->adev, mem);
}

static void the_aperture_is_full(struct kunit *test)
{
	struct gart_bed *bed = test->priv;
	struct amdm_sysmem *mem = amdm_sysmem_alloc(&bed->adev, PAGE_SIZE);
	struct drm_mm_node rest = {}, node = {};

	KUNIT_ASSERT_FALSE(test, IS_ERR(mem));
	KUNIT_ASSERT_EQ(test, drm_mm_insert_node(&bed->adev.gart.mm, &rest, (512 << 8) - 1), 0);	/* all but page 0 */
	KUNIT_EXPECT_EQ(test, amdm_gart_map(&bed->adev, &node, mem), -ENOSPC);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_gtt_create(&bed->adev, PAGE_SIZE)), -ENOSPC);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.gtt_bytes), (s64)PAGE_SIZE);
	drm_mm_remove_node(&rest);
	amdm_sysmem_free(&bed->adev, mem);
}

/* The table's own pages come when they are first written: the second one does not. */
static void the_table_has_no_page(struct kunit *test)
{
	const u64 per_page = PAGE_SIZE / sizeof(u64);
	struct gart_bed *bed = test->priv;
	struct amdm_sysmem *mem = amdm_sysmem_alloc(&bed->adev, per_page * PAGE_SIZE);
	struct drm_mm_node node = {};

	KUNIT_ASSERT_FALSE(test, IS_ERR(mem));
	real_memory.pages_left = 1;
	KUNIT_EXPECT_EQ(test, amdm_gart_map(&bed->adev, &node, mem), -ENOMEM);
	KUNIT_EXPECT_FALSE(test, drm_mm_node_allocated(&node));
	KUNIT_EXPECT_EQ(test, entry_of(&bed->adev, 1), 0ULL);
	KUNIT_EXPECT_EQ(test, gart_seen.flushes, 1u);
	amdm_sysmem_free(&bed->adev, mem);
}

static void no_room_for_the_table(struct kunit *test)
{
	struct amdm_device *adev = kunit_kzalloc(test, sizeof(*adev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, adev);
	amdm_vram_init(adev, AMDM_GART_TABLE_BYTES - PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_gart_init(adev), -ENOSPC);
	amdm_vram_fini(adev);
}

static void without_memory(struct kunit *test)
{
	struct gart_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		struct amdm_gtt *gtt;

		fail_nth_arm(n);
		gtt = amdm_gtt_create(&bed->adev, 2 * PAGE_SIZE);
		used = fail_nth_disarm();
		refused += IS_ERR(gtt);
		KUNIT_EXPECT_TRUE(test, !IS_ERR(gtt) || gtt == ERR_PTR(-ENOMEM));
		amdm_gtt_destroy(&bed->adev, gtt);
		KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.gtt_bytes), 0LL);
		KUNIT_EXPECT_TRUE(test, drm_mm_clean(&bed->adev.gart.mm));
	}
	KUNIT_EXPECT_GE(test, refused, 2u);
	for (n = 0; n < 2; n++) {	/* the first page, the second */
		real_memory.pages_left = n;
		KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(amdm_gtt_create(&bed->adev, 2 * PAGE_SIZE)), -ENOMEM);
		KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.gtt_bytes), 0LL);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(the_table),
	KUNIT_CASE(entries),
	KUNIT_CASE(memory_of_a_buffer),
	KUNIT_CASE(the_aperture_is_full),
	KUNIT_CASE(the_table_has_no_page),
	KUNIT_CASE(no_room_for_the_table),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_gart", .init = gart_setup, .exit = gart_teardown, .test_cases = cases };
kunit_test_suite(suite);

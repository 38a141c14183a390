// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_iommu_test.c - what the chip may reach of system memory: nothing but what is in the table or owed to it, and each failure once.
 */
#include "kunit/fail_nth.h"
#include "real_memory.h"

#define PAGES	4

struct iommu_bed {
	struct amdm_device adev;
	struct amdm_bus_range range;
	struct page *page;
};

static int iommu_setup(struct kunit *test)
{
	struct iommu_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	real_memory_init(&bed->adev, 1 << 20);
	bed->page = alloc_pages(GFP_KERNEL, 0);
	return bed->page ? amdm_bus_alloc(&bed->adev, &bed->range, PAGES * PAGE_SIZE) : -ENOMEM;
}

static void iommu_teardown(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;

	amdm_bus_free(&bed->adev, &bed->range);
	amdm_bus_free(&bed->adev, &bed->range);		/* nothing to undo any more */
	__free_page(bed->page);
	real_memory_fini(test, &bed->adev);
}

static int look(struct iommu_bed *bed, u32 page, bool write, void **host)
{
	return amdm_iommu_page(&bed->adev, bed->range.node.start + page * PAGE_SIZE, write, host);
}

static void put(struct kunit *test, u32 page, void *entry)
{
	struct iommu_bed *bed = test->priv;
	void *old = xa_store(&bed->adev.iommu.pages, (bed->range.node.start >> PAGE_SHIFT) + page, entry, GFP_KERNEL);

	KUNIT_ASSERT_FALSE(test, xa_is_err(old));
}

static void what_is_not_there(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;
	u64 wild[] = { 0, AMDM_BUS_START - PAGE_SIZE, bed->range.node.start + PAGES * PAGE_SIZE, AMDM_BUS_SIZE + AMDM_BUS_START,
		       ~0ULL & PAGE_MASK };
	void *host = NULL;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(wild); i++)
		KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, wild[i], false, &host), -EFAULT);
	KUNIT_EXPECT_EQ(test, look(bed, 1, false, &host), -EFAULT);	/* a page of the range that is never provided */
	KUNIT_EXPECT_NULL(test, host);
	KUNIT_EXPECT_GE(test, bed->range.node.start, 1ULL << 32);	/* addresses of 32 bits are all wild */
}

static void what_is_mapped(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;
	void *host = NULL;

	KUNIT_ASSERT_EQ(test, amdm_bus_map(&bed->adev, &bed->range, 2, bed->page), 0);
	KUNIT_EXPECT_EQ(test, look(bed, 2, true, &host), 0);
	KUNIT_EXPECT_PTR_EQ(test, host, page_address(bed->page));
	KUNIT_EXPECT_EQ(test, look(bed, 3, false, &host), -EFAULT);
	real_memory.gone = 0;
	amdm_bus_free(&bed->adev, &bed->range);
	KUNIT_EXPECT_EQ(test, real_memory.gone, 1u);
	KUNIT_EXPECT_TRUE(test, xa_empty(&bed->adev.iommu.pages));
}

static void the_bus_is_full(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;
	struct amdm_bus_range rest = {};

	KUNIT_EXPECT_EQ(test, amdm_bus_alloc(&bed->adev, &rest, AMDM_BUS_SIZE), -ENOSPC);
	KUNIT_EXPECT_FALSE(test, drm_mm_node_allocated(&rest.node));
	KUNIT_EXPECT_EQ(test, amdm_bus_alloc(&bed->adev, &rest, AMDM_BUS_SIZE - PAGES * PAGE_SIZE), 0);
	amdm_bus_free(&bed->adev, &rest);
}

static void user_memory(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;
	void *host = NULL, *readonly = xa_tag_pointer(bed->page, AMDM_IOMMU_READONLY);

	bed->range.request = real_memory_request;
	bed->range.user = (struct amdm_userptr *)bed;	/* it is not dereferenced here */
	KUNIT_EXPECT_EQ(test, look(bed, 3, true, &host), -EAGAIN);
	KUNIT_EXPECT_EQ(test, real_memory.requests, 1u);
	KUNIT_EXPECT_EQ(test, real_memory.wanted, 3ULL * PAGE_SIZE);
	KUNIT_EXPECT_TRUE(test, real_memory.for_write);
	put(test, 1, readonly);
	KUNIT_EXPECT_EQ(test, look(bed, 1, false, &host), 0);
	KUNIT_EXPECT_PTR_EQ(test, host, page_address(bed->page));
	KUNIT_EXPECT_EQ(test, real_memory.requests, 1u);
	KUNIT_EXPECT_EQ(test, look(bed, 1, true, &host), -EAGAIN);	/* copy on write may make another page of it */
	KUNIT_EXPECT_EQ(test, real_memory.requests, 2u);
	bed->range.user = NULL;
}

/* Each of them once: memory may come, protection may change. */
static void failures(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;
	void *host = NULL;

	bed->range.request = real_memory_request;
	bed->range.user = (struct amdm_userptr *)bed;
	put(test, 0, AMDM_IOMMU_GONE);
	KUNIT_EXPECT_EQ(test, look(bed, 0, false, &host), -EFAULT);
	KUNIT_EXPECT_EQ(test, look(bed, 0, false, &host), -EAGAIN);
	put(test, 1, xa_tag_pointer(bed->page, AMDM_IOMMU_REFUSED));
	KUNIT_EXPECT_EQ(test, look(bed, 1, false, &host), 0);		/* it can be read */
	KUNIT_EXPECT_PTR_EQ(test, host, page_address(bed->page));
	KUNIT_EXPECT_EQ(test, look(bed, 1, true, &host), -EFAULT);
	KUNIT_EXPECT_EQ(test, look(bed, 1, false, &host), 0);
	KUNIT_EXPECT_EQ(test, look(bed, 1, true, &host), -EAGAIN);
	bed->range.user = NULL;
}

/* A port has no page at once: it leaves a note, the worker makes the page, the next look finds it. */
static void a_page_comes_after_the_slice(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;
	struct amdm_sysmem *mem = amdm_sysmem_alloc(&bed->adev, PAGES * PAGE_SIZE);
	void *host = NULL;
	u64 addr;

	KUNIT_ASSERT_FALSE(test, IS_ERR(mem));
	addr = mem->bus.node.start + PAGE_SIZE;
	KUNIT_EXPECT_FALSE(test, amdm_iommu_serve(&bed->adev));
	real_memory.pages_left = 0;
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, addr, true, &host), -EAGAIN);
	real_memory.pages_left = -1;
	KUNIT_EXPECT_TRUE(test, amdm_iommu_serve(&bed->adev));
	KUNIT_EXPECT_FALSE(test, amdm_iommu_serve(&bed->adev));
	KUNIT_ASSERT_NOT_NULL(test, mem->pages[1]);
	real_memory.pages_left = 0;
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, addr, true, &host), 0);
	KUNIT_EXPECT_PTR_EQ(test, host, page_address(mem->pages[1]));
	amdm_sysmem_free(&bed->adev, mem);
}

/* The host has no page at all: one VM fault, and then another try. */
static void no_page_comes(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;
	struct amdm_sysmem *mem = amdm_sysmem_alloc(&bed->adev, PAGE_SIZE);
	void *host = NULL;
	u64 addr;

	KUNIT_ASSERT_FALSE(test, IS_ERR(mem));
	addr = mem->bus.node.start;
	real_memory.pages_left = 0;
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, addr, true, &host), -EAGAIN);
	KUNIT_EXPECT_TRUE(test, amdm_iommu_serve(&bed->adev));
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, addr, true, &host), -EFAULT);
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, addr, true, &host), -EAGAIN);
	real_memory.pages_left = -1;
	KUNIT_EXPECT_TRUE(test, amdm_iommu_serve(&bed->adev));
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, addr, true, &host), 0);
	amdm_sysmem_free(&bed->adev, mem);
}

/* Between the note and its turn a CPU has touched the page, or the memory has gone. */
static void a_note_that_is_late(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;
	struct amdm_sysmem *mem = amdm_sysmem_alloc(&bed->adev, PAGE_SIZE);
	struct page *page;
	void *host = NULL;
	u64 addr;

	KUNIT_ASSERT_FALSE(test, IS_ERR(mem));
	addr = mem->bus.node.start;
	real_memory.pages_left = 0;
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, addr, true, &host), -EAGAIN);
	real_memory.pages_left = 1;
	page = amdm_sysmem_page(&bed->adev, mem, 0, GFP_KERNEL);
	KUNIT_EXPECT_NOT_NULL(test, page);
	KUNIT_EXPECT_TRUE(test, amdm_iommu_serve(&bed->adev));
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, addr, true, &host), 0);	/* no fault: the page is there */
	KUNIT_EXPECT_PTR_EQ(test, host, page_address(page));
	bed->adev.iommu.note = addr;
	real_memory.pages_left = -1;
	KUNIT_EXPECT_TRUE(test, amdm_iommu_serve(&bed->adev));
	KUNIT_EXPECT_PTR_EQ(test, mem->pages[0], page);
	bed->adev.iommu.note = addr;
	amdm_sysmem_free(&bed->adev, mem);
	KUNIT_EXPECT_TRUE(test, amdm_iommu_serve(&bed->adev));
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, addr, true, &host), -EFAULT);
}

static void contents_outlive_a_binding(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;
	struct amdm_sysmem *mem = amdm_sysmem_alloc(&bed->adev, 2 * PAGE_SIZE + 1);
	void *host = NULL;

	KUNIT_ASSERT_FALSE(test, IS_ERR(mem));
	KUNIT_EXPECT_EQ(test, mem->count, 3ul);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.gtt_bytes), 3LL * (s64)PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, amdm_sysmem_fill(&bed->adev, mem), 0);
	*(u64 *)page_address(mem->pages[2]) = 77;
	amdm_sysmem_unbind(&bed->adev, mem);
	amdm_sysmem_unbind(&bed->adev, mem);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.gtt_bytes), 0LL);
	KUNIT_EXPECT_TRUE(test, xa_empty(&bed->adev.iommu.pages));
	KUNIT_ASSERT_EQ(test, amdm_sysmem_bind(&bed->adev, mem), 0);
	KUNIT_EXPECT_EQ(test, amdm_iommu_page(&bed->adev, mem->bus.node.start + 2 * PAGE_SIZE, false, &host), 0);
	KUNIT_EXPECT_EQ(test, *(u64 *)host, 77ULL);
	amdm_sysmem_free(&bed->adev, mem);
}

static void filling_ends_where_pages_do(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;
	struct amdm_sysmem *mem = amdm_sysmem_alloc(&bed->adev, PAGES * PAGE_SIZE);

	KUNIT_ASSERT_FALSE(test, IS_ERR(mem));
	real_memory.pages_left = 2;
	KUNIT_EXPECT_EQ(test, amdm_sysmem_fill(&bed->adev, mem), -ENOMEM);
	KUNIT_EXPECT_NOT_NULL(test, mem->pages[1]);
	KUNIT_EXPECT_NULL(test, mem->pages[2]);
	real_memory.pages_left = -1;
	KUNIT_EXPECT_EQ(test, amdm_sysmem_fill(&bed->adev, mem), 0);
	amdm_sysmem_free(&bed->adev, mem);
	amdm_sysmem_free(&bed->adev, NULL);
	amdm_sysmem_free(&bed->adev, ERR_PTR(-ENOMEM));
}

static void without_memory(struct kunit *test)
{
	struct iommu_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		struct amdm_sysmem *mem;
		int ret = -ENOMEM;

		fail_nth_arm(n);
		mem = amdm_sysmem_alloc(&bed->adev, PAGES * PAGE_SIZE);
		if (!IS_ERR(mem))
			ret = amdm_sysmem_fill(&bed->adev, mem);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
		if (!IS_ERR(mem)) {	/* one that could not be filled can be filled later */
			KUNIT_EXPECT_EQ(test, amdm_sysmem_fill(&bed->adev, mem), 0);
			amdm_sysmem_free(&bed->adev, mem);
		} else {
			KUNIT_EXPECT_EQ(test, PTR_ERR(mem), (long)-ENOMEM);
		}
		KUNIT_EXPECT_EQ(test, atomic64_read(&bed->adev.gtt_bytes), 0LL);
		KUNIT_EXPECT_TRUE(test, xa_empty(&bed->adev.iommu.pages));
	}
	KUNIT_EXPECT_GE(test, refused, 1u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(what_is_not_there),
	KUNIT_CASE(what_is_mapped),
	KUNIT_CASE(the_bus_is_full),
	KUNIT_CASE(user_memory),
	KUNIT_CASE(failures),
	KUNIT_CASE(a_page_comes_after_the_slice),
	KUNIT_CASE(no_page_comes),
	KUNIT_CASE(a_note_that_is_late),
	KUNIT_CASE(contents_outlive_a_binding),
	KUNIT_CASE(filling_ends_where_pages_do),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_iommu", .init = iommu_setup, .exit = iommu_teardown, .test_cases = cases };
kunit_test_suite(suite);

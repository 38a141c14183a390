// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * doorbell_test.c - the doorbell BAR: what a store leaves there, what a reset may touch, who may map it, and that the next store after an
 * unmapping faults.
 */
#include <kunit/test.h>
#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <linux/mm.h>

#include "kunit/compat.h"
#include "kunit/fail_nth.h"

#define vmf_insert_pfn		bell_fake_insert
#define unmap_mapping_pages	bell_fake_unmap
#define drm_dev_get		bell_fake_get
#define drm_dev_put		bell_fake_put
static vm_fault_t bell_fake_insert(struct vm_area_struct *vma, unsigned long addr, unsigned long pfn);
static void bell_fake_unmap(struct address_space *mapping, pgoff_t start, pgoff_t nr, bool even_cows);
static void bell_fake_get(struct drm_device *dev);
static void bell_fake_put(struct drm_device *dev);
#include "amdgpu_model/glue/doorbell.c"

#define NOBODY	(~0ULL)

struct bell_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct hw_generation gen;
	struct amdm_glue glue;
	struct drm_gem_object obj;
	struct file file;
	struct address_space mapping;
	struct vm_area_struct vma;
};

static struct {
	u32 kicks, unmaps;
	int devices;
	unsigned long pfn, unmapped_at, unmapped_pages;
} bell_seen;

static vm_fault_t bell_fake_insert(struct vm_area_struct *vma, unsigned long addr, unsigned long pfn)
{
	bell_seen.pfn = pfn;
	return VM_FAULT_NOPAGE;
}

static void bell_fake_unmap(struct address_space *mapping, pgoff_t start, pgoff_t nr, bool even_cows)
{
	bell_seen.unmaps++;
	bell_seen.unmapped_at = start;
	bell_seen.unmapped_pages = nr;
}

static void bell_fake_get(struct drm_device *dev)
{
	bell_seen.devices++;
}

static void bell_fake_put(struct drm_device *dev)
{
	bell_seen.devices--;
}

void amdm_glue_kick(struct amdm_device *adev)
{
	bell_seen.kicks++;
}

static int bell_setup(struct kunit *test)
{
	struct bell_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&bell_seen, 0, sizeof(bell_seen));
	bed->adev.asic = &bed->asic;
	bed->asic.gen = &bed->gen;
	bed->gen.doorbell_bytes = sizeof(u64);
	bed->adev.glue = &bed->glue;
	bed->glue.adev = &bed->adev;
	kref_init(&bed->obj.refcount);
	bed->file.f_mapping = &bed->mapping;
	amdm_doorbell_init(&bed->glue.doorbells);
	return 0;
}

static void bell_teardown(struct kunit *test)
{
	struct bell_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, bell_seen.devices, 0);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->obj.refcount), 1u);
	amdm_doorbell_fini(&bed->glue.doorbells);
}

static u64 *bell(struct kunit *test, u32 offset)
{
	struct bell_bed *bed = test->priv;
	struct page *page = amdm_doorbell_page(&bed->adev, offset);

	KUNIT_ASSERT_NOT_NULL(test, page);
	return page_address(page) + (offset_in_page(offset) & ~7u);
}

static void a_page(struct kunit *test)
{
	struct bell_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, *bell(test, 0x3ff8), NOBODY);
	KUNIT_EXPECT_PTR_EQ(test, amdm_doorbell_page(&bed->adev, 0x3000), amdm_doorbell_page(&bed->adev, 0x3fff));
	KUNIT_EXPECT_NOT_NULL(test, amdm_doorbell_page(&bed->adev, AMDM_DOORBELL_BYTES - 1));
	KUNIT_EXPECT_NULL(test, amdm_doorbell_page(&bed->adev, AMDM_DOORBELL_BYTES));
	KUNIT_EXPECT_NULL(test, amdm_doorbell_page(&bed->adev, ~0u));
}

static void the_driver_rings(struct kunit *test)
{
	struct bell_bed *bed = test->priv;

	amdm_doorbell_write64(&bed->adev, 0x1010, 0x123456789abcdefULL);
	KUNIT_EXPECT_EQ(test, *bell(test, 0x1010), 0x123456789abcdefULL);
	KUNIT_EXPECT_EQ(test, *bell(test, 0x1008), NOBODY);
	KUNIT_EXPECT_EQ(test, *bell(test, 0x1018), NOBODY);
	amdm_doorbell_write32(&bed->adev, 0x2004, 77);
	KUNIT_EXPECT_EQ(test, *bell(test, 0x2000), 77ULL << 32 | 0xffffffff);
	KUNIT_EXPECT_EQ(test, bell_seen.kicks, 2u);
	amdm_doorbell_write64(&bed->adev, AMDM_DOORBELL_BYTES, 1);
	amdm_doorbell_write32(&bed->adev, ~0u, 1);
	bed->gen.doorbell_bytes = sizeof(u32);		/* doorbells of 32 bits stand side by side */
	amdm_doorbell_write64(&bed->adev, 0x3004, 0x100000005ULL);
	amdm_doorbell_write64(&bed->adev, 0x3000, 6);
	KUNIT_EXPECT_EQ(test, *bell(test, 0x3000), 5ULL << 32 | 6);
}

static void a_reset(struct kunit *test)
{
	struct bell_bed *bed = test->priv;
	u32 at;

	for (at = 0xff0; at < 0x1010; at += 8)
		amdm_doorbell_write64(&bed->adev, at, at);
	amdm_doorbell_reset(&bed->adev, 0xff8, 16);
	KUNIT_EXPECT_EQ(test, *bell(test, 0xff0), 0xff0ULL);
	KUNIT_EXPECT_EQ(test, *bell(test, 0xff8), NOBODY);
	KUNIT_EXPECT_EQ(test, *bell(test, 0x1000), NOBODY);
	KUNIT_EXPECT_EQ(test, *bell(test, 0x1008), 0x1008ULL);
	amdm_doorbell_reset(&bed->adev, 0x5000, PAGE_SIZE);
	KUNIT_EXPECT_NULL(test, bed->glue.doorbells.pages[5]);	/* no doorbell of this page has been written */
	amdm_doorbell_reset(&bed->adev, AMDM_DOORBELL_BYTES - 8, 64);	/* to its end and no further */
}

/* Before GFX9 the other half belongs to another queue, which may just have rung. */
static void a_reset_of_32_bits(struct kunit *test)
{
	struct bell_bed *bed = test->priv;

	bed->gen.doorbell_bytes = sizeof(u32);
	amdm_doorbell_write32(&bed->adev, 0x10, 1);
	amdm_doorbell_write32(&bed->adev, 0x14, 2);
	amdm_doorbell_write32(&bed->adev, 0x18, 3);
	amdm_doorbell_reset(&bed->adev, 0x14, 4);
	KUNIT_EXPECT_EQ(test, *bell(test, 0x10), 0xffffffffULL << 32 | 1);
	KUNIT_EXPECT_EQ(test, *bell(test, 0x18), 0xffffffffULL << 32 | 3);
	amdm_doorbell_reset(&bed->adev, 0x18, 4);
	KUNIT_EXPECT_EQ(test, *bell(test, 0x18), NOBODY);
	KUNIT_EXPECT_EQ(test, (u32)*bell(test, 0x10), 1u);
}

static int map(struct kunit *test, u32 offset, u32 size, unsigned long pages, unsigned long flags)
{
	struct bell_bed *bed = test->priv;

	fake_vma_init(&bed->vma, 0x7f0000000000, 0x7f0000000000 + pages * PAGE_SIZE, flags);
	bed->vma.vm_pgoff = 0x123;
	bed->vma.vm_file = &bed->file;
	return amdm_doorbell_mmap(&bed->adev, &bed->vma, offset, size, &bed->obj);
}

static void who_may_map(struct kunit *test)
{
	static const struct { u32 offset, size; unsigned long pages, flags; } refused[] = {
		{ 0x10, PAGE_SIZE, 1, VM_SHARED },
		{ AMDM_DOORBELL_BYTES, PAGE_SIZE, 1, VM_SHARED },
		{ AMDM_DOORBELL_BYTES - PAGE_SIZE, 2 * PAGE_SIZE, 2, VM_SHARED },
		{ PAGE_SIZE, 0xfffff000, 1, VM_SHARED },
		{ 0, PAGE_SIZE, 2, VM_SHARED },
		{ 0, PAGE_SIZE, 1, 0 },
	};
	struct bell_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(refused); i++)
		KUNIT_EXPECT_EQ(test, map(test, refused[i].offset, refused[i].size, refused[i].pages, refused[i].flags), -EINVAL);
	KUNIT_EXPECT_EQ(test, bell_seen.devices, 0);
	KUNIT_ASSERT_EQ(test, map(test, AMDM_DOORBELL_BYTES - 2 * PAGE_SIZE, 2 * PAGE_SIZE, 2, VM_SHARED), 0);
	KUNIT_EXPECT_TRUE(test, bed->vma.vm_flags & VM_DONTCOPY);	/* a child has no queue */
	KUNIT_EXPECT_TRUE(test, bed->vma.vm_flags & VM_PFNMAP);
	KUNIT_EXPECT_EQ(test, bell_seen.devices, 1);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->obj.refcount), 2u);
	bed->vma.vm_ops->open(&bed->vma);		/* it is split */
	bed->vma.vm_ops->close(&bed->vma);
	KUNIT_EXPECT_EQ(test, bell_seen.devices, 1);
	bed->vma.vm_ops->close(&bed->vma);
	KUNIT_EXPECT_TRUE(test, list_empty(&bed->glue.doorbells.maps));
}

static void the_first_store(struct kunit *test)
{
	struct bell_bed *bed = test->priv;
	struct vm_fault vmf = { .vma = &bed->vma, .address = 0x7f0000001000, .pgoff = 0x124 };
	struct vm_fault behind = { .vma = &bed->vma, .address = 0x7f0000002000, .pgoff = 0x125 };

	KUNIT_ASSERT_EQ(test, map(test, 0x4000, 2 * PAGE_SIZE, 2, VM_SHARED), 0);
	KUNIT_EXPECT_FALSE(test, amdm_doorbell_unmap_all(&bed->glue));
	KUNIT_EXPECT_EQ(test, bell_seen.unmaps, 0u);	/* no process has it mapped */
	KUNIT_EXPECT_EQ(test, bed->vma.vm_ops->fault(&vmf), (vm_fault_t)VM_FAULT_NOPAGE);
	KUNIT_EXPECT_EQ(test, bell_seen.pfn, page_to_pfn(amdm_doorbell_page(&bed->adev, 0x5000)));
	KUNIT_EXPECT_EQ(test, bell_seen.kicks, 1u);
	KUNIT_EXPECT_GE(test, bed->glue.doorbells.fault_cpu, 0);
	KUNIT_EXPECT_TRUE(test, amdm_doorbell_unmap_all(&bed->glue));
	KUNIT_EXPECT_EQ(test, bell_seen.unmaps, 1u);
	KUNIT_EXPECT_EQ(test, bell_seen.unmapped_at, 0x123ul);
	KUNIT_EXPECT_EQ(test, bell_seen.unmapped_pages, 2ul);
	KUNIT_EXPECT_FALSE(test, amdm_doorbell_unmap_all(&bed->glue));
	KUNIT_EXPECT_EQ(test, bed->vma.vm_ops->fault(&behind), (vm_fault_t)VM_FAULT_SIGBUS);
	bed->vma.vm_ops->close(&bed->vma);
}

static void without_memory(struct kunit *test)
{
	struct bell_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		int ret;

		fail_nth_arm(n);
		ret = map(test, 0, PAGE_SIZE, 1, VM_SHARED);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
		KUNIT_EXPECT_EQ(test, bell_seen.devices, ret ? 0 : 1);
		if (!ret)
			bed->vma.vm_ops->close(&bed->vma);
	}
	KUNIT_EXPECT_EQ(test, refused, 1u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_page),
	KUNIT_CASE(the_driver_rings),
	KUNIT_CASE(a_reset),
	KUNIT_CASE(a_reset_of_32_bits),
	KUNIT_CASE(who_may_map),
	KUNIT_CASE(the_first_store),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "glue_doorbell", .init = bell_setup, .exit = bell_teardown, .test_cases = cases };
kunit_test_suite(suite);

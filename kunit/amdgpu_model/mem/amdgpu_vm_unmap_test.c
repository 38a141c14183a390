// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_vm_unmap_test.c - mappings go when the jobs that use them have ended and not before; what is cut out of one leaves the rest.
 */
#include <linux/delay.h>

#include "kunit/fail_nth.h"
#include "vm_bed.h"

#define PTE(page)	((0x1000000ULL + (page) * PAGE_SIZE + ((page) < BED_PAGES / 2 ? 0 : 0x10000000)) | 0x61)

static void end_job(struct kunit *test, struct dma_fence *fence)
{
	struct vm_bed *bed = test->priv;

	dma_fence_signal(fence);
	flush_workqueue(bed->adev.vm_wq);
}

static void which_one(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_mapping *kfd;
	int owner;

	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 4, NULL)));
	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, 2 * VA, 4, 4, NULL)));
	kfd = bed_map(test, 1, 3 * VA, 0, 4, &owner);
	KUNIT_ASSERT_FALSE(test, IS_ERR(kfd));
	KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[0], VA + PAGE_SIZE), -ENOENT);	/* not where it begins */
	KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[1], VA), -ENOENT);
	KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[1], 3 * VA), -ENOENT);		/* KFD's */
	KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[1], 0), -ENOENT);
	KUNIT_EXPECT_EQ(test, bed_mappings(test), 3u);
	KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[0], 2 * VA), 0);
	KUNIT_EXPECT_EQ(test, bed_pte(test, 2 * VA), 0ULL);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), PTE(0));
	KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[0], 0), 0);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), 0ULL);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[0].base.refcount), 1u);
	amdm_vm_unmap(kfd);
	KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), bed->used);
}

static void a_job_keeps_its_pages(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct dma_fence *fence = bed_job(test, 0);
	s64 updates;

	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 4, NULL)));
	updates = atomic64_read(&bed->vm->updates);
	KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[0], VA), 0);
	KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[0], VA), -ENOENT);	/* the mapping cannot be found any more */
	KUNIT_EXPECT_EQ(test, bed_mappings(test), 0u);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), PTE(0));
	KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[0].base.refcount), 2u);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->vm->ref), 2u);
	KUNIT_EXPECT_FALSE(test, list_empty(&bed->bo[0].mappings));	/* if it moves, this moves along */
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->vm->updates), updates);
	end_job(test, fence);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), 0ULL);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[0].base.refcount), 1u);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->vm->ref), 1u);
	KUNIT_EXPECT_EQ(test, atomic64_read(&bed->vm->updates), updates + 1);
	dma_fence_put(fence);
}

/** struct later - jobs that end in a while; @other may be NULL */
struct later {
	struct delayed_work work;
	struct dma_fence *fence, *other;
};

static void later_work(struct work_struct *work)
{
	struct later *later = container_of(work, struct later, work.work);

	dma_fence_signal(later->fence);
	if (later->other)
		dma_fence_signal(later->other);
}

/* Who comes next to that place waits for the job, not only for an empty entry. */
static void the_place_is_taken_until_then(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct later later = { .fence = bed_job(test, 0) };

	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 4, NULL)));
	KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[0], VA), 0);
	KUNIT_EXPECT_FALSE(test, IS_ERR(bed_map(test, 1, VA + 4 * PAGE_SIZE, 0, 4, NULL)));	/* a mapping beside it does not wait */
	KUNIT_EXPECT_FALSE(test, dma_fence_is_signaled(later.fence));
	INIT_DELAYED_WORK_ONSTACK(&later.work, later_work);
	schedule_delayed_work(&later.work, msecs_to_jiffies(50));
	KUNIT_EXPECT_FALSE(test, IS_ERR(bed_map(test, 1, VA + 3 * PAGE_SIZE, 5, 1, NULL)));
	KUNIT_EXPECT_TRUE(test, dma_fence_is_signaled(later.fence));
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 3 * PAGE_SIZE), 0x2005000ULL | 0x61);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), 0ULL);
	flush_delayed_work(&later.work);
	destroy_delayed_work_on_stack(&later.work);
	dma_fence_put(later.fence);
}

static void the_file_goes_first(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct dma_fence *fence = bed_job(test, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 4, NULL)));
	amdm_vm_get(bed->vm);	/* ours, to look at it */
	amdm_vm_close(bed->vm);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), PTE(0));
	KUNIT_EXPECT_EQ(test, kref_read(&bed->vm->ref), 2u);
	amdm_vm_put(bed->vm);
	bed->vm = NULL;
	end_job(test, fence);
	KUNIT_EXPECT_EQ(test, amdm_vram_used(&bed->adev), 0ULL);
	dma_fence_put(fence);
}

static void ranges_that_are_none(struct kunit *test)
{
	static const struct { u64 va, size; } rows[] = {
		{ VA, 0 }, { VA + 1, PAGE_SIZE }, { VA, PAGE_SIZE + 1 }, { VA, ~0ULL << 12 },
	};
	struct vm_bed *bed = test->priv;
	u32 i;

	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 4, NULL)));
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ(test, amdm_vm_clear(bed->vm, rows[i].va, rows[i].size), -EINVAL);
	KUNIT_EXPECT_EQ(test, bed_mappings(test), 1u);
	KUNIT_EXPECT_EQ(test, amdm_vm_clear(bed->vm, 2 * VA, VA), 0);	/* there is nothing */
	KUNIT_EXPECT_EQ(test, bed_mappings(test), 1u);
}

static void a_hole(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	u32 i;

	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 2, 12, NULL)));
	KUNIT_EXPECT_EQ(test, amdm_vm_clear(bed->vm, VA + 3 * PAGE_SIZE, 4 * PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, bed_mappings(test), 2u);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[0].base.refcount), 3u);
	for (i = 0; i < 12; i++)
		KUNIT_EXPECT_EQ(test, bed_pte(test, VA + i * PAGE_SIZE), i >= 3 && i < 7 ? 0 : PTE(i + 2));
	bed->at[0] = 0x7000000;		/* both pieces know their part of the buffer */
	amdm_vm_rewrite(list_first_entry(&bed->bo[0].mappings, struct amdm_mapping, of_bo));
	amdm_vm_rewrite(list_last_entry(&bed->bo[0].mappings, struct amdm_mapping, of_bo));
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), 0x7002000ULL | 0x61);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 7 * PAGE_SIZE), 0x17009000ULL | 0x61);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 11 * PAGE_SIZE), 0x1700d000ULL | 0x61);
	KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[0], VA + 7 * PAGE_SIZE), 0);	/* a mapping like others */
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 11 * PAGE_SIZE), 0ULL);
}

static void over_several(struct kunit *test)
{
	struct vm_bed *bed = test->priv;

	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 4, NULL)));
	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 1, VA + 4 * PAGE_SIZE, 0, 2, NULL)));
	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA + 7 * PAGE_SIZE, 8, 4, NULL)));
	KUNIT_EXPECT_EQ(test, amdm_vm_clear(bed->vm, VA + 3 * PAGE_SIZE, 5 * PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, bed_mappings(test), 2u);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 2 * PAGE_SIZE), PTE(2));
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 3 * PAGE_SIZE), 0ULL);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 5 * PAGE_SIZE), 0ULL);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 7 * PAGE_SIZE), 0ULL);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 8 * PAGE_SIZE), PTE(9));
	KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[1].base.refcount), 1u);
}

static void what_kfd_has_stays(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct amdm_mapping *kfd;
	int owner;

	kfd = bed_map(test, 0, VA, 0, 4, &owner);
	KUNIT_ASSERT_FALSE(test, IS_ERR(kfd));
	KUNIT_EXPECT_EQ(test, amdm_vm_clear(bed->vm, VA + PAGE_SIZE, PAGE_SIZE), -EINVAL);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + PAGE_SIZE), PTE(1));
	amdm_vm_unmap(kfd);
}

/* A hole in a buffer that a job uses: the pages around it stay mapped, those in it until the job ends. */
static void a_hole_under_a_job(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	struct dma_fence *fence = bed_job(test, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 4, NULL)));
	KUNIT_EXPECT_EQ(test, amdm_vm_clear(bed->vm, VA + PAGE_SIZE, PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, bed_mappings(test), 2u);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + PAGE_SIZE), PTE(1));
	end_job(test, fence);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + PAGE_SIZE), 0ULL);
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA), PTE(0));
	KUNIT_EXPECT_EQ(test, bed_pte(test, VA + 2 * PAGE_SIZE), PTE(2));
	dma_fence_put(fence);
}

/* Either all of the hole is cut, or nothing. */
static void without_memory(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		int ret;

		KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 4, NULL)));
		fail_nth_arm(n);
		ret = amdm_vm_clear(bed->vm, VA + PAGE_SIZE, PAGE_SIZE);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
		KUNIT_EXPECT_EQ(test, bed_mappings(test), ret ? 1u : 2u);
		KUNIT_EXPECT_EQ(test, bed_pte(test, VA + PAGE_SIZE), ret ? PTE(1) : 0);
		while (!amdm_vm_unmap_gem(bed->vm, &bed->bo[0], 0))
			;
		KUNIT_EXPECT_EQ(test, kref_read(&bed->bo[0].base.refcount), 1u);
	}
	KUNIT_EXPECT_GE(test, refused, 1u);	/* the piece before, the piece behind */
}

/* Two jobs, and no memory to name both: then they are waited for. */
static void jobs_that_cannot_be_named(struct kunit *test)
{
	struct vm_bed *bed = test->priv;
	bool used = true;
	u32 n, waited = 0;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		struct later later = { .fence = bed_job(test, 0), .other = bed_job(test, 0) };

		KUNIT_ASSERT_FALSE(test, IS_ERR(bed_map(test, 0, VA, 0, 1, NULL)));
		INIT_DELAYED_WORK_ONSTACK(&later.work, later_work);
		schedule_delayed_work(&later.work, msecs_to_jiffies(20));
		fail_nth_arm(n);
		KUNIT_EXPECT_EQ(test, amdm_vm_unmap_gem(bed->vm, &bed->bo[0], VA), 0);
		used = fail_nth_disarm();
		waited += dma_fence_is_signaled(later.fence);
		flush_delayed_work(&later.work);
		destroy_delayed_work_on_stack(&later.work);
		/* A fence of several signals a little after the last of them (irq_work). */
		KUNIT_EXPECT_EQ(test, amdm_vm_wait_leaving(bed->vm, VA >> PAGE_SHIFT, VA >> PAGE_SHIFT), 0);
		KUNIT_EXPECT_EQ(test, bed_pte(test, VA), 0ULL);
		dma_fence_put(later.other);
		dma_fence_put(later.fence);
	}
	kunit_info(test, "%u times waited", waited);
}

static u32 vm_flushed_pasid;

static int fake_flush(struct amdm_device *adev, u32 pasid, enum kfd_bridge_tlb_flush type)
{
	vm_flushed_pasid = pasid;
	return 0;
}

/* An address space that KFD has acquired; others have no queues. */
static void queues_hear_of_it(struct kunit *test)
{
	struct vm_bed *bed = test->priv;

	vm_flushed_pasid = 0;
	amdm_vm_flush_queues(bed->vm);
	KUNIT_EXPECT_EQ(test, vm_flushed_pasid, 0u);
	bed->vm->flush = fake_flush;
	bed->vm->pasid = 0x8001;
	amdm_vm_flush_queues(bed->vm);
	KUNIT_EXPECT_EQ(test, vm_flushed_pasid, 0x8001u);
	bed->vm->pasid = 0;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(which_one),
	KUNIT_CASE(a_job_keeps_its_pages),
	KUNIT_CASE(the_place_is_taken_until_then),
	KUNIT_CASE(the_file_goes_first),
	KUNIT_CASE(ranges_that_are_none),
	KUNIT_CASE(a_hole),
	KUNIT_CASE(over_several),
	KUNIT_CASE(what_kfd_has_stays),
	KUNIT_CASE(a_hole_under_a_job),
	KUNIT_CASE(queues_hear_of_it),
	KUNIT_CASE(without_memory),
	KUNIT_CASE(jobs_that_cannot_be_named),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_vm_unmap", .init = vm_bed_init, .exit = vm_bed_fini, .test_cases = cases };
kunit_test_suite(suite);

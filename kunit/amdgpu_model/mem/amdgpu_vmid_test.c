// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_vmid_test.c - who gets which VMID, what its ring has to connect, and who has to wait.
 */
#include <kunit/test.h>

#define amdm_vm_page_table_base fake_page_table_base
#include "amdgpu_model/mem/amdgpu_vmid.c"

u64 fake_page_table_base(struct amdm_vm *vm)
{
	return vm->id << 12;
}

static const char *fence_name(struct dma_fence *fence)
{
	return "test";
}

static const struct dma_fence_ops fence_ops = { .get_driver_name = fence_name, .get_timeline_name = fence_name };
static DEFINE_SPINLOCK(fence_lock);

/** struct bed - a device with a ring, and jobs of address spaces */
struct bed {
	struct amdm_device adev;
	struct amdm_ring ring;
	struct amdm_vm vm[10];
	struct amdm_job job[20];
	struct dma_fence *fence[20];
	u32 jobs;
};

static struct bed *make_bed(struct kunit *test)
{
	struct bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, bed);
	amdm_vmids_init(&bed->adev);
	bed->ring.adev = &bed->adev;
	for (i = 0; i < ARRAY_SIZE(bed->vm); i++)
		bed->vm[i].id = i + 1;
	return bed;
}

/* dma_fence_release() frees a fence by RCU: it gets memory of its own. */
static struct amdm_job *make_job(struct kunit *test, struct bed *bed, u32 vm)
{
	struct amdm_job *job = &bed->job[bed->jobs];
	struct drm_sched_fence *s_fence = kunit_kzalloc(test, sizeof(*s_fence), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s_fence);
	dma_fence_init(&s_fence->finished, &fence_ops, &fence_lock, 1, bed->jobs + 1);
	dma_fence_get(&s_fence->finished);	/* the test's memory is the test's */
	job->vm = &bed->vm[vm];
	job->base.s_fence = s_fence;
	bed->fence[bed->jobs++] = &s_fence->finished;
	return job;
}

static void end_all(struct bed *bed)
{
	u32 i;

	for (i = 0; i < bed->jobs; i++)
		dma_fence_signal(bed->fence[i]);
	amdm_vmids_fini(&bed->adev);
}

static void vmid_stays_with_its_owner(struct kunit *test)
{
	struct bed *bed = make_bed(test);
	struct amdm_job *first = make_job(test, bed, 0), *second = make_job(test, bed, 0), *other = make_job(test, bed, 1);
	struct amdm_job *later = make_job(test, bed, 0);

	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, first));
	KUNIT_EXPECT_NE(test, first->generation, 0ULL);	/* no ring has connected it */
	KUNIT_EXPECT_EQ(test, first->pd, 1ULL << 12);
	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, second));
	KUNIT_EXPECT_EQ(test, second->vmid, first->vmid);
	KUNIT_EXPECT_EQ(test, second->generation, first->generation);
	KUNIT_EXPECT_EQ(test, second->updates, first->updates);
	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, other));
	KUNIT_EXPECT_NE(test, other->vmid, first->vmid);
	atomic64_inc(&bed->vm[0].updates);	/* a mapping has changed */
	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, later));
	KUNIT_EXPECT_EQ(test, later->vmid, first->vmid);
	KUNIT_EXPECT_EQ(test, later->generation, first->generation);
	KUNIT_EXPECT_GT(test, later->updates, first->updates);
	end_all(bed);
}

static void vmid_is_waited_for(struct kunit *test)
{
	struct bed *bed = make_bed(test);
	struct dma_fence *wait;
	struct amdm_job *late;
	u32 i;

	for (i = 0; i < AMDM_JOB_VMIDS - 1; i++) {
		struct amdm_job *job = make_job(test, bed, i);

		KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, job));
		KUNIT_EXPECT_TRUE(test, job->vmid >= 1 && job->vmid < AMDM_JOB_VMIDS);
	}
	late = make_job(test, bed, i);
	wait = amdm_vmid_grab(&bed->ring, late);
	KUNIT_EXPECT_PTR_EQ(test, wait, bed->fence[0]);	/* the one that is idle for longest as soon as it is */
	KUNIT_EXPECT_EQ(test, late->vmid, 0u);
	KUNIT_EXPECT_TRUE(test, test_bit(DRM_SCHED_FENCE_DONT_PIPELINE, &wait->flags));	/* the ring is the same */
	dma_fence_put(wait);
	dma_fence_signal(bed->fence[0]);
	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, late));
	KUNIT_EXPECT_EQ(test, late->vmid, bed->job[0].vmid);
	KUNIT_EXPECT_GT(test, late->generation, bed->job[0].generation);	/* a new owner */
	end_all(bed);
}

static void vmid_is_reserved(struct kunit *test)
{
	struct bed *bed = make_bed(test);
	struct amdm_job *job;
	u32 i, mine;

	KUNIT_EXPECT_EQ(test, amdm_vmid_reserve(&bed->adev, &bed->vm[0]), 0);
	KUNIT_EXPECT_EQ(test, amdm_vmid_reserve(&bed->adev, &bed->vm[0]), 0);
	KUNIT_EXPECT_EQ(test, amdm_vmid_reserve(&bed->adev, &bed->vm[1]), -EINVAL);
	job = make_job(test, bed, 0);
	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, job));
	mine = job->vmid;
	dma_fence_signal(bed->fence[0]);
	for (i = 1; i < AMDM_JOB_VMIDS - 1; i++) {	/* no other address space gets it, though it is idle */
		job = make_job(test, bed, i);
		KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, job));
		KUNIT_EXPECT_NE(test, job->vmid, mine);
	}
	amdm_vmid_unreserve(&bed->adev, &bed->vm[0]);
	KUNIT_EXPECT_EQ(test, amdm_vmid_reserve(&bed->adev, &bed->vm[1]), 0);
	end_all(bed);
}

/* An address space whose VMID another one reserves gets a different one with its next job. */
static void vmid_is_taken_away(struct kunit *test)
{
	struct bed *bed = make_bed(test);
	struct amdm_job *job;
	u32 i, first;

	for (i = 0; i < AMDM_JOB_VMIDS - 1; i++) {
		job = make_job(test, bed, i);
		KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, job));
		dma_fence_signal(bed->fence[i]);
	}
	first = bed->job[0].vmid;
	KUNIT_EXPECT_EQ(test, amdm_vmid_reserve(&bed->adev, &bed->vm[8]), 0);
	job = make_job(test, bed, 0);
	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, job));
	KUNIT_EXPECT_NE(test, job->vmid, first);
	job = make_job(test, bed, 8);
	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, job));
	KUNIT_EXPECT_EQ(test, job->vmid, first);
	end_all(bed);
}

/* A job that a reset puts onto its ring again is in the VMID that it had. */
static void vmid_survives_a_reset(struct kunit *test)
{
	struct bed *bed = make_bed(test);
	struct amdm_job *running = make_job(test, bed, 0), *over = make_job(test, bed, 1), *later;

	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, running));
	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, over));
	dma_fence_signal(bed->fence[1]);
	amdm_vmids_forget(&bed->adev);
	later = make_job(test, bed, 0);
	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, later));
	KUNIT_EXPECT_EQ(test, later->vmid, running->vmid);
	KUNIT_EXPECT_EQ(test, later->generation, running->generation);
	KUNIT_EXPECT_EQ(test, bed->adev.vmids[0].id[over->vmid].owner, 0ULL);
	end_all(bed);
}

static void vmid_lets_fences_go(struct kunit *test)
{
	struct bed *bed = make_bed(test);
	struct amdm_job *job = make_job(test, bed, 0);

	KUNIT_EXPECT_NULL(test, amdm_vmid_grab(&bed->ring, job));
	KUNIT_EXPECT_EQ(test, kref_read(&bed->fence[0]->refcount), 3u);
	amdm_vmid_release(&bed->ring, job);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->fence[0]->refcount), 2u);
	end_all(bed);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(vmid_stays_with_its_owner),
	KUNIT_CASE(vmid_is_waited_for),
	KUNIT_CASE(vmid_is_reserved),
	KUNIT_CASE(vmid_is_taken_away),
	KUNIT_CASE(vmid_survives_a_reset),
	KUNIT_CASE(vmid_lets_fences_go),
	{},
};

static struct kunit_suite suite = {
	.name = "amdgpu_vmid",
	.test_cases = cases,
};
kunit_test_suite(suite);

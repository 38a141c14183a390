// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_cs_sync_test.c - what a submission waits for by name and what it signals; that all of it is let go of, at whatever step it ends.
 */
#include <kunit/test.h>
#include <linux/dma-fence-chain.h>

#include "kunit/fail_nth.h"
#include "fake_ctx.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

/* The end of a job is a fence of its own here; its beginning is fake_sched_fence's. */
static struct drm_sched_fence fake_sched_fence;
#define to_drm_sched_fence(finished)	(&fake_sched_fence)
#include "amdgpu_model/cs/amdgpu_cs_sync.c"

struct sync_bed {
	struct amdm_device adev;
	struct amdm_job job;
	struct amdm_cs cs;
};

static int sync_setup(struct kunit *test)
{
	struct sync_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	fake_ctx_begin(&bed->adev);
	fake_fence_init(&fake_sched_fence.scheduled);
	xa_init_flags(&bed->job.base.dependencies, XA_FLAGS_ALLOC);
	bed->cs = (struct amdm_cs){ .adev = &bed->adev, .file = &fake_ctx.file, .job = &bed->job };
	return 0;
}

/* As cs_fini() and drm_sched_job_cleanup() do */
static void forget(struct sync_bed *bed)
{
	struct dma_fence *fence;
	unsigned long i;

	amdm_cs_drop_signals(&bed->cs);
	bed->cs.signals = NULL;
	bed->cs.num_signals = 0;
	xa_for_each(&bed->job.base.dependencies, i, fence)
		dma_fence_put(fence);
	xa_destroy(&bed->job.base.dependencies);
}

static void sync_teardown(struct kunit *test)
{
	forget(test->priv);
	fake_ctx_end(test);
	KUNIT_EXPECT_EQ(test, kref_read(&fake_sched_fence.scheduled.refcount), 1u);
}

static u32 dependencies(struct sync_bed *bed)
{
	struct dma_fence *fence;
	unsigned long i;
	u32 n = 0;

	xa_for_each(&bed->job.base.dependencies, i, fence)
		n++;
	return n;
}

static bool waits_for(struct sync_bed *bed, const struct dma_fence *wanted)
{
	struct dma_fence *fence;
	unsigned long i;

	xa_for_each(&bed->job.base.dependencies, i, fence)
		if (fence == wanted)
			return true;
	return false;
}

#define JOB(number)	{ .ip_type = AMDGPU_HW_IP_COMPUTE, .ctx_id = 1, .handle = number }

static void jobs_by_number(struct kunit *test)
{
	struct drm_amdgpu_cs_chunk_dep deps[] = { JOB(1), JOB(0), JOB(3), JOB(4) };
	/* An incomplete fourth entry is ignored. */
	const struct amdm_cs_chunk chunk = { AMDGPU_CHUNK_ID_DEPENDENCIES, 4 * sizeof(deps[0]) - 4, deps };
	struct sync_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_cs_dependencies(&bed->cs, &chunk), 0);
	KUNIT_EXPECT_EQ(test, dependencies(bed), 2u);
	KUNIT_EXPECT_TRUE(test, waits_for(bed, &fake_ctx.fences[1]) && waits_for(bed, &fake_ctx.fences[3]));
}

static void the_beginning_of_a_job(struct kunit *test)
{
	struct drm_amdgpu_cs_chunk_dep deps[] = { JOB(1), JOB(0) };
	const struct amdm_cs_chunk chunk = { AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES, sizeof(deps), deps };
	struct sync_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_cs_dependencies(&bed->cs, &chunk), 0);
	KUNIT_EXPECT_EQ(test, dependencies(bed), 1u);
	KUNIT_EXPECT_TRUE(test, waits_for(bed, &fake_sched_fence.scheduled));
}

static void jobs_that_are_none(struct kunit *test)
{
	static const struct drm_amdgpu_cs_chunk_dep bad[] = {
		{ .ip_type = AMDGPU_HW_IP_COMPUTE, .ctx_id = 7, .handle = 1 },
		{ .ip_type = AMDGPU_HW_IP_DMA, .ctx_id = 1, .handle = 1 },
		{ .ip_type = AMDGPU_HW_IP_COMPUTE, .ctx_id = 1, .ring = 1, .handle = 1 },
		{ .ip_type = AMDGPU_HW_IP_COMPUTE, .ctx_id = 1, .ip_instance = 1, .handle = 1 },
		JOB(FAKE_FENCES + 1),
	};
	struct sync_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct drm_amdgpu_cs_chunk_dep deps[] = { bad[i], JOB(2) };
		const struct amdm_cs_chunk chunk = { AMDGPU_CHUNK_ID_DEPENDENCIES, sizeof(deps), deps };

		KUNIT_EXPECT_EQ_MSG(test, amdm_cs_dependencies(&bed->cs, &chunk), -EINVAL, "row %u", i);
	}
	KUNIT_EXPECT_EQ(test, dependencies(bed), 0u);
}

static void syncobjs_to_wait_for(struct kunit *test)
{
	u32 empty = fake_syncobj(test, NULL), full = fake_syncobj(test, &fake_ctx.fences[2]);
	struct drm_amdgpu_cs_chunk_sem sems[] = { { full }, { empty } };
	struct drm_amdgpu_cs_chunk_sem unknown[] = { { 99 } };
	const struct amdm_cs_chunk one = { AMDGPU_CHUNK_ID_SYNCOBJ_IN, sizeof(sems[0]), sems };
	const struct amdm_cs_chunk both = { AMDGPU_CHUNK_ID_SYNCOBJ_IN, sizeof(sems), sems };
	const struct amdm_cs_chunk none = { AMDGPU_CHUNK_ID_SYNCOBJ_IN, sizeof(unknown), unknown };
	struct sync_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_cs_syncobj_in(&bed->cs, &one), 0);
	KUNIT_EXPECT_TRUE(test, waits_for(bed, &fake_ctx.fences[2]));
	/* drm_syncobj_find_fence(): a syncobj without a fence, an unknown handle */
	KUNIT_EXPECT_EQ(test, amdm_cs_syncobj_in(&bed->cs, &both), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_cs_syncobj_in(&bed->cs, &none), -ENOENT);
}

static void points_to_wait_for(struct kunit *test)
{
	u32 handle = fake_syncobj(test, NULL);
	struct drm_syncobj *syncobj = drm_syncobj_find(&fake_ctx.file, handle);
	struct drm_amdgpu_cs_chunk_syncobj at[] = { { .handle = handle, .point = 5 } };
	const struct amdm_cs_chunk chunk = { AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT, sizeof(at), at };
	struct dma_fence_chain *chain = dma_fence_chain_alloc();
	struct sync_bed *bed = test->priv;

	drm_syncobj_add_point(syncobj, chain, &fake_ctx.fences[1], 5);
	KUNIT_EXPECT_EQ(test, amdm_cs_timeline_wait(&bed->cs, &chunk), 0);
	KUNIT_EXPECT_EQ(test, dependencies(bed), 1u);
	at[0].point = 6;	/* not there yet */
	KUNIT_EXPECT_EQ(test, amdm_cs_timeline_wait(&bed->cs, &chunk), -EINVAL);
	at[0].flags = 1u << 31;
	KUNIT_EXPECT_NE(test, amdm_cs_timeline_wait(&bed->cs, &chunk), 0);
	drm_syncobj_put(syncobj);
}

static struct dma_fence *fence_of(u32 handle, u64 point)
{
	struct dma_fence *fence;

	return drm_syncobj_find_fence(&fake_ctx.file, handle, point, 0, &fence) ? NULL : fence;
}

static void syncobjs_are_signaled(struct kunit *test)
{
	struct drm_amdgpu_cs_chunk_sem sems[] = { { fake_syncobj(test, NULL) }, { fake_syncobj(test, &fake_ctx.fences[1]) } };
	const struct amdm_cs_chunk chunk = { AMDGPU_CHUNK_ID_SYNCOBJ_OUT, sizeof(sems), sems };
	struct sync_bed *bed = test->priv;
	u32 i;

	KUNIT_EXPECT_EQ(test, amdm_cs_syncobj_out(&bed->cs, &chunk), 0);
	KUNIT_EXPECT_NULL(test, fence_of(sems[0].handle, 0));	/* not before there is a job */
	amdm_cs_signal(&bed->cs, &fake_ctx.fences[4]);
	for (i = 0; i < ARRAY_SIZE(sems); i++) {
		struct dma_fence *fence = fence_of(sems[i].handle, 0);

		KUNIT_EXPECT_PTR_EQ(test, fence, &fake_ctx.fences[4]);
		dma_fence_put(fence);
	}
}

static void points_are_signaled(struct kunit *test)
{
	u32 handle = fake_syncobj(test, NULL), plain = fake_syncobj(test, NULL);
	struct drm_amdgpu_cs_chunk_syncobj at[] = { { .handle = handle, .point = 3 }, { .handle = plain } };
	const struct amdm_cs_chunk chunk = { AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL, sizeof(at), at };
	struct sync_bed *bed = test->priv;
	struct dma_fence *fence;

	KUNIT_EXPECT_EQ(test, amdm_cs_timeline_signal(&bed->cs, &chunk), 0);
	amdm_cs_signal(&bed->cs, &fake_ctx.fences[4]);
	fence = fence_of(handle, 3);
	KUNIT_ASSERT_NOT_NULL(test, fence);
	KUNIT_EXPECT_EQ(test, to_dma_fence_chain(fence)->base.seqno, 3ULL);
	KUNIT_EXPECT_FALSE(test, dma_fence_is_signaled(fence));
	dma_fence_put(fence);
	fence = fence_of(plain, 0);
	KUNIT_EXPECT_PTR_EQ(test, fence, &fake_ctx.fences[4]);
	dma_fence_put(fence);
}

/* amdgpu_cs_p2_syncobj_out: one chunk that signals */
static void who_signals_twice(struct kunit *test)
{
	struct drm_amdgpu_cs_chunk_sem sems[] = { { fake_syncobj(test, NULL) } };
	struct drm_amdgpu_cs_chunk_syncobj at[] = { { .handle = sems[0].handle, .point = 1 } };
	const struct amdm_cs_chunk out = { AMDGPU_CHUNK_ID_SYNCOBJ_OUT, sizeof(sems), sems };
	const struct amdm_cs_chunk empty = { AMDGPU_CHUNK_ID_SYNCOBJ_OUT, 0, sems };
	const struct amdm_cs_chunk points = { AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL, sizeof(at), at };
	struct sync_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_cs_syncobj_out(&bed->cs, &empty), 0);	/* counts as one */
	KUNIT_EXPECT_EQ(test, amdm_cs_syncobj_out(&bed->cs, &out), -EINVAL);
	KUNIT_EXPECT_EQ(test, amdm_cs_timeline_signal(&bed->cs, &points), -EINVAL);
	forget(bed);
	sems[0].handle = 99;
	at[0].handle = 99;
	KUNIT_EXPECT_EQ(test, amdm_cs_syncobj_out(&bed->cs, &out), -EINVAL);
	forget(bed);
	KUNIT_EXPECT_EQ(test, amdm_cs_timeline_signal(&bed->cs, &points), -EINVAL);
	KUNIT_EXPECT_EQ(test, bed->cs.num_signals, 0u);
}

/* What has been found before is let go of; the fence of the dependency that could not be noted as well. */
static void without_memory(struct kunit *test)
{
	struct drm_amdgpu_cs_chunk_dep deps[] = { JOB(1), JOB(2), JOB(3) };
	const u32 handle = fake_syncobj(test, &fake_ctx.fences[4]);
	struct drm_amdgpu_cs_chunk_syncobj at[] = { { .handle = handle, .point = 3 }, { .handle = handle, .point = 4 } };
	struct drm_amdgpu_cs_chunk_sem sems[] = { { handle } };
	const struct amdm_cs_chunk jobs = { AMDGPU_CHUNK_ID_DEPENDENCIES, sizeof(deps), deps };
	const struct amdm_cs_chunk points = { AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL, sizeof(at), at };
	const struct amdm_cs_chunk in = { AMDGPU_CHUNK_ID_SYNCOBJ_IN, sizeof(sems), sems };
	struct sync_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		int ret;

		fail_nth_arm(n);
		ret = amdm_cs_dependencies(&bed->cs, &jobs);
		if (!ret)
			ret = amdm_cs_syncobj_in(&bed->cs, &in);
		if (!ret)
			ret = amdm_cs_timeline_signal(&bed->cs, &points);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
		forget(bed);
		KUNIT_EXPECT_EQ(test, kref_read(&fake_ctx.fences[2].refcount), 1u);
		KUNIT_EXPECT_EQ(test, kref_read(&fake_ctx.fences[4].refcount), 2u);	/* the syncobj's */
	}
	KUNIT_EXPECT_GT(test, refused, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(jobs_by_number),
	KUNIT_CASE(the_beginning_of_a_job),
	KUNIT_CASE(jobs_that_are_none),
	KUNIT_CASE(syncobjs_to_wait_for),
	KUNIT_CASE(points_to_wait_for),
	KUNIT_CASE(syncobjs_are_signaled),
	KUNIT_CASE(points_are_signaled),
	KUNIT_CASE(who_signals_twice),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_cs_sync", .init = sync_setup, .exit = sync_teardown, .test_cases = cases };
kunit_test_suite(suite);

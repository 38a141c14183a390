// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_ctx_test.c - contexts: ids, rights, states, the rings their streams go to, and the last jobs by number.
 *
 * Limits and errnos: amdgpu_ctx.c of Linux 6.1. The schedulers are the kernel's.
 */
#include <kunit/test.h>
#include <linux/cred.h>

#include "kunit/fail_nth.h"
#include "kunit/amdgpu_model/ring/fake_sched.h"
#include "amdgpu_model/cs/amdgpu_ctx.c"
#include "amdgpu_model/cs/amdgpu_usage.c"
#include "amdgpu_model/pm/amdgpu_pm.c"

#define COMPUTE	AMDGPU_HW_IP_COMPUTE
#define DMA	AMDGPU_HW_IP_DMA

enum { NORMAL_0, NORMAL_1, HIGH, DMA_0, RINGS };

struct ctx_bed {
	struct amdm_device adev;
	struct amdm_file priv;
	struct drm_file file;
	struct amdm_ring ring[RINGS];
	struct drm_sched_backend_ops ops;
	bool closed;
};

u32 amdm_rings_of(const struct amdm_device *adev, u32 ip)
{
	u32 i, n = 0;

	for (i = 0; i < adev->num_rings; i++)
		n += adev->rings[i]->funcs->ip == ip;
	return n;
}

static void free_job(struct drm_sched_job *job)
{
	drm_sched_job_cleanup(job);
	kfree(job);
}

static const struct amdm_ring_funcs compute_funcs = { .ip = COMPUTE };
static const struct amdm_ring_funcs dma_funcs = { .ip = DMA };

static int ctx_setup(struct kunit *test)
{
	struct ctx_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	int i, ret = 0;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	fake_runs_begun = 0;
	amdm_pm_init(&bed->adev);
	bed->priv.usage = amdm_usage_create();
	if (!bed->priv.usage)
		return -ENOMEM;
	mutex_init(&bed->priv.lock);
	idr_init_base(&bed->priv.ctxs, 1);
	bed->file.driver_priv = &bed->priv;
	spin_lock_init(&bed->file.master_lookup_lock);
	for (i = 0; i < RINGS && !ret; i++) {
		bed->ring[i].funcs = i == DMA_0 ? &dma_funcs : &compute_funcs;
		bed->ring[i].prio = i == HIGH ? AMDM_PRIO_HIGH : AMDM_PRIO_NORMAL;
		bed->adev.rings[bed->adev.num_rings++] = &bed->ring[i];
		ret = fake_sched_begin(&bed->ring[i], free_job, &bed->ops);
	}
	return ret;
}

static void close(struct ctx_bed *bed)
{
	if (!bed->closed)
		amdm_ctx_close_all(&bed->priv);
	bed->closed = true;
}

static void ctx_teardown(struct kunit *test)
{
	struct ctx_bed *bed = test->priv;
	u32 i;

	fake_sched_end(0);
	close(bed);
	fake_sched_end(0);
	for (i = 0; i < RINGS; i++)
		fake_sched_fini(&bed->ring[i]);
	amdm_usage_put(bed->priv.usage);
	KUNIT_EXPECT_NULL(test, bed->adev.pm.owner);
	rcu_barrier();
}

static int call(struct kunit *test, u32 op, u32 id, u32 flags, s32 priority, union drm_amdgpu_ctx *args)
{
	struct ctx_bed *bed = test->priv;

	*args = (union drm_amdgpu_ctx){ .in = { .op = op, .ctx_id = id, .flags = flags, .priority = priority } };
	return amdm_ctx_ioctl(&bed->adev.ddev, args, &bed->file);
}

static int op(struct kunit *test, u32 operation, u32 id, u32 flags)
{
	union drm_amdgpu_ctx args;

	return call(test, operation, id, flags, 0, &args);
}

static struct amdm_ctx *make(struct kunit *test, s32 priority)
{
	struct ctx_bed *bed = test->priv;
	union drm_amdgpu_ctx args;
	struct amdm_ctx *ctx;

	KUNIT_ASSERT_EQ(test, call(test, AMDGPU_CTX_OP_ALLOC_CTX, 0, 0, priority, &args), 0);
	ctx = idr_find(&bed->priv.ctxs, args.out.alloc.ctx_id);
	KUNIT_ASSERT_NOT_NULL(test, ctx);
	return ctx;
}

static void ids(struct kunit *test)
{
	struct ctx_bed *bed = test->priv;
	union drm_amdgpu_ctx args;
	u32 i;

	for (i = 1; i < 4096; i++)	/* AMDGPU_VM_MAX_NUM_CTX */
		if (call(test, AMDGPU_CTX_OP_ALLOC_CTX, 0, 0, 0, &args) || args.out.alloc.ctx_id != i)
			break;
	KUNIT_EXPECT_EQ(test, i, 4096u);
	KUNIT_EXPECT_EQ(test, call(test, AMDGPU_CTX_OP_ALLOC_CTX, 0, 0, 0, &args), -ENOSPC);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_FREE_CTX, 77, 0), 0);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_FREE_CTX, 77, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_FREE_CTX, 0, 0), -EINVAL);
	KUNIT_EXPECT_NULL(test, amdm_ctx_get(&bed->file, 77));
	KUNIT_EXPECT_EQ(test, call(test, AMDGPU_CTX_OP_ALLOC_CTX, 0, 0, 0, &args), 0);
	KUNIT_EXPECT_EQ(test, args.out.alloc.ctx_id, 77u);
}

static void what_is_refused(struct kunit *test)
{
	make(test, AMDGPU_CTX_PRIORITY_NORMAL);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_ALLOC_CTX, 0, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_FREE_CTX, 1, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_QUERY_STATE, 1, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_QUERY_STATE2, 1, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_GET_STABLE_PSTATE, 1, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_QUERY_STATE, 2, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 2, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, 0, 1, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, 7, 1, 0), -EINVAL);
}

static int alloc_unprivileged(struct kunit *test, s32 priority)
{
	struct cred *weak = prepare_creds();
	const struct cred *strong;
	union drm_amdgpu_ctx args;
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, weak);
	cap_lower(weak->cap_effective, CAP_SYS_NICE);
	strong = override_creds(weak);
	ret = call(test, AMDGPU_CTX_OP_ALLOC_CTX, 0, 0, priority, &args);
	revert_creds(strong);
	put_cred(weak);
	return ret;
}

static void who_may_have_which_priority(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, alloc_unprivileged(test, AMDGPU_CTX_PRIORITY_VERY_LOW), 0);
	KUNIT_EXPECT_EQ(test, alloc_unprivileged(test, AMDGPU_CTX_PRIORITY_NORMAL), 0);
	KUNIT_EXPECT_EQ(test, alloc_unprivileged(test, AMDGPU_CTX_PRIORITY_HIGH), -EACCES);
	KUNIT_EXPECT_EQ(test, alloc_unprivileged(test, AMDGPU_CTX_PRIORITY_VERY_HIGH), -EACCES);
	KUNIT_EXPECT_EQ(test, alloc_unprivileged(test, 777), 0);	/* garbage of old clients is normal */
	KUNIT_EXPECT_EQ(test, make(test, AMDGPU_CTX_PRIORITY_HIGH)->priority, AMDGPU_CTX_PRIORITY_HIGH);
	KUNIT_EXPECT_EQ(test, make(test, 777)->priority, AMDGPU_CTX_PRIORITY_NORMAL);
	KUNIT_EXPECT_EQ(test, make(test, AMDGPU_CTX_PRIORITY_UNSET)->priority, AMDGPU_CTX_PRIORITY_NORMAL);
}

static const struct {
	u32 ip, instance, ring;
	int answer;
} streams[] = {
	{ COMPUTE, 0, 0, 0 },
	{ COMPUTE, 0, 3, 0 },		/* four streams share what rings there are */
	{ COMPUTE, 0, 4, -EINVAL },
	{ COMPUTE, 1, 0, -EINVAL },
	{ DMA, 0, 1, 0 },
	{ DMA, 0, 2, -EINVAL },
	{ AMDGPU_HW_IP_GFX, 0, 0, -EINVAL },	/* this chip has none */
	{ AMDGPU_HW_IP_GFX, 0, ~0u, -EINVAL },
	{ AMDGPU_HW_IP_VCN_DEC, 0, 0, -EINVAL },
	{ AMDM_HW_IPS, 0, 0, -EINVAL },
	{ ~0u, 0, 0, -EINVAL },
};

static void streams_that_there_are(struct kunit *test)
{
	struct amdm_ctx *ctx = make(test, AMDGPU_CTX_PRIORITY_NORMAL);
	struct amdm_ctx_entity *entity, *again;
	struct ctx_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(streams); i++)
		KUNIT_EXPECT_EQ_MSG(test, amdm_ctx_entity(ctx, streams[i].ip, streams[i].instance, streams[i].ring, &entity),
				    streams[i].answer, "row %u", i);
	KUNIT_EXPECT_EQ(test, amdm_ctx_entity(ctx, COMPUTE, 0, 0, &entity), 0);
	KUNIT_EXPECT_EQ(test, amdm_ctx_entity(ctx, COMPUTE, 0, 0, &again), 0);
	KUNIT_EXPECT_PTR_EQ(test, entity, again);
	KUNIT_EXPECT_EQ(test, amdm_ctx_entities_of(&bed->adev, COMPUTE), 3u);
	KUNIT_EXPECT_EQ(test, amdm_ctx_entities_of(&bed->adev, DMA), 1u);
	KUNIT_EXPECT_EQ(test, amdm_ctx_entities_of(&bed->adev, AMDGPU_HW_IP_GFX), 0u);
	KUNIT_EXPECT_EQ(test, amdm_ctx_entities_of(&bed->adev, ~0u), 0u);
}

static struct drm_sched_entity *stream(struct kunit *test, struct amdm_ctx *ctx, u32 ip)
{
	struct amdm_ctx_entity *entity;

	KUNIT_ASSERT_EQ(test, amdm_ctx_entity(ctx, ip, 0, 0, &entity), 0);
	return &entity->entity;
}

static void rings_of_a_priority(struct kunit *test)
{
	struct amdm_ctx *low = make(test, AMDGPU_CTX_PRIORITY_LOW), *normal = make(test, AMDGPU_CTX_PRIORITY_NORMAL);
	struct amdm_ctx *high = make(test, AMDGPU_CTX_PRIORITY_VERY_HIGH);
	struct ctx_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, stream(test, low, COMPUTE)->priority, KFDM_SCHED_PRIORITY_LOW);
	KUNIT_EXPECT_EQ(test, stream(test, normal, COMPUTE)->priority, DRM_SCHED_PRIORITY_NORMAL);
	KUNIT_EXPECT_EQ(test, stream(test, high, COMPUTE)->priority, DRM_SCHED_PRIORITY_HIGH);
	KUNIT_EXPECT_EQ(test, stream(test, normal, COMPUTE)->num_sched_list, 2u);
	KUNIT_EXPECT_EQ(test, stream(test, high, COMPUTE)->num_sched_list, 1u);
	KUNIT_EXPECT_PTR_EQ(test, stream(test, high, COMPUTE)->rq->sched, &bed->ring[HIGH].sched);
	KUNIT_EXPECT_PTR_EQ(test, stream(test, high, DMA)->rq->sched, &bed->ring[DMA_0].sched);	/* there is no other */
}

/* SCHED moves streams that are there already, and those that are made later; UNSET takes it back. */
static void a_priority_from_outside(struct kunit *test)
{
	struct amdm_ctx *ctx = make(test, AMDGPU_CTX_PRIORITY_NORMAL);
	struct drm_sched_entity *compute = stream(test, ctx, COMPUTE), *dma = stream(test, ctx, DMA);
	struct ctx_bed *bed = test->priv;
	struct amdm_ctx_entity *later;

	amdm_ctx_override(ctx, AMDGPU_CTX_PRIORITY_HIGH);
	KUNIT_EXPECT_EQ(test, compute->priority, DRM_SCHED_PRIORITY_HIGH);
	KUNIT_EXPECT_EQ(test, compute->num_sched_list, 1u);
	KUNIT_EXPECT_PTR_EQ(test, compute->sched_list[0], &bed->ring[HIGH].sched);
	KUNIT_EXPECT_EQ(test, dma->priority, DRM_SCHED_PRIORITY_HIGH);
	KUNIT_EXPECT_PTR_EQ(test, dma->rq->sched, &bed->ring[DMA_0].sched);
	KUNIT_ASSERT_EQ(test, amdm_ctx_entity(ctx, COMPUTE, 0, 1, &later), 0);
	KUNIT_EXPECT_PTR_EQ(test, later->entity.rq->sched, &bed->ring[HIGH].sched);
	amdm_ctx_override(ctx, AMDGPU_CTX_PRIORITY_UNSET);
	KUNIT_EXPECT_EQ(test, compute->priority, DRM_SCHED_PRIORITY_NORMAL);
	KUNIT_EXPECT_EQ(test, compute->num_sched_list, 2u);
}

static struct drm_sched_job *arm(struct kunit *test, struct amdm_ctx_entity *entity)
{
	struct drm_sched_job *job = kzalloc(sizeof(*job), GFP_KERNEL);
	struct ctx_bed *bed = test->priv;

	KUNIT_ASSERT_NOT_NULL(test, job);
	KUNIT_ASSERT_EQ(test, kfdm_sched_job_init(job, &entity->entity, NULL, &bed->file), 0);
	drm_sched_job_arm(job);
	return job;
}

/* As CS does. Return: the job's number. */
static u64 submit(struct kunit *test, struct amdm_ctx *ctx, struct amdm_ctx_entity *entity)
{
	struct drm_sched_job *job = arm(test, entity);
	u64 number;

	mutex_lock(&ctx->lock);
	number = amdm_ctx_add_fence(entity, &job->s_fence->finished);
	drm_sched_entity_push_job(job);
	mutex_unlock(&ctx->lock);
	return number;
}

static void jobs_by_number(struct kunit *test)
{
	struct amdm_ctx *ctx = make(test, AMDGPU_CTX_PRIORITY_NORMAL);
	struct amdm_ctx_entity *entity;
	struct dma_fence *last;
	u64 i;

	KUNIT_ASSERT_EQ(test, amdm_ctx_entity(ctx, DMA, 0, 0, &entity), 0);
	KUNIT_EXPECT_NULL(test, amdm_ctx_fence(ctx, entity, ~0ULL));	/* no job: nothing to wait for */
	KUNIT_EXPECT_EQ(test, PTR_ERR(amdm_ctx_fence(ctx, entity, 1)), (long)-EINVAL);
	for (i = 1; i <= AMDM_CTX_JOBS; i++) {
		KUNIT_EXPECT_TRUE(test, amdm_ctx_has_room(entity));
		KUNIT_EXPECT_EQ(test, submit(test, ctx, entity), i);
	}
	KUNIT_EXPECT_FALSE(test, amdm_ctx_has_room(entity));
	last = amdm_ctx_fence(ctx, entity, AMDM_CTX_JOBS);
	KUNIT_ASSERT_FALSE(test, IS_ERR_OR_NULL(last));
	KUNIT_EXPECT_TRUE(test, fake_sched_end_until(last));
	KUNIT_EXPECT_EQ(test, amdm_ctx_wait_room(ctx, entity), 0);
	KUNIT_EXPECT_TRUE(test, amdm_ctx_has_room(entity));
	KUNIT_EXPECT_EQ(test, submit(test, ctx, entity), AMDM_CTX_JOBS + 1ULL);
	KUNIT_EXPECT_NULL(test, amdm_ctx_fence(ctx, entity, 1));
	KUNIT_EXPECT_EQ(test, PTR_ERR(amdm_ctx_fence(ctx, entity, AMDM_CTX_JOBS + 2)), (long)-EINVAL);
	dma_fence_put(last);
	last = amdm_ctx_fence(ctx, entity, 2);
	KUNIT_EXPECT_FALSE(test, IS_ERR_OR_NULL(last));
	dma_fence_put(last);
	last = amdm_ctx_fence(ctx, entity, ~0ULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR_OR_NULL(last));
	KUNIT_EXPECT_TRUE(test, fake_sched_end_until(last));
	dma_fence_put(last);
	KUNIT_EXPECT_EQ(test, fake_runs_begun, AMDM_CTX_JOBS + 1u);
}

/* Who holds the context goes on with it; its job ends in a ring that outlives both. */
static void a_context_that_is_closed_at_work(struct kunit *test)
{
	struct ctx_bed *bed = test->priv;
	struct amdm_ctx *ctx = make(test, AMDGPU_CTX_PRIORITY_NORMAL);
	struct amdm_ctx_entity *entity;
	struct dma_fence *fence;

	KUNIT_EXPECT_PTR_EQ(test, amdm_ctx_get(&bed->file, 1), ctx);
	KUNIT_ASSERT_EQ(test, amdm_ctx_entity(ctx, DMA, 0, 0, &entity), 0);
	close(bed);
	KUNIT_EXPECT_EQ(test, submit(test, ctx, entity), 1ULL);
	fence = amdm_ctx_fence(ctx, entity, 1);
	amdm_ctx_put(ctx);
	KUNIT_EXPECT_FALSE(test, dma_fence_is_signaled(fence));
	KUNIT_EXPECT_TRUE(test, fake_sched_end_until(fence));
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(fence), 1);
	dma_fence_put(fence);
}

static u32 stable_clocks_as_seen_by(struct kunit *test, u32 id)
{
	union drm_amdgpu_ctx args;

	KUNIT_EXPECT_EQ(test, call(test, AMDGPU_CTX_OP_GET_STABLE_PSTATE, id, 0, 0, &args), 0);
	return args.out.pstate.flags;
}

/* amdgpu_ctx_set_stable_pstate(): the GPU's, and of who has changed them first until its context goes */
static void stable_clocks(struct kunit *test)
{
	make(test, AMDGPU_CTX_PRIORITY_NORMAL);
	make(test, AMDGPU_CTX_PRIORITY_NORMAL);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 1, AMDGPU_CTX_STABLE_PSTATE_PEAK + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 1, 0x10), -EINVAL);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 2, AMDGPU_CTX_STABLE_PSTATE_NONE), 0);	/* changes nothing */
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 1, AMDGPU_CTX_STABLE_PSTATE_PEAK), 0);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 1, AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK), 0);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 2, AMDGPU_CTX_STABLE_PSTATE_PEAK), -EBUSY);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 2, AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK), -EBUSY);
	KUNIT_EXPECT_EQ(test, stable_clocks_as_seen_by(test, 1), (u32)AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK);
	KUNIT_EXPECT_EQ(test, stable_clocks_as_seen_by(test, 2), (u32)AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 1, AMDGPU_CTX_STABLE_PSTATE_NONE), 0);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 2, AMDGPU_CTX_STABLE_PSTATE_PEAK), -EBUSY);	/* it owns them still */
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 1, AMDGPU_CTX_STABLE_PSTATE_STANDARD), 0);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_FREE_CTX, 1, 0), 0);	/* they are what they were before it */
	KUNIT_EXPECT_EQ(test, stable_clocks_as_seen_by(test, 2), (u32)AMDGPU_CTX_STABLE_PSTATE_NONE);
	KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 2, AMDGPU_CTX_STABLE_PSTATE_PEAK), 0);
}

static u32 state(struct kunit *test, u32 operation)
{
	union drm_amdgpu_ctx args;

	KUNIT_EXPECT_EQ(test, call(test, operation, 1, 0, 0, &args), 0);
	return operation == AMDGPU_CTX_OP_QUERY_STATE ? args.out.state.reset_status : args.out.state.flags;
}

/* QUERY_STATE reports each reset once, QUERY_STATE2 always. */
static void resets(struct kunit *test)
{
	struct ctx_bed *bed = test->priv;
	struct amdm_ctx *ctx;

	bed->adev.resets = 5;
	ctx = make(test, AMDGPU_CTX_PRIORITY_NORMAL);
	KUNIT_EXPECT_EQ(test, state(test, AMDGPU_CTX_OP_QUERY_STATE), (u32)AMDGPU_CTX_NO_RESET);
	KUNIT_EXPECT_EQ(test, state(test, AMDGPU_CTX_OP_QUERY_STATE2), 0u);
	bed->adev.resets++;
	KUNIT_EXPECT_EQ(test, state(test, AMDGPU_CTX_OP_QUERY_STATE), (u32)AMDGPU_CTX_UNKNOWN_RESET);
	KUNIT_EXPECT_EQ(test, state(test, AMDGPU_CTX_OP_QUERY_STATE), (u32)AMDGPU_CTX_NO_RESET);
	KUNIT_EXPECT_EQ(test, state(test, AMDGPU_CTX_OP_QUERY_STATE2), (u32)AMDGPU_CTX_QUERY2_FLAGS_RESET);
	atomic_set(&ctx->guilty, 1);
	KUNIT_EXPECT_EQ(test, state(test, AMDGPU_CTX_OP_QUERY_STATE2),
			(u32)(AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY));
	ctx->adev->vram_losses++;
	KUNIT_EXPECT_EQ(test, state(test, AMDGPU_CTX_OP_QUERY_STATE2),
			(u32)(AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY | AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST));
}

static void without_memory(struct kunit *test)
{
	struct ctx_bed *bed = test->priv;
	struct amdm_ctx *ctx = make(test, AMDGPU_CTX_PRIORITY_NORMAL);
	struct amdm_ctx_entity *entity;
	union drm_amdgpu_ctx args;
	u32 n, refused = 0;
	bool used = true;
	int ret;

	FAIL_NTH_NEEDED(test);
	for (n = 1; used; n++) {
		fail_nth_arm(n);
		ret = call(test, AMDGPU_CTX_OP_ALLOC_CTX, 0, 0, 0, &args);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		refused += !!ret;
		if (!ret)
			KUNIT_EXPECT_EQ(test, op(test, AMDGPU_CTX_OP_FREE_CTX, args.out.alloc.ctx_id, 0), 0);
		KUNIT_EXPECT_NULL(test, idr_find(&bed->priv.ctxs, 2));
	}
	KUNIT_EXPECT_GT(test, refused, 0u);
	fail_nth_arm(1);
	ret = amdm_ctx_entity(ctx, COMPUTE, 0, 0, &entity);
	KUNIT_EXPECT_TRUE(test, fail_nth_disarm());
	KUNIT_EXPECT_EQ(test, ret, -ENOMEM);
	KUNIT_EXPECT_EQ(test, amdm_ctx_entity(ctx, COMPUTE, 0, 0, &entity), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(ids),
	KUNIT_CASE(what_is_refused),
	KUNIT_CASE(who_may_have_which_priority),
	KUNIT_CASE(streams_that_there_are),
	KUNIT_CASE(rings_of_a_priority),
	KUNIT_CASE(a_priority_from_outside),
	KUNIT_CASE(jobs_by_number),
	KUNIT_CASE(a_context_that_is_closed_at_work),
	KUNIT_CASE(stable_clocks),
	KUNIT_CASE(resets),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_ctx", .init = ctx_setup, .exit = ctx_teardown, .test_cases = cases };
kunit_test_suite(suite);

// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_cs_sync.c - what a submission waits for by name, and what it signals
 *
 * Jobs by context, ring and number; syncobjs; points of time lines. Each becomes a dependency of the drm_sched job.
 */
#include <drm/drm_syncobj.h>
#include <linux/dma-fence-chain.h>
#include <linux/slab.h>

#include "amdgpu_cs.h"
#include "amdgpu_ctx.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

static struct dma_fence *dependency_fence(struct amdm_cs *cs, const struct drm_amdgpu_cs_chunk_dep *dep)
{
	struct amdm_ctx *ctx = amdm_ctx_get(cs->file, dep->ctx_id);
	struct amdm_ctx_entity *entity;
	struct dma_fence *fence;
	int ret;

	if (!ctx)
		return ERR_PTR(-EINVAL);
	ret = amdm_ctx_entity(ctx, dep->ip_type, dep->ip_instance, dep->ring, &entity);
	fence = ret ? ERR_PTR(ret) : amdm_ctx_fence(ctx, entity, dep->handle);
	amdm_ctx_put(ctx);
	return fence;
}

/* The moment at which a job goes to its ring, instead of its end. */
static struct dma_fence *scheduled_fence(struct dma_fence *finished)
{
	struct dma_fence *scheduled = dma_fence_get(&to_drm_sched_fence(finished)->scheduled);

	dma_fence_put(finished);
	return scheduled;
}

/** amdm_cs_dependencies() - DEPENDENCIES and SCHEDULED_DEPENDENCIES */
int amdm_cs_dependencies(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	const struct drm_amdgpu_cs_chunk_dep *dep = chunk->data;
	u64 n = chunk->bytes / sizeof(*dep);
	int ret;

	for (; n; n--, dep++) {
		struct dma_fence *fence = dependency_fence(cs, dep);

		if (IS_ERR(fence))
			return PTR_ERR(fence);
		if (!fence)
			continue;
		if (chunk->id == AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES)
			fence = scheduled_fence(fence);
		ret = drm_sched_job_add_dependency(&cs->job->base, fence);
		if (ret)
			return ret;
	}
	return 0;
}

static int wait_syncobj(struct amdm_cs *cs, u32 handle, u64 point, u64 flags)
{
	struct dma_fence *fence;
	int ret = drm_syncobj_find_fence(cs->file, handle, point, flags, &fence);

	return ret ? ret : drm_sched_job_add_dependency(&cs->job->base, fence);
}

/** amdm_cs_syncobj_in() - SYNCOBJ_IN */
int amdm_cs_syncobj_in(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	const struct drm_amdgpu_cs_chunk_sem *sem = chunk->data;
	u64 n = chunk->bytes / sizeof(*sem);
	int ret = 0;

	for (; n && !ret; n--, sem++)
		ret = wait_syncobj(cs, sem->handle, 0, 0);
	return ret;
}

/** amdm_cs_timeline_wait() - SYNCOBJ_TIMELINE_WAIT */
int amdm_cs_timeline_wait(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	const struct drm_amdgpu_cs_chunk_syncobj *sync = chunk->data;
	u64 n = chunk->bytes / sizeof(*sync);
	int ret = 0;

	for (; n && !ret; n--, sync++)
		ret = wait_syncobj(cs, sync->handle, sync->point, sync->flags);
	return ret;
}

static int make_signals(struct amdm_cs *cs, u64 count)
{
	if (cs->signals)
		return -EINVAL;
	cs->signals = kvcalloc(count + 1, sizeof(*cs->signals), GFP_KERNEL_ACCOUNT);
	return cs->signals ? 0 : -ENOMEM;
}

static int add_signal(struct amdm_cs *cs, u32 handle, u64 point)
{
	struct amdm_cs_signal *signal = &cs->signals[cs->num_signals];

	signal->syncobj = drm_syncobj_find(cs->file, handle);
	if (!signal->syncobj)
		return -EINVAL;
	cs->num_signals++;
	signal->point = point;
	if (!point)
		return 0;
	signal->chain = dma_fence_chain_alloc();
	return signal->chain ? 0 : -ENOMEM;
}

/** amdm_cs_syncobj_out() - SYNCOBJ_OUT */
int amdm_cs_syncobj_out(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	const struct drm_amdgpu_cs_chunk_sem *sem = chunk->data;
	u64 n = chunk->bytes / sizeof(*sem);
	int ret = make_signals(cs, n);

	for (; n && !ret; n--, sem++)
		ret = add_signal(cs, sem->handle, 0);
	return ret;
}

/** amdm_cs_timeline_signal() - SYNCOBJ_TIMELINE_SIGNAL */
int amdm_cs_timeline_signal(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	const struct drm_amdgpu_cs_chunk_syncobj *sync = chunk->data;
	u64 n = chunk->bytes / sizeof(*sync);
	int ret = make_signals(cs, n);

	for (; n && !ret; n--, sync++)
		ret = add_signal(cs, sync->handle, sync->point);
	return ret;
}

/** amdm_cs_signal() - the job has its fence: the syncobjs get it. Cannot fail. */
void amdm_cs_signal(struct amdm_cs *cs, struct dma_fence *fence)
{
	struct amdm_cs_signal *signal;

	for (signal = cs->signals; signal < cs->signals + cs->num_signals; signal++) {
		if (signal->chain)
			drm_syncobj_add_point(signal->syncobj, signal->chain, fence, signal->point);
		else
			drm_syncobj_replace_fence(signal->syncobj, fence);
		signal->chain = NULL;
	}
}

/** amdm_cs_drop_signals() - forget the syncobjs */
void amdm_cs_drop_signals(struct amdm_cs *cs)
{
	u32 i;

	for (i = 0; i < cs->num_signals; i++) {
		dma_fence_chain_free(cs->signals[i].chain);
		drm_syncobj_put(cs->signals[i].syncobj);
	}
	kvfree(cs->signals);
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_usage.c - how long a file's jobs have had the engines (amdgpu_ctx_mgr_usage)
 *
 * A job counts from the moment that its ring has it to its end, or to now. A context remembers its last jobs; those that it forgets are
 * added up here.
 */
#include <drm/gpu_scheduler.h>
#include <linux/slab.h>

#include "amdgpu_ctx.h"
#include "amdgpu_usage.h"

/** amdm_usage_create() - nothing yet. Return: NULL without memory. */
struct amdm_usage *amdm_usage_create(void)
{
	struct amdm_usage *usage = kzalloc(sizeof(*usage), GFP_KERNEL_ACCOUNT);

	if (usage)
		kref_init(&usage->ref);
	return usage;
}

/** amdm_usage_get() - one more has it */
struct amdm_usage *amdm_usage_get(struct amdm_usage *usage)
{
	kref_get(&usage->ref);
	return usage;
}

static void usage_release(struct kref *ref)
{
	kfree(container_of(ref, struct amdm_usage, ref));
}

/** amdm_usage_put() - undo amdm_usage_get() or amdm_usage_create() */
void amdm_usage_put(struct amdm_usage *usage)
{
	kref_put(&usage->ref, usage_release);
}

static bool usage_has_time(const struct dma_fence *fence)
{
	return test_bit(DMA_FENCE_FLAG_TIMESTAMP_BIT, &fence->flags);
}

/** amdm_usage_of_job() - ns that a job has had; @finished: of its sched fence, NULL: no job */
u64 amdm_usage_of_job(struct dma_fence *finished)
{
	struct drm_sched_fence *fence;
	ktime_t end;

	if (!finished)
		return 0;
	fence = to_drm_sched_fence(finished);
	if (!usage_has_time(&fence->scheduled))
		return 0;
	end = usage_has_time(&fence->finished) ? fence->finished.timestamp : ktime_get();
	return max_t(s64, ktime_to_ns(ktime_sub(end, fence->scheduled.timestamp)), 0);
}

static u64 usage_of_entity(const struct amdm_ctx_entity *entity)
{
	u64 ns = entity ? entity->ns : 0;
	u32 i;

	for (i = 0; entity && i < AMDM_CTX_JOBS; i++)
		ns += amdm_usage_of_job(entity->fences[i]);
	return ns;
}

static void usage_add_context(struct amdm_ctx *ctx, u64 ns[AMDM_HW_IPS])
{
	u32 ip, ring;

	mutex_lock(&ctx->lock);
	for (ip = 0; ip < AMDM_HW_IPS; ip++)
		for (ring = 0; ring < AMDM_CTX_RINGS; ring++)
			ns[ip] += usage_of_entity(ctx->entities[ip][ring]);
	mutex_unlock(&ctx->lock);
}

/** amdm_usage_read() - all that a file's jobs have had */
void amdm_usage_read(struct amdm_file *file, u64 ns[AMDM_HW_IPS])
{
	struct amdm_ctx *ctx;
	u32 ip;
	int id;

	mutex_lock(&file->lock);
	for (ip = 0; ip < AMDM_HW_IPS; ip++)
		ns[ip] = atomic64_read(&file->usage->ns[ip]);
	idr_for_each_entry(&file->ctxs, ctx, id)
		usage_add_context(ctx, ns);
	mutex_unlock(&file->lock);
}

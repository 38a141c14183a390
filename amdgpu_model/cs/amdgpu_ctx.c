// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_ctx.c - contexts and their entities
 *
 * A context has a stream of jobs (an entity of drm_sched) for each ring of an IP that user space names, made when it is first
 * used. Which ring of the hardware a stream goes to is drm_sched's choice among those of the context's priority: contexts above
 * normal get the rings of high hardware priority, where there are any. The last 32 fences of a stream are kept by number; a
 * thirty-third job waits for the first. Errnos and rules: amdgpu_ctx.c of Linux 6.1.
 */
#include <drm/drm_auth.h>
#include <linux/capability.h>
#include <linux/nospec.h>
#include <linux/slab.h>

#include "amdgpu_ctx.h"
#include "amdgpu_usage.h"
#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/pm/amdgpu_pm.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define CTX_MAX_ID	4096	/* AMDGPU_VM_MAX_NUM_CTX */
#define CTX_PRIORITY_NONE AMDGPU_CTX_PRIORITY_UNSET

/* How many rings of an IP user space may name (amdgpu_ctx_num_entities). */
static const u32 ctx_entities[AMDM_HW_IPS] = {
	[AMDGPU_HW_IP_GFX] = 1,
	[AMDGPU_HW_IP_COMPUTE] = 4,
	[AMDGPU_HW_IP_DMA] = 2,
	[AMDGPU_HW_IP_UVD] = 1,
	[AMDGPU_HW_IP_VCE] = 1,
	[AMDGPU_HW_IP_UVD_ENC] = 1,
	[AMDGPU_HW_IP_VCN_DEC] = 1,
	[AMDGPU_HW_IP_VCN_ENC] = 1,
	[AMDGPU_HW_IP_VCN_JPEG] = 1,
};

/** amdm_ctx_entities_of() - rings of an IP that user space can name and that lead somewhere */
u32 amdm_ctx_entities_of(const struct amdm_device *adev, u32 ip)
{
	if (ip >= AMDM_HW_IPS)
		return 0;
	ip = array_index_nospec(ip, AMDM_HW_IPS);
	return min(ctx_entities[ip], amdm_rings_of(adev, ip));
}

/** amdm_ctx_priority_is_valid() - one of the five that a context may have */
bool amdm_ctx_priority_is_valid(s32 priority)
{
	return priority == AMDGPU_CTX_PRIORITY_VERY_LOW || priority == AMDGPU_CTX_PRIORITY_LOW ||
	       priority == AMDGPU_CTX_PRIORITY_NORMAL || priority == AMDGPU_CTX_PRIORITY_HIGH ||
	       priority == AMDGPU_CTX_PRIORITY_VERY_HIGH;
}

static enum drm_sched_priority ctx_sched_priority(s32 priority)
{
	if (priority < AMDGPU_CTX_PRIORITY_NORMAL)
		return KFDM_SCHED_PRIORITY_LOW;
	return priority == AMDGPU_CTX_PRIORITY_NORMAL ? DRM_SCHED_PRIORITY_NORMAL : DRM_SCHED_PRIORITY_HIGH;
}

static s32 ctx_effective(const struct amdm_ctx *ctx)
{
	return ctx->override == CTX_PRIORITY_NONE ? ctx->priority : ctx->override;
}

/* Schedulers of the rings for an IP and a priority. Return: their number; without one of high priority the others do. */
static u32 ctx_schedulers(struct amdm_device *adev, u32 ip, s32 priority, struct drm_gpu_scheduler **list)
{
	enum amdm_ring_prio wanted = priority > AMDGPU_CTX_PRIORITY_NORMAL ? AMDM_PRIO_HIGH : AMDM_PRIO_NORMAL;
	u32 i, n = 0;

	for (i = 0; i < adev->num_rings; i++)
		if (adev->rings[i]->funcs->ip == ip && adev->rings[i]->prio == wanted)
			list[n++] = &adev->rings[i]->sched;
	return n || wanted == AMDM_PRIO_NORMAL ? n : ctx_schedulers(adev, ip, AMDGPU_CTX_PRIORITY_NORMAL, list);
}

/* drm_sched keeps the pointer to the list when it may choose: each entity has one behind it. */
struct ctx_entity_mem {
	struct amdm_ctx_entity base;
	struct drm_gpu_scheduler *scheds[AMDM_MAX_RINGS];
	struct rcu_head rcu;
};

static int ctx_make_entity(struct amdm_ctx *ctx, u32 ip, u32 ring)
{
	struct ctx_entity_mem *mem = kzalloc(sizeof(*mem), GFP_KERNEL_ACCOUNT);
	u32 count;
	int ret;

	if (!mem)
		return -ENOMEM;
	count = ctx_schedulers(ctx->adev, ip, ctx_effective(ctx), mem->scheds);
	ret = -EINVAL;
	if (count)
		ret = drm_sched_entity_init(&mem->base.entity, ctx_sched_priority(ctx_effective(ctx)), mem->scheds, count,
					    &ctx->guilty);
	if (ret) {
		kfree(mem);
		return ret;
	}
	mem->base.sequence = 1;
	ctx->entities[ip][ring] = &mem->base;
	return 0;
}

/**
 * amdm_ctx_entity() - the stream of jobs for a ring, made if it is not there yet
 * @ctx:      context
 * @ip:       AMDGPU_HW_IP_*
 * @instance: 0
 * @ring:     as user space counts
 * @entity:   out
 * Return: 0, -EINVAL: there is no such ring, -ENOMEM.
 */
int amdm_ctx_entity(struct amdm_ctx *ctx, u32 ip, u32 instance, u32 ring, struct amdm_ctx_entity **entity)
{
	int ret = 0;

	if (ip >= AMDM_HW_IPS || instance)
		return -EINVAL;
	ip = array_index_nospec(ip, AMDM_HW_IPS);
	if (ring >= ctx_entities[ip])
		return -EINVAL;
	ring = array_index_nospec(ring, ctx_entities[ip]);
	mutex_lock(&ctx->lock);
	if (!ctx->entities[ip][ring])
		ret = ctx_make_entity(ctx, ip, ring);
	*entity = ctx->entities[ip][ring];
	mutex_unlock(&ctx->lock);
	return ret;
}

/**
 * amdm_ctx_fence() - the end of a job
 * @ctx:      context
 * @entity:   one of its streams
 * @sequence: number of the job, ~0: the last one
 * Return: the fence with a reference; NULL: too old, it has ended and is no longer kept; -EINVAL: there was no such job.
 */
struct dma_fence *amdm_ctx_fence(struct amdm_ctx *ctx, struct amdm_ctx_entity *entity, u64 sequence)
{
	struct dma_fence *fence = NULL;

	mutex_lock(&ctx->lock);
	if (sequence == ~0ULL)
		sequence = entity->sequence - 1;
	if (sequence >= entity->sequence)
		fence = ERR_PTR(-EINVAL);
	else if (sequence + AMDM_CTX_JOBS >= entity->sequence)
		fence = dma_fence_get(entity->fences[sequence % AMDM_CTX_JOBS]);
	mutex_unlock(&ctx->lock);
	return fence;
}

/** amdm_ctx_has_room() - has the job ended that the next one will take the place of? ctx->lock held */
bool amdm_ctx_has_room(const struct amdm_ctx_entity *entity)
{
	struct dma_fence *fence = entity->fences[entity->sequence % AMDM_CTX_JOBS];

	return !fence || dma_fence_is_signaled(fence);
}

/** amdm_ctx_add_fence() - number a job that there is room for; ctx->lock held. Return: its number. */
u64 amdm_ctx_add_fence(struct amdm_ctx_entity *entity, struct dma_fence *fence)
{
	struct dma_fence **place = &entity->fences[entity->sequence % AMDM_CTX_JOBS];

	entity->ns += amdm_usage_of_job(*place);
	dma_fence_put(*place);
	*place = dma_fence_get(fence);
	return entity->sequence++;
}

/** amdm_ctx_wait_room() - until there is room, which others may take. Return: 0, -ERESTARTSYS. */
int amdm_ctx_wait_room(struct amdm_ctx *ctx, struct amdm_ctx_entity *entity)
{
	struct dma_fence *fence;
	long ret;

	mutex_lock(&ctx->lock);
	fence = dma_fence_get(entity->fences[entity->sequence % AMDM_CTX_JOBS]);
	mutex_unlock(&ctx->lock);
	ret = fence ? dma_fence_wait(fence, true) : 0;
	dma_fence_put(fence);
	return ret;
}

/*
 * To drm_sched an entity is idle as soon as its last job has left the queue. Its thread completes entity_idle after that, when the
 * job is on the ring, and only then signals that the job is scheduled.
 */
static void ctx_let_go(struct dma_fence *finished)
{
	if (finished)
		dma_fence_wait(&to_drm_sched_fence(finished)->scheduled, false);
	dma_fence_put(finished);
}

/* Return: ns that all of its jobs have had the engine. */
static u64 ctx_free_entity(struct amdm_ctx_entity *entity)
{
	u64 ns;
	u32 i;

	if (!entity)
		return 0;
	drm_sched_entity_destroy(&entity->entity);
	ns = entity->ns;
	for (i = 0; i < AMDM_CTX_JOBS; i++) {
		ns += amdm_usage_of_job(entity->fences[i]);
		ctx_let_go(entity->fences[i]);
	}
	/* A dependency's callback, interrupts off, may have cleared entity->dependency and be about to wake the scheduler. */
	kfree_rcu(container_of(entity, struct ctx_entity_mem, base), rcu);
	return ns;
}

static int ctx_set_pstate(struct amdm_ctx *ctx, u32 flags)
{
	if (flags & ~AMDGPU_CTX_STABLE_PSTATE_FLAGS_MASK)
		return -EINVAL;
	return amdm_pm_take(ctx, flags);
}

static void ctx_release(struct kref *ref)
{
	struct amdm_ctx *ctx = container_of(ref, struct amdm_ctx, ref);
	u32 ip, ring;

	amdm_pm_release(ctx);
	for (ip = 0; ip < AMDM_HW_IPS; ip++)
		for (ring = 0; ring < AMDM_CTX_RINGS; ring++)
			atomic64_add(ctx_free_entity(ctx->entities[ip][ring]), &ctx->usage->ns[ip]);
	amdm_usage_put(ctx->usage);
	mutex_destroy(&ctx->lock);
	kfree(ctx);
}

/** amdm_ctx_put() - the last one waits a second for jobs that no ring has yet, and drops what is left of them */
void amdm_ctx_put(struct amdm_ctx *ctx)
{
	kref_put(&ctx->ref, ctx_release);
}

/** amdm_ctx_get() - the context of an id with a reference, NULL if there is none */
struct amdm_ctx *amdm_ctx_get(struct drm_file *file, u32 id)
{
	struct amdm_file *priv = amdm_file_of(file);
	struct amdm_ctx *ctx;

	mutex_lock(&priv->lock);
	ctx = idr_find(&priv->ctxs, id);
	if (ctx)
		kref_get(&ctx->ref);
	mutex_unlock(&priv->lock);
	return ctx;
}

/** amdm_ctx_close_all() - a file is closed */
void amdm_ctx_close_all(struct amdm_file *file)
{
	struct amdm_ctx *ctx;
	int id;

	idr_for_each_entry(&file->ctxs, ctx, id)
		amdm_ctx_put(ctx);
	idr_destroy(&file->ctxs);
}

/** amdm_ctx_override() - SCHED has changed the priority; jobs that no ring has yet are moved as well */
void amdm_ctx_override(struct amdm_ctx *ctx, s32 priority)
{
	u32 ip, ring;

	mutex_lock(&ctx->lock);
	ctx->override = priority;
	for (ip = 0; ip < AMDM_HW_IPS; ip++) {
		for (ring = 0; ring < AMDM_CTX_RINGS; ring++) {
			struct ctx_entity_mem *mem;
			u32 count;

			if (!ctx->entities[ip][ring])
				continue;
			mem = container_of(ctx->entities[ip][ring], struct ctx_entity_mem, base);
			drm_sched_entity_set_priority(&mem->base.entity, ctx_sched_priority(ctx_effective(ctx)));
			if (ip != AMDGPU_HW_IP_COMPUTE && ip != AMDGPU_HW_IP_GFX)
				continue;
			count = ctx_schedulers(ctx->adev, ip, ctx_effective(ctx), mem->scheds);
			drm_sched_entity_modify_sched(&mem->base.entity, mem->scheds, count);
		}
	}
	mutex_unlock(&ctx->lock);
}

static int ctx_permit(struct drm_file *file, s32 priority)
{
	if (priority <= AMDGPU_CTX_PRIORITY_NORMAL || capable(CAP_SYS_NICE) || drm_is_current_master(file))
		return 0;
	return -EACCES;
}

static int ctx_alloc(struct amdm_device *adev, struct drm_file *file, s32 priority, u32 *id)
{
	struct amdm_file *priv = amdm_file_of(file);
	struct amdm_ctx *ctx;
	int ret = ctx_permit(file, priority);

	if (ret)
		return ret;
	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	if (!ctx)
		return -ENOMEM;
	kref_init(&ctx->ref);
	mutex_init(&ctx->lock);
	ctx->adev = adev;
	ctx->usage = amdm_usage_get(priv->usage);
	ctx->resets = READ_ONCE(adev->resets);
	ctx->resets_seen = ctx->resets;
	ctx->vram_losses = READ_ONCE(adev->vram_losses);
	ctx->priority = priority;
	ctx->override = CTX_PRIORITY_NONE;
	mutex_lock(&priv->lock);
	ret = idr_alloc(&priv->ctxs, ctx, 1, CTX_MAX_ID, GFP_KERNEL_ACCOUNT);
	mutex_unlock(&priv->lock);
	if (ret < 0) {
		amdm_ctx_put(ctx);
		return ret;
	}
	*id = ret;
	return 0;
}

static int ctx_free(struct amdm_file *priv, u32 id)
{
	struct amdm_ctx *ctx;

	mutex_lock(&priv->lock);
	ctx = idr_remove(&priv->ctxs, id);
	mutex_unlock(&priv->lock);
	if (!ctx)
		return -EINVAL;
	amdm_ctx_put(ctx);
	return 0;
}

static void ctx_query(struct amdm_ctx *ctx, union drm_amdgpu_ctx_out *out)
{
	u32 resets = READ_ONCE(ctx->adev->resets);

	out->state.flags = 0;
	out->state.hangs = 0;
	out->state.reset_status = ctx->resets_seen == resets ? AMDGPU_CTX_NO_RESET : AMDGPU_CTX_UNKNOWN_RESET;
	ctx->resets_seen = resets;
}

static void ctx_query2(struct amdm_ctx *ctx, union drm_amdgpu_ctx_out *out)
{
	out->state.flags = 0;
	out->state.hangs = 0;
	if (ctx->resets != READ_ONCE(ctx->adev->resets))
		out->state.flags |= AMDGPU_CTX_QUERY2_FLAGS_RESET;
	if (ctx->vram_losses != READ_ONCE(ctx->adev->vram_losses))
		out->state.flags |= AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST;
	if (atomic_read(&ctx->guilty))
		out->state.flags |= AMDGPU_CTX_QUERY2_FLAGS_GUILTY;
}

static int ctx_op(struct amdm_ctx *ctx, union drm_amdgpu_ctx *args)
{
	u32 op = args->in.op;

	if (op == AMDGPU_CTX_OP_SET_STABLE_PSTATE)
		return ctx_set_pstate(ctx, args->in.flags);
	if (args->in.flags)
		return -EINVAL;
	if (op == AMDGPU_CTX_OP_QUERY_STATE)
		ctx_query(ctx, &args->out);
	else if (op == AMDGPU_CTX_OP_QUERY_STATE2)
		ctx_query2(ctx, &args->out);
	else
		args->out.pstate.flags = amdm_pm_pstate(ctx->adev);
	return 0;
}

/** amdm_ctx_ioctl() - DRM_IOCTL_AMDGPU_CTX */
int amdm_ctx_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	union drm_amdgpu_ctx *args = data;
	s32 priority = args->in.priority;
	struct amdm_ctx *ctx;
	u32 id;
	int ret;

	/* Old clients leave garbage there. */
	if (!amdm_ctx_priority_is_valid(priority))
		priority = AMDGPU_CTX_PRIORITY_NORMAL;
	switch (args->in.op) {
	case AMDGPU_CTX_OP_ALLOC_CTX:
		if (args->in.flags)
			return -EINVAL;
		ret = ctx_alloc(amdm_from_drm(ddev), file, priority, &id);
		if (!ret)
			args->out.alloc.ctx_id = id;
		return ret;
	case AMDGPU_CTX_OP_FREE_CTX:
		return args->in.flags ? -EINVAL : ctx_free(amdm_file_of(file), args->in.ctx_id);
	case AMDGPU_CTX_OP_QUERY_STATE:
	case AMDGPU_CTX_OP_QUERY_STATE2:
	case AMDGPU_CTX_OP_GET_STABLE_PSTATE:
	case AMDGPU_CTX_OP_SET_STABLE_PSTATE:
		ctx = amdm_ctx_get(file, args->in.ctx_id);
		if (!ctx)
			return -EINVAL;
		ret = ctx_op(ctx, args);
		amdm_ctx_put(ctx);
		return ret;
	default:
		return -EINVAL;
	}
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_cs.c - CS: from user space's chunks to a job in drm_sched's hands
 *
 * A submission is an array of chunks: indirect buffers, what they wait for (jobs, syncobjs), what they signal (syncobjs, a
 * number in memory), which buffers they use. First all chunks are copied and looked at, then the job is made and its
 * dependencies are collected, its buffers are brought where jobs can use them (amdgpu_cs_place.c), then all reservations are
 * locked: implicit synchronisation with others' jobs comes from there, and the job's fence goes there. From drm_sched_job_arm() on
 * nothing can fail.
 *
 * One ring a submission (gangs of several: -EINVAL). Order of checks and errnos: amdgpu_cs.c of Linux 6.1.
 */
#include <drm/drm_drv.h>
#include <drm/drm_syncobj.h>
#include <linux/dma-fence-chain.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "amdgpu_bo_list.h"
#include "amdgpu_cs.h"
#include "amdgpu_ctx.h"
#include "amdgpu_model/base/amdgpu_refused.h"
#include "amdgpu_model/base/amdgpu_trace.h"
#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_vm.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define CS_PLACE_TRIES	8
#define CS_GFP		(GFP_KERNEL_ACCOUNT | __GFP_NOWARN)	/* sizes are user space's */

static int cs_ib(struct amdm_cs *cs, const struct drm_amdgpu_cs_chunk_ib *ib)
{
	struct amdm_ctx_entity *entity;
	int ret;

	ret = amdm_ctx_entity(cs->ctx, ib->ip_type, ib->ip_instance, ib->ring, &entity);
	if (ret)
		return ret;
	if (cs->entity && cs->entity != entity)
		return -EINVAL;
	cs->entity = entity;
	cs->ip = ib->ip_type;
	cs->num_ibs++;	/* too many for the ring: the job fails there */
	return 0;
}

static int cs_user_fence(struct amdm_cs *cs, const struct drm_amdgpu_cs_chunk_fence *fence)
{
	struct drm_gem_object *obj;
	struct amdm_bo *bo;

	if (cs->user_bo)
		return -EINVAL;
	obj = drm_gem_object_lookup(cs->file, fence->handle);
	if (!obj)
		return -EINVAL;
	bo = amdm_bo_from_gem(obj);
	cs->user_bo = bo;	/* cs_fini() drops it */
	cs->user_offset = fence->offset;
	if (obj->size != PAGE_SIZE || fence->offset > PAGE_SIZE - 8 || !amdm_bo_is_memory(bo))
		return -EINVAL;
	return 0;
}

static int cs_bo_handles(struct amdm_cs *cs, const struct drm_amdgpu_bo_list_in *in)
{
	struct amdm_bo_list *list;

	if (cs->list)
		return -EINVAL;
	list = amdm_bo_list_create(cs->file, in);
	if (IS_ERR(list))
		return PTR_ERR(list);
	cs->list = list;
	return 0;
}

/* Pass 1: what a chunk says by itself. */
static int cs_look(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	switch (chunk->id) {
	case AMDGPU_CHUNK_ID_IB:
		return chunk->bytes < sizeof(struct drm_amdgpu_cs_chunk_ib) ? -EINVAL : cs_ib(cs, chunk->data);
	case AMDGPU_CHUNK_ID_FENCE:
		return chunk->bytes < sizeof(struct drm_amdgpu_cs_chunk_fence) ? -EINVAL : cs_user_fence(cs, chunk->data);
	case AMDGPU_CHUNK_ID_BO_HANDLES:
		return chunk->bytes < sizeof(struct drm_amdgpu_bo_list_in) ? -EINVAL : cs_bo_handles(cs, chunk->data);
	case AMDGPU_CHUNK_ID_DEPENDENCIES:
	case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES:
	case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
	case AMDGPU_CHUNK_ID_SYNCOBJ_OUT:
	case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
	case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL:
		return 0;
	default:
		amdm_refused("AMDGPU_CHUNK_ID", chunk->id);
		return -EINVAL;
	}
}

static int cs_copy_chunk(struct amdm_cs *cs, u64 user_addr)
{
	struct amdm_cs_chunk *chunk = &cs->chunks[cs->num_chunks];
	struct drm_amdgpu_cs_chunk user;

	if (copy_from_user(&user, u64_to_user_ptr(user_addr), sizeof(user)))
		return -EFAULT;
	chunk->id = user.chunk_id;
	chunk->bytes = (u64)user.length_dw * sizeof(u32);
	/* One dword too many: a chunk without data is no NULL pointer. */
	chunk->data = kvmalloc(chunk->bytes + sizeof(u32), CS_GFP);
	if (!chunk->data)
		return -ENOMEM;
	cs->num_chunks++;
	if (copy_from_user(chunk->data, u64_to_user_ptr(user.chunk_data), chunk->bytes))
		return -EFAULT;
	return cs_look(cs, chunk);
}

static int cs_copy_chunks(struct amdm_cs *cs, u64 array, u32 count)
{
	u64 __user *at = u64_to_user_ptr(array);
	int ret = 0;
	u64 addr;
	u32 i;

	cs->chunks = kvcalloc(count, sizeof(*cs->chunks), CS_GFP);
	if (!cs->chunks)
		return -ENOMEM;
	for (i = 0; i < count && !ret; i++)
		ret = get_user(addr, &at[i]) ? -EFAULT : cs_copy_chunk(cs, addr);
	if (!ret && !cs->num_ibs)
		ret = -EINVAL;
	return ret;
}

static int cs_make_job(struct amdm_cs *cs)
{
	struct amdm_ring *ring = amdm_ring_from_sched(cs->entity->entity.rq->sched);
	struct amdm_job *job = amdm_job_create(cs->adev, cs->num_ibs);
	int ret;

	if (!job)
		return -ENOMEM;
	ret = kfdm_sched_job_init(&job->base, &cs->entity->entity, amdm_vm_owner(cs->vm), cs->file);
	if (ret) {
		amdm_job_destroy(job);
		return ret;
	}
	cs->job = job;
	job->num_ibs = 0;	/* cs_job_ib() counts again */
	job->vm = amdm_vm_get(cs->vm);
	cs->max_ib_dwords = ring->funcs->max_ib_dwords;
	return 0;
}

static int cs_job_ib(struct amdm_cs *cs, const struct drm_amdgpu_cs_chunk_ib *chunk)
{
	struct amdm_ib *ib = &cs->job->ibs[cs->job->num_ibs];

	if (cs->ip == AMDGPU_HW_IP_GFX && chunk->flags & AMDGPU_IB_FLAG_PREEMPT &&
	    cs->preempts[!!(chunk->flags & AMDGPU_IB_FLAG_CE)]++)
		return -EINVAL;
	if (chunk->ib_bytes / 4 > cs->max_ib_dwords)
		return -EINVAL;
	ib->addr = chunk->va_start;
	ib->dwords = chunk->ib_bytes / 4;
	ib->flags = chunk->flags;
	cs->job->num_ibs += ib->dwords != 0;
	return 0;
}

/* Pass 2: what a chunk means for the job. */
static int cs_apply(struct amdm_cs *cs, const struct amdm_cs_chunk *chunk)
{
	switch (chunk->id) {
	case AMDGPU_CHUNK_ID_IB:
		return cs_job_ib(cs, chunk->data);
	case AMDGPU_CHUNK_ID_DEPENDENCIES:
	case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES:
		return amdm_cs_dependencies(cs, chunk);
	case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
		return amdm_cs_syncobj_in(cs, chunk);
	case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
		return amdm_cs_timeline_wait(cs, chunk);
	case AMDGPU_CHUNK_ID_SYNCOBJ_OUT:
		return amdm_cs_syncobj_out(cs, chunk);
	case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL:
		return amdm_cs_timeline_signal(cs, chunk);
	default:
		return 0;
	}
}

static int cs_find_list(struct amdm_cs *cs, u32 handle)
{
	if (!handle)
		return 0;
	if (cs->list)
		return -EINVAL;	/* a BO_HANDLES chunk excludes a handle */
	cs->list = amdm_bo_list_get(amdm_file_of(cs->file), handle);
	return cs->list ? 0 : -ENOENT;
}

/* What has to be locked: the address space's own reservation, which its always-valid buffers share, and the list's others. */
static int cs_collect_objs(struct amdm_cs *cs)
{
	u32 count = cs->list ? cs->list->count : 0, i;
	bool has_user_bo = !cs->user_bo || cs->user_bo->base.resv == cs->vm->root_obj.resv;

	cs->objs = kvmalloc_array(count + 2, sizeof(*cs->objs), GFP_KERNEL);
	if (!cs->objs)
		return -ENOMEM;
	cs->objs[cs->num_objs++] = &cs->vm->root_obj;
	for (i = 0; i < count; i++) {
		struct drm_gem_object *obj = cs->list->objs[i];

		if (obj->resv == cs->vm->root_obj.resv)
			continue;
		has_user_bo |= cs->user_bo && obj == &cs->user_bo->base;
		cs->objs[cs->num_objs++] = obj;
	}
	if (!has_user_bo)
		cs->objs[cs->num_objs++] = &cs->user_bo->base;
	return 0;
}

/* amdgpu_sync_resv: a job waits for what others do with its buffers; the jobs of one address space order themselves. */
static int cs_sync(struct amdm_cs *cs, struct drm_gem_object *obj)
{
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	int ret;

	if (obj == &cs->vm->root_obj || amdm_bo_from_gem(obj)->gem_flags & AMDGPU_GEM_CREATE_EXPLICIT_SYNC)
		return 0;
	dma_resv_for_each_fence(&cursor, obj->resv, DMA_RESV_USAGE_READ, fence) {
		struct drm_sched_fence *s_fence = to_drm_sched_fence(fence);

		if (s_fence && s_fence->owner == amdm_vm_owner(cs->vm))
			continue;
		ret = drm_sched_job_add_dependency(&cs->job->base, dma_fence_get(fence));
		if (ret)
			return ret;
	}
	return 0;
}

static int cs_prepare_objs(struct amdm_cs *cs)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < cs->num_objs && !ret; i++) {
		ret = dma_resv_reserve_fences(cs->objs[i]->resv, 1);
		if (!ret)
			ret = cs_sync(cs, cs->objs[i]);
	}
	if (!ret && cs->user_bo)
		ret = amdm_bo_mc_address(cs->user_bo, &cs->job->user_fence);
	return ret;
}

/* From drm_sched_job_arm() on the job is drm_sched's. Return: 0, -EBUSY: another thread's job has taken the room for this one. */
static int cs_push(struct amdm_cs *cs, union drm_amdgpu_cs *args)
{
	struct amdm_job *job = cs->job;
	struct dma_fence *fence;
	u32 i;

	mutex_lock(&cs->ctx->lock);
	if (!amdm_ctx_has_room(cs->entity)) {
		mutex_unlock(&cs->ctx->lock);
		return -EBUSY;
	}
	drm_sched_job_arm(&job->base);
	amdm_fence_bind(job->fence, amdm_ring_from_sched(job->base.sched));
	fence = dma_fence_get(&job->base.s_fence->finished);
	job->user_seq = amdm_ctx_add_fence(cs->entity, fence);
	if (cs->user_bo) {
		job->user_fence += cs->user_offset;
		job->user_bo = cs->user_bo;
		drm_gem_object_get(&cs->user_bo->base);
	}
	args->out.handle = job->user_seq;
	for (i = 0; i < cs->num_objs; i++)
		dma_resv_add_fence(cs->objs[i]->resv, fence, DMA_RESV_USAGE_WRITE);
	amdm_cs_signal(cs, fence);
	cs->job = NULL;
	trace_amdgpu_cs_ioctl(&job->base, amdm_ring_from_sched(job->base.sched)->name, job->num_ibs);
	drm_sched_entity_push_job(&job->base);
	mutex_unlock(&cs->ctx->lock);
	dma_fence_put(fence);
	return 0;
}

static int cs_lock_and_push(struct amdm_cs *cs, union drm_amdgpu_cs *args)
{
	struct ww_acquire_ctx ticket;
	int ret;

	ret = drm_gem_lock_reservations(cs->objs, cs->num_objs, &ticket);
	if (ret)
		return ret;
	down_read(&cs->adev->placement.sem);
	ret = amdm_cs_is_placed(cs) ? cs_prepare_objs(cs) : -EAGAIN;
	if (!ret)
		ret = cs_push(cs, args);
	up_read(&cs->adev->placement.sem);
	drm_gem_unlock_reservations(cs->objs, cs->num_objs, &ticket);
	return ret;
}

static int cs_submit(struct amdm_cs *cs, union drm_amdgpu_cs *args)
{
	int tries = CS_PLACE_TRIES, ret;

	ret = cs_collect_objs(cs);
	if (ret)
		return ret;
	/*
	 * Other threads may fill the context's ring of fences, or evict the buffers just placed, before the locks are held: then try again.
	 */
	do {
		ret = amdm_ctx_wait_room(cs->ctx, cs->entity);
		if (!ret)
			ret = amdm_cs_place(cs);
		if (!ret)
			ret = cs_lock_and_push(cs, args);
	} while (ret == -EBUSY || (ret == -EAGAIN && --tries));
	return ret == -EAGAIN ? -ENOMEM : ret;
}

static void cs_fini(struct amdm_cs *cs)
{
	u32 i;

	if (cs->job) {
		drm_sched_job_cleanup(&cs->job->base);
		amdm_job_destroy(cs->job);
	}
	amdm_cs_drop_signals(cs);
	for (i = 0; i < cs->num_chunks; i++)
		kvfree(cs->chunks[i].data);
	kvfree(cs->chunks);
	kvfree(cs->objs);
	if (cs->user_bo)
		drm_gem_object_put(&cs->user_bo->base);
	amdm_bo_list_put(cs->list);
	amdm_ctx_put(cs->ctx);
}

static int cs_run(struct amdm_cs *cs, union drm_amdgpu_cs *args)
{
	u32 list = args->in.bo_list_handle, i;
	int ret;

	ret = cs_copy_chunks(cs, args->in.chunks, args->in.num_chunks);
	if (!ret)
		ret = cs_make_job(cs);
	for (i = 0; i < cs->num_chunks && !ret; i++)
		ret = cs_apply(cs, &cs->chunks[i]);
	if (!ret)
		ret = cs_find_list(cs, list);
	return ret ? ret : cs_submit(cs, args);
}

/** amdm_cs_ioctl() - DRM_IOCTL_AMDGPU_CS */
int amdm_cs_ioctl(struct drm_device *ddev, void *data, struct drm_file *file)
{
	union drm_amdgpu_cs *args = data;
	struct amdm_cs cs = {
		.adev = amdm_from_drm(ddev),
		.file = file,
		.vm = amdm_file_vm(file),
	};
	int ret;

	if (!args->in.num_chunks)
		return -EINVAL;
	cs.ctx = amdm_ctx_get(file, args->in.ctx_id);
	if (!cs.ctx)
		return -EINVAL;
	if (atomic_read(&cs.ctx->guilty) || cs.ctx->vram_losses != READ_ONCE(cs.adev->vram_losses))
		ret = -ECANCELED;
	else
		ret = cs_run(&cs, args);
	cs_fini(&cs);
	return ret;
}

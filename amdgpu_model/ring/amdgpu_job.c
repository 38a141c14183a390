// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_job.c - what drm_sched does with a job: make it wait for a VMID, put it on the ring, free it
 *
 * On the ring a job is, in this order: a wait for the ring's last job, the connection of its VMID to its page tables with a TLB
 * flush, its indirect buffers, the user's fence, the ring's fence with an interrupt. The wait matters on engines that begin a
 * packet before the one before has ended: the gpu-sched module takes a ring for a pipeline, and has a job wait for an earlier one
 * of the same ring only until that is on the ring.
 */
#include <linux/slab.h>

#include "amdgpu_ring.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_trace.h"
#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_vm.h"

/** amdm_job_create() - an empty job for @num_ibs buffers. Return: NULL without memory. */
struct amdm_job *amdm_job_create(struct amdm_device *adev, u32 num_ibs)
{
	struct amdm_job *job = kzalloc(struct_size(job, ibs, num_ibs), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);	/* user space's number */

	if (!job)
		return NULL;
	job->adev = adev;
	job->num_ibs = num_ibs;
	job->vram_losses = READ_ONCE(adev->vram_losses);
	job->fence = amdm_fence_create(adev);
	if (!job->fence) {
		kfree(job);
		return NULL;
	}
	return job;
}

/** amdm_job_destroy() - a job that drm_sched does not know (any more) */
void amdm_job_destroy(struct amdm_job *job)
{
	struct amdm_fence *fence = job->fence;

	if (job->user_bo)
		drm_gem_object_put(&job->user_bo->base);
	if (job->vm)
		amdm_vm_put(job->vm);
	kfree(job);
	amdm_fence_drop(fence);	/* may be the last to hold the device */
}

static struct amdm_job *to_job(struct drm_sched_job *base)
{
	return container_of(base, struct amdm_job, base);
}

/* Page tables are connected anew if the ring has not seen the VMID's owner, or the tables as they are now. */
static bool amdm_job_needs_flush(const struct amdm_ring *ring, const struct amdm_job *job)
{
	return ring->flushed[job->vmid].generation != job->generation || ring->flushed[job->vmid].updates < job->updates;
}

/*
 * A job that will not be run gets no VMID: its fence, which signals at any time, would stand for that of a job which is on the ring.
 */
static struct dma_fence *amdm_job_dependency(struct drm_sched_job *base, struct drm_sched_entity *entity)
{
	struct amdm_ring *ring = amdm_ring_from_sched(base->sched);
	struct amdm_job *job = to_job(base);
	struct dma_fence *wait;

	if (!job->vm || job->vmid || kfdm_sched_discards(base->sched) || atomic_read(entity->guilty))
		return NULL;
	wait = amdm_vmid_grab(ring, job);
	if (!wait)
		trace_amdgpu_vm_grab_id(job->vm->pasid, ring->name, job->vmid, ring->hub, job->pd, amdm_job_needs_flush(ring, job));
	return wait;
}

/* The VMID's page tables, unless this ring has connected them, with all that has changed in them since; KFD sees to its own VMIDs. */
static void amdm_job_emit_flush(struct amdm_ring *ring, const struct amdm_job *job)
{
	if (!job->vm || !amdm_job_needs_flush(ring, job))
		return;
	trace_amdgpu_vm_flush(ring->name, job->vmid, ring->hub, job->pd);
	ring->adev->asic->gmc->emit_flush(ring, job->vmid, job->pd);
	ring->flushed[job->vmid].generation = job->generation;
	ring->flushed[job->vmid].updates = job->updates;
}

static void amdm_job_emit(struct amdm_ring *ring, struct amdm_job *job)
{
	const struct amdm_ring_funcs *funcs = ring->funcs;
	u32 i;

	if (funcs->emit_sync)
		funcs->emit_sync(ring, amdm_ring_fence_addr(ring), ring->seq);
	amdm_job_emit_flush(ring, job);
	if (funcs->emit_wave_limit)
		funcs->emit_wave_limit(ring, true);
	for (i = 0; i < job->num_ibs; i++)
		funcs->emit_ib(ring, &job->ibs[i], job->vmid);
	if (funcs->emit_wave_limit)
		funcs->emit_wave_limit(ring, false);
	if (job->user_fence)
		funcs->emit_fence(ring, job->user_fence, job->user_seq, true);
	job->fence->vmid = job->vmid;
	amdm_fence_emit(ring, job->fence);
	amdm_ring_commit(ring);
}

/* As many dwords as Linux would reserve (amdgpu_ring_alloc). */
static bool amdm_job_fits(const struct amdm_ring *ring, const struct amdm_job *job)
{
	u64 dwords = ring->funcs->frame_dwords + (u64)ring->funcs->ib_dwords * job->num_ibs;

	return ALIGN(dwords, AMDM_RING_RESERVE_ALIGN) <= AMDM_RING_JOB_DWORDS;
}

/** amdm_job_run() - put a job on its ring. Return: 0, -ENODEV: the ring takes none, -ENOMEM: the job is too long for any. */
int amdm_job_run(struct amdm_ring *ring, struct amdm_job *job)
{
	int ret = -ENODEV;

	if (!amdm_job_fits(ring, job))
		return -ENOMEM;
	mutex_lock(&ring->lock);
	if (ring->ready) {
		amdm_job_emit(ring, job);
		ret = 0;
	}
	mutex_unlock(&ring->lock);
	return ret;
}

/*
 * After a reset jobs come here again; those of a context that was to blame for it come with an error, and some have ended between
 * the scheduler's stop and the ring's.
 */
static struct dma_fence *amdm_job_run_job(struct drm_sched_job *base)
{
	struct amdm_ring *ring = amdm_ring_from_sched(base->sched);
	struct amdm_job *job = to_job(base);
	int ret = base->s_fence->finished.error;

	trace_amdgpu_sched_run_job(base, ring->name, job->num_ibs);
	if (!ret && job->vram_losses != READ_ONCE(job->adev->vram_losses))
		ret = -ECANCELED;	/* what it was to work with is lost */
	if (!ret && WARN_ON(job->vm && !job->vmid))	/* the kernel's address space is not for user space's buffers */
		ret = -EINVAL;
	if (!ret && !dma_fence_is_signaled(&job->fence->base)) {
		if (ring->funcs->boost)
			ring->funcs->boost(ring, job);
		ret = amdm_job_run(ring, job);
	}
	return ret ? ERR_PTR(ret) : dma_fence_get(&job->fence->base);
}

/*
 * The sched fence of a job that was never run has no parent. It gets one now, and with it what keeps the module, hence the gpu-sched
 * module, which has the fence's operations.
 */
static void amdm_job_free_job(struct drm_sched_job *base)
{
	struct amdm_ring *ring = amdm_ring_from_sched(base->sched);
	struct amdm_job *job = to_job(base);

	if (ring->funcs->unboost)
		ring->funcs->unboost(ring, job);
	amdm_vmid_release(ring, job);
	if (!base->s_fence->parent)
		base->s_fence->parent = dma_fence_get(&job->fence->base);
	drm_sched_job_cleanup(base);
	amdm_job_destroy(job);
}

const struct drm_sched_backend_ops amdm_sched_ops = {
	.KFDM_SCHED_PREPARE_JOB = amdm_job_dependency,
	.run_job = amdm_job_run_job,
	.timedout_job = amdm_job_timedout,
	.free_job = amdm_job_free_job,
};

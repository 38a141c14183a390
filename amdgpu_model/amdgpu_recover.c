// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_recover.c - a job does not end
 *
 * drm_sched tells of a job that has had its time, or whose ring has complained (amdgpu_ring_irq.c). First the ring alone is
 * taken out and connected again, which the queues of KFD and the other rings do not notice; if it does not pass its test then, the
 * whole GPU is reset. The context that the job belongs to is guilty: its jobs end with -ECANCELED and it can submit no more; jobs of
 * others that were in the ring are put into it again. AMDGPU_CTX_OP_QUERY_STATE2 tells guilty and innocent contexts.
 *
 * Linux 6.1 knows recovery of a single ring only as "soft recovery" (waves are killed), and resets the GPU otherwise; resetting one
 * ring is what later versions do (amdgpu_ring_reset of 6.11).
 */
#include <drm/drm_drv.h>

#include "amdgpu_ring.h"
#include "glue/glue.h"

static struct amdm_job *to_job(struct drm_sched_job *base)
{
	return container_of(base, struct amdm_job, base);
}

/* drm_sched has taken the job from its list for us; it goes back, since nothing is wrong with it. */
static enum drm_gpu_sched_stat recover_nothing(struct drm_sched_job *base)
{
	struct drm_gpu_scheduler *sched = base->sched;

	spin_lock(&sched->job_list_lock);
	list_add(&base->list, &sched->pending_list);
	spin_unlock(&sched->job_list_lock);
	wake_up_interruptible(&sched->wake_up_worker);
	return DRM_GPU_SCHED_STAT_NOMINAL;
}

/** amdm_recover_stop() - no job comes to a ring any more, and what it owes will be put into it again; @bad: the one to blame */
void amdm_recover_stop(struct amdm_ring *ring, struct drm_sched_job *bad)
{
	drm_sched_stop(&ring->sched, bad);
	amdm_fence_forget(ring);
}

/** amdm_recover_start() - the ring works again */
void amdm_recover_start(struct amdm_ring *ring)
{
	drm_sched_resubmit_jobs(&ring->sched);
	drm_sched_start(&ring->sched, true);
}

static void recover_ring(struct amdm_ring *ring, struct drm_sched_job *bad)
{
	struct amdm_device *adev = ring->adev;
	int ret;

	dev_err(&adev->pdev->dev, "ring %s timeout, signaled seq=%u, emitted seq=%u\n", ring->name,
		READ_ONCE(ring->wb[AMDM_WB_FENCE]), ring->seq);
	mutex_lock(&adev->reset_mutex);
	amdm_ring_stop(ring);
	amdm_fence_process(ring);	/* what it has reached by now counts */
	amdm_recover_stop(ring, bad);
	if (!ring->sched.free_guilty)
		drm_sched_increase_karma(bad);
	adev->resets++;
	ret = amdm_ring_start(ring);
	amdm_recover_start(ring);
	mutex_unlock(&adev->reset_mutex);
	if (ret)
		amdm_device_reset(adev);
	else
		dev_info(&adev->pdev->dev, "ring %s reset succeeded\n", ring->name);
}

/** amdm_job_timedout() - see struct drm_sched_backend_ops */
enum drm_gpu_sched_stat amdm_job_timedout(struct drm_sched_job *base)
{
	struct amdm_ring *ring = amdm_ring_from_sched(base->sched);
	int idx;

	amdm_fence_process(ring);
	if (dma_fence_is_signaled(&to_job(base)->fence->base) || amdm_glue_held(ring->adev))
		return recover_nothing(base);
	if (!drm_dev_enter(&ring->adev->ddev, &idx)) {
		amdm_fence_force(ring, -ENODEV);
		recover_nothing(base);
		return DRM_GPU_SCHED_STAT_ENODEV;
	}
	recover_ring(ring, base);
	drm_dev_exit(idx);
	return DRM_GPU_SCHED_STAT_NOMINAL;
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_recover.c - a job does not end
 *
 * drm_sched reports a job that has exceeded its time limit; an interrupt of the ring reports a job at which the ring has stopped
 * (amdgpu_ring_irq.c). drm_sched_fault() is not used for the latter: it blames the job that is first when its work item runs, which may be
 * one that has just ended, or the next one if the ring has raised two interrupts. First the ring alone is taken out and connected again,
 * which the queues of KFD and the other rings do not notice; if it then fails its test, the whole GPU is reset. The context that the job
 * belongs to is guilty: its jobs end with -ECANCELED and it can submit no more; jobs of others that were in the ring are put into it again.
 * AMDGPU_CTX_OP_QUERY_STATE2 tells guilty and innocent contexts.
 *
 * Linux 6.1 knows recovery of a single ring only as "soft recovery" (waves are killed), and resets the GPU otherwise; resetting one
 * ring is what later versions do (amdgpu_ring_reset of 6.11). With the parameter soft_recovery the waves are killed first here, too:
 * then the job ends as if it had come to its end, and nobody is guilty.
 */
#include <linux/delay.h>

#include <drm/drm_drv.h>

#include "amdgpu_ring.h"
#include "amdgpu_model/base/amdgpu_hive.h"
#include "amdgpu_model/base/amdgpu_param.h"
#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/ih/amdgpu_ih.h"

/* A ring that works gets on with its job within so many slices, or before the chip rests so often. */
#define SUSPECT_SLICES 64
#define SUSPECT_RESTS 2

#define SOFT_RECOVERY_MS 10	/* amdgpu_ring_soft_recovery() */

static struct amdm_job *to_job(struct drm_sched_job *base)
{
	return container_of(base, struct amdm_job, base);
}

/**
 * amdm_recover_stop() - no job comes to a ring any more
 * @ring: ring, which still works: a job that its scheduler is just handing over must find it so
 * @bad:  the job to blame, NULL if there is none
 */
void amdm_recover_stop(struct amdm_ring *ring, struct drm_sched_job *bad)
{
	if (ring->recovering)
		return;
	ring->recovering = true;
	drm_sched_stop(&ring->sched, bad);
}

/** amdm_recover_settle() - the ring is disconnected: what it has reached counts, the rest will be put into it again */
void amdm_recover_settle(struct amdm_ring *ring)
{
	amdm_fence_process(ring);
	amdm_fence_forget(ring);
}

/** amdm_recover_start() - the ring works again */
void amdm_recover_start(struct amdm_ring *ring)
{
	drm_sched_resubmit_jobs(&ring->sched);
	kfdm_sched_start(&ring->sched);
	ring->recovering = false;
}

static void recover_ring(struct amdm_ring *ring, struct drm_sched_job *bad)
{
	struct amdm_device *adev = ring->adev;
	char cause[sizeof("job hang on ring:") + AMDM_RING_NAME];
	const u32 resets = READ_ONCE(adev->resets);

	dev_err(&adev->pdev->dev, "ring %s timeout, signaled seq=%u, emitted seq=%u\n", ring->name,
		READ_ONCE(ring->wb[AMDM_WB_FENCE]), ring->seq);
	mutex_lock(&adev->hive->reset_mutex);
	amdm_recover_stop(ring, bad);
	amdm_ring_stop(ring);
	amdm_ih_process(adev);	/* what it has still complained about must not count for the next job */
	amdm_recover_settle(ring);
	/* A reset that has come first has ended what the ring stood still at; it could not know of a job out of the list. */
	if (!ring->sched.free_guilty && adev->resets == resets)
		drm_sched_increase_karma(bad);
	if (amdm_ring_start(ring)) {
		snprintf(cause, sizeof(cause), "job hang on ring:%s", ring->name);
		adev->reset_locked(adev, cause);
	} else {
		adev->resets++;
		amdm_recover_start(ring);
		dev_info(&adev->pdev->dev, "ring %s reset succeeded\n", ring->name);
	}
	mutex_unlock(&adev->hive->reset_mutex);
}

/* The job with this fence, out of the scheduler's list as drm_sched_stop() wants it. NULL: it has ended, or is in the ring anew. */
static struct drm_sched_job *take_blamed(struct amdm_ring *ring, u32 seq)
{
	struct drm_sched_job *job, *blamed = NULL;

	spin_lock(&ring->sched.job_list_lock);
	list_for_each_entry(job, &ring->sched.pending_list, list) {
		const struct dma_fence *fence = &to_job(job)->fence->base;

		if ((u32)fence->seqno == seq && !test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags)) {
			list_del_init(&job->list);
			blamed = job;
			break;
		}
	}
	spin_unlock(&ring->sched.job_list_lock);
	return blamed;
}

static struct amdm_complaint last_complaint(struct amdm_ring *ring)
{
	struct amdm_complaint last;
	unsigned long flags;

	spin_lock_irqsave(&ring->fence_lock, flags);
	last = ring->complaint;
	spin_unlock_irqrestore(&ring->fence_lock, flags);
	return last;
}

static bool ring_had_its_share(struct amdm_ring *ring, const struct amdm_progress *since)
{
	const struct amdm_progress now = amdm_glue_progress(ring->adev);

	if (amdm_glue_held(ring->adev))
		return false;
	return now.slices - since->slices >= SUSPECT_SLICES || now.rests - since->rests >= SUSPECT_RESTS;
}

/* It is still at the job that it has complained about, and that is its own fault. */
static void recover_complaint(struct amdm_ring *ring, u32 seq)
{
	struct drm_sched_job *bad;

	amdm_fence_process(ring);
	bad = take_blamed(ring, seq);
	if (!bad)
		return;
	recover_ring(ring, bad);
	if (ring->sched.free_guilty) {	/* it has ended after all: drm_sched_stop() leaves it to us */
		ring->sched.free_guilty = false;
		ring->sched.ops->free_job(bad);
	}
}

/** amdm_recover_work() - the ring has complained */
void amdm_recover_work(struct work_struct *work)
{
	struct amdm_ring *ring = container_of(work, struct amdm_ring, complaint_work.work);
	const struct amdm_complaint complaint = last_complaint(ring);
	int guilty, idx;
	u32 seq, vmid;

	if (!drm_dev_enter(&ring->adev->ddev, &idx))
		return;
	guilty = complaint.certain ? 1 : ring->funcs->faulted(ring);
	if (guilty > 0 || (guilty < 0 && ring_had_its_share(ring, &complaint.since))) {
		recover_complaint(ring, complaint.seq);
	} else if (guilty < 0 && amdm_fence_first(ring, &seq, &vmid) && seq == complaint.seq) {
		amdm_glue_kick(ring->adev);
		queue_delayed_work(ring->adev->recover_wq, &ring->complaint_work, 1);
	}
	drm_dev_exit(idx);
}

/**
 * amdm_recover_complaint() - an interrupt says that a ring does not get on. Context: any.
 * @ring:    the ring
 * @seq:     number of the fence of the job that it is at
 * @certain: false: the interrupt of a VM fault names the VMID, and several rings may run jobs of one
 */
void amdm_recover_complaint(struct amdm_ring *ring, u32 seq, bool certain)
{
	const struct amdm_progress now = amdm_glue_progress(ring->adev);
	unsigned long flags;

	spin_lock_irqsave(&ring->fence_lock, flags);
	if (ring->complaint.seq != seq || (certain && !ring->complaint.certain))
		ring->complaint = (struct amdm_complaint){ seq, certain, now };
	spin_unlock_irqrestore(&ring->fence_lock, flags);
	mod_delayed_work(ring->adev->recover_wq, &ring->complaint_work, 0);
}

/* All contexts are told of a reset, whether it helps or not. */
static bool soft_recovered(struct amdm_ring *ring, const struct amdm_job *job)
{
	const ktime_t end = ktime_add_ms(ktime_get(), SOFT_RECOVERY_MS * amdm_glue_slow_factor());
	struct dma_fence *fence = &job->fence->base;

	if (!amdm_param.soft_recovery || !ring->funcs->kill_waves)
		return false;
	mutex_lock(&ring->adev->hive->reset_mutex);
	ring->adev->resets++;
	mutex_unlock(&ring->adev->hive->reset_mutex);
	do {
		ring->funcs->kill_waves(ring, job->vmid);
		amdm_glue_kick(ring->adev);
		usleep_range(500, 1000);
		amdm_fence_process(ring);
	} while (!dma_fence_is_signaled(fence) && ktime_before(ktime_get(), end));
	if (!dma_fence_is_signaled(fence))
		return false;
	dev_err(&ring->adev->pdev->dev, "ring %s timeout, but soft recovered\n", ring->name);
	return true;
}

/** amdm_job_timedout() - see struct drm_sched_backend_ops */
enum drm_gpu_sched_stat amdm_job_timedout(struct drm_sched_job *base)
{
	struct amdm_ring *ring = amdm_ring_from_sched(base->sched);
	int idx;

	amdm_fence_process(ring);
	if (dma_fence_is_signaled(&to_job(base)->fence->base) || dma_fence_is_signaled(&base->s_fence->finished) ||
	    amdm_glue_held(ring->adev))
		return kfdm_sched_no_hang(base);
	if (!drm_dev_enter(&ring->adev->ddev, &idx)) {
		amdm_fence_force(ring, -ENODEV);
		kfdm_sched_reinsert(base);
		return DRM_GPU_SCHED_STAT_ENODEV;
	}
	if (soft_recovered(ring, to_job(base))) {
		drm_dev_exit(idx);
		return kfdm_sched_no_hang(base);
	}
	recover_ring(ring, base);
	drm_dev_exit(idx);
	return KFDM_SCHED_STAT_RESET;
}

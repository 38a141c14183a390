/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * fake_sched.h - rings with schedulers of the kernel's gpu-sched, whose jobs end when the suite says.
 */
#ifndef FAKE_SCHED_H
#define FAKE_SCHED_H

#include <drm/gpu_scheduler.h>
#include <kunit/test.h>
#include <linux/slab.h>

#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/ring/amdgpu_ring.h"

#define SCHED_PATIENCE	(60 * HZ)

/** struct fake_run - a job that is in a ring */
struct fake_run {
	struct dma_fence base;
	struct list_head link;
};

static DEFINE_SPINLOCK(fake_run_lock);
static DEFINE_SPINLOCK(fake_runs_lock);
static LIST_HEAD(fake_runs);
static u32 fake_runs_begun;
static struct drm_gpu_scheduler *fake_ran_on;

static const char *fake_run_name(struct dma_fence *fence)
{
	return "run";
}

static const struct dma_fence_ops fake_run_ops = { .get_driver_name = fake_run_name, .get_timeline_name = fake_run_name };

static struct dma_fence *fake_sched_run(struct drm_sched_job *job)
{
	struct fake_run *run = kzalloc(sizeof(*run), GFP_KERNEL);

	if (!run)
		return ERR_PTR(-ENOMEM);
	dma_fence_init(&run->base, &fake_run_ops, &fake_run_lock, dma_fence_context_alloc(1), 1);
	dma_fence_get(&run->base);
	spin_lock(&fake_runs_lock);
	list_add_tail(&run->link, &fake_runs);
	fake_runs_begun++;
	fake_ran_on = job->sched;
	spin_unlock(&fake_runs_lock);
	return &run->base;
}

static enum drm_gpu_sched_stat fake_sched_timedout(struct drm_sched_job *job)
{
	return KFDM_SCHED_STAT_RESET;
}

/* What is in the rings ends. */
static inline void fake_sched_end(int error)
{
	struct fake_run *run, *next;
	LIST_HEAD(done);

	spin_lock(&fake_runs_lock);
	list_splice_init(&fake_runs, &done);
	spin_unlock(&fake_runs_lock);
	list_for_each_entry_safe(run, next, &done, link) {
		if (error)
			dma_fence_set_error(&run->base, error);
		dma_fence_signal(&run->base);
		dma_fence_put(&run->base);
	}
}

/* All of them end until @finished does. */
static inline bool fake_sched_end_until(struct dma_fence *finished)
{
	unsigned long late = jiffies + SCHED_PATIENCE;

	while (!dma_fence_is_signaled(finished) && time_before(jiffies, late)) {
		fake_sched_end(0);
		dma_fence_wait_timeout(finished, false, 1);
	}
	return dma_fence_is_signaled(finished);
}

/* @free: what becomes of a job that has ended */
static inline int fake_sched_begin(struct amdm_ring *ring, void (*free)(struct drm_sched_job *job), struct drm_sched_backend_ops *ops)
{
	const struct drm_sched_init_args args = {
		.ops = ops, .credit_limit = AMDM_RING_SUBMISSIONS, .timeout = MAX_SCHEDULE_TIMEOUT, .name = "kunit",
		KFDM_SCHED_NUM_RQS
	};
	int ret;

	ops->run_job = fake_sched_run;
	ops->timedout_job = fake_sched_timedout;
	ops->free_job = free;
	ret = kfdm_sched_init(&ring->sched, &args);
	ring->sched_alive = !ret;
	return ret;
}

/* Newer schedulers do not free at their end what has run. */
static inline void fake_sched_fini(struct amdm_ring *ring)
{
	unsigned long late = jiffies + SCHED_PATIENCE;

	while (ring->sched_alive && !list_empty(&ring->sched.pending_list) && time_before(jiffies, late)) {
		fake_sched_end(0);
		schedule_timeout_uninterruptible(1);
	}
	if (ring->sched_alive)
		drm_sched_fini(&ring->sched);
	ring->sched_alive = false;
}

#endif

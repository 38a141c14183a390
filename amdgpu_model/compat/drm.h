/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/**
 * DOC: drm.h - what differs between versions of Linux in DRM, its scheduler and fences
 *
 * See kernel.h.
 */
#ifndef KFDM_COMPAT_DRM_H
#define KFDM_COMPAT_DRM_H

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/gpu_scheduler.h>
#include <linux/dma-fence.h>

/* 7.0: a fence may have a lock of its own. */
#ifndef KFDM_HAS_FENCE_SPINLOCK
static inline spinlock_t *dma_fence_spinlock(struct dma_fence *fence)
{
	return fence->lock;
}
#endif

/* Members of struct drm_driver that went: gem_prime_mmap (6.6, became the default) and date (6.14). */
#ifdef KFDM_HAS_DRM_PRIME_MMAP
#define KFDM_DRM_PRIME_MMAP	.gem_prime_mmap = drm_gem_prime_mmap,
#else
#define KFDM_DRM_PRIME_MMAP
#endif
#ifdef KFDM_HAS_DRM_DRIVER_DATE
#define KFDM_DRM_DATE(text)	.date = text,
#else
#define KFDM_DRM_DATE(text)
#endif

/* 6.12: drm_open() wants to be told that offsets of a file are unsigned. */
#ifdef FOP_UNSIGNED_OFFSET
#define KFDM_DRM_FOP_FLAGS	.fop_flags = FOP_UNSIGNED_OFFSET,
#else
#define KFDM_DRM_FOP_FLAGS
#endif

/* The lowest priority of a scheduler's entity got another name in 6.8. */
#ifdef KFDM_HAS_SCHED_PRIORITY_LOW
#define KFDM_SCHED_PRIORITY_LOW	DRM_SCHED_PRIORITY_LOW
#else
#define KFDM_SCHED_PRIORITY_LOW	DRM_SCHED_PRIORITY_MIN
#endif

/** kfdm_sched_is_high() - is it user space's highest priority, or above? In 6.8 the order turned round: the kernel's is 0 now. */
static inline bool kfdm_sched_is_high(enum drm_sched_priority priority)
{
#ifdef KFDM_HAS_SCHED_PRIORITY_LOW
	return priority <= DRM_SCHED_PRIORITY_HIGH;
#else
	return priority >= DRM_SCHED_PRIORITY_HIGH;
#endif
}

/* A member of drm_sched_init_args since 6.8: how many run queues a scheduler has. Before, one for each priority. */
#ifdef KFDM_HAS_SCHED_NUM_RQS
#define KFDM_SCHED_NUM_RQS	.num_rqs = DRM_SCHED_PRIORITY_COUNT,
#else
#define KFDM_SCHED_NUM_RQS
#endif

/* 6.15 and stable kernels (6.1 between .176 and .192): what a scheduler is made with is a structure. */
#ifndef KFDM_HAS_SCHED_INIT_ARGS
struct drm_sched_init_args {
	const struct drm_sched_backend_ops *ops;
	struct workqueue_struct *submit_wq;
	struct workqueue_struct *timeout_wq;
	u32 num_rqs;
	u32 credit_limit;
	unsigned int hang_limit;
	long timeout;
	atomic_t *score;
	const char *name;
	struct device *dev;
};
#endif

static inline int kfdm_sched_init(struct drm_gpu_scheduler *sched, const struct drm_sched_init_args *args)
{
#if defined(KFDM_HAS_SCHED_INIT_ARGS)
	return drm_sched_init(sched, args);
#elif defined(KFDM_HAS_SCHED_THREAD)
	return drm_sched_init(sched, args->ops, args->credit_limit, args->hang_limit, args->timeout, args->timeout_wq, args->score, args->name,
			      args->dev);
#else
	return drm_sched_init(sched, args->ops, args->submit_wq, args->num_rqs, args->credit_limit, args->hang_limit, args->timeout,
			      args->timeout_wq, args->score, args->name, args->dev);
#endif
}

/* The slot of drm_sched_backend_ops that is asked what else a job waits for: renamed in 6.3. */
#ifdef KFDM_HAS_SCHED_PREPARE_JOB
#define KFDM_SCHED_PREPARE_JOB	prepare_job
#else
#define KFDM_SCHED_PREPARE_JOB	dependency
#endif

/**
 * kfdm_sched_discards() - is drm_sched asking for a dependency of a job that it throws away?
 *
 * Linux 6.1 asks for it then from another thread than the scheduler's own (drm_sched_entity_kill_jobs()), later ones do not ask.
 */
static inline bool kfdm_sched_discards(const struct drm_gpu_scheduler *sched)
{
#ifdef KFDM_HAS_SCHED_THREAD
	return current != sched->thread;
#else
	return false;
#endif
}

/**
 * kfdm_sched_job_init() - drm_sched_job_init() for a job that takes one place on its ring (credits: 6.8, client: 6.17 and stable kernels)
 *
 * @file: NULL: it is the kernel's
 */
static inline int kfdm_sched_job_init(struct drm_sched_job *job, struct drm_sched_entity *entity, void *owner, const struct drm_file *file)
{
#if defined(KFDM_HAS_SCHED_CLIENT_ID)
	return drm_sched_job_init(job, entity, 1, owner, file ? file->client_id : 0);
#elif defined(KFDM_HAS_SCHED_CREDITS)
	return drm_sched_job_init(job, entity, 1, owner);
#else
	return drm_sched_job_init(job, entity, owner);
#endif
}

/** kfdm_sched_job_id() - a number of the job; since 6.17 it has none beside its fence's */
static inline u64 kfdm_sched_job_id(const struct drm_sched_job *job)
{
#ifdef KFDM_HAS_SCHED_JOB_ID
	return job->id;
#else
	return job->s_fence->finished.seqno;
#endif
}

/** kfdm_sched_start() - drm_sched_start() after a reset: jobs whose hardware fence is missing are cancelled */
static inline void kfdm_sched_start(struct drm_gpu_scheduler *sched)
{
#if defined(KFDM_HAS_SCHED_START_RECOVERY)
	drm_sched_start(sched, true);
#elif defined(KFDM_HAS_SCHED_START_ERRNO)
	drm_sched_start(sched, 0);
#else
	drm_sched_start(sched);
#endif
}

/** kfdm_sched_reinsert() - a job that drm_sched took from its list before it called timedout_job() goes back */
static inline void kfdm_sched_reinsert(struct drm_sched_job *job)
{
	struct drm_gpu_scheduler *sched = job->sched;

	spin_lock(&sched->job_list_lock);
	list_add(&job->list, &sched->pending_list);
	spin_unlock(&sched->job_list_lock);
	/* It may have ended while it was out of the list. */
#ifdef KFDM_HAS_SCHED_THREAD
	wake_up_interruptible(&sched->wake_up_worker);
#else
	queue_work(sched->submit_wq, &sched->work_free_job);
#endif
}

/** kfdm_sched_no_hang() - the end of timedout_job() if nothing is wrong with the job. Return: what it returns. */
static inline enum drm_gpu_sched_stat kfdm_sched_no_hang(struct drm_sched_job *job)
{
#ifdef KFDM_HAS_SCHED_NO_HANG
	return DRM_GPU_SCHED_STAT_NO_HANG;	/* drm_sched puts it back itself */
#else
	kfdm_sched_reinsert(job);
	return DRM_GPU_SCHED_STAT_NOMINAL;
#endif
}

/* What timedout_job() returns after a reset: renamed in 6.17. */
#ifdef KFDM_HAS_SCHED_NO_HANG
#define KFDM_SCHED_STAT_RESET	DRM_GPU_SCHED_STAT_RESET
#else
#define KFDM_SCHED_STAT_RESET	DRM_GPU_SCHED_STAT_NOMINAL
#endif

#endif

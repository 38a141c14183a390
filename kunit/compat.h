/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * compat.h - what differs between versions of Linux and only suites see: insides of the kernel's structures that they fake or look into,
 * and KUnit itself. What the driver needs as well is in amdgpu_model/compat, where features finds out what a kernel has.
 */
#ifndef KUNIT_COMPAT_H
#define KUNIT_COMPAT_H

#include <drm/drm_file.h>
#include <drm/drm_syncobj.h>
#include <kunit/test.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernfs.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/rcupdate.h>

#include "amdgpu_model/compat/drm.h"
#include "amdgpu_model/compat/kernel.h"
#include "amdgpu_model/compat/workqueue.h"

/* A generator of parameters, which newer kernels tell the test. Its body follows. */
#ifdef KFDM_HAS_KUNIT_PARAM_TEST
#define KUNIT_GENERATOR(name, last, text)	static const void *name(struct kunit *test, const void *last, char *text)
#else
#define KUNIT_GENERATOR(name, last, text)	static const void *name(const void *last, char *text)
#endif

/* 6.12: struct fd is a word. */
#ifndef EMPTY_FD
#define EMPTY_FD	((struct fd){})
static inline struct fd BORROWED_FD(struct file *file)
{
	return (struct fd){ .file = file };
}
#endif

/* A file that somebody holds once: a count with guards around it since 6.13. file_count() reads both. */
static inline void fake_file_hold(struct file *file)
{
#if __has_include(<linux/file_ref.h>)
	file_ref_init(&file->f_ref, 1);
#else
	atomic_long_set(&file->f_count, 1);
#endif
}

/* Flags of a VMA are read-only since 6.3, so that none is assigned as a whole. */
#ifndef KFDM_HAS_VM_FLAGS_SET
static inline void vm_flags_init(struct vm_area_struct *vma, unsigned long flags)
{
	vma->vm_flags = flags;
}
#endif

static inline void fake_vma_init(struct vm_area_struct *vma, unsigned long start, unsigned long end, unsigned long flags)
{
	memset(vma, 0, sizeof(*vma));
	vma->vm_start = start;
	vma->vm_end = end;
	vm_flags_init(vma, flags);
}

/* The directory of a file: under RCU since 6.15. Whoever calls this holds the file. */
static inline struct kernfs_node *kunit_kernfs_parent(struct kernfs_node *node)
{
#ifdef KFDM_HAS_KERNFS_RCU_PARENT
	return rcu_dereference_raw(node->__parent);
#else
	return node->parent;
#endif
}

/* As device_initialize() does; before it lay in the device, driver_override was under the device's lock. */
static inline void fake_pci_override_init(struct pci_dev *pdev)
{
#ifdef KFDM_HAS_DEVICE_OVERRIDE
	spin_lock_init(&pdev->dev.driver_override.lock);
#else
	mutex_init(&pdev->dev.mutex);
#endif
}

static inline const char *kunit_pci_override(const struct pci_dev *pdev)
{
#ifdef KFDM_HAS_DEVICE_OVERRIDE
	return pdev->dev.driver_override.name;
#else
	return pdev->driver_override;
#endif
}

/* As drm_syncobj_open() and drm_syncobj_release(), which drm keeps for itself. Handles begin with 1. */
#ifdef KFDM_HAS_SYNCOBJ_XARRAY
static inline void fake_syncobjs_init(struct drm_file *file)
{
	xa_init_flags(&file->syncobj_xa, XA_FLAGS_ALLOC1);
}

static inline void fake_syncobjs_fini(struct drm_file *file)
{
	struct drm_syncobj *syncobj;
	unsigned long handle;

	xa_for_each(&file->syncobj_xa, handle, syncobj)
		drm_syncobj_put(syncobj);
	xa_destroy(&file->syncobj_xa);
}
#else
static inline void fake_syncobjs_init(struct drm_file *file)
{
	spin_lock_init(&file->syncobj_table_lock);
	idr_init_base(&file->syncobj_idr, 1);
}

static inline void fake_syncobjs_fini(struct drm_file *file)
{
	struct drm_syncobj *syncobj;
	int handle;

	idr_for_each_entry(&file->syncobj_idr, syncobj, handle)
		drm_syncobj_put(syncobj);
	idr_destroy(&file->syncobj_idr);
}
#endif

/*
 * Who asks for a dependency of a job: the scheduler's thread, or (@thread is NULL) somebody who throws the job away.
 * Return: false: this kernel's scheduler is not a thread, and the latter does not ask.
 */
static inline bool kunit_sched_asks(struct drm_gpu_scheduler *sched, struct task_struct *thread)
{
#ifdef KFDM_HAS_SCHED_THREAD
	sched->thread = thread;
	return true;
#else
	return false;
#endif
}

static inline void kunit_sched_no_work(struct work_struct *work)
{
}

/* What kfdm_sched_reinsert() wakes, in a scheduler that drm_sched_init() has not seen */
static inline void kunit_sched_wake_init(struct drm_gpu_scheduler *sched)
{
#ifdef KFDM_HAS_SCHED_THREAD
	init_waitqueue_head(&sched->wake_up_worker);
#else
	INIT_WORK(&sched->work_free_job, kunit_sched_no_work);
	sched->submit_wq = system_dfl_wq;
#endif
}

static inline void kunit_sched_wake_fini(struct drm_gpu_scheduler *sched)
{
#ifndef KFDM_HAS_SCHED_THREAD
	cancel_work_sync(&sched->work_free_job);
#endif
}

/* What timedout_job() returns if nothing is wrong with the job */
#ifdef KFDM_HAS_SCHED_NO_HANG
#define KUNIT_SCHED_STAT_NO_HANG	DRM_GPU_SCHED_STAT_NO_HANG
#else
#define KUNIT_SCHED_STAT_NO_HANG	DRM_GPU_SCHED_STAT_NOMINAL
#endif

/* As drm_sched_job_timedout(): the job comes out of its list, and goes back since 6.17 if nothing was wrong with it. */
static inline enum drm_gpu_sched_stat kunit_sched_time_out(struct drm_sched_job *job,
							   enum drm_gpu_sched_stat (*timedout)(struct drm_sched_job *job))
{
	enum drm_gpu_sched_stat stat;

	list_del_init(&job->list);
	stat = timedout(job);
#ifdef KFDM_HAS_SCHED_NO_HANG
	if (stat == DRM_GPU_SCHED_STAT_NO_HANG)
		list_add(&job->list, &job->sched->pending_list);
#endif
	return stat;
}

#endif

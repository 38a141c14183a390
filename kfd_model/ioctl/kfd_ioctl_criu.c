// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Checkpoint and restore
 *
 * CRIU_OP, five steps: PROCESS_INFO takes a process's queues off the devices and says how large a checkpoint is; CHECKPOINT writes it;
 * UNPAUSE lets the queues go on. In the process that takes its place RESTORE creates everything again, and when its memory is back, RESUME
 * lets the queues continue where they were. All but the last are called by the process itself or by its tracer (Linux: kfd_chardev.c).
 *
 * Whatever RESTORE has made when it fails belongs to the process and ends with it.
 */
#include <linux/file.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>

#include "kfd_criu.h"
#include "kfd_ioctl.h"
#include "amdgpu_model/compat/workqueue.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/svm/kfd_svm.h"

static int count(struct kfdm_process *p, struct kfdm_criu_counts *counts)
{
	u64 queue_bytes;
	int ret;

	ret = kfdm_criu_count_queues(p, &counts->queues, &queue_bytes);
	if (ret)
		return ret;
	counts->devices = p->n_pdds;
	counts->bos = kfdm_criu_count_bos(p);
	counts->events = kfdm_criu_count_events(p);
	counts->ranges = kfdm_svm_count(p);
	counts->priv_bytes = sizeof(struct kfdm_criu_process) + counts->devices * sizeof(struct kfdm_criu_device) +
			     counts->bos * kfdm_criu_bo_bytes() + queue_bytes +
			     (u64)counts->events * sizeof(struct kfdm_criu_event) + counts->ranges * kfdm_criu_range_bytes(p);
	return 0;
}

static u32 objects(const struct kfdm_criu_counts *counts)
{
	return counts->queues + counts->events + counts->ranges;
}

/* Asked twice Linux takes the queues off twice, and UNPAUSE brings them back only once. */
static int pause(struct kfdm_process *p)
{
	int ret = p->queues_paused ? 0 : kfdm_process_evict_queues(p, KFD_QUEUE_EVICTION_CRIU_CHECKPOINT);

	if (ret == -EIO)	/* counted nevertheless */
		kfdm_process_restore_queues(p);
	p->queues_paused = !ret;
	return ret;
}

static int process_info(struct kfdm_process *p, struct kfd_ioctl_criu_args *args)
{
	struct kfdm_criu_counts counts;
	int ret;

	if (!p->n_pdds)
		return -ENODEV;
	ret = pause(p);
	if (ret)
		return ret;
	args->pid = task_pid_nr_ns(p->lead_thread, task_active_pid_ns(p->lead_thread));
	ret = count(p, &counts);
	if (ret) {
		kfdm_process_restore_queues(p);
		p->queues_paused = false;
		return ret;
	}
	args->num_devices = counts.devices;
	args->num_bos = counts.bos;
	args->num_objects = objects(&counts);
	args->priv_data_size = counts.priv_bytes;
	return 0;
}

static int save_process(struct kfdm_process *p, struct kfdm_criu_data *data)
{
	const struct kfdm_criu_process priv = { KFDM_CRIU_VERSION, p->xnack_enabled };

	return kfdm_criu_put(data, &priv, sizeof(priv));
}

static int save_devices(struct kfdm_process *p, u64 buckets, struct kfdm_criu_data *data)
{
	struct kfdm_criu_data to = { .user = buckets, .size = U64_MAX };
	const struct kfdm_criu_device priv = {};
	int ret = 0;
	u32 i;

	for (i = 0; i < p->n_pdds && !ret; i++) {
		const struct kfd_criu_device_bucket bucket = { p->pdds[i]->user_gpu_id, p->pdds[i]->dev->id };

		ret = kfdm_criu_put(&to, &bucket, sizeof(bucket));
		if (!ret)
			ret = kfdm_criu_put(data, &priv, sizeof(priv));
	}
	return ret;
}

static int save(struct kfdm_process *p, const struct kfd_ioctl_criu_args *args, const struct kfdm_criu_counts *counts)
{
	struct kfdm_criu_data data = { .user = args->priv_data, .size = args->priv_data_size }, bos;
	int ret;

	ret = save_process(p, &data);
	if (!ret)
		ret = save_devices(p, args->devices, &data);
	bos = data;	/* restored before the others, but saved last: descriptors are given out when nothing can fail any more */
	if (!ret)
		ret = kfdm_criu_skip(&data, counts->bos * kfdm_criu_bo_bytes());
	if (!ret)
		ret = kfdm_criu_save_queues(p, &data);
	if (!ret)
		ret = kfdm_criu_save_events(p, counts->events, &data);
	if (!ret)
		ret = kfdm_criu_save_ranges(p, &data);
	return ret ? ret : kfdm_criu_save_bos(p, args->bos, &bos);
}

static int checkpoint(struct kfdm_process *p, const struct kfd_ioctl_criu_args *args)
{
	struct kfdm_criu_counts counts;
	int ret;

	if (!p->n_pdds)
		return -ENODEV;
	if (!p->queues_paused)
		return -EINVAL;
	ret = count(p, &counts);
	if (ret)
		return ret;
	if (counts.devices != args->num_devices || counts.bos != args->num_bos || objects(&counts) != args->num_objects ||
	    counts.priv_bytes != args->priv_data_size)
		return -EINVAL;
	return save(p, args, &counts);
}

/* Queues that there are keep the mode that they run in; their process is refused with its devices. */
static int restore_process(struct kfdm_process *p, struct kfdm_criu_data *data)
{
	struct kfdm_criu_process priv;
	int ret;

	ret = kfdm_criu_get(data, &priv, sizeof(priv));
	if (ret)
		return ret;
	if (priv.version != KFDM_CRIU_VERSION)
		return -EINVAL;
	if (priv.xnack_mode && !kfdm_process_may_retry(p, true))
		return -EPERM;
	if (list_empty(&p->queues))
		p->xnack_enabled = priv.xnack_mode;
	return 0;
}

static int restore_device(struct kfdm_process *p, const struct kfd_criu_device_bucket *bucket)
{
	struct kfdm_process_device *pdd = kfdm_pdd_by_real_id(p, bucket->actual_gpu_id);
	struct file *drm_file;
	int ret;

	if (!bucket->user_gpu_id || !pdd || pdd->drm_file)
		return -EINVAL;
	kfdm_pdd_rename(pdd, bucket->user_gpu_id);
	drm_file = fget(bucket->drm_fd);
	if (!drm_file)
		return -EINVAL;
	ret = kfdm_pdd_acquire_vm(pdd, drm_file);
	fput(drm_file);
	if (ret)
		return -EINVAL;
	ret = kfdm_pdd_bind(pdd);
	return ret ? ret : kfdm_doorbell_slice_get(pdd);
}

static int restore_devices(struct kfdm_process *p, const struct kfd_ioctl_criu_args *args, struct kfdm_criu_data *data)
{
	struct kfdm_criu_data from = { .user = args->devices, .size = U64_MAX };
	struct kfd_criu_device_bucket bucket;
	int ret;
	u32 i;

	if (args->num_devices != p->n_pdds)
		return -EINVAL;
	ret = kfdm_criu_skip(data, args->num_devices * sizeof(struct kfdm_criu_device));
	for (i = 0; i < args->num_devices && !ret; i++) {
		ret = kfdm_criu_get(&from, &bucket, sizeof(bucket));
		if (!ret)
			ret = restore_device(p, &bucket);
	}
	return ret;
}

/* @p->restoring is set as soon as RESUME is what brings the queues back. */
static int restore_all(struct kfdm_process *p, const struct kfd_ioctl_criu_args *args, bool *begun)
{
	struct kfdm_criu_data data = { .user = args->priv_data, .size = args->priv_data_size };
	int ret;

	ret = restore_process(p, &data);
	if (!ret)
		ret = restore_devices(p, args, &data);
	if (ret)
		return ret;
	p->restoring = true;
	*begun = true;
	ret = kfdm_criu_restore_bos(p, args->bos, args->num_bos, &data);
	if (!ret)
		ret = kfdm_criu_restore_objects(p, args->num_objects, &data);
	return !ret && data.offset != data.size ? -EINVAL : ret;
}

/* What fails before there are buffers leaves the queues as they were; with Linux they would stay off for ever. */
static int restore(struct kfdm_process *p, const struct kfd_ioctl_criu_args *args)
{
	bool begun = false;
	int ret;

	ret = kfdm_process_evict_queues(p, KFD_QUEUE_EVICTION_CRIU_RESTORE);
	if (!ret)
		ret = restore_all(p, args, &begun);
	else if (ret != -EIO)
		return ret;	/* nothing is evicted */
	if (ret && !begun)
		kfdm_process_restore_queues(p);
	return ret;
}

static int unpause(struct kfdm_process *p)
{
	int ret;

	if (!p->queues_paused)
		return -EINVAL;
	ret = kfdm_process_restore_queues(p);
	if (!ret)
		p->queues_paused = false;
	return ret;
}

static int resume(struct kfdm_process *p)
{
	int ret;

	ret = kfdm_svm_resume(p);
	if (ret)
		return ret;
	if (!p->restoring)
		return -EINVAL;
	p->restoring = false;
	return kfdm_process_restore_queues(p);
}

/** struct criu_work - @fn with the memory of @p, whoever asks for it */
struct criu_work {
	struct work_struct work;
	struct kfdm_process *p;
	int (*fn)(struct kfdm_process *p);
	int ret;
};

static void with_memory(struct work_struct *work)
{
	struct criu_work *w = container_of(work, struct criu_work, work);
	struct mm_struct *mm = kfdm_process_mm_get(w->p);

	if (!mm)
		return;
	kthread_use_mm(mm);
	mutex_lock(&w->p->mutex);
	if (w->p->mm)
		w->ret = w->fn(w->p);
	mutex_unlock(&w->p->mutex);
	kthread_unuse_mm(mm);
	mmput_async(mm);
}

/* Write pointers and shared memory are looked for in current's memory, and who calls may be another process: Linux's workers do it, too. */
static int as_worker(struct kfdm_process *p, int (*fn)(struct kfdm_process *p))
{
	struct criu_work w = { .p = p, .fn = fn, .ret = -ESRCH };

	INIT_WORK_ONSTACK(&w.work, with_memory);
	queue_work(system_dfl_wq, &w.work);
	flush_work(&w.work);
	destroy_work_on_stack(&w.work);
	return w.ret;
}

/* Referenced. Return: NULL: no such task, or none that uses KFD. */
static struct kfdm_process *process_of_task(u32 id)
{
	struct pid *pid = find_get_pid(id);
	struct task_struct *task = pid ? get_pid_task(pid, PIDTYPE_PID) : NULL;
	struct mm_struct *mm = task ? get_task_mm(task) : NULL;
	struct kfdm_process *p = kfdm_process_by_mm(mm);

	if (mm)
		mmput(mm);
	if (task)
		put_task_struct(task);
	put_pid(pid);
	return p;
}

static int resume_task(u32 id)
{
	struct kfdm_process *target = process_of_task(id);
	int ret;

	if (!target)
		return -ESRCH;
	ret = as_worker(target, resume);
	kfdm_process_put(target);
	return ret;
}

static int locked(struct kfdm_process *p, struct kfd_ioctl_criu_args *args)
{
	if (!p->mm)
		return -ESRCH;	/* who traces it has it still, but it has nothing any more */
	switch (args->op) {
	case KFD_CRIU_OP_PROCESS_INFO:
		return process_info(p, args);
	case KFD_CRIU_OP_CHECKPOINT:
		return checkpoint(p, args);
	default:
		return restore(p, args);
	}
}

/* Arguments that no process could do anything with. A tracer's memory and files would be restored in its own place. */
static int check(const struct kfdm_process *p, const struct kfd_ioctl_criu_args *args)
{
	switch (args->op) {
	case KFD_CRIU_OP_CHECKPOINT:
		return args->devices && args->bos && args->priv_data ? 0 : -EINVAL;
	case KFD_CRIU_OP_RESTORE:
		if ((args->num_bos && !args->bos) || !args->devices || !args->priv_data || !args->priv_data_size || !args->num_devices)
			return -EINVAL;
		return READ_ONCE(p->mm) == current->mm ? 0 : -EBADF;
	default:
		return args->op <= KFD_CRIU_OP_RESUME ? 0 : -EINVAL;
	}
}

/**
 * kfdm_ioctl_criu() - CRIU_OP
 * @p:    process of the file
 * @data: in and out
 *
 * Return: 0, -EINVAL: no such operation, or its numbers are not what PROCESS_INFO has said, or its data are no checkpoint; -ESRCH: no such
 * process; -ENODEV: it uses no device; -EBADF: RESTORE of another process; -EPERM: its devices do not retry faults; or what is said where
 * buffers, queues and events are saved and restored.
 */
int kfdm_ioctl_criu(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_criu_args *args = data;
	int ret = check(p, args);

	if (ret)
		return ret;
	if (args->op == KFD_CRIU_OP_RESUME)
		return resume_task(args->pid);
	if (args->op == KFD_CRIU_OP_UNPAUSE)
		return as_worker(p, unpause);
	kfdm_svm_catch_up(p);
	mutex_lock(&p->mutex);
	ret = locked(p, args);
	mutex_unlock(&p->mutex);
	return ret;
}

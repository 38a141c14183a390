// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Eviction
 *
 * When memory that a process's queues may touch moves, the queues must leave the hardware first. Three ways lead here: a user
 * page changes (quiesce and resume, from MMU notifiers), buffers must leave VRAM (evict now, restore by a worker later), and
 * a reset of the GPU (evict for good), or its suspension (until it is resumed). Evictions nest (Linux: kfd_process.c, kfd_device.c).
 */
#include <linux/delay.h>
#include <linux/pid.h>

#include "amdgpu_model/compat/workqueue.h"
#include "uapi/kfd_ioctl.h"

#include "kfd_process.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/events/kfd_smi.h"

#define RESTORE_AFTER_MS	100	/* PROCESS_RESTORE_TIME_MS */
#define BACK_OFF_MS		100	/* PROCESS_BACK_OFF_TIME_MS */
#define USERPTR_RESTORE_US	1000	/* AMDGPU_USERPTR_RESTORE_DELAY_MS */
#define ACTIVE_AT_LEAST_MS	10	/* PROCESS_ACTIVE_TIME_MS */

static struct workqueue_struct *restore_wq;

/**
 * kfdm_process_evict_queues() - take all queues off all devices
 * @p:       process
 * @trigger: KFD_QUEUE_EVICTION_TRIGGER_*, for SMI events
 *
 * May be called from an MMU notifier. Return: 0; on an error other than -EIO (the device is being reset) nothing is evicted.
 */
int kfdm_process_evict_queues(struct kfdm_process *p, u32 trigger)
{
	u32 i;
	int ret, last = 0;

	for (i = 0; i < p->n_pdds; i++) {
		struct kfdm_process_device *pdd = p->pdds[i];

		kfdm_smi_queue_eviction(pdd->dev, p, trigger);
		ret = kfdm_dqm_evict(pdd->dev->dqm, &pdd->qpd);
		if (ret)
			last = ret;
		/* The device of the failure counts its eviction, too. */
		if (ret && ret != -EIO)
			goto undo;
	}
	return last;
undo:
	do
		kfdm_dqm_restore(p->pdds[i]->dev->dqm, &p->pdds[i]->qpd);
	while (i-- > 0);
	return last;
}

/** kfdm_process_restore_queues() - undo one kfdm_process_evict_queues(). Return: the last error */
int kfdm_process_restore_queues(struct kfdm_process *p)
{
	u32 i;
	int ret, last = 0;

	for (i = 0; i < p->n_pdds; i++) {
		struct kfdm_process_device *pdd = p->pdds[i];

		kfdm_smi_queue_restore(pdd->dev, p, false);
		ret = kfdm_dqm_restore(pdd->dev->dqm, &pdd->qpd);
		if (ret)
			last = ret;
	}
	return last;
}

/** struct mm_call - for all contexts of an mm: @trigger: why; @ret: the first error */
struct mm_call {
	u32 trigger;
	int ret;
};

static void quiesce(struct kfdm_process *p, void *data)
{
	struct mm_call *call = data;
	int ret;

	WARN(amdm_kfd_param.debug_evictions, "Evicting pasid 0x%x\n", p->pasid);
	ret = kfdm_process_evict_queues(p, call->trigger);
	call->ret = call->ret ?: ret;
}

/**
 * kfdm_quiesce_mm() - user pages of an mm are about to change
 * @mm:      its
 * @trigger: why
 *
 * Context: MMU notifier. Return: 0, -ESRCH, or an error of eviction.
 */
int kfdm_quiesce_mm(struct mm_struct *mm, u32 trigger)
{
	struct mm_call call = { .trigger = trigger };

	return kfdm_processes_of_mm(mm, quiesce, &call) ? call.ret : -ESRCH;
}

static void resume(struct kfdm_process *p, void *data)
{
	struct mm_call *call = data;
	int ret = kfdm_process_restore_queues(p);

	call->ret = call->ret ?: ret;
}

/** kfdm_resume_mm() - undo one kfdm_quiesce_mm(). Return: 0, -ESRCH, or an error of restoring */
int kfdm_resume_mm(struct mm_struct *mm)
{
	struct mm_call call = {};

	return kfdm_processes_of_mm(mm, resume, &call) ? call.ret : -ESRCH;
}

/* No queue runs any more: the buffers of all devices may go. */
static void tell_evicted(struct kfdm_process *p)
{
	u32 i;

	for (i = 0; i < p->n_pdds; i++)
		if (READ_ONCE(p->pdds[i]->vm))
			kfdm_kgd->vm_evicted(p->pdds[i]->dev->adev, p->pdds[i]->vm);
}

/* On an error some devices have theirs; they may go again, since no queue runs. */
static int restore_buffers(struct kfdm_process *p)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < p->n_pdds && !ret; i++)
		if (READ_ONCE(p->pdds[i]->vm))
			ret = kfdm_kgd->vm_restore(p->pdds[i]->dev->adev, p->pdds[i]->vm);
	if (ret)
		tell_evicted(p);
	return ret;
}

/* Both works run in one ordered queue: never at the same time. */
static void eviction_work(struct work_struct *work)
{
	struct kfdm_process *p = container_of(to_delayed_work(work), struct kfdm_process, eviction_work);

	if (p->evicted_for_room)
		return;		/* its buffers have not come back yet, and go on trying */
	if (kfdm_process_evict_queues(p, KFD_QUEUE_EVICTION_TRIGGER_TTM)) {
		atomic_set(&p->eviction_scheduled, 0);
		return;
	}
	p->evicted_for_room = true;
	tell_evicted(p);
	queue_delayed_work(restore_wq, &p->restore_work, msecs_to_jiffies(RESTORE_AFTER_MS));
}

static void restore_work(struct work_struct *work)
{
	struct kfdm_process *p = container_of(to_delayed_work(work), struct kfdm_process, restore_work);

	/* Before the buffers are back: they may be wanted again at once. */
	p->last_restore = jiffies;
	atomic_set(&p->eviction_scheduled, 0);
	if (restore_buffers(p)) {
		queue_delayed_work(restore_wq, &p->restore_work, msecs_to_jiffies(BACK_OFF_MS));
		return;
	}
	p->evicted_for_room = false;
	kfdm_process_restore_queues(p);
}

static void evict_soon(struct kfdm_process *p, void *data)
{
	unsigned long active_until, delay = 0;

	if (!atomic_xchg(&p->eviction_scheduled, 1)) {
		active_until = p->last_restore + msecs_to_jiffies(ACTIVE_AT_LEAST_MS);
		if (time_before(jiffies, active_until))
			delay = active_until - jiffies;
		queue_delayed_work(restore_wq, &p->eviction_work, delay);
	}
}

/**
 * kfdm_evict_and_restore() - a buffer of a process has to move
 * @mm: its
 *
 * Evicts soon (a process runs for ACTIVE_AT_LEAST_MS between evictions) and restores later, all contexts of the process: nobody says which
 * of them has the buffer. Context: any.
 */
void kfdm_evict_and_restore(struct mm_struct *mm)
{
	kfdm_processes_of_mm(mm, evict_soon, NULL);
}

static void userptr_work(struct work_struct *work)
{
	struct kfdm_process *p = container_of(work, struct kfdm_process, userptr_work);
	int ret = kfdm_process_evict_queues(p, KFD_QUEUE_EVICTION_TRIGGER_USERPTR);

	if (ret && ret != -EIO)
		return;
	usleep_range(USERPTR_RESTORE_US, 2 * USERPTR_RESTORE_US);
	kfdm_process_restore_queues(p);
}

/**
 * kfdm_userptr_invalidated() - user pages that the GPU had have gone
 * @mm: its
 *
 * They come back when the GPU touches them. amdkfd must have the queues off the hardware before it lets the pages go; here that
 * would wait, under mmap_lock, for page faults of the queues' own save areas, so eviction follows at once instead. Context: any.
 */
void kfdm_userptr_invalidated(struct mm_struct *mm)
{
	struct kfdm_process *p = kfdm_process_by_mm(mm);

	if (!p)
		return;
	queue_work(system_dfl_wq, &p->userptr_work);
	kfdm_process_put(p);
}

/** kfdm_migration() - shared memory begins to move, or is done: monitors are told, see kfd_bridge.h */
void kfdm_migration(void *kfd, struct mm_struct *mm, const struct kfd_bridge_migration *what)
{
	struct kfdm_process *p = kfdm_process_by_mm(mm);

	if (!p)
		return;
	kfdm_smi_migration(kfd, p, what);
	kfdm_process_put(p);
}

/** kfdm_pages_moved() - shared memory has moved: it is counted, see kfd_bridge.h */
void kfdm_pages_moved(void *kfd, struct mm_struct *mm, u64 in, u64 out)
{
	struct kfdm_process *p = kfdm_process_by_mm(mm);
	u32 i;

	if (!p)
		return;
	for (i = 0; i < p->n_pdds; i++) {
		if (p->pdds[i]->dev != kfd)
			continue;
		atomic64_add(in, &p->pdds[i]->page_in);
		atomic64_add(out, &p->pdds[i]->page_out);
	}
	kfdm_process_put(p);
}

static void suspend_process(struct kfdm_process *p, void *data)
{
	if (cancel_delayed_work_sync(&p->eviction_work))
		atomic_set(&p->eviction_scheduled, 0);
	flush_delayed_work(&p->restore_work);
	kfdm_process_evict_queues(p, KFD_QUEUE_EVICTION_TRIGGER_SUSPEND);
}

/** kfdm_suspend_all_processes() - before a reset: all queues leave, and stay away */
void kfdm_suspend_all_processes(void)
{
	kfdm_processes_for_each(suspend_process, NULL);
}

static void put_to_sleep(struct kfdm_process *p, void *data)
{
	suspend_process(p, data);
	p->sleeps = true;
}

/** kfdm_put_all_processes_to_sleep() - before the machine sleeps: all queues leave until kfdm_wake_all_processes() */
void kfdm_put_all_processes_to_sleep(void)
{
	kfdm_processes_for_each(put_to_sleep, NULL);
}

static void wake(struct kfdm_process *p, void *data)
{
	if (!p->sleeps)
		return;
	p->sleeps = false;
	if (kfdm_process_restore_queues(p))
		pr_err("kfd_model: Restore process %d failed during resume\n", pid_nr(p->tgid));
}

/** kfdm_wake_all_processes() - undo kfdm_put_all_processes_to_sleep(); all devices work again */
void kfdm_wake_all_processes(void)
{
	kfdm_processes_for_each(wake, NULL);
}

/** kfdm_eviction_init() - of a new process */
void kfdm_eviction_init(struct kfdm_process *p)
{
	INIT_DELAYED_WORK(&p->eviction_work, eviction_work);
	INIT_DELAYED_WORK(&p->restore_work, restore_work);
	INIT_WORK(&p->userptr_work, userptr_work);
	p->last_restore = jiffies;
}

/** kfdm_eviction_cancel() - of a process whose mm has ended */
void kfdm_eviction_cancel(struct kfdm_process *p)
{
	cancel_delayed_work_sync(&p->eviction_work);
	cancel_delayed_work_sync(&p->restore_work);
	cancel_work_sync(&p->userptr_work);
}

/** kfdm_eviction_module_init() - Return: 0, -ENOMEM */
int kfdm_eviction_module_init(void)
{
	restore_wq = alloc_ordered_workqueue("kfd_restore_wq", 0);
	return restore_wq ? 0 : -ENOMEM;
}

/** kfdm_eviction_module_fini() - undo it */
void kfdm_eviction_module_fini(void)
{
	destroy_workqueue(restore_wq);
}

/** kfdm_evict_pasid() - evict the process that faulted from a device, for good. Return: 0, -EINVAL: no such process, or hardware's */
int kfdm_evict_pasid(struct kfdm_device *dev, u32 pasid)
{
	struct kfdm_process *p = kfdm_process_by_pasid(pasid);
	struct kfdm_process_device *pdd;
	int ret = 0;

	if (!p)
		return -EINVAL;
	WARN(amdm_kfd_param.debug_evictions, "Evicting pasid 0x%x\n", pasid);
	pdd = kfdm_pdd_by_dev(p, dev);
	if (pdd)
		ret = kfdm_dqm_evict(dev->dqm, &pdd->qpd);
	kfdm_process_put(p);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: A process and all its queues on a device
 *
 * It comes with its first queue, is evicted and restored, changes what holds for all queues, and leaves. One queue at a time:
 * kfd_dqm.c.
 */
#include "kfd_dqm.h"

#include "kfd_model/base/kfd_trace.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"

/**
 * kfdm_dqm_register() - a process gets its first queue on the device
 * @dqm: scheduler
 * @qpd: the process; no-op when registered already
 */
void kfdm_dqm_register(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	struct kfdm_process_device *pdd = kfdm_qpd_pdd(qpd);
	const struct kfdm_sh_mem_inputs in = kfdm_dqm_sh_mem_inputs(qpd);

	kfdm_dqm_lock(dqm);
	if (!qpd->registered) {
		list_add(&qpd->link, &dqm->qpds);
		qpd->registered = true;
		qpd->map.xnack = in.xnack;
		qpd->map.exec_cleaner_shader = dqm->dev->facts.isolates_processes;
		qpd->map.page_table_base = kfdm_kgd->vm_page_table_base(pdd->vm);
		if (dqm->dev->chip->asic->update_qpd)
			dqm->dev->chip->asic->update_qpd(&qpd->map, &in);
		dqm->processes_count++;
	}
	kfdm_dqm_unlock(dqm);
}

static void unregister_locked(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	if (!qpd->registered)
		return;
	list_del(&qpd->link);
	qpd->registered = false;
	dqm->processes_count--;
}

/** kfdm_dqm_unregister() - undo kfdm_dqm_register(): the last queue has gone */
void kfdm_dqm_unregister(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	kfdm_dqm_lock(dqm);
	unregister_locked(dqm, qpd);
	kfdm_dqm_unlock(dqm);
}

/** kfdm_dqm_set_cache_policy() - SET_MEMORY_POLICY. Return: false: refused */
bool kfdm_dqm_set_cache_policy(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd,
			       const struct kfd_ioctl_set_memory_policy_args *args)
{
	const struct kfdm_cache_policy policy = {
		.default_coherent = args->default_policy == KFD_IOC_CACHE_POLICY_COHERENT,
		.alternate_coherent = args->alternate_policy == KFD_IOC_CACHE_POLICY_COHERENT,
		.alternate_base = args->alternate_aperture_base,
		.alternate_size = args->alternate_aperture_size,
	};
	const struct kfdm_asic_ops *asic = dqm->dev->chip->asic;
	struct kfdm_sh_mem_inputs in = kfdm_dqm_sh_mem_inputs(qpd);
	bool ok;

	in.high_precision = args->misc_process_flag & KFD_PROC_FLAG_MFMA_HIGH_PRECISION;
	if (!kfdm_asic_has_cache_policy(asic))
		return true;
	kfdm_dqm_lock(dqm);
	ok = kfdm_asic_set_cache_policy(asic, &qpd->map, &in, &policy);
	/* 7.2 has the test the wrong way round: a running process never gets its new policy. */
	if (ok == kfdm_abi->policy_reaches_registers)
		dqm->ops->policy_changed(dqm, qpd);
	kfdm_dqm_unlock(dqm);
	return ok;
}

/**
 * kfdm_dqm_evict() - take a process's queues off the device; counted
 * @dqm: scheduler
 * @qpd: process
 *
 * May be called from an MMU notifier. Return: 0 or the first error of the hardware (the eviction counts nevertheless).
 */
int kfdm_dqm_evict(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	struct kfdm_queue *q;
	int ret, first = 0;

	kfdm_dqm_lock(dqm);
	trace_queue_evict(dqm->dev->id, qpd->map.pasid, qpd->evicted + 1);
	if (qpd->evicted++ > 0)
		goto unlock;
	kfdm_qpd_pdd(qpd)->evict_start = get_jiffies_64();
	list_for_each_entry(q, &qpd->queues, qpd_link) {
		q->properties.is_evicted = true;
		if (!q->properties.is_active)
			continue;
		kfdm_dqm_count_active(dqm, qpd, &q->properties, -1);
		q->properties.is_active = false;
		ret = dqm->ops->evict_queue(dqm, qpd, q);
		first = first ? first : ret;
		if (ret && dqm->ops->ends_at_error)
			goto unlock;
	}
	ret = dqm->ops->evicted(dqm, qpd);
	first = first ? first : ret;
unlock:
	kfdm_dqm_unlock(dqm);
	return first;
}

/**
 * kfdm_dqm_restore() - undo one kfdm_dqm_evict()
 * @dqm: scheduler
 * @qpd: process
 *
 * Return: 0 or the first error of the hardware (the eviction is undone nevertheless, unless the error ends it).
 */
int kfdm_dqm_restore(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	struct kfdm_process_device *pdd = kfdm_qpd_pdd(qpd);
	struct kfdm_queue *q;
	int ret, first = 0;

	kfdm_dqm_lock(dqm);
	trace_queue_restore(dqm->dev->id, qpd->map.pasid, qpd->evicted);
	if (qpd->evicted != 1) {
		qpd->evicted -= !!qpd->evicted;
		goto unlock;
	}
	if (pdd->vm)
		qpd->map.page_table_base = kfdm_kgd->vm_page_table_base(pdd->vm);
	dqm->ops->restoring(dqm, qpd);
	list_for_each_entry(q, &qpd->queues, qpd_link) {
		q->properties.is_evicted = false;
		if (!kfdm_queue_wants_to_run(&q->properties))
			continue;
		q->properties.is_active = true;
		kfdm_dqm_count_active(dqm, qpd, &q->properties, 1);
		ret = dqm->ops->restore_queue(dqm, qpd, q);
		first = first ? first : ret;
		if (ret && dqm->ops->ends_at_error)
			goto unlock;
	}
	ret = dqm->ops->restored(dqm, qpd);
	first = first ? first : ret;
	qpd->evicted = 0;
	atomic64_add(get_jiffies_64() - pdd->evict_start, &pdd->evicted_jiffies);
unlock:
	kfdm_dqm_unlock(dqm);
	return first;
}

/**
 * kfdm_dqm_terminate() - a process leaves the device with all its queues
 * @dqm: scheduler
 * @qpd: process
 *
 * The queues stay with their process. If the hardware did not let go, so do their descriptors, until it has been reset.
 * Return: 0 or the hardware's error.
 */
int kfdm_dqm_terminate(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	struct kfdm_queue *q, *next;
	int ret, last = 0;
	LIST_HEAD(gone);

	kfdm_dqm_lock(dqm);
	list_for_each_entry_safe(q, next, &qpd->queues, qpd_link) {
		kfdm_dqm_sdma_put(dqm, &q->properties);
		if (q->properties.is_active)
			kfdm_dqm_count_active(dqm, qpd, &q->properties, -1);
		dqm->total_queue_count--;
		qpd->map.queue_count--;
		list_move(&q->qpd_link, &gone);
		ret = dqm->ops->terminate_queue(dqm, qpd, q);
		last = ret ? ret : last;
		q->properties.is_active = false;
		trace_queue_destroy(KFDM_TRACED(dqm, qpd, &q->properties));
	}
	unregister_locked(dqm, qpd);
	ret = dqm->ops->terminated(dqm, qpd);
	kfdm_dqm_unlock(dqm);

	ret = ret ? ret : last;
	list_for_each_entry_safe(q, next, &gone, qpd_link) {
		list_del_init(&q->qpd_link);
		if (!ret)
			kfdm_mqd_mem_put(dqm->dev, &q->mqd);
	}
	return ret;
}

/**
 * kfdm_dqm_reset_queues() - reset a process's queues whatever they do
 * @dqm:   scheduler
 * @pasid: process
 *
 * Return: 0, -EOPNOTSUPP without firmware scheduling, or the hardware's error.
 */
int kfdm_dqm_reset_queues(struct kfdm_dqm *dqm, u32 pasid)
{
	int ret;

	kfdm_dqm_lock(dqm);
	ret = dqm->ops->reset_queues(dqm, pasid);
	kfdm_dqm_unlock(dqm);
	return ret;
}

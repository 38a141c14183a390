// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Device queue manager
 *
 * The scheduler's front end on a device: which queues there are, which may run, their descriptors; a process with all its queues is in
 * kfd_dqm_process.c. How the hardware is told is the business of an ops table: through run lists and firmware (kfd_dqm_cpsch.c), queue
 * by queue through the MES (kfd_dqm_mes.c), or register by register (kfd_dqm_nocpsch.c). What is here is common to all
 * (Linux: kfd_device_queue_manager.c).
 *
 * Queues that are evicted, switched off or without a ring exist, but are not active: only active ones reach the hardware.
 */
#include "kfd_dqm.h"

#include <linux/slab.h>

#include "kfd_model/base/kfd_trace.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"

static void hw_exception_work(struct work_struct *work)
{
	struct kfdm_dqm *dqm = container_of(work, struct kfdm_dqm, hw_exception_work);

	kfdm_kgd->gpu_reset(dqm->dev->adev);
}

static const struct kfdm_dqm_ops *ops_of_policy(const struct kfdm_device *dev, enum kfdm_sched_policy policy)
{
	switch (policy) {
	case KFDM_SCHED_POLICY_HWS:
	case KFDM_SCHED_POLICY_HWS_NO_OVERSUBSCRIPTION:
		return dev->facts.enable_mes ? &kfdm_dqm_mes : &kfdm_dqm_cpsch;
	case KFDM_SCHED_POLICY_NO_HWS:
		return &kfdm_dqm_nocpsch;
	}
	pr_err("kfd_model: Invalid scheduling policy %d\n", policy);
	return NULL;
}

/* Some chips have no firmware scheduler, or none that could take running waves off (device_queue_manager_init). */
static enum kfdm_sched_policy policy_of(const struct kfdm_device *dev)
{
	return dev->chip->no_hws ? KFDM_SCHED_POLICY_NO_HWS : amdm_kfd_param.sched_policy;
}

/**
 * kfdm_dqm_create() - a device's scheduler, not yet running
 * @dev: device with chip, memory and doorbells
 *
 * Return: NULL without memory, or for a policy that does not exist.
 */
struct kfdm_dqm *kfdm_dqm_create(struct kfdm_device *dev)
{
	enum kfdm_sched_policy policy = policy_of(dev);
	const struct kfdm_dqm_ops *ops = ops_of_policy(dev, policy);
	u32 per_engine = dev->info.sdma_queues_per_engine;
	struct kfdm_dqm *dqm;

	if (!ops)
		return NULL;
	dqm = kzalloc(sizeof(*dqm), GFP_KERNEL);
	if (!dqm)
		return NULL;
	dqm->ops = ops;
	dqm->dev = dev;
	dqm->sched_policy = policy;
	kfdm_sdma_ids(dqm->sdma_bitmap, dev->info.sdma_engines, per_engine, dev->info.reserved_sdma_queues);
	kfdm_sdma_ids(dqm->xgmi_sdma_bitmap, dev->info.xgmi_sdma_engines, per_engine, dev->info.reserved_xgmi_sdma_queues);
	mutex_init(&dqm->mutex);
	INIT_LIST_HEAD(&dqm->qpds);
	INIT_WORK(&dqm->hw_exception_work, hw_exception_work);
	if (kfdm_mqd_array_init(dev, &dqm->mqds))
		goto free;
	if (ops->init(dqm))
		goto fini_array;
	return dqm;

fini_array:
	kfdm_mqd_array_fini(dev, &dqm->mqds);
free:
	kfree(dqm);
	return NULL;
}

/** kfdm_dqm_destroy() - undo kfdm_dqm_create(); stopped, without queues */
void kfdm_dqm_destroy(struct kfdm_dqm *dqm)
{
	WARN_ON(dqm->total_queue_count || dqm->processes_count);
	cancel_work_sync(&dqm->hw_exception_work);
	kfdm_mqd_array_fini(dqm->dev, &dqm->mqds);
	mutex_destroy(&dqm->mutex);
	kfree(dqm);
}

/** kfdm_dqm_start() - run what is active. Return: 0 or the error of connecting to the hardware */
int kfdm_dqm_start(struct kfdm_dqm *dqm)
{
	int ret;

	kfdm_dqm_lock(dqm);
	ret = dqm->ops->start(dqm);
	kfdm_dqm_unlock(dqm);
	return ret;
}

/** kfdm_dqm_stop() - take everything off the hardware */
void kfdm_dqm_stop(struct kfdm_dqm *dqm)
{
	kfdm_dqm_lock(dqm);
	if (dqm->sched_running)
		dqm->ops->stop(dqm, dqm->is_hws_hang || dqm->is_resetting);
	dqm->sched_running = false;
	kfdm_dqm_unlock(dqm);
}

/** kfdm_dqm_pre_reset() - from here on the hardware is not talked to until the next start */
void kfdm_dqm_pre_reset(struct kfdm_dqm *dqm)
{
	kfdm_dqm_lock(dqm);
	dqm->is_resetting = true;
	kfdm_dqm_unlock(dqm);
}

static int reserve_locked(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	int ret;

	if (dqm->total_queue_count >= amdm_kfd_param.max_num_of_queues_per_device) {
		pr_warn_ratelimited("kfd_model: Can't create new usermode queue because %u queues were already created\n",
				    dqm->total_queue_count);
		return -EPERM;
	}
	ret = dqm->ops->reserve(dqm, qpd, q);
	if (ret || !kfdm_queue_is_sdma(&q->properties))
		return ret;
	ret = kfdm_dqm_sdma_get(dqm, &q->properties, q->saved ? &q->saved->sdma_id : NULL);
	if (ret)
		dqm->ops->release(dqm, qpd, q);
	return ret;
}

/* Count the queue and give it its place, before memory is allocated without the lock. */
static int reserve(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	int ret;

	kfdm_dqm_lock(dqm);
	ret = reserve_locked(dqm, qpd, q);
	if (!ret)
		dqm->total_queue_count++;
	kfdm_dqm_unlock(dqm);
	return ret;
}

static void unreserve(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	kfdm_dqm_lock(dqm);
	kfdm_dqm_sdma_put(dqm, &q->properties);
	dqm->ops->release(dqm, qpd, q);
	dqm->total_queue_count--;
	kfdm_dqm_unlock(dqm);
}

static int add_queue(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	int ret = 0;

	kfdm_dqm_lock(dqm);
	q->properties.is_evicted = qpd->evicted;
	kfdm_dqm_fill_mqd(dqm, q);
	list_add(&q->qpd_link, &qpd->queues);
	qpd->map.queue_count++;
	if (q->properties.is_active) {
		kfdm_dqm_count_active(dqm, qpd, &q->properties, 1);
		ret = dqm->ops->load(dqm, qpd, q);
		if (ret) {
			kfdm_dqm_count_active(dqm, qpd, &q->properties, -1);
			qpd->map.queue_count--;
			list_del_init(&q->qpd_link);
		}
	}
	kfdm_dqm_unlock(dqm);
	return ret;
}

/**
 * kfdm_dqm_create_queue() - a new user queue
 * @dqm: scheduler
 * @qpd: its process, registered
 * @q:   queue with its properties
 *
 * Context: process's mutex. Return: 0, -EPERM at the device's limit, -ENOMEM, -EBUSY without a doorbell or HQD slot, -ENOSPC
 * without a VMID, -EIO and -ETIME by the hardware; of a restored queue also -EINVAL and -EBUSY: it cannot have its old ids, -EOPNOTSUPP.
 */
int kfdm_dqm_create_queue(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	struct kfdm_process_device *pdd = kfdm_qpd_pdd(qpd);
	const struct kfdm_sh_mem_inputs in = kfdm_dqm_sh_mem_inputs(qpd);
	int ret;

	ret = reserve(dqm, qpd, q);
	if (ret)
		return ret;
	ret = kfdm_doorbell_id_get(pdd, q);
	if (ret)
		goto unreserve;
	ret = kfdm_dqm_check_restore(dqm, q);
	if (ret)
		goto put_doorbell;
	if (kfdm_queue_is_sdma(&q->properties))
		q->properties.sdma_vm_addr = dqm->dev->chip->asic->sdma_vm_addr(&in);
	q->properties.tba_addr = qpd->map.tba_addr;
	q->properties.tma_addr = qpd->map.tma_addr;
	ret = kfdm_mqd_mem_get(dqm->dev, &dqm->mqds, &q->properties, &q->mqd);
	if (ret)
		goto put_doorbell;
	ret = add_queue(dqm, qpd, q);
	if (ret)
		goto put_mqd;
	trace_queue_create(KFDM_TRACED(dqm, qpd, &q->properties));
	return 0;

put_mqd:
	kfdm_mqd_mem_put(dqm->dev, &q->mqd);
put_doorbell:
	kfdm_doorbell_id_put(pdd, q);
unreserve:
	unreserve(dqm, qpd, q);
	return ret;
}

/* What an SDMA queue of current's process has counted; 0: no SDMA queue, or not readable. */
static u64 sdma_activity(const struct kfdm_queue *q)
{
	const u64 __user *at = kfdm_sdma_counter(q);
	u64 counter = 0;

	return at && !get_user(counter, at) ? counter : 0;
}

/**
 * kfdm_dqm_destroy_queue() - a user queue goes
 * @dqm: scheduler
 * @qpd: its process
 * @q:   queue
 *
 * Context: process's mutex. Return: 0, -EBUSY: the queue stays; -ETIME, -EIO: it is gone, but the hardware did not let go.
 */
int kfdm_dqm_destroy_queue(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	struct kfdm_process_device *pdd = kfdm_qpd_pdd(qpd);
	const u64 activity = sdma_activity(q);
	int ret = 0;

	kfdm_dqm_lock(dqm);
	if (qpd->map.is_debug) {
		kfdm_dqm_unlock(dqm);
		return -EBUSY;
	}
	kfdm_dqm_sdma_put(dqm, &q->properties);
	list_del_init(&q->qpd_link);
	if (!kfdm_abi->counts_until_unmapped)
		qpd->map.queue_count--;
	if (q->properties.is_active && dqm->ops->counts_destroyed)
		trace_queue_unmap(KFDM_TRACED(dqm, qpd, &q->properties));
	else if (q->properties.is_active)
		kfdm_dqm_count_active(dqm, qpd, &q->properties, -1);
	dqm->leaving = q;
	ret = dqm->ops->unload(dqm, qpd, q);
	dqm->leaving = NULL;
	if (kfdm_abi->counts_until_unmapped)
		qpd->map.queue_count--;
	dqm->total_queue_count--;
	trace_queue_destroy(KFDM_TRACED(dqm, qpd, &q->properties));
	kfdm_dqm_unlock(dqm);

	pdd->sdma_past_activity += activity;
	kfdm_doorbell_id_put(pdd, q);
	kfdm_mqd_mem_put(dqm->dev, &q->mqd);
	return ret;
}

/* GWS may have been given or taken since the last update; of a queue that comes or goes itself, the next one sees it. */
static void follow_gws(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	struct kfdm_queue_properties *p = &q->properties;

	if (q->owns_gws == p->is_gws)
		return;
	p->is_gws = q->owns_gws;
	if (!p->is_active)
		return;
	dqm->gws_queue_count += p->is_gws ? 1 : -1;
	qpd->map.mapped_gws_queue = p->is_gws;
}

static void apply_update(struct kfdm_dqm *dqm, struct kfdm_queue *q, const struct kfdm_cu_mask *mask)
{
	const struct kfdm_mqd_ops *mqd = &dqm->dev->chip->mqd[q->mqd.type];
	struct kfdm_qpd *qpd = &q->pdd->qpd;
	struct kfdm_queue_properties *p = &q->properties;
	bool was_active = p->is_active;

	mqd->update(mqd, &dqm->dev->mqd_env, q->mqd.mqd, p, mask);
	if (p->is_active != was_active)
		kfdm_dqm_count_active(dqm, qpd, p, p->is_active ? 1 : -1);
	else
		follow_gws(dqm, qpd, q);
}

/* Also of a queue that then cannot be taken off (Linux: pqm_update_queue_properties). */
static void take_properties(struct kfdm_queue_properties *p, const struct kfdm_queue_properties *new)
{
	p->queue_address = new->queue_address;
	p->queue_size = new->queue_size;
	p->queue_percent = new->queue_percent;
	p->priority = new->priority;
	p->pm4_target_xcc = new->pm4_target_xcc;
}

static int update_locked(struct kfdm_dqm *dqm, struct kfdm_queue *q, const struct kfdm_queue_properties *new,
			 const struct kfdm_cu_mask *mask)
{
	int ret;

	if (new)
		take_properties(&q->properties, new);
	ret = dqm->ops->before_update(dqm, q);
	if (q->pdd->qpd.has_reset_queue)
		ret = -EACCES;
	if (ret)
		return ret;
	apply_update(dqm, q, mask);
	return dqm->ops->after_update(dqm, q);
}

/**
 * kfdm_dqm_update_queue() - change a queue while it may be running
 * @dqm:  scheduler
 * @q:    queue
 * @new:  ring, percentage, priority; NULL: as they are
 * @mask: CU mask; NULL: as it is
 *
 * Context: process's mutex. Return: 0, or the hardware's error; if it could not be taken off, its descriptor has not changed; -EACCES: a
 * queue of the process has been reset, or it had queues when the firmware hung.
 */
int kfdm_dqm_update_queue(struct kfdm_dqm *dqm, struct kfdm_queue *q, const struct kfdm_queue_properties *new,
			  const struct kfdm_cu_mask *mask)
{
	int ret;

	kfdm_dqm_lock(dqm);
	ret = update_locked(dqm, q, new, mask);
	kfdm_dqm_unlock(dqm);
	return ret;
}

/**
 * kfdm_dqm_count_performance() - the performance counters count what all queues do, or no longer
 * @dqm: scheduler
 * @on:  do they
 *
 * 7.2's set_perfcount() takes the lock once more for each queue and never ends if there is one; this is what it is to do.
 */
void kfdm_dqm_count_performance(struct kfdm_dqm *dqm, bool on)
{
	const struct kfdm_cu_mask update = { .flags = on ? KFDM_UPDATE_PERFCOUNT_ENABLE : KFDM_UPDATE_PERFCOUNT_DISABLE };
	struct kfdm_queue *q;
	struct kfdm_qpd *qpd;

	kfdm_dqm_lock(dqm);
	list_for_each_entry(qpd, &dqm->qpds, link)
		list_for_each_entry(q, &qpd->queues, qpd_link)
			update_locked(dqm, q, NULL, &update);
	kfdm_dqm_unlock(dqm);
}

/** kfdm_dqm_update_gws() - @q has been given GWS, or they were taken away (owns_gws). Context, return: as kfdm_dqm_update_queue() */
int kfdm_dqm_update_gws(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	const struct kfdm_cu_mask update = { .flags = q->owns_gws ? KFDM_UPDATE_GWS : 0 };

	return kfdm_dqm_update_queue(dqm, q, NULL, &update);
}

/* What one compute die has saved: its part of @q's control stack goes to the die's part of the save area. */
static int copy_wave_state(const struct kfdm_queue *q, u32 xcc, void __user *ctl_stack, const struct kfdm_wave_state *state)
{
	u32 from, bytes;

	if (state->has_header && copy_to_user(ctl_stack, state->header, sizeof(state->header)))
		return -EFAULT;
	if (!q->mqd.ctl_stack)
		return 0;
	/* These sizes come from memory that the device writes. */
	from = min(state->copy_from, q->mqd.ctl_stack_size);
	bytes = min(state->copy_bytes, q->mqd.ctl_stack_size - from);
	return copy_to_user(ctl_stack + from, q->mqd.ctl_stack + xcc * q->mqd.stride + from, bytes) ? -EFAULT : 0;
}

/**
 * kfdm_dqm_wave_state() - what a preempted queue has saved
 * @dqm:       scheduler
 * @q:         compute queue, not active
 * @ctl_stack: user buffer of the control stack
 * @state:     out; of several compute dies that of the first, the others tell in their part of the save area
 *
 * Context: process's mutex, no DQM lock: user memory is written. Return: 0, -EINVAL, -EFAULT.
 */
int kfdm_dqm_wave_state(struct kfdm_dqm *dqm, struct kfdm_queue *q, void __user *ctl_stack,
			struct kfdm_wave_state *state)
{
	const struct kfdm_mqd_ops *mqd = &dqm->dev->chip->mqd[q->mqd.type];
	const u32 xccs = kfdm_mqd_xccs(mqd, &dqm->dev->mqd_env);
	struct kfdm_wave_state of_xcc;
	u32 xcc;
	int ret;

	if (q->properties.type != KFDM_QUEUE_COMPUTE || q->properties.is_active || !dqm->dev->cwsr_enabled ||
	    !mqd->wave_state)
		return -EINVAL;
	for (xcc = 0; xcc < xccs; xcc++) {
		mqd->wave_state(q->mqd.mqd + xcc * q->mqd.stride / sizeof(u32), &q->properties, xcc ? &of_xcc : state);
		ret = copy_wave_state(q, xcc, ctl_stack + (size_t)xcc * q->properties.ctx_save_size, xcc ? &of_xcc : state);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * kfdm_dqm_halt() - nothing of KFD's runs on the device until kfdm_dqm_unhalt(), whatever happens to queues meanwhile
 * @dqm: scheduler
 *
 * Return: 0 or the hardware's error (the scheduler is halted nevertheless).
 */
int kfdm_dqm_halt(struct kfdm_dqm *dqm)
{
	int ret = 0;

	kfdm_dqm_lock(dqm);
	if (dqm->sched_running && dqm->ops->halt) {
		ret = dqm->is_hws_hang ? 0 : dqm->ops->halt(dqm);
		dqm->halted = true;
	}
	kfdm_dqm_unlock(dqm);
	return ret;
}

/** kfdm_dqm_unhalt() - undo kfdm_dqm_halt(). Return: 0 or the hardware's error */
int kfdm_dqm_unhalt(struct kfdm_dqm *dqm)
{
	int ret = 0;

	kfdm_dqm_lock(dqm);
	if (dqm->sched_running && dqm->halted) {
		dqm->halted = false;
		ret = dqm->ops->unhalt(dqm);
	}
	kfdm_dqm_unlock(dqm);
	return ret;
}

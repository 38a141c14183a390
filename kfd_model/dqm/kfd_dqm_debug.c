// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What a debugger asks of the scheduler
 *
 * Registers of a debugged process, which the firmware writes when it maps the process; the VMID for debugging, where a device has one set of
 * registers for all; queues that are taken off until they are resumed (Linux: kfd_device_queue_manager.c).
 */
#include "kfd_dqm.h"
#include "kfd_hiq_packets.h"

#include <linux/uaccess.h>

#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"

/* Everything leaves the hardware and comes back; nothing to do before the first queue, or while the scheduler is stopped or halted. */
static int remap_all(struct kfdm_dqm *dqm)
{
	int ret;

	if (!dqm->sched_running || dqm->halted || !dqm->ops->halt)
		return 0;
	ret = dqm->ops->halt(dqm);
	return ret ? ret : dqm->ops->unhalt(dqm);
}

/**
 * kfdm_dqm_set_debug() - what a debugger has asked of a process, from its next mapping on
 * @dqm:   scheduler
 * @qpd:   process
 * @state: all but the VMID
 * @remap: do that now (debug_refresh_runlist)
 *
 * Return: 0 or the hardware's error.
 */
int kfdm_dqm_set_debug(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, const struct kfdm_debug_state *state, bool remap)
{
	const u32 vmid = qpd->map.debug.vmid;
	int ret;

	kfdm_dqm_lock(dqm);
	qpd->map.debug = *state;
	qpd->map.debug.vmid = vmid;
	ret = remap ? remap_all(dqm) : 0;
	kfdm_dqm_unlock(dqm);
	return ret;
}

/* DQM lock held. The firmware's other processes lose that VMID, or get it back. */
static int change_debug_vmid(struct kfdm_dqm *dqm, u32 vmid)
{
	const u32 old = dqm->debug_vmid;
	int ret;

	dqm->debug_vmid = vmid;
	if (!dqm->sched_running)
		return 0;	/* it is told at the next start */
	ret = dqm->ops->halt(dqm);
	if (!ret)
		ret = kfdm_hiq_set_resources(dqm);
	if (ret)
		dqm->debug_vmid = old;
	return ret ? ret : dqm->ops->unhalt(dqm);
}

/**
 * kfdm_dqm_take_debug_vmid() - a process gets the VMID that can be debugged (reserve_debug_trap_vmid)
 * @dqm: scheduler of a device that does not debug each VMID
 * @qpd: process
 *
 * Return: 0, -EBUSY: another process has it, -EINVAL: the driver schedules, or the hardware's error.
 */
int kfdm_dqm_take_debug_vmid(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	int ret;

	if (dqm->ops != &kfdm_dqm_cpsch)
		return -EINVAL;
	kfdm_dqm_lock(dqm);
	ret = -EBUSY;
	if (!dqm->debug_vmid) {
		qpd->map.debug.vmid = dqm->dev->last_vmid;
		ret = change_debug_vmid(dqm, dqm->dev->last_vmid);
		if (!dqm->debug_vmid)
			qpd->map.debug.vmid = 0;
	}
	kfdm_dqm_unlock(dqm);
	return ret;
}

/** kfdm_dqm_give_debug_vmid() - undo kfdm_dqm_take_debug_vmid(), if it was done. Firmware that does not take it back is to be reset */
void kfdm_dqm_give_debug_vmid(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	kfdm_dqm_lock(dqm);
	if (qpd->map.debug.vmid) {
		qpd->map.debug.vmid = 0;
		change_debug_vmid(dqm, 0);
		dqm->debug_vmid = 0;
	}
	kfdm_dqm_unlock(dqm);
}

/**
 * kfdm_dqm_write_headers() - where the waves of a suspended queue are, in the save area of each die
 * @dqm: scheduler
 * @q:   compute queue, not active
 *
 * amdkfd copies the control stack to its place, too, from memory behind the descriptor, where GFX9's firmware has it. The model's chip has
 * written it there itself.
 *
 * Context: process's mutex, its user memory; no DQM lock. Return: 0, -EINVAL: no such queue, -EFAULT.
 */
int kfdm_dqm_write_headers(struct kfdm_dqm *dqm, const struct kfdm_queue *q)
{
	const struct kfdm_mqd_ops *mqd = &dqm->dev->chip->mqd[q->mqd.type];
	const u32 xccs = kfdm_mqd_xccs(mqd, &dqm->dev->mqd_env);
	u64 area = q->properties.ctx_save_address;
	struct kfdm_wave_state state = {};
	u32 xcc;

	if (q->properties.type != KFDM_QUEUE_COMPUTE || q->properties.is_active || !dqm->dev->cwsr_enabled || !mqd->wave_state)
		return -EINVAL;
	for (xcc = 0; xcc < xccs; xcc++, area += q->properties.ctx_save_size) {
		mqd->wave_state(q->mqd.mqd + xcc * q->mqd.stride / sizeof(u32), &q->properties, &state);
		if (state.has_header && copy_to_user((void __user *)(uintptr_t)area, state.header, sizeof(state.header)))
			return -EFAULT;
	}
	return 0;
}

/* The first one that names a queue, whatever has been noted in its upper bits; NULL: none, and NULL @ids names none by its place */
static u32 *named(const struct kfdm_queue *q, u32 *ids, u32 num_ids)
{
	u32 i;

	for (i = 0; i < num_ids; i++)
		if ((ids[i] & ~KFD_DBG_QUEUE_INVALID_MASK) == q->properties.queue_id)
			return &ids[i];
	return NULL;
}

static void fail_all(struct kfdm_qpd *qpd, u32 *ids, u32 num_ids)
{
	struct kfdm_queue *q;
	u32 *id;

	list_for_each_entry(q, &qpd->queues, qpd_link) {
		id = named(q, ids, num_ids);
		if (id)
			*id |= KFD_DBG_QUEUE_ERROR_MASK;
	}
}

static int suspend(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	if (q->properties.is_suspended)
		return 0;
	/* The debugger must have seen a queue before it suspends it. */
	if (READ_ONCE(q->exceptions) & KFD_EC_MASK(EC_QUEUE_NEW) || q->leaving)
		return -EBUSY;
	WRITE_ONCE(q->properties.is_suspended, true);
	if (!q->properties.is_active)
		return 0;
	kfdm_dqm_count_active(dqm, qpd, &q->properties, -1);
	q->properties.is_active = false;
	return dqm->ops->evict_queue(dqm, qpd, q);
}

/**
 * kfdm_dqm_suspend() - take queues off the hardware until they are resumed (suspend_queues)
 * @dqm: scheduler
 * @qpd: process
 * @ids, @num_ids: which, all KFD_DBG_QUEUE_INVALID_MASK; without it in the end: suspended. KFD_DBG_QUEUE_ERROR_MASK: by the hardware
 *
 * Context: process's mutex. Return: how many are suspended.
 */
u32 kfdm_dqm_suspend(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, u32 *ids, u32 num_ids)
{
	struct kfdm_queue *q;
	u32 *id, n = 0;
	int ret = 0;

	kfdm_dqm_lock(dqm);
	list_for_each_entry(q, &qpd->queues, qpd_link) {
		id = named(q, ids, num_ids);
		ret = id ? suspend(dqm, qpd, q) : -EBUSY;
		if (ret == -EBUSY)
			continue;
		if (ret) {
			*id |= KFD_DBG_QUEUE_ERROR_MASK;
			break;
		}
		*id &= ~KFD_DBG_QUEUE_INVALID_MASK;
		n++;
	}
	if (n && dqm->ops->evicted(dqm, qpd)) {
		fail_all(qpd, ids, num_ids);
		n = 0;
	}
	kfdm_dqm_unlock(dqm);
	return n;
}

static int resume(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, struct kfdm_queue *q)
{
	int ret;

	if (!q->properties.is_suspended)
		return 0;
	WRITE_ONCE(q->properties.is_suspended, false);
	if (!kfdm_queue_wants_to_run(&q->properties))
		return 0;
	q->properties.is_active = true;
	kfdm_dqm_count_active(dqm, qpd, &q->properties, 1);
	ret = dqm->ops->restore_queue(dqm, qpd, q);
	if (ret) {
		kfdm_dqm_count_active(dqm, qpd, &q->properties, -1);
		q->properties.is_active = false;
	}
	return ret;
}

/**
 * kfdm_dqm_resume() - undo kfdm_dqm_suspend()
 * @dqm: scheduler
 * @qpd: process
 * @ids, @num_ids: as there; NULL: all queues
 *
 * Context: process's mutex. Return: how many run again, or would if nothing else kept them off.
 */
u32 kfdm_dqm_resume(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd, u32 *ids, u32 num_ids)
{
	struct kfdm_queue *q;
	u32 *id, n = 0;
	int ret;

	kfdm_dqm_lock(dqm);
	list_for_each_entry(q, &qpd->queues, qpd_link) {
		id = named(q, ids, num_ids);
		if (ids && !id)
			continue;
		ret = resume(dqm, qpd, q);
		if (ret && id) {
			*id |= KFD_DBG_QUEUE_ERROR_MASK;
			break;
		}
		if (id)
			*id &= ~KFD_DBG_QUEUE_INVALID_MASK;
		n += !ret;
	}
	if (n && dqm->ops->restored(dqm, qpd)) {
		fail_all(qpd, ids, num_ids);
		n = 0;
	}
	kfdm_dqm_unlock(dqm);
	return n;
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Queues of a process
 *
 * Queue ids belong to a process and run over all its devices; scheduling belongs to a device. This is the level between the
 * ioctls and the DQM (Linux: kfd_process_queue_manager.c). All functions are called with the process's mutex held.
 */
#include "kfd_queues.h"

#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kfd_queue_sysfs.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"

#define USUAL_PROCESS_QUEUES 127	/* limit of the scheduling firmware */

static u32 max_queues(const struct kfdm_device *dev)
{
	return dev->chip->process_queues ? dev->chip->process_queues : USUAL_PROCESS_QUEUES;
}

static int queue_id_get_again(struct kfdm_process *p, u32 id)
{
	if (id >= KFDM_MAX_QUEUES_PER_PROCESS)
		return -EINVAL;
	if (test_bit(id, p->queue_ids))
		return -ENOSPC;
	__set_bit(id, p->queue_ids);
	return 0;
}

static int queue_id_get(struct kfdm_process *p, const struct kfdm_queue_saved *saved, u32 *id)
{
	*id = saved ? saved->queue_id : find_first_zero_bit(p->queue_ids, KFDM_MAX_QUEUES_PER_PROCESS);
	if (saved)
		return queue_id_get_again(p, *id);
	if (*id >= KFDM_MAX_QUEUES_PER_PROCESS) {
		pr_debug("kfd_model: Cannot open more queues for process with pasid 0x%x\n", p->pasid);
		return -ENOMEM;
	}
	__set_bit(*id, p->queue_ids);
	return 0;
}

/* Policy 1: nothing is admitted that could not run at once. */
static bool would_over_subscribe(const struct kfdm_dqm *dqm, const struct kfdm_queue *q)
{
	return q->properties.type == KFDM_QUEUE_COMPUTE &&
	       dqm->sched_policy == KFDM_SCHED_POLICY_HWS_NO_OVERSUBSCRIPTION &&
	       (dqm->processes_count >= dqm->dev->num_vmids || dqm->active_queue_count >= dqm->dev->num_cp_queues);
}

static void unregister_if_empty(struct kfdm_process_device *pdd)
{
	if (!pdd->qpd.map.queue_count)
		kfdm_dqm_unregister(pdd->dev->dqm, &pdd->qpd);
}

static int hold_buffer(void *context, enum kfdm_queue_buffer which, u64 address, u64 bytes)
{
	struct kfdm_queue *q = context;

	return kfdm_kgd->vm_hold(q->pdd->vm, address, bytes, &q->held[which]);
}

static int hold_svm(void *context, u64 address, u64 bytes)
{
	struct kfdm_queue *q = context;
	int ret = kfdm_svm_hold(q->pdd, address, bytes);

	if (!ret)
		q->held_svm = bytes;
	return ret;
}

/*
 * Before anything else of the queue; what is held in case of an error is the caller's to let go. As in Linux a queue that comes back
 * relies on nothing.
 */
static int hold_buffers(struct kfdm_queue *q)
{
	const struct kfdm_buffer_lookup lookup = { .hold = hold_buffer, .hold_svm = hold_svm, .context = q };
	const struct kfdm_device *dev = q->pdd->dev;

	if (!kfdm_abi->holds_buffers || q->saved)
		return 0;
	return kfdm_queue_hold_buffers(&q->properties, &dev->shape, &dev->save_sizes, &lookup);
}

static void let_go_of_buffers(struct kfdm_queue *q)
{
	u32 i;

	for (i = 0; i < KFDM_QUEUE_BUFFERS; i++)
		if (q->held[i])
			kfdm_kgd->vm_unhold(q->held[i]);
	memset(q->held, 0, sizeof(q->held));
	if (q->held_svm)
		kfdm_svm_unhold(q->pdd, q->properties.ctx_save_address, q->held_svm);
	q->held_svm = 0;
}

/* A new ring instead of the old one; without one the queue is switched off, and keeps the old one (pqm_update_queue_properties). */
static int hold_new_ring(struct kfdm_queue *q, const struct kfdm_queue_properties *new)
{
	struct amdm_hold *ring;

	if (!kfdm_abi->holds_buffers || !new->queue_address || !new->queue_size)
		return 0;
	if (kfdm_kgd->vm_hold(q->pdd->vm, new->queue_address, new->queue_size + q->properties.metadata_size, &ring))
		return -EFAULT;
	if (q->held[KFDM_BUFFER_RING])
		kfdm_kgd->vm_unhold(q->held[KFDM_BUFFER_RING]);
	q->held[KFDM_BUFFER_RING] = ring;
	return 0;
}

static struct kfdm_queue *queue_new(struct kfdm_process_device *pdd, const struct kfdm_queue_properties *properties,
				    const struct kfdm_queue_saved *saved)
{
	struct kfdm_queue *q = kzalloc(sizeof(*q), GFP_KERNEL_ACCOUNT);

	if (!q)
		return NULL;
	q->properties = *properties;
	q->pdd = pdd;
	q->saved = saved;
	INIT_LIST_HEAD(&q->qpd_link);
	return q;
}

/* The queue, or an error after which it is gone; its process has it then */
static int queue_add(struct kfdm_queue *q)
{
	struct kfdm_process_device *pdd = q->pdd;
	struct kfdm_process *p = pdd->process;
	struct kfdm_dqm *dqm = pdd->dev->dqm;
	int ret;

	ret = hold_buffers(q);
	if (!ret && pdd->qpd.map.queue_count >= (pdd->qpd.map.is_debug ? KFDM_MAX_HQD / 2 : max_queues(pdd->dev)))
		ret = -ENOSPC;
	if (!ret)
		ret = queue_id_get(p, q->saved, &q->properties.queue_id);
	if (ret)
		goto free;

	kfdm_dqm_register(dqm, &pdd->qpd);
	ret = would_over_subscribe(dqm, q) ? -EPERM : kfdm_mes_ctx_get(pdd->dev, &q->mes_ctx);
	if (ret)
		goto put_id;
	ret = kfdm_dqm_create_queue(dqm, &pdd->qpd, q);
	if (ret)
		goto put_ctx;

	q->saved = NULL;
	kfdm_queue_link(q);
	kfdm_queue_sysfs_add(q);
	return 0;

put_ctx:
	kfdm_mes_ctx_put(pdd->dev, &q->mes_ctx);
put_id:
	pr_debug("kfd_model: pasid 0x%x DQM create queue type %d failed. ret %d\n", p->pasid, q->properties.type, ret);
	__clear_bit(q->properties.queue_id, p->queue_ids);
	unregister_if_empty(pdd);
free:
	let_go_of_buffers(q);
	kfree(q);
	return ret;
}

/**
 * kfdm_queue_create() - a new queue
 * @pdd:             process and device, bound, with a doorbell slice
 * @properties:      checked arguments
 * @queue_id:        out
 * @doorbell_offset: out, bytes in the process's slice
 *
 * Return: 0, -EINVAL: its buffers are not as they should be; -ENOSPC, -EPERM, -ENOMEM, or an error of kfdm_dqm_create_queue().
 */
int kfdm_queue_create(struct kfdm_process_device *pdd, const struct kfdm_queue_properties *properties, u32 *queue_id,
		      u32 *doorbell_offset)
{
	struct kfdm_queue *q = queue_new(pdd, properties, NULL);
	int ret = q ? queue_add(q) : -ENOMEM;

	if (ret)
		return ret;
	*queue_id = q->properties.queue_id;
	*doorbell_offset = q->properties.doorbell_off * sizeof(u32) & (pdd->dev->doorbells.layout.slice - 1);
	return 0;
}

/**
 * kfdm_queue_restore() - a queue of a checkpoint; it does not run before its process's queues are restored
 * @pdd:        process and device, bound, with a doorbell slice, evicted
 * @properties: checked
 * @saved:      what it gets back
 *
 * Return: as kfdm_queue_create(); -EINVAL, -ENOSPC: there is no such id, or it is taken.
 */
int kfdm_queue_restore(struct kfdm_process_device *pdd, const struct kfdm_queue_properties *properties,
		       const struct kfdm_queue_saved *saved)
{
	struct kfdm_queue *q = queue_new(pdd, properties, saved);

	return q ? queue_add(q) : -ENOMEM;
}

/** kfdm_queue_find() - a queue of a process by its id, NULL: none */
struct kfdm_queue *kfdm_queue_find(struct kfdm_process *p, u32 queue_id)
{
	struct kfdm_queue *q;

	list_for_each_entry(q, &p->queues, link)
		if (q->properties.queue_id == queue_id)
			return q;
	return NULL;
}

static void queue_free(struct kfdm_queue *q)
{
	kfdm_queue_unlink(q);
	let_go_of_buffers(q);
	kfdm_mes_ctx_put(q->pdd->dev, &q->mes_ctx);
	__clear_bit(q->properties.queue_id, q->pdd->process->queue_ids);
	kfree(q);
}

/**
 * kfdm_queue_destroy() - a queue goes
 * @p:        process
 * @queue_id: its id
 *
 * A queue that a debugger has suspended stays until it is resumed; meanwhile the process's mutex is free.
 *
 * Return: 0, -EINVAL: no such queue; -EBUSY: it stays; -ERESTARTSYS: so it does, after a signal; -ETIME, -EIO: it is gone, but the hardware did not let go.
 */
int kfdm_queue_destroy(struct kfdm_process *p, u32 queue_id)
{
	struct kfdm_queue *q = kfdm_queue_find(p, queue_id);
	struct kfdm_process_device *pdd;
	int ret;

	if (!q)
		return -EINVAL;
	ret = kfdm_queue_wait_resumed(q);
	if (ret)
		return ret;
	pdd = q->pdd;
	kfdm_queue_sysfs_remove(q);
	ret = kfdm_dqm_destroy_queue(pdd->dev->dqm, &pdd->qpd, q);
	if (ret && ret != -ETIME && ret != -EIO) {
		q->leaving = false;
		return ret;
	}
	if (q->owns_gws)
		pdd->qpd.map.num_gws = 0;
	queue_free(q);
	unregister_if_empty(pdd);
	return ret;
}

/**
 * kfdm_queue_update() - UPDATE_QUEUE
 * @p:        process
 * @queue_id: its id
 * @args:     ring, percentage, priority; checked here before the queue is looked for
 *
 * Return: 0, -EFAULT: no such queue, or its new ring is not mapped; or the hardware's error.
 */
int kfdm_queue_update(struct kfdm_process *p, u32 queue_id, const struct kfd_ioctl_update_queue_args *args)
{
	struct kfdm_queue_properties new = {};
	struct kfdm_queue *q;
	int ret;

	ret = kfdm_queue_check_update(&kfdm_abi->queue_rules, args, &new);
	if (ret)
		return ret;
	q = kfdm_queue_find(p, queue_id);
	if (!q)
		return -EFAULT;
	ret = hold_new_ring(q, &new);
	return ret ? ret : kfdm_dqm_update_queue(q->pdd->dev->dqm, q, &new, NULL);
}

/**
 * kfdm_queue_set_cu_mask() - SET_CU_MASK
 * @p:        process
 * @queue_id: its id
 * @mask:     the mask
 *
 * Return: 0, -EFAULT: no such queue; -EBUSY: a debugger has its CUs; -EINVAL: half a WGP; or the hardware's error.
 */
int kfdm_queue_set_cu_mask(struct kfdm_process *p, u32 queue_id, const struct kfdm_cu_mask *mask)
{
	struct kfdm_queue *q = kfdm_queue_find(p, queue_id);
	int ret;

	if (!q)
		return -EFAULT;
	ret = kfdm_cu_mask_check_queue(&q->properties, q->pdd->dev->chip->cus_per_wgp, mask->words, mask->bits);
	return ret ? ret : kfdm_dqm_update_queue(q->pdd->dev->dqm, q, NULL, mask);
}

/**
 * kfdm_queue_wave_state() - GET_QUEUE_WAVE_STATE
 * @p:              process
 * @queue_id:       its id
 * @ctl_stack:      user buffer
 * @ctl_stack_used, @save_area_used: out
 *
 * Return: 0, -EFAULT: no such queue, or bad buffer; -EINVAL: running, or no compute queue.
 */
int kfdm_queue_wave_state(struct kfdm_process *p, u32 queue_id, void __user *ctl_stack, u32 *ctl_stack_used,
			  u32 *save_area_used)
{
	struct kfdm_queue *q = kfdm_queue_find(p, queue_id);
	struct kfdm_wave_state state = {};
	int ret;

	if (!q)
		return -EFAULT;
	ret = kfdm_dqm_wave_state(q->pdd->dev->dqm, q, ctl_stack, &state);
	*ctl_stack_used = state.ctl_stack_used;
	*save_area_used = state.save_area_used;
	return ret;
}

/**
 * kfdm_queue_set_gws() - ALLOC_QUEUE_GWS: give the device's GWS to a queue, or take it away
 * @p:        process
 * @queue_id: its id
 * @num_gws:  0: take away
 *
 * Return: 0, -EINVAL: no such queue, or its process does not own what it gives back; -ENODEV: no GWS; -EBUSY: another one owns it.
 */
int kfdm_queue_set_gws(struct kfdm_process *p, u32 queue_id, u32 num_gws)
{
	struct kfdm_queue *q = kfdm_queue_find(p, queue_id);
	struct kfdm_device *dev;

	if (!q)
		return -EINVAL;
	dev = q->pdd->dev;
	if (!kfdm_device_has_gws(dev))
		return -ENODEV;
	if (num_gws && q->pdd->qpd.map.num_gws)
		return -EBUSY;
	/* As in Linux the process must own it, not this very queue. */
	if (!num_gws && !q->pdd->qpd.map.num_gws)
		return -EINVAL;
	q->owns_gws = num_gws > 0;
	q->pdd->qpd.map.num_gws = num_gws ? dev->facts.gws_size : 0;
	return kfdm_dqm_update_gws(dev->dqm, q);
}

/**
 * kfdm_queues_free() - memory of all queues of a dying process
 * @p: process; its queues have been terminated on all devices
 */
void kfdm_queues_free(struct kfdm_process *p)
{
	struct kfdm_queue *q, *next;

	list_for_each_entry_safe(q, next, &p->queues, link) {
		kfdm_queue_sysfs_remove(q);
		kfdm_doorbell_id_put(q->pdd, q);
		kfdm_mqd_mem_put(q->pdd->dev, &q->mqd);
		queue_free(q);
	}
}

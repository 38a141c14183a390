// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Queues in a debugger's hands
 *
 * A debugger lists the queues of a process, takes some off the hardware, and reads and changes their waves in the save areas, whose header
 * the driver writes when it has suspended them: where the control stack is, and the waves below it (Linux: kfd_device_queue_manager.c:
 * suspend_queues, resume_queues; kfd_process_queue_manager.c: pqm_get_queue_snapshot). All functions are called with the mutex of the
 * debugged process held.
 */
#include "kfd_debug.h"

#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"

static int write_headers(void *data)
{
	struct kfdm_queue *q = data;

	return kfdm_dqm_write_headers(q->pdd->dev->dqm, q);
}

static int fault_in_headers(struct mm_struct *mm, const struct kfdm_queue *q)
{
	const struct kfdm_queue_properties *p = &q->properties;
	u32 xcc, xccs = kfdm_mqd_xccs(&q->pdd->dev->chip->mqd[q->mqd.type], &q->pdd->dev->mqd_env);
	int ret = 0;

	for (xcc = 0; xcc < xccs && !ret; xcc++)
		ret = kfdm_debug_fault_in(mm, p->ctx_save_address + (u64)xcc * p->ctx_save_size,
					  sizeof(struct kfd_context_save_area_header), true);
	return ret;
}

/* A queue whose area is not there is skipped, as in Linux. Return: -EINTR: killed */
static int describe_waves(struct mm_struct *mm, struct kfdm_queue *q)
{
	int ret = kfdm_debug_in_mm(mm, write_headers, q), tries;

	for (tries = 0; ret == -EFAULT && tries < 2; tries++) {
		ret = fault_in_headers(mm, q);
		if (!ret)
			ret = kfdm_debug_in_mm(mm, write_headers, q);
	}
	return ret == -EINTR ? ret : 0;
}

/* Of all queues that do not run, whoever has stopped them. */
static void describe_all_waves(struct kfdm_process *p)
{
	struct mm_struct *mm = kfdm_process_mm_get(p);
	struct kfdm_queue *q;

	if (!mm)
		return;
	list_for_each_entry(q, &p->queues, link)
		if (describe_waves(mm, q))
			break;
	mmput_async(mm);
}

/* In and out: user space's array. ERR_PTR: -EINVAL: none, or longer than there are queues */
static u32 *get_ids(u64 array, u32 num)
{
	u32 *ids, i;

	if (!array || num > KFDM_MAX_QUEUES_PER_PROCESS)
		return ERR_PTR(-EINVAL);
	ids = memdup_user((void __user *)(uintptr_t)array, array_size(num, sizeof(*ids)));
	for (i = 0; !IS_ERR(ids) && i < num; i++)
		ids[i] |= KFD_DBG_QUEUE_INVALID_MASK;
	return ids;
}

static void put_ids(u64 array, u32 *ids, u32 num)
{
	if (copy_to_user((void __user *)(uintptr_t)array, ids, array_size(num, sizeof(*ids))))
		pr_debug("kfd_model: a debugger's array of queues is not writable\n");
	kfree(ids);
}

static void clear_exceptions(struct kfdm_process *p, const u32 *ids, u32 num, u64 exceptions)
{
	struct kfdm_queue *q;
	u32 i;

	mutex_lock(&p->debug.lock);
	for (i = 0; i < num; i++) {
		q = ids[i] & (KFD_DBG_QUEUE_INVALID_MASK | KFD_DBG_QUEUE_ERROR_MASK) ? NULL : kfdm_queue_find(p, ids[i]);
		if (q)
			q->exceptions &= ~exceptions;
	}
	mutex_unlock(&p->debug.lock);
}

/**
 * kfdm_debug_suspend() - SUSPEND_QUEUES
 * @p:    debugged process
 * @args: which queues, and which of their exceptions are cleared. How long waves may go on before they are saved does not count here
 *
 * Return: how many are suspended, -EINVAL, -EFAULT, -ENOMEM.
 */
int kfdm_debug_suspend(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
{
	const u64 array = args->suspend_queues.queue_array_ptr;
	const u32 num = args->suspend_queues.num_queues;
	u32 *ids = get_ids(array, num), i, n = 0;

	if (IS_ERR(ids))
		return PTR_ERR(ids);
	for (i = 0; i < p->n_pdds; i++)
		n += kfdm_dqm_suspend(p->pdds[i]->dev->dqm, &p->pdds[i]->qpd, ids, num);
	clear_exceptions(p, ids, num, args->suspend_queues.exception_mask);
	if (n)
		describe_all_waves(p);
	put_ids(array, ids, num);
	return n;
}

/** kfdm_debug_resume() - RESUME_QUEUES. Return: how many run again, or would; errors as kfdm_debug_suspend() */
int kfdm_debug_resume(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
{
	const u64 array = args->resume_queues.queue_array_ptr;
	const u32 num = args->resume_queues.num_queues;
	u32 *ids = array ? get_ids(array, num) : NULL, i, n = 0;

	if (IS_ERR(ids))
		return PTR_ERR(ids);
	for (i = 0; i < p->n_pdds; i++)
		n += kfdm_dqm_resume(p->pdds[i]->dev->dqm, &p->pdds[i]->qpd, ids, num);
	wake_up_all(&p->debug.changed);
	if (ids)
		put_ids(array, ids, num);
	return n;
}

static u32 type_for_user(const struct kfdm_queue_properties *q)
{
	switch (q->type) {
	case KFDM_QUEUE_COMPUTE:
		return q->format == KFDM_FORMAT_PM4 ? KFD_IOC_QUEUE_TYPE_COMPUTE : KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;
	case KFDM_QUEUE_SDMA:
		return KFD_IOC_QUEUE_TYPE_SDMA;
	default:
		return KFD_IOC_QUEUE_TYPE_SDMA_XGMI;
	}
}

static void describe(struct kfdm_queue *q, u64 clear, struct kfd_queue_snapshot_entry *entry)
{
	const struct kfdm_queue_properties *p = &q->properties;

	*entry = (struct kfd_queue_snapshot_entry){
		.ring_base_address = p->queue_address, .write_pointer_address = p->write_ptr, .read_pointer_address = p->read_ptr,
		.ctx_save_restore_address = p->ctx_save_address, .ctx_save_restore_area_size = p->ctx_save_size,
		.queue_id = p->queue_id, .gpu_id = q->pdd->dev->id, .ring_size = (u32)p->queue_size, .queue_type = type_for_user(p),
	};
	mutex_lock(&q->pdd->process->debug.lock);
	entry->exception_status = q->exceptions;
	q->exceptions &= ~clear;
	mutex_unlock(&q->pdd->process->debug.lock);
}

/**
 * kfdm_debug_queue_snapshot() - GET_QUEUE_SNAPSHOT
 * @p:    debugged process
 * @args: array, its length and the distance of its entries; out: how many queues there are, and how long an entry is
 *
 * Return: 0, -EINVAL: entries without a length, -EFAULT.
 */
int kfdm_debug_queue_snapshot(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
{
	const u32 stride = args->queue_snapshot.entry_size, room = args->queue_snapshot.num_queues;
	const u32 size = min_t(u32, stride, sizeof(struct kfd_queue_snapshot_entry));
	void __user *to = (void __user *)(uintptr_t)args->queue_snapshot.snapshot_buf_ptr;
	struct kfd_queue_snapshot_entry entry;
	struct kfdm_queue *q;
	u32 n = 0;

	args->queue_snapshot.num_queues = 0;
	if (!stride)
		return -EINVAL;
	args->queue_snapshot.entry_size = size;
	list_for_each_entry(q, &p->queues, link) {
		if (n < room) {
			describe(q, args->queue_snapshot.exception_mask, &entry);
			if (copy_to_user(to + (size_t)n * stride, &entry, size))
				return -EFAULT;
		}
		args->queue_snapshot.num_queues = ++n;
	}
	return 0;
}

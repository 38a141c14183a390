// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Queues that are saved and restored
 *
 * A queue that is off the hardware is all in its descriptors, in the control stacks behind them (GFX9), and in its process's memory. Here
 * the first two are copied out of the kernel's memory and into it (Linux: checkpoint_mqd and create_queue_cpsch of
 * kfd_device_queue_manager.c).
 */
#include "kfd_dqm.h"

#include "kfd_model/device/kfd_device.h"

/** kfdm_dqm_dies() - compute dies of the node: a queue of a checkpoint has room for a descriptor for each, an SDMA queue's too */
u32 kfdm_dqm_dies(const struct kfdm_dqm *dqm)
{
	const struct kfdm_cu_layout *cu = dqm->dev->mqd_env.cu;

	return cu && cu->num_xcc ? cu->num_xcc : 1;
}

static const struct kfdm_mqd_ops *ops_of(const struct kfdm_dqm *dqm, const struct kfdm_queue *q)
{
	return &dqm->dev->chip->mqd[kfdm_mqd_type_of(q->properties.type)];
}

/** kfdm_dqm_saved_mqd_bytes() - what the descriptors of a queue take in a checkpoint */
u32 kfdm_dqm_saved_mqd_bytes(const struct kfdm_dqm *dqm, enum kfdm_queue_type type)
{
	return dqm->dev->chip->mqd[kfdm_mqd_type_of(type)].size * kfdm_dqm_dies(dqm);
}

/* Has it not been taken away with its device, descriptors and all? DQM lock held */
static bool is_there(const struct kfdm_queue *q)
{
	const struct kfdm_queue *other;

	list_for_each_entry(other, &q->pdd->qpd.queues, qpd_link)
		if (other == q)
			return true;
	return false;
}

/* The descriptor's word is the device's, too: it does not decide how much is copied. */
static u32 ctl_stack_of_die(const struct kfdm_mqd_ops *ops, const struct kfdm_queue *q)
{
	return min(kfdm_mqd_checkpoint_ctl_stack(ops, q->mqd.mqd), q->mqd.ctl_stack_size);
}

/**
 * kfdm_dqm_checkpoint_sizes() - what of a queue a checkpoint takes
 * @dqm:   scheduler
 * @q:     queue, process's mutex held
 * @sizes: bytes out
 */
void kfdm_dqm_checkpoint_sizes(struct kfdm_dqm *dqm, struct kfdm_queue *q, struct kfdm_checkpoint *sizes)
{
	const struct kfdm_mqd_ops *ops = ops_of(dqm, q);

	kfdm_dqm_lock(dqm);
	sizes->mqd_bytes = kfdm_dqm_saved_mqd_bytes(dqm, q->properties.type);
	sizes->ctl_stack_bytes = 0;
	if (q->properties.type == KFDM_QUEUE_COMPUTE && is_there(q))
		sizes->ctl_stack_bytes = ctl_stack_of_die(ops, q) * kfdm_dqm_dies(dqm);
	kfdm_dqm_unlock(dqm);
}

static void copy_out(const struct kfdm_queue *q, const struct kfdm_mqd_ops *ops, u32 xccs, const struct kfdm_checkpoint *to)
{
	const u32 each = min(to->ctl_stack_bytes / xccs, q->mqd.ctl_stack_size);
	u32 xcc;

	for (xcc = 0; xcc < xccs; xcc++) {
		memcpy(to->mqd + xcc * ops->size, (void *)q->mqd.mqd + xcc * q->mqd.stride, ops->size);
		if (each)
			memcpy(to->ctl_stack + xcc * each, q->mqd.ctl_stack + xcc * q->mqd.stride, each);
	}
}

/**
 * kfdm_dqm_checkpoint() - copy a queue's descriptors and control stacks
 * @dqm: scheduler
 * @q:   queue, process's mutex held
 * @to:  zeros, as large as kfdm_dqm_checkpoint_sizes() has said
 *
 * Return: 0, -EINVAL: it may be on the hardware, or its waves are not saved; -EOPNOTSUPP: the driver cannot restore such a queue; -ENODEV.
 */
int kfdm_dqm_checkpoint(struct kfdm_dqm *dqm, struct kfdm_queue *q, const struct kfdm_checkpoint *to)
{
	const struct kfdm_mqd_ops *ops = ops_of(dqm, q);
	int ret = 0;

	kfdm_dqm_lock(dqm);
	if (!is_there(q))
		ret = -ENODEV;
	else if (q->properties.is_active || !dqm->dev->cwsr_enabled)
		ret = -EINVAL;
	else if (!ops->can_checkpoint)
		ret = -EOPNOTSUPP;
	else
		copy_out(q, ops, kfdm_mqd_xccs(ops, &dqm->dev->mqd_env), to);
	kfdm_dqm_unlock(dqm);
	return ret;
}

/** kfdm_dqm_check_restore() - can the driver restore such a queue? Return: 0, also for a new one; -EOPNOTSUPP */
int kfdm_dqm_check_restore(const struct kfdm_dqm *dqm, const struct kfdm_queue *q)
{
	return q->saved && !ops_of(dqm, q)->can_checkpoint ? -EOPNOTSUPP : 0;
}

static void restore_ctl_stacks(struct kfdm_queue *q, u32 xccs)
{
	const u32 each = min(q->saved->ctl_stack_size, q->mqd.ctl_stack_size);
	u32 xcc;

	for (xcc = 0; xcc < xccs && each; xcc++)
		memcpy(q->mqd.ctl_stack + xcc * q->mqd.stride, q->saved->ctl_stack + xcc * q->saved->ctl_stack_size, each);
}

/** kfdm_dqm_fill_mqd() - a queue's descriptors as they begin. Context: DQM lock; @q has its place and its doorbell */
void kfdm_dqm_fill_mqd(struct kfdm_dqm *dqm, struct kfdm_queue *q)
{
	const struct kfdm_mqd_ops *ops = &dqm->dev->chip->mqd[q->mqd.type];
	const struct kfdm_mqd_env *env = &dqm->dev->mqd_env;

	kfdm_mqd_deal_xcc(ops, &dqm->next_xcc, &q->properties);
	if (!q->saved) {
		ops->init(ops, env, q->mqd.mqd, q->mqd.gpu_addr, &q->properties);
		return;
	}
	kfdm_mqd_restore_queue(ops, env, q->mqd.mqd, q->mqd.gpu_addr, q->saved->mqd, &q->properties);
	restore_ctl_stacks(q, kfdm_mqd_xccs(ops, env));
}

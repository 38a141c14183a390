// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Queues of a checkpoint
 *
 * A queue is what user space has asked for, its ids, and its descriptors and control stacks as the hardware has left them
 * (Linux: kfd_process_queue_manager.c).
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "kfd_criu.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/queue/kfd_queues.h"

static const enum kfdm_queue_type kinds[] = { KFDM_QUEUE_COMPUTE, KFDM_QUEUE_SDMA, KFDM_QUEUE_SDMA_XGMI };

static bool kind_of(u32 number, enum kfdm_queue_type *kind)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kfdm_abi->queue_type_numbers[kinds[i]] != number)
			continue;
		*kind = kinds[i];
		return true;
	}
	return false;
}

/** kfdm_criu_count_queues() - queues that a checkpoint takes, and bytes of private data. Process's mutex held. Return: 0 */
int kfdm_criu_count_queues(struct kfdm_process *p, u32 *n, u64 *bytes)
{
	struct kfdm_checkpoint sizes;
	struct kfdm_queue *q;

	*n = 0;
	*bytes = 0;
	list_for_each_entry(q, &p->queues, link) {
		kfdm_dqm_checkpoint_sizes(q->pdd->dev->dqm, q, &sizes);
		*bytes += sizeof(struct kfdm_criu_queue) + sizes.mqd_bytes + sizes.ctl_stack_bytes;
		++*n;
	}
	return 0;
}

static void describe(const struct kfdm_queue *q, const struct kfdm_checkpoint *sizes, struct kfdm_criu_queue *priv)
{
	const struct kfdm_queue_properties *p = &q->properties;

	*priv = (struct kfdm_criu_queue){
		.object_type = KFDM_CRIU_QUEUE,
		.q_address = p->queue_address,
		.q_size = p->queue_size,
		.read_ptr_addr = p->read_ptr,
		.write_ptr_addr = p->write_ptr,
		.eop_ring_buffer_address = p->eop_address,
		.ctx_save_restore_area_address = p->ctx_save_address,
		.gpu_id = q->pdd->user_gpu_id,
		.type = kfdm_abi->queue_type_numbers[p->type],
		.format = p->format,
		.q_id = p->queue_id,
		.priority = p->priority,
		.q_percent = p->queue_percent,
		.doorbell_id = q->doorbell_id,
		.gws = q->owns_gws,
		.sdma_id = p->sdma_id,
		.eop_ring_buffer_size = p->eop_size,
		.ctx_save_restore_area_size = p->ctx_save_size,
		.ctl_stack_size = sizes->ctl_stack_bytes,
		.mqd_size = sizes->mqd_bytes,
	};
}

static int save_queue(struct kfdm_queue *q, struct kfdm_criu_data *data)
{
	struct kfdm_dqm *dqm = q->pdd->dev->dqm;
	struct kfdm_checkpoint to;
	void *memory;
	int ret;

	kfdm_dqm_checkpoint_sizes(dqm, q, &to);
	memory = kvzalloc(sizeof(struct kfdm_criu_queue) + to.mqd_bytes + to.ctl_stack_bytes, GFP_KERNEL);
	if (!memory)
		return -ENOMEM;
	describe(q, &to, memory);
	to.mqd = memory + sizeof(struct kfdm_criu_queue);
	to.ctl_stack = to.mqd + to.mqd_bytes;
	ret = kfdm_dqm_checkpoint(dqm, q, &to);
	if (!ret)
		ret = kfdm_criu_put(data, memory, sizeof(struct kfdm_criu_queue) + to.mqd_bytes + to.ctl_stack_bytes);
	kvfree(memory);
	return ret;
}

/**
 * kfdm_criu_save_queues() - the queues' part of a checkpoint
 * @p:    process, its mutex held, its queues evicted
 * @data: private data
 *
 * Return: 0, -EFAULT, -ENOMEM, or an error of kfdm_dqm_checkpoint().
 */
int kfdm_criu_save_queues(struct kfdm_process *p, struct kfdm_criu_data *data)
{
	struct kfdm_queue *q;
	int ret = 0;
	u32 i;

	for (i = 0; i < p->n_pdds; i++) {
		list_for_each_entry(q, &p->queues, link) {
			ret = q->pdd == p->pdds[i] ? save_queue(q, data) : 0;
			if (ret)
				return ret;
		}
	}
	return ret;
}

static void to_properties(const struct kfdm_criu_queue *priv, enum kfdm_queue_type kind, u32 ctl_stack_size, struct kfdm_queue_properties *q)
{
	*q = (struct kfdm_queue_properties){
		.type = kind,
		.format = priv->format,
		.queue_address = priv->q_address,
		.queue_size = priv->q_size,
		.read_ptr = priv->read_ptr_addr,
		.write_ptr = priv->write_ptr_addr,
		.priority = priv->priority,
		.queue_percent = priv->q_percent,
		.eop_address = priv->eop_ring_buffer_address,
		.eop_size = priv->eop_ring_buffer_size,
		.ctx_save_address = priv->ctx_save_restore_area_address,
		.ctx_save_size = priv->ctx_save_restore_area_size,
		.ctl_stack_size = ctl_stack_size,
	};
}

static int restore_with(struct kfdm_process_device *pdd, const struct kfdm_criu_queue *priv, enum kfdm_queue_type kind, const void *memory)
{
	const u32 ctl_stack_size = priv->ctl_stack_size / (kind == KFDM_QUEUE_COMPUTE ? kfdm_dqm_dies(pdd->dev->dqm) : 1);
	const struct kfdm_queue_saved saved = {
		.queue_id = priv->q_id,
		.sdma_id = priv->sdma_id,
		.doorbell_id = priv->doorbell_id,
		.mqd = memory,
		.ctl_stack = memory + priv->mqd_size,
		.ctl_stack_size = ctl_stack_size,
	};
	struct kfdm_queue_properties properties;
	int ret;

	to_properties(priv, kind, ctl_stack_size, &properties);
	ret = kfdm_queue_check_saved(&kfdm_abi->queue_rules, &properties);
	if (!ret)
		ret = kfdm_queue_restore(pdd, &properties, &saved);
	if (!ret && priv->gws)
		ret = kfdm_queue_set_gws(pdd->process, priv->q_id, 1);
	return ret;
}

static int check(const struct kfdm_process_device *pdd, const struct kfdm_criu_queue *priv, enum kfdm_queue_type *kind,
		 const struct kfdm_criu_data *data)
{
	if (!pdd || !kind_of(priv->type, kind))
		return -EINVAL;
	if (priv->mqd_size != kfdm_dqm_saved_mqd_bytes(pdd->dev->dqm, *kind))
		return -EINVAL;
	if ((u64)priv->mqd_size + priv->ctl_stack_size > data->size - data->offset)
		return -EINVAL;
	return priv->ctl_stack_size > KFDM_CTL_STACK_MAX * kfdm_dqm_dies(pdd->dev->dqm) ? -ENOMEM : 0;
}

/**
 * kfdm_criu_restore_queue() - a queue with its old ids; it runs when the process's queues are restored
 * @p:    current's process with its address spaces, its mutex held, its queues evicted
 * @data: private data
 *
 * Return: 0, -EINVAL, -EFAULT, -ENOMEM, or an error of kfdm_queue_restore() or kfdm_queue_set_gws().
 */
int kfdm_criu_restore_queue(struct kfdm_process *p, struct kfdm_criu_data *data)
{
	struct kfdm_process_device *pdd;
	struct kfdm_criu_queue priv;
	enum kfdm_queue_type kind;
	void *memory;
	int ret;

	ret = kfdm_criu_get(data, &priv, sizeof(priv));
	if (ret)
		return ret;
	pdd = kfdm_pdd_by_id(p, priv.gpu_id);
	ret = check(pdd, &priv, &kind, data);
	if (ret)
		return ret;
	memory = kvmalloc(priv.mqd_size + priv.ctl_stack_size, GFP_KERNEL);
	if (!memory)
		return -ENOMEM;
	ret = kfdm_criu_get(data, memory, priv.mqd_size + priv.ctl_stack_size);
	if (!ret)
		ret = kfdm_pdd_bind(pdd);
	if (!ret)
		ret = restore_with(pdd, &priv, kind, memory);
	kvfree(memory);
	return ret;
}

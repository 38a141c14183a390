// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Descriptors in and out of hardware slots
 *
 * Without firmware scheduling the driver moves a queue's descriptor into the registers of its slot and back. What differs between
 * compute and SDMA queues is here; which registers is the business of amdgpu_model (load_mqd and destroy_mqd of
 * kfd_mqd_manager_*.c).
 */
#include "kfd_mqd_load.h"

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/queue/kfd_queues.h"

/**
 * kfdm_mqd_load() - put a queue on the hardware
 * @dev: device
 * @q:   queue with its slot
 * @mm:  address space that its write pointer is in
 *
 * Context: DQM lock.
 * Return: 0, -ETIME.
 */
int kfdm_mqd_load(struct kfdm_device *dev, struct kfdm_queue *q, struct mm_struct *mm)
{
	const struct kfdm_queue_properties *p = &q->properties;
	u64 __user *wptr = (u64 __user *)(uintptr_t)p->write_ptr;
	const struct kfdm_mqd_ops *ops = &dev->chip->mqd[q->mqd.type];
	const struct kfdm_mqd_load_args args = kfdm_mqd_load_args(ops, p);

	if (ops->load == KFDM_LOAD_SDMA)
		return kfdm_kgd->hqd_sdma_load(dev->adev, q->mqd.mqd, wptr, mm);
	return kfdm_kgd->hqd_load(dev->xcp, q->mqd.mqd, q->pipe, q->queue, wptr, args.wptr_shift, args.wptr_mask, mm);
}

/**
 * kfdm_mqd_destroy() - take a queue off the hardware
 * @dev:        device
 * @q:          queue with its slot
 * @how:        what becomes of its waves
 * @timeout_ms: how long it may take
 *
 * Context: DQM lock. Return: 0, -ETIME: it is still there, -EIO: the device is being reset.
 */
int kfdm_mqd_destroy(struct kfdm_device *dev, struct kfdm_queue *q, enum kfd_bridge_preempt how, u32 timeout_ms)
{
	if (kfdm_queue_is_sdma(&q->properties))
		return kfdm_kgd->hqd_sdma_destroy(dev->adev, q->mqd.mqd, timeout_ms);
	return kfdm_kgd->hqd_destroy(dev->xcp, q->mqd.mqd, how, timeout_ms, q->pipe, q->queue);
}

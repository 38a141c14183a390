// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The HIQ
 *
 * A ring of 2048 bytes in the GTT pool through which the driver talks to the scheduling firmware (kfd_ring.c has its
 * arithmetic). The write pointer in memory counts for ever; the doorbell says that it has moved (Linux: kfd_kernel_queue.c).
 */
#include "kfd_kernel_queue.h"

#include "kfd_model/device/kfd_device.h"

#define EOP_BYTES	PAGE_SIZE
#define HIQ_PRIORITY	1

static int get_memory(struct kfdm_kernel_queue *kq, const struct kfdm_mqd_array *array)
{
	struct kfdm_gtt *gtt = &kq->dev->gtt;
	int ret;

	/* In this order, so that addresses are those of the real driver. */
	ret = kfdm_gtt_get(gtt, KFDM_KERNEL_QUEUE_BYTES, &kq->pq);
	if (!ret && kq->dev->chip->eop_by_queue)
		ret = kfdm_gtt_get(gtt, EOP_BYTES, &kq->eop);
	if (!ret)
		ret = kfdm_gtt_get(gtt, sizeof(u32), &kq->rptr);
	if (!ret)
		ret = kfdm_gtt_get(gtt, kq->dev->chip->doorbell_size, &kq->wptr);
	if (ret)
		return ret;
	memset(kq->pq.cpu, 0, KFDM_KERNEL_QUEUE_BYTES);
	if (kq->eop.chunks)
		memset(kq->eop.cpu, 0, EOP_BYTES);
	memset(kq->rptr.cpu, 0, sizeof(u32));
	memset(kq->wptr.cpu, 0, kq->dev->chip->doorbell_size);
	kq->properties.type = KFDM_QUEUE_HIQ;
	return kfdm_mqd_mem_get(kq->dev, array, &kq->properties, &kq->mqd);
}

static void put_memory(struct kfdm_kernel_queue *kq)
{
	struct kfdm_gtt *gtt = &kq->dev->gtt;

	kfdm_mqd_mem_put(kq->dev, &kq->mqd);
	kfdm_gtt_put(gtt, &kq->wptr);
	kfdm_gtt_put(gtt, &kq->rptr);
	kfdm_gtt_put(gtt, &kq->eop);
	kfdm_gtt_put(gtt, &kq->pq);
}

static void describe(struct kfdm_kernel_queue *kq)
{
	const struct kfdm_mqd_ops *ops = &kq->dev->chip->mqd[KFDM_MQD_HIQ];
	struct kfdm_queue_properties *q = &kq->properties;

	q->format = KFDM_FORMAT_PM4;
	q->queue_address = kq->pq.gpu_addr;
	q->queue_size = KFDM_KERNEL_QUEUE_BYTES;
	q->priority = HIQ_PRIORITY;
	q->queue_percent = KFDM_MAX_QUEUE_PERCENTAGE;
	q->read_ptr = kq->rptr.gpu_addr;
	q->write_ptr = kq->wptr.gpu_addr;
	q->eop_address = kq->eop.gpu_addr;
	q->eop_size = EOP_BYTES;
	kq->ring = (struct kfdm_ring){ .words = kq->pq.cpu, .dwords = KFDM_KERNEL_QUEUE_BYTES / sizeof(u32) };
	ops->init(ops, &kq->dev->mqd_env, kq->mqd.mqd, kq->mqd.gpu_addr, q);
}

static int connect(struct kfdm_kernel_queue *kq)
{
	const struct kfdm_queue_properties *q = &kq->properties;
	struct amdm_xcp *xcp = kq->dev->xcp;

	if (kq->dev->chip->hiq_by_kiq)
		return kfdm_kgd->hiq_mqd_load(xcp, kq->mqd.mqd, KFDM_HIQ_PIPE, KFDM_HIQ_QUEUE, q->doorbell_off);
	return kfdm_kgd->hqd_load(xcp, kq->mqd.mqd, KFDM_HIQ_PIPE, KFDM_HIQ_QUEUE, (u64 __user *)(uintptr_t)q->write_ptr, 0,
				  KFDM_KERNEL_QUEUE_BYTES / sizeof(u32) - 1, NULL);
}

/**
 * kfdm_hiq_create() - make the HIQ and connect it to the hardware
 * @dev:   device
 * @array: has the HIQ's descriptor
 * @kq:    out
 *
 * Return: 0, -ENOMEM, or what connecting it gave.
 */
int kfdm_hiq_create(struct kfdm_device *dev, const struct kfdm_mqd_array *array, struct kfdm_kernel_queue *kq)
{
	int ret;

	memset(kq, 0, sizeof(*kq));
	kq->dev = dev;
	ret = kfdm_doorbell_kernel_get(dev, &kq->properties.doorbell_off);
	if (ret)
		return ret;
	ret = get_memory(kq, array);
	if (ret)
		goto put;
	describe(kq);
	ret = connect(kq);
	if (ret)
		goto put;
	return 0;

put:
	put_memory(kq);
	kfdm_doorbell_kernel_put(dev, kq->properties.doorbell_off);
	return ret;
}

/**
 * kfdm_hiq_destroy() - take the HIQ off the hardware
 * @kq:      queue
 * @hanging: the hardware is beyond talking to
 */
void kfdm_hiq_destroy(struct kfdm_kernel_queue *kq, bool hanging)
{
	if (!hanging)
		kfdm_kgd->hqd_destroy(kq->dev->xcp, kq->mqd.mqd, KFD_BRIDGE_PREEMPT_RESET,
				      kfdm_unmap_latency_ms(amdm_kfd_param.queue_preemption_timeout_ms),
				      KFDM_HIQ_PIPE, KFDM_HIQ_QUEUE);
	put_memory(kq);
	kfdm_doorbell_kernel_put(kq->dev, kq->properties.doorbell_off);
}

/**
 * kfdm_kq_acquire() - room for a packet, not yet visible to the firmware
 * @kq:     queue
 * @dwords: of the packet
 *
 * Context: DQM lock. Return: where to write, NULL when the ring is full.
 */
u32 *kfdm_kq_acquire(struct kfdm_kernel_queue *kq, u32 dwords)
{
	/* The reader's pointer comes from memory that the device writes. */
	u32 rptr = READ_ONCE(*(u32 *)kq->rptr.cpu) % kq->ring.dwords;

	return kfdm_ring_acquire(&kq->ring, rptr, dwords);
}

static bool has_wide_pointers(const struct kfdm_kernel_queue *kq)
{
	return kq->dev->chip->doorbell_size == sizeof(u64);
}

static void publish(struct kfdm_kernel_queue *kq)
{
	struct amdm_device *adev = kq->dev->adev;
	u32 doorbell = kq->properties.doorbell_off * sizeof(u32);

	if (has_wide_pointers(kq)) {
		WRITE_ONCE(*(u64 *)kq->wptr.cpu, kq->ring.wptr64);
		wmb();	/* the pointer before the doorbell */
		kfdm_kgd->doorbell_write64(adev, doorbell, kq->ring.wptr64);
	} else {
		WRITE_ONCE(*(u32 *)kq->wptr.cpu, kq->ring.wptr);
		wmb();	/* the pointer before the doorbell */
		kfdm_kgd->doorbell_write32(adev, doorbell, kq->ring.wptr);
	}
}

/** kfdm_kq_submit() - what has been written since the last submit is for the firmware. Context: DQM lock */
void kfdm_kq_submit(struct kfdm_kernel_queue *kq)
{
	wmb();	/* packets before the pointer */
	publish(kq);
}

/** kfdm_kq_rollback() - forget what has been written since the last submit. Context: DQM lock */
void kfdm_kq_rollback(struct kfdm_kernel_queue *kq)
{
	u64 wptr = has_wide_pointers(kq) ? *(u64 *)kq->wptr.cpu : *(u32 *)kq->wptr.cpu;

	kq->ring.wptr64 = wptr;
	kq->ring.wptr = wptr % kq->ring.dwords;
}

/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_KERNEL_QUEUE_H
#define KFD_KERNEL_QUEUE_H

#include "kfd_mqd_mem.h"
#include "kfd_model/packets/kfd_ring.h"

struct kfdm_device;

#define KFDM_KERNEL_QUEUE_BYTES	2048
#define KFDM_HIQ_PIPE		4	/* absolute: MEC 2, pipe 0 */
#define KFDM_HIQ_QUEUE		0

/**
 * struct kfdm_kernel_queue - the HIQ: the driver's queue to the scheduling firmware
 * @dev:        device
 * @properties: as of a user queue
 * @pq, @eop, @rptr, @wptr: memory
 * @mqd:        descriptor
 * @ring:       packets not yet submitted end at its wptr
 */
struct kfdm_kernel_queue {
	struct kfdm_device *dev;
	struct kfdm_queue_properties properties;
	struct kfdm_gtt_obj pq, eop, rptr, wptr;
	struct kfdm_mqd_mem mqd;
	struct kfdm_ring ring;
};

int kfdm_hiq_create(struct kfdm_device *dev, const struct kfdm_mqd_array *array, struct kfdm_kernel_queue *kq);
void kfdm_hiq_destroy(struct kfdm_kernel_queue *kq, bool hanging);
u32 *kfdm_kq_acquire(struct kfdm_kernel_queue *kq, u32 dwords);
void kfdm_kq_submit(struct kfdm_kernel_queue *kq);
void kfdm_kq_rollback(struct kfdm_kernel_queue *kq);

#endif

// SPDX-License-Identifier: GPL-2.0 OR MIT
/* dqm_surroundings.c - see dqm_surroundings.h */
#include "dqm_surroundings.h"

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"

struct dqm_seen dqm_seen;

void kfdm_dqm_init_interrupts(struct kfdm_dqm *dqm)
{
	dqm_seen.interrupts++;
}

void kfdm_hws_hang(struct kfdm_dqm *dqm)
{
	dqm->is_hws_hang = true;
	dqm_seen.hangs++;
}

int kfdm_dqm_kill_waves(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	dqm_seen.kills++;
	return 0;
}

int kfdm_reset_hung_queues(struct kfdm_dqm *dqm)
{
	dqm_seen.queue_resets++;
	return dqm_seen.queues_reset;
}

bool kfdm_sdma_is_hung(struct kfdm_dqm *dqm)
{
	return dqm_seen.engines_hang;
}

int kfdm_reset_hung_sdma(struct kfdm_dqm *dqm)
{
	dqm_seen.engine_resets++;
	return dqm_seen.engines_reset;
}

void kfdm_pdd_flush_tlb(struct kfdm_process_device *pdd, enum kfd_bridge_tlb_flush type)
{
	dqm_seen.flushes++;
	dqm_seen.heavy_flushes += type == KFD_BRIDGE_TLB_HEAVYWEIGHT;
}

struct mm_struct *kfdm_process_mm_get(struct kfdm_process *p)
{
	if (p->own_mm)
		mmget(p->own_mm);
	return p->own_mm;
}

int kfdm_hiq_create(struct kfdm_device *dev, const struct kfdm_mqd_array *array, struct kfdm_kernel_queue *kq)
{
	dqm_seen.hiqs++;
	kq->dev = dev;
	kq->mqd.mqd = dqm_seen.hiq_mqd;
	kq->mqd.stride = sizeof(dqm_seen.hiq_mqd) / 2;
	return 0;
}

void kfdm_hiq_destroy(struct kfdm_kernel_queue *kq, bool hanging)
{
	dqm_seen.hiqs--;
	dqm_seen.hiqs_left_hanging += hanging;
}

/* A ring of one packet. */
static u32 packet[32];

u32 *kfdm_kq_acquire(struct kfdm_kernel_queue *kq, u32 dwords)
{
	memset(packet, 0, sizeof(packet));
	return dwords <= ARRAY_SIZE(packet) ? packet : NULL;
}

void kfdm_kq_submit(struct kfdm_kernel_queue *kq)
{
	if (dqm_seen.firmware)
		dqm_seen.firmware(packet);
}

void kfdm_kq_rollback(struct kfdm_kernel_queue *kq)
{
	dqm_seen.rollbacks++;
}

/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_INTERRUPT_H
#define KFD_INTERRUPT_H

#include <linux/kfifo.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "kfd_model/ih/kfd_interrupt_class.h"

struct kfdm_device;

#define KFDM_IH_FIFO_ENTRIES 8192

/**
 * struct kfdm_interrupts - from interrupt context to a worker
 * @lock:   FIFO's producer side and @active
 * @active: entries are taken
 * @fifo:   entries of KFDM_IH_ENTRY_DWORDS
 * @queued: entries that have been put there and not been handled to the end
 * @wq, @work: "KFD IH"
 */
struct kfdm_interrupts {
	spinlock_t lock;
	bool active;
	struct kfifo fifo;
	atomic_t queued;
	struct workqueue_struct *wq;
	struct work_struct work;
};

int kfdm_interrupts_init(struct kfdm_device *dev);
void kfdm_interrupts_fini(struct kfdm_device *dev);
void kfdm_interrupt(void *kfd, const u32 *ih_entry);

/* kfd_retry_fault.c */
bool kfdm_retry_fault(void *kfd, u32 pasid, u64 va, u32 access);

#endif

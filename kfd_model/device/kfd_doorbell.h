/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_DOORBELL_H
#define KFD_DOORBELL_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "kfd_model/base/kfd_layout.h"
#include "kfd_model/base/kfd_slots.h"

struct amdm_device;
struct kfdm_device;
struct kfdm_process_device;
struct kfdm_queue;
struct vm_area_struct;

/**
 * struct kfdm_doorbell_bar - who has what of a GPU's doorbell BAR, which all of its partitions use
 * @users:  partitions
 * @link:   in the list of all
 * @adev:   the GPU
 * @num_slices: in all; the first ones are the kernel's
 * @slices: process slices in use
 * @kernel: doorbells of the kernel's slice in use
 * @lock:   of both
 */
struct kfdm_doorbell_bar {
	u32 users;
	struct list_head link;
	const struct amdm_device *adev;
	u32 num_slices;
	unsigned long *slices;
	struct mutex lock;
	DECLARE_BITMAP(kernel, KFDM_DOORBELL_IDS);
};

/**
 * struct kfdm_doorbells - the doorbell BAR of a device
 * @layout: how it is divided
 * @bar:    who has what
 */
struct kfdm_doorbells {
	struct kfdm_doorbell_layout layout;
	struct kfdm_doorbell_bar *bar;
};

int kfdm_doorbells_init(struct kfdm_device *dev);
void kfdm_doorbells_fini(struct kfdm_device *dev);
int kfdm_doorbell_kernel_get(struct kfdm_device *dev, u32 *dw_offset);
void kfdm_doorbell_kernel_put(struct kfdm_device *dev, u32 dw_offset);
int kfdm_doorbell_slice_get(struct kfdm_process_device *pdd);
void kfdm_doorbell_slice_put(struct kfdm_process_device *pdd);
int kfdm_doorbell_mmap(struct kfdm_process_device *pdd, struct vm_area_struct *vma);
int kfdm_doorbell_id_get(struct kfdm_process_device *pdd, struct kfdm_queue *q);
void kfdm_doorbell_id_put(struct kfdm_process_device *pdd, struct kfdm_queue *q);

#endif

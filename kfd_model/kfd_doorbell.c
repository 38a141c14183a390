// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Doorbells
 *
 * A doorbell is a place in the doorbell BAR that a queue's owner writes to say "there is more". The BAR is cut into slices
 * of 1024 doorbells: one for the kernel's queues, one for each process on this device. CP queues take the first free
 * doorbell of their process's slice; SDMA queues have fixed ones, which CP queues must leave alone (kfd_doorbell.c).
 */
#include "kfd_doorbell.h"

#include <linux/mm.h>

#include "kfd_device.h"
#include "kfd_process.h"
#include "kfd_queues.h"

/**
 * kfdm_doorbells_init() - divide the BAR
 * @dev: device with its chip and resources set
 *
 * Return: 0, -ENOSPC when the BAR has no room for a slice.
 */
int kfdm_doorbells_init(struct kfdm_device *dev)
{
	struct kfdm_doorbells *d = &dev->doorbells;

	mutex_init(&d->lock);
	ida_init(&d->slices);
	return kfdm_doorbells_divide(dev->chip->doorbell_size, dev->resources.doorbell_aperture_bytes,
				    dev->resources.doorbell_start_offset, &d->layout);
}

/** kfdm_doorbells_fini() - undo kfdm_doorbells_init(); fine when that failed */
void kfdm_doorbells_fini(struct kfdm_device *dev)
{
	ida_destroy(&dev->doorbells.slices);
	mutex_destroy(&dev->doorbells.lock);
}

/**
 * kfdm_doorbell_kernel_get() - a doorbell for a kernel queue
 * @dev: device
 * @dw_offset: out, dword offset in the BAR
 *
 * Return: 0, -ENOMEM.
 */
int kfdm_doorbell_kernel_get(struct kfdm_device *dev, u32 *dw_offset)
{
	struct kfdm_doorbells *d = &dev->doorbells;
	u32 id;

	mutex_lock(&d->lock);
	id = find_first_zero_bit(d->kernel, KFDM_DOORBELL_IDS);
	if (id < KFDM_DOORBELL_IDS)
		__set_bit(id, d->kernel);
	mutex_unlock(&d->lock);
	if (id >= KFDM_DOORBELL_IDS)
		return -ENOMEM;
	*dw_offset = kfdm_doorbell_dw_offset(&d->layout, 0, id);
	return 0;
}

/** kfdm_doorbell_kernel_put() - undo kfdm_doorbell_kernel_get() */
void kfdm_doorbell_kernel_put(struct kfdm_device *dev, u32 dw_offset)
{
	struct kfdm_doorbells *d = &dev->doorbells;
	u32 id = (dw_offset - d->layout.base / 4) / (d->layout.doorbell_size / 4);

	mutex_lock(&d->lock);
	__clear_bit(id, d->kernel);
	mutex_unlock(&d->lock);
}

/**
 * kfdm_doorbell_slice_get() - give a process its slice, once
 * @pdd: process on this device
 *
 * Context: ioctl with the process's mutex, or mmap with mmap_lock; the doorbells' own lock keeps the two apart.
 * Return: 0, -ENOMEM when none is free.
 */
int kfdm_doorbell_slice_get(struct kfdm_process_device *pdd)
{
	const struct kfdm_doorbell_layout *layout = &pdd->dev->doorbells.layout;
	int index = 0;

	if (layout->max_slices < 2)
		return -ENOMEM;
	mutex_lock(&pdd->dev->doorbells.lock);
	if (!pdd->doorbell_index) {
		index = ida_alloc_range(&pdd->dev->doorbells.slices, 1, layout->max_slices - 1, GFP_KERNEL);
		if (index > 0) {
			kfdm_kgd->doorbell_reset(pdd->dev->adev, layout->base + index * layout->slice, layout->slice);
			pdd->doorbell_index = index;
		}
	}
	mutex_unlock(&pdd->dev->doorbells.lock);
	if (index >= 0)
		return 0;
	pr_debug("kfd_model: no doorbell slice left\n");
	return -ENOMEM;
}

/** kfdm_doorbell_slice_put() - the process is gone from this device */
void kfdm_doorbell_slice_put(struct kfdm_process_device *pdd)
{
	if (pdd->doorbell_index)
		ida_free(&pdd->dev->doorbells.slices, pdd->doorbell_index);
	pdd->doorbell_index = 0;
}

/**
 * kfdm_doorbell_mmap() - the process's slice, whole
 * @pdd: process on this device
 * @vma: by mmap on /dev/kfd
 *
 * The model's doorbells are RAM and stay cached. Return: 0, -EINVAL for another size, -ENOMEM without a slice.
 */
int kfdm_doorbell_mmap(struct kfdm_process_device *pdd, struct vm_area_struct *vma)
{
	const struct kfdm_doorbell_layout *layout = &pdd->dev->doorbells.layout;
	int ret;

	if (vma->vm_end - vma->vm_start != layout->slice)
		return -EINVAL;
	ret = kfdm_doorbell_slice_get(pdd);
	if (ret)
		return ret;
	return kfdm_kgd->doorbell_mmap(pdd->dev->adev, vma, layout->base + pdd->doorbell_index * layout->slice,
				       layout->slice);
}

/**
 * kfdm_doorbell_ids_reserve() - mark the doorbells of a slice that CP queues must not take
 * @ids: bitmap of KFDM_DOORBELL_IDS
 * @first_non_cp: of SDMA, IH, VCN
 * @last_non_cp:  inclusive
 */
void kfdm_doorbell_ids_reserve(unsigned long *ids, u32 first_non_cp, u32 last_non_cp)
{
	u32 count = last_non_cp - first_non_cp + 1;

	bitmap_zero(ids, KFDM_DOORBELL_IDS);
	if (last_non_cp < first_non_cp || last_non_cp + KFDM_DOORBELL_MIRROR >= KFDM_DOORBELL_IDS)
		return;
	bitmap_set(ids, first_non_cp, count);
	bitmap_set(ids, first_non_cp + KFDM_DOORBELL_MIRROR, count);
}

/**
 * kfdm_doorbell_id_get() - a doorbell for a new queue
 * @pdd: its process on this device, mutex held
 * @q:   queue; SDMA queues have their engine and queue id
 *
 * Sets @q's doorbell_id and properties.doorbell_off. Return: 0, -EBUSY when all are taken.
 */
int kfdm_doorbell_id_get(struct kfdm_process_device *pdd, struct kfdm_queue *q)
{
	const struct kgd2kfd_resources *r = &pdd->dev->resources;

	if (kfdm_queue_is_sdma(&q->properties)) {
		q->doorbell_id = kfdm_doorbell_sdma_id(r->sdma_doorbell_idx[q->properties.sdma_engine_id],
						       q->properties.sdma_queue_id);
	} else {
		q->doorbell_id = find_first_zero_bit(pdd->qpd.doorbell_ids, KFDM_DOORBELL_IDS);
		if (q->doorbell_id >= KFDM_DOORBELL_IDS)
			return -EBUSY;
		__set_bit(q->doorbell_id, pdd->qpd.doorbell_ids);
	}
	q->properties.doorbell_off = kfdm_doorbell_dw_offset(&pdd->dev->doorbells.layout, pdd->doorbell_index,
							     q->doorbell_id);
	return 0;
}

/** kfdm_doorbell_id_put() - undo kfdm_doorbell_id_get() */
void kfdm_doorbell_id_put(struct kfdm_process_device *pdd, struct kfdm_queue *q)
{
	if (!kfdm_queue_is_sdma(&q->properties))
		__clear_bit(q->doorbell_id, pdd->qpd.doorbell_ids);
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Doorbells
 *
 * A doorbell is a place in the doorbell BAR that a queue's owner writes to say "there is more". The BAR is cut into slices
 * of 1024 doorbells: one for the kernel's queues, one for each process on this device. Which of them a queue gets is
 * decided in kfd_slots.c (Linux: kfd_doorbell.c).
 *
 * With the MES the slices are its own to deal out: they count from the start of the BAR, and amdgpu's doorbells, the
 * aggregated ones among them, take two (Linux: amdgpu_mes.c).
 */
#include "kfd_doorbell.h"

#include <linux/mm.h>
#include <linux/slab.h>

#include "kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/queue/kfd_queues.h"

/* Of all GPUs that are there */
static LIST_HEAD(bars);
static DEFINE_MUTEX(bars_lock);

static u32 first_process_slice(const struct kfdm_device *dev)
{
	return dev->facts.enable_mes ? 2 : 1;
}

static int divide(struct kfdm_device *dev, u32 *num_slices)
{
	struct kfdm_doorbell_layout *layout = &dev->doorbells.layout;
	const struct kgd2kfd_resources *r = &dev->resources;
	int ret;

	if (dev->facts.enable_mes) {
		kfdm_doorbells_of_mes(layout);
		*num_slices = r->mes_doorbell_slices;
		return 0;
	}
	ret = kfdm_doorbells_divide(dev->chip->doorbell_size, r->doorbell_aperture_bytes, r->doorbell_start_offset, layout);
	*num_slices = layout->max_slices;
	return ret;
}

static struct kfdm_doorbell_bar *new_bar(const struct amdm_device *adev, u32 num_slices)
{
	struct kfdm_doorbell_bar *bar = kzalloc(sizeof(*bar), GFP_KERNEL);

	if (!bar)
		return NULL;
	bar->slices = bitmap_zalloc(num_slices, GFP_KERNEL);
	if (!bar->slices) {
		kfree(bar);
		return NULL;
	}
	bar->adev = adev;
	bar->num_slices = num_slices;
	mutex_init(&bar->lock);
	list_add(&bar->link, &bars);
	return bar;
}

/* Of another partition of the GPU, or a new one; bars_lock held */
static struct kfdm_doorbell_bar *find_bar(const struct amdm_device *adev, u32 num_slices)
{
	struct kfdm_doorbell_bar *bar;

	list_for_each_entry(bar, &bars, link)
		if (bar->adev == adev)
			return bar;
	return new_bar(adev, num_slices);
}

/**
 * kfdm_doorbells_init() - divide the BAR
 * @dev: device with its chip and resources set
 *
 * Return: 0, -ENOSPC when the BAR has no room for a slice, -ENOMEM.
 */
int kfdm_doorbells_init(struct kfdm_device *dev)
{
	struct kfdm_doorbell_bar *bar;
	u32 num_slices;
	int ret;

	ret = divide(dev, &num_slices);
	if (ret)
		return ret;
	mutex_lock(&bars_lock);
	bar = find_bar(dev->adev, num_slices);
	if (bar)
		bar->users++;
	mutex_unlock(&bars_lock);
	dev->doorbells.bar = bar;
	return bar ? 0 : -ENOMEM;
}

/** kfdm_doorbells_fini() - undo kfdm_doorbells_init(); fine when that failed */
void kfdm_doorbells_fini(struct kfdm_device *dev)
{
	struct kfdm_doorbell_bar *bar = dev->doorbells.bar;

	if (!bar)
		return;
	dev->doorbells.bar = NULL;
	mutex_lock(&bars_lock);
	if (!--bar->users) {
		list_del(&bar->link);
		bitmap_free(bar->slices);
		mutex_destroy(&bar->lock);
		kfree(bar);
	}
	mutex_unlock(&bars_lock);
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
	struct kfdm_doorbell_bar *bar = dev->doorbells.bar;
	u32 id;
	int ret;

	mutex_lock(&bar->lock);
	ret = kfdm_slot_take(bar->kernel, 0, KFDM_DOORBELL_IDS, &id);
	mutex_unlock(&bar->lock);
	if (ret)
		return -ENOMEM;
	*dw_offset = kfdm_doorbell_dw_offset(&dev->doorbells.layout, 0, id);
	return 0;
}

/** kfdm_doorbell_kernel_put() - undo kfdm_doorbell_kernel_get() */
void kfdm_doorbell_kernel_put(struct kfdm_device *dev, u32 dw_offset)
{
	const struct kfdm_doorbell_layout *layout = &dev->doorbells.layout;
	struct kfdm_doorbell_bar *bar = dev->doorbells.bar;
	u32 id = (dw_offset - layout->base / 4) / (layout->doorbell_size / 4);

	mutex_lock(&bar->lock);
	__clear_bit(id, bar->kernel);
	mutex_unlock(&bar->lock);
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
	struct kfdm_doorbell_bar *bar = pdd->dev->doorbells.bar;
	int ret = 0;

	mutex_lock(&bar->lock);
	if (!pdd->doorbell_index) {
		ret = kfdm_slot_take(bar->slices, first_process_slice(pdd->dev), bar->num_slices, &pdd->doorbell_index);
		if (!ret)
			kfdm_kgd->doorbell_reset(pdd->dev->adev, layout->base + pdd->doorbell_index * layout->slice,
						 layout->slice);
	}
	mutex_unlock(&bar->lock);
	if (!ret)
		return 0;
	pr_debug("kfd_model: no doorbell slice left\n");
	return -ENOMEM;
}

/** kfdm_doorbell_slice_put() - the process is gone from this device */
void kfdm_doorbell_slice_put(struct kfdm_process_device *pdd)
{
	struct kfdm_doorbell_bar *bar = pdd->dev->doorbells.bar;

	mutex_lock(&bar->lock);
	if (pdd->doorbell_index)
		__clear_bit(pdd->doorbell_index, bar->slices);
	pdd->doorbell_index = 0;
	mutex_unlock(&bar->lock);
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

/* Partitions have their engines one after the other. */
static u32 first_sdma_engine(const struct kfdm_device *dev)
{
	return dev->facts.partition * (dev->info.sdma_engines + dev->info.xgmi_sdma_engines);
}

/**
 * kfdm_doorbell_id_get() - a doorbell for a new queue
 * @pdd: its process on this device, mutex held
 * @q:   queue; SDMA queues have their engine and queue id
 *
 * Sets @q's doorbell_id and properties.doorbell_off. Return: 0, -EBUSY when all are taken; -EINVAL: a restored one cannot have its old one.
 */
int kfdm_doorbell_id_get(struct kfdm_process_device *pdd, struct kfdm_queue *q)
{
	struct kfdm_device *dev = pdd->dev;
	const u32 *sdma = &dev->resources.sdma_doorbell_idx[first_sdma_engine(dev)];
	const u32 *old = q->saved ? &q->saved->doorbell_id : NULL;
	int ret;

	if (dev->chip->doorbell_is_queue_id)
		ret = kfdm_doorbell_id_of_queue(q->properties.queue_id, old, &q->doorbell_id);
	else if (kfdm_queue_is_sdma(&q->properties))
		ret = kfdm_doorbell_id_of_sdma(sdma, dev->chip->sdma_doorbell_align, &q->properties, old, &q->doorbell_id);
	else
		ret = kfdm_doorbell_id_take(pdd->qpd.doorbell_ids, old, &q->doorbell_id);
	if (ret)
		return ret;
	q->properties.doorbell_off = kfdm_doorbell_dw_offset(&dev->doorbells.layout, pdd->doorbell_index, q->doorbell_id);
	return 0;
}

/** kfdm_doorbell_id_put() - undo kfdm_doorbell_id_get() */
void kfdm_doorbell_id_put(struct kfdm_process_device *pdd, struct kfdm_queue *q)
{
	if (!pdd->dev->chip->doorbell_is_queue_id && !kfdm_queue_is_sdma(&q->properties))
		__clear_bit(q->doorbell_id, pdd->qpd.doorbell_ids);
}

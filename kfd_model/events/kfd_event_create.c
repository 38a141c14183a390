// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: How events come to be
 *
 * The signal page, which user space or else the kernel provides, and new events in it or beside it; events of a checkpoint come back with
 * the ids that they had (Linux: kfd_events.c).
 */
#include "kfd_event.h"

#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/ioctl/kfd_mmap.h"
#include "kfd_model/memory/kfd_memory.h"

#define PAGE_BYTES	(KFD_SIGNAL_EVENT_LIMIT * 8)

static void clear_page_slots(u64 *page)
{
	memset(page, 0xff, PAGE_BYTES);
}

/**
 * kfdm_events_set_page() - user space provides the signal page
 * @events: of a process
 * @bo:     buffer of at least 32 KiB that the CPU can reach
 *
 * Context: process's mutex. Return: 0, -EINVAL: there is a page, or the buffer is too small, or an error of mem_kmap.
 */
int kfdm_events_set_page(struct kfdm_events *events, struct kfdm_bo *bo)
{
	void *page;
	u64 size;
	int ret = -EINVAL;

	mutex_lock(&events->mutex);
	if (events->page || bo->is_event_page)
		goto unlock;
	ret = kfdm_kgd->mem_kmap(bo->mem, &page, &size);
	if (ret)
		goto unlock;
	if (size < PAGE_BYTES) {
		kfdm_kgd->mem_kunmap(bo->mem);
		ret = -EINVAL;
		goto unlock;
	}
	clear_page_slots(page);
	spin_lock(&events->lock);
	events->page = page;
	spin_unlock(&events->lock);
	events->bo = bo;
	events->mapped_slots = KFD_SIGNAL_EVENT_LIMIT;
	bo->is_event_page = true;
unlock:
	mutex_unlock(&events->mutex);
	return ret;
}

static int make_own_page(struct kfdm_events *events)
{
	int order = get_order(PAGE_BYTES);
	u64 *page;

	if (events->page)
		return 0;
	page = (u64 *)__get_free_pages(GFP_KERNEL_ACCOUNT | __GFP_ZERO, order);
	if (!page)
		return -ENOMEM;
	clear_page_slots(page);
	spin_lock(&events->lock);
	events->page = page;
	spin_unlock(&events->lock);
	events->own_page_order = order;
	/* Older user space maps one page and knows of 256 events. */
	events->mapped_slots = 256;
	return 0;
}

/**
 * kfdm_events_mmap() - the signal page that the kernel made
 * @events: of a process
 * @vma:    by mmap on /dev/kfd
 *
 * Return: 0, -EINVAL: too large, or no page of the kernel's.
 */
int kfdm_events_mmap(struct kfdm_events *events, struct vm_area_struct *vma)
{
	unsigned long size = vma->vm_end - vma->vm_start;
	int ret = -EINVAL;

	mutex_lock(&events->mutex);
	if (get_order(size) > get_order(PAGE_BYTES) || events->own_page_order < 0)
		goto unlock;
	ret = remap_pfn_range(vma, vma->vm_start, virt_to_phys(events->page) >> PAGE_SHIFT, size, vma->vm_page_prot);
	if (!ret)
		events->mapped_slots = min_t(u32, size / 8, KFD_SIGNAL_EVENT_LIMIT);
unlock:
	mutex_unlock(&events->mutex);
	return ret;
}

/* @old: the id that it had before; NULL: any */
static int signal_id_get(struct kfdm_events *events, struct kfdm_event *ev, const u32 *old)
{
	int id, ret = make_own_page(events);

	if (ret)
		return ret;
	if (events->signal_count >= events->mapped_slots)
		return -ENOSPC;
	if (old && *old >= KFD_SIGNAL_EVENT_LIMIT)
		return -EINVAL;
	idr_preload(GFP_KERNEL);
	spin_lock(&events->lock);
	/* The GPU's interrupts say 0 for "no event". */
	if (old)
		id = *old ? idr_alloc(&events->idr, ev, *old, *old + 1, GFP_NOWAIT) : -ENOSPC;
	else
		id = idr_alloc(&events->idr, ev, 1, events->mapped_slots, GFP_NOWAIT);
	if (id > 0) {
		ev->id = id;
		events->signal_count++;
		WRITE_ONCE(events->page[id], KFDM_UNSIGNALED_SLOT);
	}
	spin_unlock(&events->lock);
	idr_preload_end();
	return id < 0 ? -ENOSPC : 0;
}

/* Ids below are those of slots: who looks there for events knows only such as have one. */
static int other_id_get(struct kfdm_events *events, struct kfdm_event *ev, const u32 *old)
{
	u32 first = old ? *old : KFDM_FIRST_OTHER_EVENT;
	int id;

	if (first < KFDM_FIRST_OTHER_EVENT || first >= INT_MAX)
		return -EINVAL;
	idr_preload(GFP_KERNEL);
	spin_lock(&events->lock);
	id = idr_alloc(&events->idr, ev, first, old ? first + 1 : 0, GFP_NOWAIT);
	if (id > 0)
		ev->id = id;
	spin_unlock(&events->lock);
	idr_preload_end();
	return id < 0 ? id : 0;
}

static int id_get(struct kfdm_events *events, struct kfdm_event *ev, const u32 *old)
{
	return kfdm_event_is_signal(ev) ? signal_id_get(events, ev, old) : other_id_get(events, ev, old);
}

static struct kfdm_event *event_new(u32 type, bool auto_reset)
{
	struct kfdm_event *ev = kzalloc(sizeof(*ev), GFP_KERNEL_ACCOUNT);

	if (!ev)
		return NULL;
	ev->type = type;
	ev->auto_reset = auto_reset;
	ev->age = KFDM_FIRST_EVENT_AGE;
	INIT_LIST_HEAD(&ev->waiters);
	INIT_LIST_HEAD(&ev->served);
	return ev;
}

/**
 * kfdm_event_create() - CREATE_EVENT, except for the page
 * @events: of a process
 * @args:   in and out
 *
 * Return: 0, -ENOMEM, -ENOSPC.
 */
int kfdm_event_create(struct kfdm_events *events, struct kfd_ioctl_create_event_args *args)
{
	struct kfdm_event *ev = event_new(args->event_type, args->auto_reset);
	int ret;

	if (!ev)
		return -ENOMEM;
	args->event_page_offset = 0;	/* user space's own page; only events with a slot lead to one of the kernel's */

	mutex_lock(&events->mutex);
	ret = id_get(events, ev, NULL);
	if (ret) {
		kfree(ev);
		goto unlock;
	}
	args->event_id = ev->id;
	args->event_trigger_data = ev->id;
	if (kfdm_event_is_signal(ev)) {
		args->event_page_offset = KFDM_MMAP_TYPE_EVENTS;
		args->event_slot_index = ev->id;
	}
unlock:
	mutex_unlock(&events->mutex);
	return ret;
}

/**
 * kfdm_event_restore() - an event of a checkpoint
 * @events: of a process
 * @saved:  what it was: id, type, auto_reset, signaled, and what it tells
 *
 * Return: 0, -EINVAL: there is no such id or type, -ENOSPC: the id is taken, -ENOMEM.
 */
int kfdm_event_restore(struct kfdm_events *events, const struct kfdm_event *saved)
{
	struct kfdm_event *ev;
	int ret;

	if (!kfdm_event_is_signal(saved) && saved->type != KFD_IOC_EVENT_MEMORY && saved->type != KFD_IOC_EVENT_HW_EXCEPTION)
		return -EINVAL;
	ev = event_new(saved->type, saved->auto_reset);
	if (!ev)
		return -ENOMEM;
	ev->signaled = saved->signaled;
	if (saved->type == KFD_IOC_EVENT_MEMORY)
		ev->memory = saved->memory;
	else if (saved->type == KFD_IOC_EVENT_HW_EXCEPTION)
		ev->hw = saved->hw;
	mutex_lock(&events->mutex);
	ret = id_get(events, ev, &saved->id);
	mutex_unlock(&events->mutex);
	if (ret)
		kfree(ev);
	return ret;
}

/**
 * kfdm_events_next() - events one by one, for a checkpoint
 * @events: of a process; some may come and go meanwhile
 * @id:     in: the first that is looked for; out: which it is
 * @state:  out: what kfdm_event_restore() takes
 *
 * Return: there is one.
 */
bool kfdm_events_next(struct kfdm_events *events, int *id, struct kfdm_event *state)
{
	const struct kfdm_event *ev;

	spin_lock(&events->lock);
	ev = idr_get_next(&events->idr, id);
	if (ev)
		*state = *ev;
	spin_unlock(&events->lock);
	return ev;
}

/** kfdm_events_page_buffer() - the buffer that user space has provided as signal page; NULL: none. Context: process's mutex */
struct kfdm_bo *kfdm_events_page_buffer(struct kfdm_events *events)
{
	struct kfdm_bo *bo;

	mutex_lock(&events->mutex);
	bo = events->bo;
	mutex_unlock(&events->mutex);
	return bo;
}

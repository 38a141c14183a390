// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Events
 *
 * What user space waits for instead of polling memory. A signal event has a slot of eight bytes in the process's signal page:
 * the GPU writes anything but all ones there and raises an interrupt. The interrupt may name the event, in part; if it names
 * none that has been written, all slots are looked at. Other events (memory faults, hardware exceptions) have no slot
 * (Linux: kfd_events.c). How they come to be is in kfd_event_create.c.
 */
#include "kfd_event.h"

#include <linux/log2.h>
#include <linux/slab.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/memory/kfd_memory.h"

#define FEW_EVENTS	(KFD_SIGNAL_EVENT_LIMIT / 64)
#define EVENTS_AT_ONCE	256	/* are freed without a pause */
#define PIECE		256	/* slots that are looked at without letting go of the lock */
/* What an interrupt may look at itself. Those of GFX7 and GFX8 know eight bits. */
#define AT_ONCE_SLOTS	16
#define AT_ONCE_WAITERS	8

/** kfdm_event_is_signal() - has it a slot in the signal page? */
bool kfdm_event_is_signal(const struct kfdm_event *ev)
{
	return ev->type == KFD_IOC_EVENT_SIGNAL || ev->type == KFD_IOC_EVENT_DEBUG_EVENT;
}

/** kfdm_events_init() - of a new process */
void kfdm_events_init(struct kfdm_events *events)
{
	mutex_init(&events->mutex);
	spin_lock_init(&events->lock);
	idr_init(&events->idr);
	events->signal_count = 1;
	events->own_page_order = -1;
}

/** kfdm_events_release_page() - let go of the buffer that holds the signal page, so that it can be freed */
void kfdm_events_release_page(struct kfdm_events *events)
{
	mutex_lock(&events->mutex);
	spin_lock(&events->lock);
	if (events->bo)
		events->page = NULL;
	spin_unlock(&events->lock);
	if (events->bo) {
		kfdm_kgd->mem_kunmap(events->bo->mem);
		events->bo->is_event_page = false;
		events->bo = NULL;
	}
	mutex_unlock(&events->mutex);
}

static void detach_waiters(struct list_head *waiters)
{
	struct kfdm_waiter *waiter, *next;

	list_for_each_entry_safe(waiter, next, waiters, link) {
		list_del_init(&waiter->link);
		/* wait_failed() looks at activated after it. */
		smp_store_release(&waiter->event, NULL);
		wake_up_process(waiter->task);
	}
}

static void remove_locked(struct kfdm_events *events, struct kfdm_event *ev)
{
	idr_remove(&events->idr, ev->id);
	if (kfdm_event_is_signal(ev))
		events->signal_count--;
	detach_waiters(&ev->waiters);
	detach_waiters(&ev->served);
	kfree(ev);
}

/* Some of the events that are left. Return: were there as many? */
static bool remove_some(struct kfdm_events *events)
{
	struct kfdm_event *ev;
	int id, n = 0;

	spin_lock(&events->lock);
	idr_for_each_entry(&events->idr, ev, id) {
		remove_locked(events, ev);
		if (++n == EVENTS_AT_ONCE)
			break;
	}
	spin_unlock(&events->lock);
	return n == EVENTS_AT_ONCE;
}

/** kfdm_events_fini() - of a process that is gone; there may be millions of events */
void kfdm_events_fini(struct kfdm_events *events)
{
	kfdm_events_release_page(events);
	while (remove_some(events))
		cond_resched();
	idr_destroy(&events->idr);
	if (events->own_page_order >= 0)
		free_pages((unsigned long)events->page, events->own_page_order);
	mutex_destroy(&events->mutex);
}

/** kfdm_event_destroy() - DESTROY_EVENT; threads that wait for it get -EIO. Return: 0, -EINVAL: none */
int kfdm_event_destroy(struct kfdm_events *events, u32 id)
{
	struct kfdm_event *ev;

	mutex_lock(&events->mutex);
	spin_lock(&events->lock);
	ev = idr_find(&events->idr, id);
	if (ev)
		remove_locked(events, ev);
	spin_unlock(&events->lock);
	mutex_unlock(&events->mutex);
	return ev ? 0 : -EINVAL;
}

/**
 * kfdm_event_signal_locked() - the event has happened: wake its waiters
 * @ev: event, its events' lock held
 *
 * An auto-reset event that somebody waits for is consumed at once. Who has been told of one signal leaves the next to others
 * (Linux: kfd_events.c: set_event, and init_wait's waiters, which leave the queue when they are woken).
 */
void kfdm_event_signal_locked(struct kfdm_event *ev)
{
	struct kfdm_waiter *waiter;

	ev->signaled = !ev->auto_reset || list_empty(&ev->waiters);
	if (!++ev->age)
		ev->age = KFDM_FIRST_EVENT_AGE + 1;
	list_for_each_entry(waiter, &ev->waiters, link) {
		WRITE_ONCE(waiter->activated, true);
		wake_up_process(waiter->task);
	}
	list_splice_init(&ev->waiters, &ev->served);
}

/** kfdm_event_set() - SET_EVENT. Return: 0, -EINVAL: none, or none that user space may set */
int kfdm_event_set(struct kfdm_events *events, u32 id)
{
	struct kfdm_event *ev;
	int ret = -EINVAL;

	spin_lock(&events->lock);
	ev = idr_find(&events->idr, id);
	if (ev && ev->type == KFD_IOC_EVENT_SIGNAL) {
		kfdm_event_signal_locked(ev);
		ret = 0;
	}
	spin_unlock(&events->lock);
	return ret;
}

/** kfdm_event_reset() - RESET_EVENT. Return: as kfdm_event_set() */
int kfdm_event_reset(struct kfdm_events *events, u32 id)
{
	struct kfdm_event *ev;
	int ret = -EINVAL;

	spin_lock(&events->lock);
	ev = idr_find(&events->idr, id);
	if (ev && ev->type == KFD_IOC_EVENT_SIGNAL) {
		ev->signaled = false;
		ret = 0;
	}
	spin_unlock(&events->lock);
	return ret;
}

static bool slot_written(const struct kfdm_events *events, u32 id)
{
	return READ_ONCE(events->page[id]) != KFDM_UNSIGNALED_SLOT;
}

/* The slot is made ready for the next time before the waiters run. */
static void acknowledge(struct kfdm_events *events, struct kfdm_event *ev)
{
	WRITE_ONCE(events->page[ev->id], KFDM_UNSIGNALED_SLOT);
	kfdm_event_signal_locked(ev);
}

static struct kfdm_event *find_by_partial_id(struct kfdm_events *events, u32 id, u32 bits)
{
	if (!events->page || !bits || id >= KFD_SIGNAL_EVENT_LIMIT)
		return NULL;
	/* All bits are known: it is this one, or the interrupt was about something else. */
	if (bits > 31 || 1U << bits >= KFD_SIGNAL_EVENT_LIMIT)
		return slot_written(events, id) ? idr_find(&events->idr, id) : NULL;
	for (; id < KFD_SIGNAL_EVENT_LIMIT; id += 1U << bits)
		if (slot_written(events, id))
			return idr_find(&events->idr, id);
	return NULL;
}

static void signal_written_of_few(struct kfdm_events *events)
{
	struct kfdm_event *ev;
	int id;

	idr_for_each_entry(&events->idr, ev, id) {
		if (id >= KFD_SIGNAL_EVENT_LIMIT)
			break;
		if (slot_written(events, id))
			acknowledge(events, ev);
	}
}

static void signal_written_of_piece(struct kfdm_events *events, u32 first)
{
	struct kfdm_event *ev;
	u32 id;

	for (id = first; id < first + PIECE; id++) {
		ev = slot_written(events, id) ? idr_find(&events->idr, id) : NULL;
		if (ev)
			acknowledge(events, ev);
	}
}

static void signal_all_written(struct kfdm_events *events)
{
	bool few = false;
	u32 first;

	/* What may be in the signal page changes whenever the lock is free. */
	for (first = 0; first < KFD_SIGNAL_EVENT_LIMIT && !few; first += PIECE) {
		spin_lock(&events->lock);
		few = events->signal_count < FEW_EVENTS;
		if (events->page && few)
			signal_written_of_few(events);
		else if (events->page)
			signal_written_of_piece(events, first);
		spin_unlock(&events->lock);
		cond_resched();
	}
}

/**
 * kfdm_events_interrupt() - the GPU says that it has signaled
 * @events:     of a process
 * @partial_id: low bits of the event's id, as far as known
 * @bits:       how many are known
 *
 * Context: process; may sleep.
 */
void kfdm_events_interrupt(struct kfdm_events *events, u32 partial_id, u32 bits)
{
	struct kfdm_event *ev;

	spin_lock(&events->lock);
	ev = find_by_partial_id(events, partial_id, bits);
	if (ev)
		acknowledge(events, ev);
	spin_unlock(&events->lock);
	if (!ev)
		signal_all_written(events);
}

static bool has_few_waiters(const struct kfdm_event *ev)
{
	const struct list_head *waiter;
	u32 n = 0;

	list_for_each(waiter, &ev->waiters)
		if (++n > AT_ONCE_WAITERS)
			return false;
	return true;
}

/**
 * kfdm_events_interrupt_at_once() - the same where interrupts are off
 * @events:     of a process
 * @partial_id: low bits of the event's id, as far as known
 * @bits:       how many are known
 *
 * Nothing that takes long: no search, no crowd of waiters, no lock that others
 * may hold for as long as they have events.
 *
 * Return: false: it is for kfdm_events_interrupt().
 */
bool kfdm_events_interrupt_at_once(struct kfdm_events *events, u32 partial_id,
				   u32 bits)
{
	struct kfdm_event *ev;

	if (bits < ilog2(KFD_SIGNAL_EVENT_LIMIT / AT_ONCE_SLOTS) ||
	    !spin_trylock(&events->lock))
		return false;
	ev = find_by_partial_id(events, partial_id, bits);
	if (ev && !has_few_waiters(ev))
		ev = NULL;
	if (ev)
		acknowledge(events, ev);
	spin_unlock(&events->lock);
	return ev;
}

/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_EVENT_H
#define KFD_EVENT_H

#include <linux/idr.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "uapi/kfd_ioctl.h"

struct amdm_mem;
struct kfdm_bo;
struct kfdm_device;
struct kfdm_interrupt;
struct kfdm_process;
struct vm_area_struct;

#define KFDM_UNSIGNALED_SLOT	(~0ULL)
#define KFDM_FIRST_OTHER_EVENT	0x40000000
#define KFDM_MAX_WAIT_EVENTS	KFD_SIGNAL_EVENT_LIMIT
#define KFDM_FIRST_EVENT_AGE	1	/* 0 in WAIT_EVENTS: no matter which */

/**
 * struct kfdm_event - something to wait for. All but the constants under the events' lock.
 * @id, @type, @auto_reset: constant
 * @signaled: has happened, and no waiter took it
 * @age:      1, and one more each time it happens
 * @waiters:  threads that wait for it now
 * @served:   waiters that were woken and have not returned yet: they take no second signal
 * @memory, @hw: what happened, for events of these types
 */
struct kfdm_event {
	u32 id;
	u32 type;
	bool auto_reset;
	bool signaled;
	u64 age;
	struct list_head waiters, served;
	union {
		struct kfd_hsa_memory_exception_data memory;
		struct kfd_hsa_hw_exception_data hw;
	};
};

/**
 * struct kfdm_waiter - one thread's interest in one event
 * @link:  in one of the event's lists, or empty
 * @event: NULL: destroyed
 * @task:  to be woken
 * @activated: the event has happened since, or just before it was destroyed
 * @tells_age: the thread wants to know the event's age
 */
struct kfdm_waiter {
	struct list_head link;
	struct kfdm_event *event;
	struct task_struct *task;
	bool activated, tells_age;
};

/**
 * struct kfdm_events - events of a process
 * @mutex: creation, destruction and the page; outer
 * @lock:  event states and the idr's readers; inner, process context
 * @idr:   by id: signal events 1.., others from KFDM_FIRST_OTHER_EVENT
 * @signal_count: signal events, plus one for the reserved id 0
 * @mapped_slots: slots that user space can see
 * @page:  signal page: a slot an event, written by the GPU
 * @own_page_order: @page came from the page allocator; -1: from @bo
 * @bo:    buffer that @page lies in
 */
struct kfdm_events {
	struct mutex mutex;
	spinlock_t lock;
	struct idr idr;
	u32 signal_count;
	u32 mapped_slots;
	u64 *page;
	int own_page_order;
	struct kfdm_bo *bo;
};

void kfdm_events_init(struct kfdm_events *events);
void kfdm_events_fini(struct kfdm_events *events);
void kfdm_events_release_page(struct kfdm_events *events);

/* kfd_event_create.c */
int kfdm_events_set_page(struct kfdm_events *events, struct kfdm_bo *bo);
struct kfdm_bo *kfdm_events_page_buffer(struct kfdm_events *events);
int kfdm_events_mmap(struct kfdm_events *events, struct vm_area_struct *vma);
int kfdm_event_create(struct kfdm_events *events, struct kfd_ioctl_create_event_args *args);
int kfdm_event_restore(struct kfdm_events *events, const struct kfdm_event *saved);
bool kfdm_events_next(struct kfdm_events *events, int *id, struct kfdm_event *state);

int kfdm_event_destroy(struct kfdm_events *events, u32 id);
int kfdm_event_set(struct kfdm_events *events, u32 id);
int kfdm_event_reset(struct kfdm_events *events, u32 id);
void kfdm_event_signal_locked(struct kfdm_event *ev);
bool kfdm_event_is_signal(const struct kfdm_event *ev);
void kfdm_events_interrupt(struct kfdm_events *events, u32 partial_id, u32 bits);
bool kfdm_events_interrupt_at_once(struct kfdm_events *events, u32 partial_id,
				   u32 bits);

int kfdm_events_wait(struct kfdm_events *events, struct kfd_ioctl_wait_events_args *args);

/* kfd_event_exception.c */
bool kfdm_events_set_all(struct kfdm_events *events, u32 type, const struct kfd_hsa_memory_exception_data *memory,
			 const struct kfd_hsa_hw_exception_data *hw);

void kfdm_event_interrupt(u32 pasid, u32 partial_id, u32 bits);
bool kfdm_event_interrupt_at_once(u32 pasid, u32 partial_id, u32 bits);
void kfdm_event_hw_exception(u32 pasid);
struct kfd_hsa_memory_exception_data kfdm_fault_of_interrupt(const struct kfdm_device *dev, const struct kfdm_interrupt *irq);
void kfdm_event_vm_fault(struct kfdm_device *dev, const struct kfdm_interrupt *irq);
void kfdm_event_poison(struct kfdm_device *dev, struct kfdm_process *p);
void kfdm_event_reset_all(struct kfdm_device *dev);
void kfdm_event_queues_reset(struct kfdm_device *dev);

#endif

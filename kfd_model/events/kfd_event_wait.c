// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Waiting for events
 *
 * A thread registers a waiter with each event, then sleeps until one of them (or all) have happened, the time is up, a signal
 * comes or an event is destroyed. User memory is read before and written after anything is locked (Linux: kfd_events.c,
 * kfd_wait_on_events).
 */
#include <linux/jiffies.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kfd_model/chips/kfd_abi.h"
#include "kfd_event.h"

#define TIMEOUT_IMMEDIATE	0
#define TIMEOUT_INFINITE	0xffffffff

/** struct wait - one WAIT_EVENTS call */
struct wait {
	struct kfdm_events *events;
	struct kfdm_waiter *waiters;
	struct kfd_event_data *data;
	u32 n;
	bool all;
};

static int wait_read(struct wait *wait, const struct kfd_ioctl_wait_events_args *args)
{
	const void __user *user = (const void __user *)(uintptr_t)args->events_ptr;

	wait->n = args->num_events;
	wait->all = args->wait_for_all;
	if (wait->n > KFDM_MAX_WAIT_EVENTS)
		return -ENOMEM;
	wait->waiters = kvcalloc(wait->n, sizeof(*wait->waiters), GFP_KERNEL_ACCOUNT);
	wait->data = kvcalloc(wait->n, sizeof(*wait->data), GFP_KERNEL_ACCOUNT);
	if (wait->n && (!wait->waiters || !wait->data))
		return -ENOMEM;
	return copy_from_user(wait->data, user, wait->n * sizeof(*wait->data)) ? -EFAULT : 0;
}

/* It has happened since the last time that the thread knows of, also if another wait has consumed that. */
static bool is_older_than_known(struct kfdm_waiter *waiter, const struct kfd_event_data *data)
{
	const u64 known = data->signal_event_data.last_event_age;

	waiter->tells_age = kfdm_abi->event_ages && waiter->event->type == KFD_IOC_EVENT_SIGNAL && known;
	return waiter->tells_age && waiter->event->age != known;
}

static int wait_register(struct wait *wait)
{
	struct kfdm_event *ev;
	int ret = 0;
	u32 i;

	for (i = 0; i < wait->n; i++)
		INIT_LIST_HEAD(&wait->waiters[i].link);

	spin_lock(&wait->events->lock);
	for (i = 0; i < wait->n; i++) {
		struct kfdm_waiter *waiter = &wait->waiters[i];

		ev = idr_find(&wait->events->idr, wait->data[i].event_id);
		if (!ev) {
			ret = -EINVAL;
			break;
		}
		waiter->event = ev;
		waiter->task = current;
		waiter->activated = ev->signaled;
		if (ev->auto_reset)
			ev->signaled = false;
		if (is_older_than_known(waiter, &wait->data[i]))
			waiter->activated = true;
		list_add(&waiter->link, waiter->activated ? &ev->served : &ev->waiters);
	}
	spin_unlock(&wait->events->lock);
	return ret;
}

/* With @undo, auto-reset events that this call has consumed count as signaled again. */
static void wait_unregister(struct wait *wait, bool undo)
{
	u32 i;

	spin_lock(&wait->events->lock);
	for (i = 0; i < wait->n; i++) {
		struct kfdm_waiter *waiter = &wait->waiters[i];

		if (list_empty(&waiter->link))
			continue;
		list_del_init(&waiter->link);
		if (undo && waiter->activated && waiter->event->auto_reset)
			kfdm_event_signal_locked(waiter->event);
	}
	spin_unlock(&wait->events->lock);
}

/* Its event was destroyed before it happened. */
static bool wait_failed(const struct kfdm_waiter *waiter)
{
	return !smp_load_acquire(&waiter->event) && !READ_ONCE(waiter->activated);
}

static u32 wait_result(const struct wait *wait)
{
	u32 i, activated = 0;

	for (i = 0; i < wait->n; i++) {
		if (wait_failed(&wait->waiters[i]))
			return KFD_IOC_WAIT_RESULT_FAIL;
		if (!READ_ONCE(wait->waiters[i].activated))
			continue;
		if (!wait->all)
			return KFD_IOC_WAIT_RESULT_COMPLETE;
		activated++;
	}
	return activated == wait->n ? KFD_IOC_WAIT_RESULT_COMPLETE : KFD_IOC_WAIT_RESULT_TIMEOUT;
}

static long ms_to_timeout(u32 ms)
{
	if (ms == TIMEOUT_IMMEDIATE)
		return 0;
	if (ms == TIMEOUT_INFINITE)
		return MAX_SCHEDULE_TIMEOUT;
	return msecs_to_jiffies(min_t(u32, ms, 0x7fffffff)) + 1;
}

static void store_rest(struct kfd_ioctl_wait_events_args *args, long rest)
{
	if (args->timeout == TIMEOUT_IMMEDIATE || args->timeout == TIMEOUT_INFINITE)
		return;
	args->timeout = jiffies_to_msecs(max(0L, rest - 1));
}

static int wait_sleep(struct wait *wait, struct kfd_ioctl_wait_events_args *args)
{
	long timeout = ms_to_timeout(args->timeout);
	int ret = 0;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		args->wait_result = wait_result(wait);
		if (args->wait_result != KFD_IOC_WAIT_RESULT_TIMEOUT)
			break;
		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		if (signal_pending(current)) {
			store_rest(args, timeout);
			ret = -ERESTARTSYS;
			break;
		}
		if (timeout <= 0)
			break;
		timeout = schedule_timeout(timeout);
	}
	__set_current_state(TASK_RUNNING);
	if (!ret && args->wait_result == KFD_IOC_WAIT_RESULT_FAIL)
		ret = -EIO;
	return ret;
}

/* What an event that has happened tells user space. Return: how many bytes of *@out. */
static size_t event_data(const struct kfdm_waiter *waiter, struct kfd_event_data *out)
{
	const struct kfdm_event *ev = waiter->event;

	if (!ev || !waiter->activated)
		return 0;
	if (ev->type == KFD_IOC_EVENT_MEMORY) {
		out->memory_exception_data = ev->memory;
		return sizeof(ev->memory);
	}
	if (ev->type == KFD_IOC_EVENT_HW_EXCEPTION && kfdm_abi->waits_tell_hw_exceptions) {
		out->hw_exception_data = ev->hw;
		return sizeof(ev->hw);
	}
	if (waiter->tells_age) {
		out->signal_event_data.last_event_age = ev->age;
		return sizeof(ev->age);
	}
	return 0;
}

/* One of several events is enough, but none may have been destroyed meanwhile (copy_signaled_event_data). */
static int wait_report(struct wait *wait, struct kfd_ioctl_wait_events_args *args)
{
	struct kfd_event_data __user *user = (struct kfd_event_data __user *)(uintptr_t)args->events_ptr;
	struct kfd_event_data data;
	size_t size;
	u32 i;

	for (i = 0; i < wait->n; i++) {
		struct kfdm_waiter *waiter = &wait->waiters[i];

		if (wait_failed(waiter))
			return -EINVAL;
		spin_lock(&wait->events->lock);
		size = event_data(waiter, &data);
		spin_unlock(&wait->events->lock);
		/* All kinds of data begin where the entry begins. */
		if (size && copy_to_user(&user[i], &data, size))
			return -EFAULT;
	}
	return 0;
}

/**
 * kfdm_events_wait() - WAIT_EVENTS
 * @events: of current's process
 * @args:   in and out
 *
 * Return: 0 (complete, or time is up: see wait_result), -ENOMEM, -EFAULT, -EINVAL: no such event, or one was destroyed after
 * another had happened, -EIO: destroyed meanwhile, -EINTR, -ERESTARTSYS.
 */
int kfdm_events_wait(struct kfdm_events *events, struct kfd_ioctl_wait_events_args *args)
{
	struct wait wait = { .events = events };
	int ret;

	ret = wait_read(&wait, args);
	if (ret)
		goto free;
	ret = wait_register(&wait);
	if (!ret) {
		ret = wait_sleep(&wait, args);
		if (!ret && args->wait_result == KFD_IOC_WAIT_RESULT_COMPLETE)
			ret = wait_report(&wait, args);
	}
	wait_unregister(&wait, ret == -ERESTARTSYS);
free:
	kvfree(wait.data);
	kvfree(wait.waiters);
	if (ret)
		args->wait_result = KFD_IOC_WAIT_RESULT_FAIL;
	return ret;
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Event ioctls
 *
 * On a GPU with its own memory, the first CREATE_EVENT brings the signal page: the handle of a buffer that GPU and CPU see
 * (Linux: kfd_chardev.c, kfd_kmap_event_page).
 */
#include "uapi/kfd_ioctl.h"

#include "kfd_ioctl.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/events/kfd_event.h"
#include "kfd_model/memory/kfd_memory.h"
#include "kfd_model/process/kfd_process.h"

static int take_page(struct kfdm_process *p, u64 handle)
{
	struct kfdm_process_device *pdd;
	struct kfdm_bo *bo;
	int ret;

	/* There is one page for the life of a process; another one is refused before its handle is looked up. */
	if (p->events.page)
		return -EINVAL;
	mutex_lock(&p->mutex);
	bo = kfdm_bo_find(p, handle, &pdd);
	if (!bo)
		ret = -EINVAL;
	else
		ret = kfdm_events_set_page(&p->events, bo);
	mutex_unlock(&p->mutex);
	return ret;
}

/** kfdm_ioctl_create_event() - CREATE_EVENT */
int kfdm_ioctl_create_event(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_create_event_args *args = data;
	int ret;

	if (args->event_page_offset) {
		ret = take_page(p, args->event_page_offset);
		if (ret)
			return ret;
	}
	return kfdm_event_create(&p->events, args);
}

/** kfdm_ioctl_destroy_event() - DESTROY_EVENT */
int kfdm_ioctl_destroy_event(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_destroy_event_args *args = data;

	return kfdm_event_destroy(&p->events, args->event_id);
}

/** kfdm_ioctl_set_event() - SET_EVENT */
int kfdm_ioctl_set_event(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_set_event_args *args = data;

	return kfdm_event_set(&p->events, args->event_id);
}

/** kfdm_ioctl_reset_event() - RESET_EVENT */
int kfdm_ioctl_reset_event(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_reset_event_args *args = data;

	return kfdm_event_reset(&p->events, args->event_id);
}

/** kfdm_ioctl_wait_events() - WAIT_EVENTS */
int kfdm_ioctl_wait_events(struct kfdm_process *p, void *data)
{
	return kfdm_events_wait(&p->events, data);
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Events and shared virtual memory of a checkpoint
 *
 * And the walk over everything that a checkpoint has beside buffers: each object says what it is (Linux: kfd_chardev.c, kfd_events.c,
 * kfd_svm.c).
 */
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "kfd_criu.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/events/kfd_event.h"
#include "kfd_model/memory/kfd_memory.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/svm/kfd_svm.h"

/** kfdm_criu_count_events() - events that a checkpoint takes; some may come and go meanwhile */
u32 kfdm_criu_count_events(struct kfdm_process *p)
{
	struct kfdm_event state;
	u32 n = 0;
	int id;

	for (id = 0; kfdm_events_next(&p->events, &id, &state); id++) {
		n++;
		cond_resched();
	}
	return n;
}

static void describe(const struct kfdm_event *state, struct kfdm_criu_event *priv)
{
	memset(priv, 0, sizeof(*priv));
	priv->object_type = KFDM_CRIU_EVENT;
	priv->event_id = state->id;
	priv->auto_reset = state->auto_reset;
	priv->type = state->type;
	priv->signaled = state->signaled;
	if (state->type == KFD_IOC_EVENT_MEMORY)
		priv->memory = state->memory;
	else if (state->type == KFD_IOC_EVENT_HW_EXCEPTION)
		priv->hw = state->hw;
}

/**
 * kfdm_criu_save_events() - the events' part of a checkpoint
 * @p:    process, its mutex held
 * @n:    how many there were
 * @data: private data
 *
 * Return: 0, -EFAULT, -EINVAL: there are others by now.
 */
int kfdm_criu_save_events(struct kfdm_process *p, u32 n, struct kfdm_criu_data *data)
{
	const struct kfdm_bo *page = kfdm_events_page_buffer(&p->events);
	struct kfdm_criu_event priv;
	struct kfdm_event state;
	int id = 0, ret;
	u32 i;

	for (i = 0; i < n; i++, id++) {
		if (!kfdm_events_next(&p->events, &id, &state))
			return -EINVAL;
		describe(&state, &priv);
		if (!i && page)
			priv.user_handle = kfdm_bo_handle(page);
		ret = kfdm_criu_put(data, &priv, sizeof(priv));
		if (ret)
			return ret;
		cond_resched();
	}
	return 0;
}

static int restore_page(struct kfdm_process *p, u64 handle)
{
	struct kfdm_process_device *pdd;
	struct kfdm_bo *bo = kfdm_bo_find(p, handle, &pdd);

	return bo ? kfdm_events_set_page(&p->events, bo) : -EINVAL;
}

static int restore_event(struct kfdm_process *p, struct kfdm_criu_data *data)
{
	struct kfdm_event saved = {};
	struct kfdm_criu_event priv;
	int ret;

	ret = kfdm_criu_get(data, &priv, sizeof(priv));
	if (!ret && priv.event_id > INT_MAX)
		ret = -EINVAL;
	if (!ret && priv.user_handle)
		ret = restore_page(p, priv.user_handle);
	if (ret)
		return ret;
	saved.id = priv.event_id;
	saved.type = priv.type;
	saved.auto_reset = priv.auto_reset;
	saved.signaled = priv.signaled;
	if (priv.type == KFD_IOC_EVENT_MEMORY)
		saved.memory = priv.memory;
	else
		saved.hw = priv.hw;
	return kfdm_event_restore(&p->events, &saved);
}

/** kfdm_criu_range_bytes() - of private data for each range of shared virtual memory */
u64 kfdm_criu_range_bytes(const struct kfdm_process *p)
{
	return sizeof(struct kfdm_criu_svm_range) + kfdm_svm_saved_attrs(p) * sizeof(struct kfd_ioctl_svm_attribute);
}

/**
 * kfdm_criu_save_ranges() - the part of shared virtual memory
 * @p:    process, its mutex held
 * @data: private data
 *
 * Return: 0, -EFAULT, -ENOMEM, -EINVAL: there are more by now.
 */
int kfdm_criu_save_ranges(struct kfdm_process *p, struct kfdm_criu_data *data)
{
	struct kfdm_criu_svm_range *priv = kzalloc(kfdm_criu_range_bytes(p), GFP_KERNEL);
	u64 first, pages;
	int ret = 0;

	if (!priv)
		return -ENOMEM;
	priv->object_type = KFDM_CRIU_SVM_RANGE;
	for (first = 0; !ret && kfdm_svm_next(p, &first, &pages, priv->attrs); first += pages) {
		priv->start_addr = first;
		priv->size = pages;
		ret = kfdm_criu_put(data, priv, kfdm_criu_range_bytes(p));
	}
	kfree(priv);
	return ret;
}

static int restore_range(struct kfdm_process *p, struct kfdm_criu_data *data)
{
	const u32 n = kfdm_svm_saved_attrs(p);
	struct kfdm_criu_svm_range priv;
	struct kfdm_svm_saved *saved;
	int ret;

	if (!kfdm_svm_is_built())
		return -EINVAL;
	saved = kfdm_svm_saved_new(n);
	if (!saved)
		return -ENOMEM;
	ret = kfdm_criu_get(data, &priv, sizeof(priv));
	if (!ret)
		ret = kfdm_criu_get(data, saved->attrs, n * sizeof(saved->attrs[0]));
	if (ret) {
		kfree(saved);
		return ret;
	}
	saved->first = priv.start_addr;
	saved->pages = priv.size;
	kfdm_svm_restore(p, saved);
	return 0;
}

static int restore_object(struct kfdm_process *p, struct kfdm_criu_data *data)
{
	struct kfdm_criu_data ahead = *data;
	u32 type;
	int ret;

	ret = kfdm_criu_get(&ahead, &type, sizeof(type));
	if (ret)
		return ret;
	switch (type) {
	case KFDM_CRIU_QUEUE:
		return kfdm_criu_restore_queue(p, data);
	case KFDM_CRIU_EVENT:
		return restore_event(p, data);
	case KFDM_CRIU_SVM_RANGE:
		return restore_range(p, data);
	default:
		return -EINVAL;
	}
}

/**
 * kfdm_criu_restore_objects() - queues, events and ranges as they come
 * @p:    current's process with its buffers, its mutex held, its queues evicted
 * @n:    how many
 * @data: private data
 *
 * Return: 0, -EINVAL, -EFAULT, -EINTR, or an error of restoring one. What has been restored stays with the process.
 */
int kfdm_criu_restore_objects(struct kfdm_process *p, u32 n, struct kfdm_criu_data *data)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < n && !ret; i++) {
		ret = restore_object(p, data);
		if (!ret && fatal_signal_pending(current))
			ret = -EINTR;
		cond_resched();
	}
	return ret;
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What a debugger asks about exceptions
 *
 * Which there are, one queue or device at a time, and what is known about one (Linux: kfd_debug.c: kfd_dbg_ev_query_debug_event,
 * kfd_dbg_trap_query_exception_info). All functions are called with the mutex of the debugged process held.
 */
#include "kfd_debug.h"

#include <linux/uaccess.h>

#include "kfd_model/device/kfd_device.h"

/** struct source - @exceptions: of a queue (@q), else of a device (@pdd), else of the process */
struct source {
	u64 *exceptions;
	struct kfdm_queue *q;
	struct kfdm_process_device *pdd;
};

/* The first one that has an exception that is enabled: queues, then devices, then the process. debug.lock is held. */
static bool find_raised(struct kfdm_process *p, struct source *source)
{
	struct kfdm_queue *q;
	u32 i;

	list_for_each_entry(q, &p->queues, link)
		if (q->exceptions & p->debug.enabled) {
			*source = (struct source){ .exceptions = &q->exceptions, .q = q, .pdd = q->pdd };
			return true;
		}
	for (i = 0; i < p->n_pdds; i++)
		if (p->pdds[i]->debug.exceptions & p->debug.enabled) {
			*source = (struct source){ .exceptions = &p->pdds[i]->debug.exceptions, .pdd = p->pdds[i] };
			return true;
		}
	*source = (struct source){ .exceptions = &p->debug.exceptions };
	return p->debug.exceptions & p->debug.enabled;
}

/**
 * kfdm_debug_query_event() - QUERY_DEBUG_EVENT
 * @p:    debugged process
 * @args: in: exceptions to be cleared; out: all of one source, and which
 *
 * Return: 0, -EAGAIN: there is none.
 */
int kfdm_debug_query_event(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
{
	const u64 clear = args->query_debug_event.exception_mask;
	struct source source;
	u64 raised = 0;

	mutex_lock(&p->debug.lock);
	args->query_debug_event.queue_id = 0;
	args->query_debug_event.gpu_id = 0;
	if (find_raised(p, &source)) {
		raised = *source.exceptions;
		*source.exceptions &= ~clear;
		if (source.q)
			args->query_debug_event.queue_id = source.q->properties.queue_id;
		if (source.pdd)
			args->query_debug_event.gpu_id = source.pdd->dev->id;
	}
	args->query_debug_event.exception_mask = raised;
	mutex_unlock(&p->debug.lock);
	return raised ? 0 : -EAGAIN;
}

/* Return: does it exist? */
static bool find_source(struct kfdm_process *p, u64 exception, u32 id, struct source *source)
{
	*source = (struct source){};
	if (exception & KFD_EC_MASK_QUEUE) {
		source->q = kfdm_queue_find(p, id);
		source->exceptions = source->q ? &source->q->exceptions : NULL;
	} else if (exception & KFD_EC_MASK_DEVICE) {
		source->pdd = kfdm_pdd_by_id(p, id);
		source->exceptions = source->pdd ? &source->pdd->debug.exceptions : NULL;
	} else if (exception & KFD_EC_MASK_PROCESS) {
		source->exceptions = &p->debug.exceptions;
	}
	return source->exceptions;
}

union exception_info {
	struct kfd_hsa_memory_exception_data fault;
	struct kfd_runtime_info runtime;
};

/* debug.lock is held. Return: bytes */
static u32 fill_info(struct kfdm_process *p, u32 code, const struct source *source, union exception_info *info)
{
	switch (code) {
	case EC_DEVICE_MEMORY_VIOLATION:
		info->fault = source->pdd->debug.fault;
		return source->pdd->debug.has_fault ? sizeof(info->fault) : 0;
	case EC_PROCESS_RUNTIME:
		info->runtime = (struct kfd_runtime_info){
			.r_debug = p->runtime.r_debug, .runtime_state = p->runtime.state, .ttmp_setup = p->runtime.ttmp_setup,
		};
		return sizeof(info->runtime);
	default:
		return 0;
	}
}

static void clear_exception(struct kfdm_process *p, u32 code, const struct source *source)
{
	mutex_lock(&p->debug.lock);
	*source->exceptions &= ~KFD_EC_MASK(code);
	if (code == EC_DEVICE_MEMORY_VIOLATION)
		source->pdd->debug.has_fault = false;
	mutex_unlock(&p->debug.lock);
}

/**
 * kfdm_debug_query_info() - QUERY_EXCEPTION_INFO
 * @p:    debugged process
 * @args: exception, of which queue or device; where what is known about it goes
 *
 * Return: 0, -EINVAL: no such exception, queue or device, or no buffer; -ENODATA: it has not been raised; -EFAULT.
 */
int kfdm_debug_query_info(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
{
	void __user *to = (void __user *)(uintptr_t)args->query_exception_info.info_ptr;
	const u32 code = args->query_exception_info.exception_code;
	union exception_info info = {};
	struct source source;
	bool raised;
	u32 size;

	if (!to || !code || code > EC_PROCESS_DEVICE_REMOVE ||
	    !find_source(p, KFD_EC_MASK(code), args->query_exception_info.source_id, &source))
		return -EINVAL;
	mutex_lock(&p->debug.lock);
	raised = *source.exceptions & KFD_EC_MASK(code);
	size = fill_info(p, code, &source, &info);
	mutex_unlock(&p->debug.lock);
	if (!raised)
		return -ENODATA;
	if (copy_to_user(to, &info, min(size, args->query_exception_info.info_size)))
		return -EFAULT;
	args->query_exception_info.info_size = size;
	if (args->query_exception_info.clear_exception)
		clear_exception(p, code, &source);
	return 0;
}

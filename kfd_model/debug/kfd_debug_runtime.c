// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The runtime of a process that may be debugged
 *
 * A language runtime says when it is ready (RUNTIME_ENABLE), and waits then until its debugger has looked; so it does when it ends. The
 * debugger may hand exceptions on to it (Linux: kfd_chardev.c: runtime_enable; kfd_debug.c: kfd_dbg_send_exception_to_runtime).
 */
#include "kfd_debug.h"

#include <linux/sched/signal.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"

/* The debugger has answered, or is gone. */
static bool may_go_on(struct kfdm_process *p)
{
	return !READ_ONCE(p->debug.attached) || atomic_dec_if_positive(&p->debug.releases) >= 0;
}

/* The mutex is free meanwhile. After a signal the call comes again, and waits only. */
static int wait_for_debugger(struct kfdm_process *p)
{
	int ret;

	mutex_unlock(&p->mutex);
	ret = wait_event_interruptible(p->debug.changed, may_go_on(p));
	mutex_lock(&p->mutex);
	p->debug.retry = ret;
	return ret ? -EINTR : 0;
}

static int begin(struct kfdm_process *p, u64 r_debug, bool ttmp_setup)
{
	u32 i;

	if (p->runtime.state != DEBUG_RUNTIME_STATE_DISABLED)
		return -EBUSY;
	for (i = 0; i < p->n_pdds; i++)
		if (p->pdds[i]->qpd.map.queue_count)
			return -EEXIST;
	p->runtime.r_debug = r_debug;
	p->runtime.ttmp_setup = ttmp_setup;
	kfdm_debug_message_init(p);
	mutex_lock(&p->debug.lock);	/* from here on exceptions find the work */
	p->runtime.state = DEBUG_RUNTIME_STATE_ENABLED;
	mutex_unlock(&p->debug.lock);
	if (ttmp_setup)
		kfdm_debug_setup_ttmps(p, true);
	if (p->debug.attached) {
		kfdm_debug_activate(p);
		kfdm_debug_raise_process(p, KFD_EC_MASK(EC_PROCESS_RUNTIME));
	}
	return 0;
}

/**
 * kfdm_debug_runtime_enable() - the runtime is ready
 * @p:          process; mutex held
 * @r_debug:    where it keeps what a debugger wants to know
 * @ttmp_setup: waves shall have their TTMP registers set up
 *
 * Return: 0, -EBUSY: it was; -EEXIST: there are queues; -EINTR: a signal came before the debugger's answer; to be called again.
 */
int kfdm_debug_runtime_enable(struct kfdm_process *p, u64 r_debug, bool ttmp_setup)
{
	const bool retry = p->debug.retry;
	int ret = 0;

	p->debug.retry = false;
	if (!retry)
		ret = begin(p, r_debug, ttmp_setup);
	return !ret && p->debug.attached ? wait_for_debugger(p) : ret;
}

/** kfdm_debug_runtime_disable() - it is no longer. Context: as there. Return: 0, -EINTR, or the hardware's error */
int kfdm_debug_runtime_disable(struct kfdm_process *p)
{
	const bool was_enabled = p->runtime.state == DEBUG_RUNTIME_STATE_ENABLED, retry = p->debug.retry;
	int ret;

	p->debug.retry = false;
	WRITE_ONCE(p->runtime.state, DEBUG_RUNTIME_STATE_DISABLED);
	p->runtime.r_debug = 0;
	if (p->debug.attached) {
		if (was_enabled)
			kfdm_debug_deactivate(p);
		if (!retry)
			kfdm_debug_raise_process(p, KFD_EC_MASK(EC_PROCESS_RUNTIME));
		ret = wait_for_debugger(p);
		if (ret)
			return ret;
	}
	p->runtime.ttmp_setup = false;
	return kfdm_debug_setup_ttmps(p, false);
}

static int tell_of_fault(struct kfdm_process *p, u32 gpu_id)
{
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, gpu_id);
	struct kfd_hsa_memory_exception_data fault = { .gpu_id = gpu_id };

	if (!pdd)
		return -ENODEV;
	mutex_lock(&p->debug.lock);
	if (pdd->debug.has_fault)
		fault = pdd->debug.fault;
	mutex_unlock(&p->debug.lock);
	kfdm_dqm_evict(pdd->dev->dqm, &pdd->qpd);
	kfdm_events_set_all(&p->events, KFD_IOC_EVENT_MEMORY, &fault, NULL);
	return 0;
}

/**
 * kfdm_debug_send_to_runtime() - SEND_RUNTIME_EVENT
 * @p:    debugged process; mutex held
 * @args: exceptions, of which device and queue
 *
 * A memory violation is told as it would have been without a debugger; EC_PROCESS_RUNTIME lets RUNTIME_ENABLE go on.
 *
 * Return: 0, -ENODEV: a memory violation of no device.
 */
int kfdm_debug_send_to_runtime(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
{
	u64 exceptions = args->send_runtime_event.exception_mask;
	int ret;

	if (exceptions & KFD_EC_MASK(EC_DEVICE_MEMORY_VIOLATION)) {
		ret = tell_of_fault(p, args->send_runtime_event.gpu_id);
		if (ret)
			return ret;
		exceptions &= ~KFD_EC_MASK(EC_DEVICE_MEMORY_VIOLATION);
	}
	if (exceptions & KFD_EC_MASK(EC_PROCESS_RUNTIME)) {
		atomic_add_unless(&p->debug.releases, 1, INT_MAX);
		wake_up_all(&p->debug.changed);
		exceptions &= ~KFD_EC_MASK(EC_PROCESS_RUNTIME);
	}
	if (exceptions)
		kfdm_debug_tell_of_queue(p, args->send_runtime_event.queue_id, exceptions);
	return 0;
}

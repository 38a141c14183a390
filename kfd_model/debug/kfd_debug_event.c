// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Exceptions for a debugger
 *
 * An exception is a bit of its process, of one of the process's devices, or of a queue, which stays until the debugger clears it. The
 * debugger is woken for those that it has enabled; the others are kept as well. Nothing is kept of a process that nobody debugs, but for new
 * queues (Linux: kfd_debug.c: kfd_dbg_ev_raise, kfd_set_dbg_ev_from_interrupt).
 *
 * Interrupts come without the process's mutex, which a user can keep for long: the exceptions have a lock of their own.
 */
#include "kfd_debug.h"

#include "kfd_bell.h"
#include "kfd_model/device/kfd_device.h"

/* debug.lock is held. Return: has the debugger asked for it? */
static bool tell(struct kfdm_process *p, u64 exceptions)
{
	if (!(p->debug.enabled & exceptions))
		return false;
	kfdm_bell_ring(p->debug.bell);
	return true;
}

/** kfdm_debug_raise_process() - exceptions of a process. Return: the debugger has been told */
bool kfdm_debug_raise_process(struct kfdm_process *p, u64 exceptions)
{
	bool told = false;

	mutex_lock(&p->debug.lock);
	if (p->debug.attached) {
		p->debug.exceptions |= exceptions & KFD_EC_MASK_PROCESS;
		told = tell(p, exceptions);
	}
	mutex_unlock(&p->debug.lock);
	return told;
}

/**
 * kfdm_debug_raise_device() - exceptions of a device
 * @pdd:        process and device; the process is debugged, or the device is constant by other means
 * @exceptions: KFD_EC_MASK_DEVICE
 * @fault:      what is known about a memory violation; NULL: there is none. The first one counts until it is cleared
 *
 * Return: the debugger has been told.
 */
bool kfdm_debug_raise_device(struct kfdm_process_device *pdd, u64 exceptions, const struct kfd_hsa_memory_exception_data *fault)
{
	struct kfdm_process *p = pdd->process;
	bool told = false;

	mutex_lock(&p->debug.lock);
	if (p->debug.attached) {
		pdd->debug.exceptions |= exceptions & KFD_EC_MASK_DEVICE;
		if (fault && !pdd->debug.has_fault) {
			pdd->debug.fault = *fault;
			pdd->debug.has_fault = true;
		}
		told = tell(p, exceptions);
	}
	mutex_unlock(&p->debug.lock);
	return told;
}

/** kfdm_debug_raise_new_queue() - a queue has been made, which has the exception from the start. Return: the debugger has been told */
bool kfdm_debug_raise_new_queue(struct kfdm_process *p, u32 queue_id)
{
	const u64 exception = KFD_EC_MASK(EC_QUEUE_NEW);
	struct kfdm_queue *q;
	bool told = false;

	mutex_lock(&p->debug.lock);
	if (p->debug.attached) {
		list_for_each_entry(q, &p->queues, link)
			if (q->properties.queue_id == queue_id)
				q->exceptions |= exception;
		told = tell(p, exception);
	}
	mutex_unlock(&p->debug.lock);
	return told;
}

/* debug.lock is held */
static struct kfdm_queue *queue_of_doorbell(struct kfdm_process *p, const struct kfdm_device *dev, u32 doorbell_id)
{
	struct kfdm_queue *q;

	list_for_each_entry(q, &p->queues, link)
		if (q->pdd->dev == dev && q->doorbell_id == doorbell_id)
			return q;
	return NULL;
}

/* Whom to tell: the debugger, or the runtime that has asked for exceptions of its queues. Return: one of them has been told. */
static bool raise_queue(struct kfdm_process *p, const struct kfdm_device *dev, u32 doorbell_id, u64 exceptions, bool *runtime)
{
	struct kfdm_queue *q;
	bool told = false;

	mutex_lock(&p->debug.lock);
	q = queue_of_doorbell(p, dev, doorbell_id);
	if (p->debug.attached) {
		if (q)
			q->exceptions |= exceptions;
		told = tell(p, exceptions);
	}
	*runtime = !told && q && exceptions & KFD_EC_MASK_QUEUE && READ_ONCE(p->runtime.state) == DEBUG_RUNTIME_STATE_ENABLED;
	if (*runtime)
		q->for_runtime |= exceptions;
	mutex_unlock(&p->debug.lock);
	return told || *runtime;
}

/**
 * kfdm_debug_wave_exception() - exceptions of a queue, as a trap handler or the CP tells of them
 * @dev:         device
 * @pasid:       process
 * @doorbell_id: queue
 * @exceptions:  KFD_EC_MASK()
 *
 * Context: worker of the interrupts. Return: somebody has been told, and it is nobody else's.
 */
bool kfdm_debug_wave_exception(struct kfdm_device *dev, u32 pasid, u32 doorbell_id, u64 exceptions)
{
	struct kfdm_process *p = kfdm_process_by_pasid(pasid);
	bool told, runtime;

	if (!p)
		return false;
	told = raise_queue(p, dev, doorbell_id, exceptions, &runtime);
	if (runtime)
		kfdm_debug_tell_runtime(p);
	kfdm_process_put(p);
	return told;
}

/** kfdm_debug_vm_fault() - a VM fault. Context: as kfdm_debug_wave_exception(). Return: it is the debugger's alone */
bool kfdm_debug_vm_fault(struct kfdm_device *dev, u32 pasid, const struct kfd_hsa_memory_exception_data *fault)
{
	struct kfdm_process *p = kfdm_process_by_pasid(pasid);
	struct kfdm_process_device *pdd;
	bool told = false;

	if (!p)
		return false;
	pdd = kfdm_pdd_by_dev(p, dev);
	if (pdd)
		told = kfdm_debug_raise_device(pdd, KFD_EC_MASK(EC_DEVICE_MEMORY_VIOLATION), fault);
	kfdm_process_put(p);
	return told;
}

/* debug.lock is held */
static u64 all_exceptions(struct kfdm_process *p)
{
	u64 found = p->debug.exceptions;
	struct kfdm_queue *q;
	u32 i;

	list_for_each_entry(q, &p->queues, link)
		found |= q->exceptions;
	for (i = 0; i < p->n_pdds; i++)
		found |= p->pdds[i]->debug.exceptions;
	return found;
}

/** kfdm_debug_set_enabled() - SET_EXCEPTIONS_ENABLED; rings for what is there. Context: process's mutex; it is debugged */
void kfdm_debug_set_enabled(struct kfdm_process *p, u64 exceptions)
{
	mutex_lock(&p->debug.lock);
	p->debug.enabled = exceptions;
	tell(p, all_exceptions(p));
	mutex_unlock(&p->debug.lock);
}

/** kfdm_debug_forget() - nobody debugs the process any more. Context: process's mutex */
void kfdm_debug_forget(struct kfdm_process *p)
{
	struct kfdm_queue *q;
	u32 i;

	mutex_lock(&p->debug.lock);
	p->debug.attached = false;
	p->debug.bell = NULL;
	p->debug.enabled = 0;
	p->debug.exceptions = 0;
	list_for_each_entry(q, &p->queues, link)
		q->exceptions = 0;
	for (i = 0; i < p->n_pdds; i++) {
		p->pdds[i]->debug.exceptions = 0;
		p->pdds[i]->debug.has_fault = false;
	}
	mutex_unlock(&p->debug.lock);
}

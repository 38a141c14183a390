// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Interrupts and exceptions become events
 *
 * Who gets what: signals go to the process that the interrupt's PASID names; VM faults and poison to its memory events; a
 * reset of the GPU to the hardware-exception events of everybody who uses that GPU (Linux: kfd_events.c).
 */
#include <linux/sched/signal.h>

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/events/kfd_event.h"
#include "kfd_model/ih/kfd_interrupt_class.h"
#include "kfd_model/process/kfd_process.h"

/** kfdm_event_interrupt() - a signal for the process of @pasid; see kfdm_events_interrupt() */
void kfdm_event_interrupt(u32 pasid, u32 partial_id, u32 bits)
{
	struct kfdm_process *p = kfdm_process_by_pasid(pasid);

	if (!p)
		return;
	kfdm_events_interrupt(&p->events, partial_id, bits);
	kfdm_process_put(p);
}

/**
 * kfdm_event_interrupt_at_once() - the same where interrupts are off
 * @pasid:      names the process
 * @partial_id: low bits of the event's id, as far as known
 * @bits:       how many are known
 *
 * Return: false: it is for kfdm_event_interrupt().
 */
bool kfdm_event_interrupt_at_once(u32 pasid, u32 partial_id, u32 bits)
{
	struct kfdm_process *p = kfdm_process_by_pasid(pasid);
	bool told;

	if (!p)
		return true;
	told = kfdm_events_interrupt_at_once(&p->events, partial_id, bits);
	kfdm_process_put(p);
	return told;
}

static void report_unhandled(struct kfdm_process *p)
{
	if (amdm_kfd_param.send_sigterm) {
		pr_warn_ratelimited("kfd_model: Sending SIGTERM to process %d (pasid 0x%x)\n", p->lead_thread->pid,
				    p->pasid);
		send_sig(SIGTERM, p->lead_thread, 0);
	} else {
		pr_err_ratelimited("kfd_model: Process %d (pasid 0x%x) got unhandled exception\n",
				   p->lead_thread->pid, p->pasid);
	}
}

/** kfdm_event_hw_exception() - the CP met an opcode that it does not know */
void kfdm_event_hw_exception(u32 pasid)
{
	struct kfdm_process *p = kfdm_process_by_pasid(pasid);

	if (!p)
		return;
	if (!kfdm_events_set_all(&p->events, KFD_IOC_EVENT_HW_EXCEPTION, NULL, NULL))
		report_unhandled(p);
	kfdm_process_put(p);
}

/* What the process calls the device */
static u32 id_of(struct kfdm_process *p, const struct kfdm_device *dev)
{
	const struct kfdm_process_device *pdd = kfdm_pdd_by_dev(p, dev);

	return pdd ? pdd->user_gpu_id : dev->id;
}

/** kfdm_fault_of_interrupt() - what user space is told of a VM fault */
struct kfd_hsa_memory_exception_data kfdm_fault_of_interrupt(const struct kfdm_device *dev, const struct kfdm_interrupt *irq)
{
	return (struct kfd_hsa_memory_exception_data){
		.gpu_id = dev->id,
		.va = irq->page << PAGE_SHIFT,
		.failure.NotPresent = irq->prot_valid,
		.failure.ReadOnly = irq->prot_write,
		.failure.imprecise = irq->fault == KFDM_FAULT_UNKNOWN,
	};
}

/**
 * kfdm_event_vm_fault() - an address that is not mapped, or not like that
 * @dev: device
 * @irq: decoded fault
 */
void kfdm_event_vm_fault(struct kfdm_device *dev, const struct kfdm_interrupt *irq)
{
	struct kfd_hsa_memory_exception_data memory = kfdm_fault_of_interrupt(dev, irq);
	struct kfdm_process *p = kfdm_process_by_pasid(irq->pasid);

	if (!p)
		return;
	memory.gpu_id = id_of(p, dev);
	kfdm_events_set_all(&p->events, KFD_IOC_EVENT_MEMORY, &memory, NULL);
	kfdm_process_put(p);
}

/** kfdm_event_poison() - the process read memory that an error has spoiled */
void kfdm_event_poison(struct kfdm_device *dev, struct kfdm_process *p)
{
	struct kfd_hsa_memory_exception_data memory = {
		.ErrorType = KFD_MEM_ERR_POISON_CONSUMED,
		.gpu_id = id_of(p, dev),
		.failure.imprecise = true,
	};
	struct kfd_hsa_hw_exception_data hw = {
		.gpu_id = id_of(p, dev),
		.reset_cause = KFD_HW_EXCEPTION_ECC,
		.memory_lost = 1,
	};

	kfdm_events_set_all(&p->events, KFD_IOC_EVENT_HW_EXCEPTION, NULL, &hw);
	kfdm_events_set_all(&p->events, KFD_IOC_EVENT_MEMORY, &memory, NULL);
	send_sig(SIGBUS, p->lead_thread, 0);
}

static void tell_reset(struct kfdm_process *p, void *data)
{
	struct kfdm_device *dev = data;
	struct kfd_hsa_hw_exception_data hw = {
		.reset_type = KFD_HW_EXCEPTION_WHOLE_GPU_RESET,
		.reset_cause = KFD_HW_EXCEPTION_GPU_HANG,
		.memory_lost = 1,
		.gpu_id = id_of(p, dev),
	};

	if (kfdm_pdd_by_dev(p, dev))
		kfdm_events_set_all(&p->events, KFD_IOC_EVENT_HW_EXCEPTION, NULL, &hw);
}

static void tell_queue_reset(struct kfdm_process *p, void *data)
{
	struct kfdm_process_device *pdd = kfdm_pdd_by_dev(p, data);

	if (pdd && pdd->qpd.has_reset_queue)
		tell_reset(p, data);
}

/** kfdm_event_queues_reset() - queues have been reset: what their processes had in them is lost. Context: DQM lock */
void kfdm_event_queues_reset(struct kfdm_device *dev)
{
	kfdm_processes_for_each(tell_queue_reset, dev);
}

/** kfdm_event_reset_all() - the GPU is reset: everybody's work on it is lost */
void kfdm_event_reset_all(struct kfdm_device *dev)
{
	kfdm_processes_for_each(tell_reset, dev);
}

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Interrupts
 *
 * amdgpu_model hands every interrupt ring entry that it does not want itself to KFD, with interrupts off. The filter of the
 * generation says whether it is KFD's; if so, it waits in a FIFO for the worker, which turns it into events, evictions and
 * exceptions (Linux: kfd_interrupt.c).
 *
 * A signal that would find the FIFO empty and the worker idle is delivered at once, unless its event has to be searched for.
 * amdkfd cannot do that: its locks are not for hard interrupts. The model's interrupts come from its own thread, and
 * whoever waits for a signal need not wait for two threads to wake.
 */
#include "kfd_interrupt.h"

#include "amdgpu_model/compat/workqueue.h"
#include "kfd_model/debug/kfd_debug.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/events/kfd_event.h"
#include "kfd_model/events/kfd_smi.h"
#include "kfd_model/process/kfd_process.h"

#define ENTRY_BYTES (KFDM_IH_ENTRY_DWORDS * sizeof(u32))

/* Hawaii: the entry of a VM fault says neither whose VMID nor whose PASID it was. */
static bool fault_owner(void *device, u32 *vmid, u16 *pasid)
{
	struct kfdm_device *dev = device;

	*vmid = kfdm_kgd->vm_fault_vmid(dev->adev);
	return kfdm_kgd->vmid_pasid(dev->xcp, *vmid, pasid);
}

static bool wanted(struct kfdm_device *dev, const u32 *entry, u32 *patched)
{
	const struct kfdm_interrupt_filter filter = {
		.tells_event_id = kfdm_firmware_since(dev->facts.mec_fw, dev->chip->eop_id_mec_fw),
		.first_vmid = dev->first_vmid,
		.last_vmid = dev->last_vmid,
		.node_ids = dev->node_ids,
		.vmids = dev->vmids,
		.no_hws = dev->dqm->sched_policy == KFDM_SCHED_POLICY_NO_HWS,
		.no_eviction_on_vm_fault = amdm_kfd_param.no_queue_eviction_on_vm_fault,
		.vmid_pasid = dev->dqm->nocpsch.vmid_pasid,
		.fault_owner = dev->chip->faults_lack_owner ? fault_owner : NULL,
		.device = dev,
	};

	return dev->chip->interrupts->wanted(&filter, entry, patched);
}

/* Never before what came earlier: a fault is known before the signal that follows it. */
static bool delivered_at_once(struct kfdm_device *dev, const u32 *entry)
{
	struct kfdm_interrupt irq;

	if (atomic_read_acquire(&dev->interrupts.queued))
		return false;
	dev->chip->interrupts->decode(entry, &irq);
	if (irq.kind != KFDM_IRQ_SIGNAL || irq.is_sq_error || irq.has_trap)
		return false;
	return kfdm_event_interrupt_at_once(irq.pasid, irq.event_id,
					    irq.event_bits);
}

static void enqueue(struct kfdm_interrupts *irqs, const u32 *entry)
{
	atomic_inc(&irqs->queued);
	if (kfifo_in(&irqs->fifo, entry, ENTRY_BYTES) != ENTRY_BYTES) {
		atomic_dec(&irqs->queued);
		pr_debug_ratelimited("kfd_model: interrupt FIFO full, entry dropped\n");
	}
	queue_work(irqs->wq, &irqs->work);
}

/**
 * kfdm_interrupt() - one interrupt ring entry
 * @kfd:      device
 * @ih_entry: as many dwords as the generation's entries have
 *
 * Context: interrupts are off, but not in a hard interrupt.
 */
void kfdm_interrupt(void *kfd, const u32 *ih_entry)
{
	struct kfdm_device *dev = kfd;
	struct kfdm_interrupts *irqs = &dev->interrupts;
	u32 entry[KFDM_IH_ENTRY_DWORDS] = {};
	unsigned long flags;

	memcpy(entry, ih_entry, dev->chip->interrupts->entry_dwords * sizeof(*entry));
	spin_lock_irqsave(&irqs->lock, flags);
	if (irqs->active && wanted(dev, ih_entry, entry) && !delivered_at_once(dev, entry))
		enqueue(irqs, entry);
	spin_unlock_irqrestore(&irqs->lock, flags);
}

static void handle_poison(struct kfdm_device *dev, const struct kfdm_interrupt *irq)
{
	struct kfdm_process *p = kfdm_process_by_pasid(irq->pasid);
	int ret = -EINVAL;

	if (!p)
		return;
	if (!atomic_xchg(&p->poison, 1) && irq->cure != KFDM_POISON_NONE) {
		if (irq->cure != KFDM_POISON_RESET_GPU)
			ret = kfdm_evict_pasid(dev, irq->pasid);
		kfdm_event_poison(dev, p);
		if (ret)
			kfdm_kgd->gpu_reset(dev->adev);
	}
	kfdm_process_put(p);
}

static bool read_fault(struct kfdm_device *dev, struct kfdm_interrupt *irq)
{
	struct kgd_fault_info raw = {};
	struct kfdm_fault_info info;

	kfdm_kgd->vm_fault_info(dev->adev, &raw);
	info = (struct kfdm_fault_info){
		.page = raw.page, .vmid = raw.vmid, .client = raw.client, .status = raw.status,
		.prot_valid = raw.prot_valid, .prot_read = raw.prot_read, .prot_write = raw.prot_write,
	};
	return kfdm_fault_from_registers(irq, &info);
}

static void tell_smi(struct kfdm_device *dev, u32 pasid)
{
	struct kfdm_process *p = kfdm_process_by_pasid(pasid);

	if (!p)
		return;
	kfdm_smi_vm_fault(dev, p);
	kfdm_process_put(p);
}

/* Return: the process has been told, too */
static bool evict_for_fault(struct kfdm_device *dev, struct kfdm_interrupt *irq)
{
	kfdm_evict_pasid(dev, irq->pasid);
	if (irq->fault == KFDM_FAULT_IN_REGISTERS && !read_fault(dev, irq))
		return false;
	kfdm_event_vm_fault(dev, irq);
	return true;
}

/* A debugger looks at the waves that it may have stopped: they stay where they are. */
static bool debugger_takes_fault(struct kfdm_device *dev, const struct kfdm_interrupt *irq)
{
	const struct kfd_hsa_memory_exception_data memory = kfdm_fault_of_interrupt(dev, irq);

	return irq->fault == KFDM_FAULT_IN_ENTRY && kfdm_debug_vm_fault(dev, irq->pasid, &memory);
}

static void handle_vm_fault(struct kfdm_device *dev, struct kfdm_interrupt *irq)
{
	if (irq->smi == KFDM_SMI_FIRST)
		tell_smi(dev, irq->pasid);
	if (irq->fault == KFDM_FAULT_FOR_LOG_ONLY)
		return;
	if (!debugger_takes_fault(dev, irq) && !evict_for_fault(dev, irq))
		return;
	if (irq->smi == KFDM_SMI_LAST)
		tell_smi(dev, irq->pasid);
}

/* What a trap handler sends with privilege is an exception, for a debugger or the runtime; else it is a signal like others. */
static void handle_signal(struct kfdm_device *dev, const struct kfdm_interrupt *irq)
{
	if (!irq->has_trap || !kfdm_debug_wave_exception(dev, irq->pasid, irq->doorbell_id, irq->trap_code))
		kfdm_event_interrupt(irq->pasid, irq->event_id, irq->event_bits);
}

static void handle(struct kfdm_device *dev, const u32 *entry)
{
	struct kfdm_interrupt irq;

	dev->chip->interrupts->decode(entry, &irq);
	if (!kfdm_firmware_since(dev->facts.pm_fw, dev->chip->mode2_pmfw))
		kfdm_poison_without_mode2(&irq);
	if (irq.is_sq_error)
		pr_warn_ratelimited("kfd_model: sq_intr: error, context id 0x%x, pasid 0x%x\n", irq.context_id,
				    irq.pasid);
	switch (irq.kind) {
	case KFDM_IRQ_SIGNAL:
		handle_signal(dev, &irq);
		break;
	case KFDM_IRQ_HW_EXCEPTION:
		kfdm_event_hw_exception(irq.pasid);
		break;
	case KFDM_IRQ_POISON:
		handle_poison(dev, &irq);
		break;
	case KFDM_IRQ_VM_FAULT:
		handle_vm_fault(dev, &irq);
		break;
	case KFDM_IRQ_PACKET_EXCEPTION:
		kfdm_debug_wave_exception(dev, irq.pasid, irq.doorbell_id, irq.trap_code);
		break;
	case KFDM_IRQ_DRAIN:		/* nobody waits: processes end without it */
	case KFDM_IRQ_NOTHING:
		break;
	}
}

static void interrupt_work(struct work_struct *work)
{
	struct kfdm_interrupts *irqs = container_of(work, struct kfdm_interrupts, work);
	struct kfdm_device *dev = container_of(irqs, struct kfdm_device, interrupts);
	unsigned long start = jiffies;
	u32 entry[KFDM_IH_ENTRY_DWORDS];

	/* The worker is the FIFO's only consumer and needs no lock. */
	while (kfifo_out(&irqs->fifo, entry, ENTRY_BYTES) == ENTRY_BYTES) {
		handle(dev, entry);
		atomic_dec_return_release(&irqs->queued);
		if (time_is_before_jiffies(start + HZ)) {
			queue_work(irqs->wq, &irqs->work);
			return;
		}
		cond_resched();
	}
}

/**
 * kfdm_interrupts_init() - start taking interrupts
 * @dev: device with its DQM made
 *
 * Return: 0, -ENOMEM.
 */
int kfdm_interrupts_init(struct kfdm_device *dev)
{
	struct kfdm_interrupts *irqs = &dev->interrupts;
	int ret;

	ret = kfifo_alloc(&irqs->fifo, KFDM_IH_FIFO_ENTRIES * ENTRY_BYTES, GFP_KERNEL);
	if (ret)
		return ret;
	irqs->wq = alloc_workqueue("KFD IH", WQ_HIGHPRI | WQ_PERCPU, 1);
	if (!irqs->wq) {
		kfifo_free(&irqs->fifo);
		return -ENOMEM;
	}
	spin_lock_init(&irqs->lock);
	INIT_WORK(&irqs->work, interrupt_work);
	irqs->active = true;
	return 0;
}

/** kfdm_interrupts_fini() - stop taking interrupts and handle what has come */
void kfdm_interrupts_fini(struct kfdm_device *dev)
{
	struct kfdm_interrupts *irqs = &dev->interrupts;

	spin_lock_irq(&irqs->lock);
	irqs->active = false;
	spin_unlock_irq(&irqs->lock);
	destroy_workqueue(irqs->wq);
	kfifo_free(&irqs->fifo);
}

/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_INTERRUPT_V9_H
#define KFD_INTERRUPT_V9_H

#include "kfd_pure.h"

#define KFDM_IH_ENTRY_DWORDS 8

/** struct kfdm_interrupt_filter - what decides whether an interrupt is KFD's */
struct kfdm_interrupt_filter {
	u32 gc_version;
	u32 mec_fw;
	u32 first_vmid, last_vmid;
	bool no_hws;
	bool no_eviction_on_vm_fault;
	const u16 *vmid_pasid;
};

enum kfdm_interrupt_kind {
	KFDM_IRQ_NOTHING,
	KFDM_IRQ_SIGNAL,
	KFDM_IRQ_HW_EXCEPTION,
	KFDM_IRQ_POISON,
	KFDM_IRQ_VM_FAULT,
};

/**
 * struct kfdm_interrupt - what an IH entry says
 * @kind:       what to do
 * @pasid, @vmid, @client: whose
 * @event_id, @event_bits: SIGNAL: low bits of the event id, and how many of them are known
 * @is_sq_error, @context_id: SIGNAL by a faulting wave, for the log
 * @page:       VM_FAULT: 4 KiB page
 * @prot_valid, @prot_read, @prot_write: VM_FAULT: as kfd_vm_fault_info
 * @may_unmap:  POISON: evicting the queues may be enough
 */
struct kfdm_interrupt {
	enum kfdm_interrupt_kind kind;
	u16 pasid, vmid, client;
	u32 event_id, event_bits;
	bool is_sq_error;
	u32 context_id;
	u64 page;
	bool prot_valid, prot_read, prot_write;
	bool may_unmap;
};

/**
 * struct kfdm_interrupt_ops - interrupt entries of a generation. Both slots are pure; @wanted runs in hard-IRQ context.
 * @wanted: is it KFD's? *@patched (a copy that the caller made) may get the missing PASID
 * @decode: what it says
 */
struct kfdm_interrupt_ops {
	bool (*wanted)(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched);
	void (*decode)(const u32 *entry, struct kfdm_interrupt *irq);
};

extern const struct kfdm_interrupt_ops kfdm_interrupt_v9;

#endif

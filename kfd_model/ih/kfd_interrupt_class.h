/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_INTERRUPT_CLASS_H
#define KFD_INTERRUPT_CLASS_H

#include "kfd_model/base/kfd_pure.h"

#define KFDM_IH_ENTRY_DWORDS 8

/**
 * struct kfdm_interrupt_filter - what decides whether an interrupt is KFD's
 * @tells_event_id: end-of-pipe interrupts have the event's id; 0 is a stray
 * @first_vmid, @last_vmid: KFD's VMIDs
 * @node_ids, @vmids: of devices with several dies: bitmaps of the dies (NodeId) and of the VMIDs whose entries are the node's
 * @no_hws, @vmid_pasid: without HWS the driver knows whose VMIDs are
 * @no_eviction_on_vm_fault: VM faults are not for KFD (module parameter no_queue_eviction_on_vm_fault)
 * @fault_owner: VMID and PASID of the last VM fault, where entries do not tell (Hawaii); false: unknown. NULL elsewhere
 * @device:      first argument of @fault_owner
 */
struct kfdm_interrupt_filter {
	bool tells_event_id;
	u32 first_vmid, last_vmid;
	u32 node_ids, vmids;
	bool no_hws;
	bool no_eviction_on_vm_fault;
	const u16 *vmid_pasid;
	bool (*fault_owner)(void *device, u32 *vmid, u16 *pasid);
	void *device;
};

enum kfdm_interrupt_kind {
	KFDM_IRQ_NOTHING,
	KFDM_IRQ_SIGNAL,
	KFDM_IRQ_HW_EXCEPTION,
	KFDM_IRQ_POISON,
	KFDM_IRQ_VM_FAULT,
	KFDM_IRQ_PACKET_EXCEPTION,	/* 7.2: the CP met a packet that it does not like; a debugger's business */
	KFDM_IRQ_DRAIN,			/* 7.2: the driver's own, behind all that came before */
};

/* What is known about a VM fault */
enum kfdm_fault_details {
	KFDM_FAULT_IN_ENTRY,		/* everything */
	KFDM_FAULT_IN_REGISTERS,	/* amdgpu has read it: kfdm_fault_from_registers() */
	KFDM_FAULT_UNKNOWN,		/* that there was one */
	KFDM_FAULT_FOR_LOG_ONLY,	/* only SMI listeners get it */
};

/* What helps against poisoned data that a wave has read */
enum kfdm_poison_cure {
	KFDM_POISON_RESET_GPU,
	KFDM_POISON_EVICT,		/* the process's queues; the GPU if that fails */
	KFDM_POISON_RESET_QUEUES,	/* likewise */
	KFDM_POISON_NONE,		/* nobody knows */
};

/* amdgpu_ras.h: whose memory was spoiled, and how to begin anew */
enum kfdm_ras_block { KFDM_RAS_SDMA = 1, KFDM_RAS_GFX, KFDM_RAS_MMHUB };
enum kfdm_ras_reset { KFDM_RAS_MODE2 = 1, KFDM_RAS_MODE1 };

/* When SMI listeners get a VM fault */
enum kfdm_fault_smi { KFDM_SMI_FIRST, KFDM_SMI_LAST, KFDM_SMI_NEVER };

/**
 * struct kfdm_fault_info - what amdgpu read from the fault registers (kfd_vm_fault_info)
 * @page:   4 KiB page
 * @status: raw
 */
struct kfdm_fault_info {
	u64 page;
	u32 vmid, client, status;
	bool prot_valid, prot_read, prot_write;
};

/**
 * struct kfdm_interrupt - what an IH entry says
 * @kind:       what to do
 * @pasid, @vmid, @client: whose
 * @event_id, @event_bits: SIGNAL: low bits of the event id, and how many of them are known
 * @slot_may_lag: SIGNAL: the event's slot may not tell yet that it has happened
 * @is_sq_error, @context_id: SIGNAL by a faulting wave, for the log
 * @fault:      VM_FAULT: what is known
 * @page:       VM_FAULT: 4 KiB page
 * @prot_valid, @prot_read, @prot_write: VM_FAULT: as kfd_vm_fault_info
 * @smi:        VM_FAULT: when SMI listeners get it
 * @cure:       POISON: what to try
 * @block, @reset, @marks_block: POISON since 7.2: where, how to reset, and is it kept for the RAS code
 * @has_trap:   SIGNAL: from a trap handler; only for the process if no debugger takes it
 * @doorbell_id, @trap_code: of @has_trap; PACKET_EXCEPTION: of the queue, and KFD_EC_MASK of the exception
 * @stops_queue: PACKET_EXCEPTION: the MES takes the queue off
 */
struct kfdm_interrupt {
	enum kfdm_interrupt_kind kind;
	u16 pasid, vmid, client;
	u32 event_id, event_bits;
	bool is_sq_error, slot_may_lag;
	u32 context_id;
	enum kfdm_fault_details fault;
	u64 page;
	bool prot_valid, prot_read, prot_write;
	enum kfdm_fault_smi smi;
	enum kfdm_poison_cure cure;
	enum kfdm_ras_block block;
	enum kfdm_ras_reset reset;
	bool marks_block;
	bool has_trap, stops_queue;
	u32 doorbell_id;
	u64 trap_code;
};

#define KFDM_IRQ_FENCE	0xff	/* client and source of the driver's own entries */
#define KFDM_EC_FIRST_PACKET	16u	/* EC_QUEUE_PACKET_*: exceptions that the CP finds in a packet */
#define KFDM_EC_LAST_PACKET	23u

/* The CP tells which queue and which exception; what it does not tell is no packet's exception. */
static inline void kfdm_decode_bad_opcode(struct kfdm_interrupt *irq, u32 context_id, bool stops_queue)
{
	const u32 code = context_id >> 10 & 0xffff;

	if (code < KFDM_EC_FIRST_PACKET || code > KFDM_EC_LAST_PACKET)
		return;
	irq->kind = KFDM_IRQ_PACKET_EXCEPTION;
	irq->doorbell_id = context_id & 0x3ff;
	irq->trap_code = 1ULL << (code - 1);
	irq->stops_queue = stops_queue;
}

/* A device with several dies: is an entry of a die and a VMID of the node? */
static inline bool kfdm_is_of_node(const struct kfdm_interrupt_filter *filter, const u32 *entry)
{
	const u32 node_id = entry[3] >> 16 & 0xff, vmid = entry[0] >> 24 & 0xf;

	return node_id < 32 && filter->node_ids >> node_id & 1 && filter->vmids >> vmid & 1;
}

static inline bool kfdm_is_fence(u32 client, u32 source)
{
	return client == KFDM_IRQ_FENCE && source == KFDM_IRQ_FENCE;
}

/**
 * struct kfdm_interrupt_ops - interrupt entries of a generation. Both slots are pure; @wanted runs in hard-IRQ context.
 * @entry_dwords: of an entry
 * @node_ids: NodeIds in the entries of a compute die, by its place in the package; bitmap. NULL: there is one die
 * @wanted: is it KFD's? *@patched (a copy that the caller made) may get the missing PASID and VMID
 * @decode: what it says
 */
struct kfdm_interrupt_ops {
	u32 entry_dwords;
	u32 (*node_ids)(u32 physical_xcc);
	bool (*wanted)(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched);
	void (*decode)(const u32 *entry, struct kfdm_interrupt *irq);
};

extern const struct kfdm_interrupt_ops kfdm_interrupt_cik;
extern const struct kfdm_interrupt_ops kfdm_interrupt_v9;
extern const struct kfdm_interrupt_ops kfdm_interrupt_v11;

extern const struct kfdm_interrupt_ops kfdm_interrupt_v9_7_2;
extern const struct kfdm_interrupt_ops kfdm_interrupt_v9_4_3_7_2;
extern const struct kfdm_interrupt_ops kfdm_interrupt_v10_7_2;
extern const struct kfdm_interrupt_ops kfdm_interrupt_v11_7_2;
extern const struct kfdm_interrupt_ops kfdm_interrupt_v12_1_7_2;

void kfdm_poison_without_mode2(struct kfdm_interrupt *irq);
bool kfdm_fault_from_registers(struct kfdm_interrupt *irq, const struct kfdm_fault_info *info);

#endif

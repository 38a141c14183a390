// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Interrupt ring entries of GFX11 and GFX12
 *
 * The cookie of GFX9 with fewer clients: SDMA answers as GFX, with sources of its own. 6.1 reports a VM fault to SMI listeners
 * and leaves it at that; 7.2 tells the process, as on older chips (Linux: kfd_int_process_v11.c).
 */
#include "kfd_interrupt_class.h"

enum client {
	CLIENT_GFX	= 0x0a,
	CLIENT_VMC	= 0x12,
	CLIENT_GRBM_CP	= 0x14,
	CLIENT_UTCL2	= 0x1b,
};

enum source {
	SOURCE_UTCL2_FAULT	= 0,
	SOURCE_SDMA_TRAP	= 49,
	SOURCE_SDMA_ECC		= 62,
	SOURCE_CP_END_OF_PIPE	= 181,
	SOURCE_CP_BAD_OPCODE	= 183,
	SOURCE_SQ_MSG		= 239,
};

#define MES_QUEUE_FENCE	BIT(24)	/* AMDGPU_FENCE_MES_QUEUE_FLAG: amdgpu's own */

static u32 client_of(const u32 *entry) { return entry[0] & 0xff; }
static u32 source_of(const u32 *entry) { return entry[0] >> 8 & 0xff; }
static u32 ring_of(const u32 *entry) { return entry[0] >> 16 & 0xff; }
static u32 vmid_of(const u32 *entry) { return entry[0] >> 24 & 0xf; }
static u32 pasid_of(const u32 *entry) { return entry[3] & 0xffff; }

static bool is_fault(const u32 *entry)
{
	return client_of(entry) == CLIENT_VMC ||
	       (client_of(entry) == CLIENT_GFX && source_of(entry) == SOURCE_UTCL2_FAULT);
}

static bool wanted_with_faults(const struct kfdm_interrupt_filter *filter, const u32 *entry, bool fault)
{
	u32 vmid = vmid_of(entry), source = source_of(entry);

	if (vmid < filter->first_vmid || vmid > filter->last_vmid)
		return false;
	if (source == SOURCE_CP_END_OF_PIPE && entry[4] & MES_QUEUE_FENCE)
		return false;
	if (WARN_ONCE(!pasid_of(entry), "Bug: No PASID in KFD interrupt"))
		return false;

	switch (source) {
	case SOURCE_CP_END_OF_PIPE:
	case SOURCE_SQ_MSG:
	case SOURCE_CP_BAD_OPCODE:
	case SOURCE_SDMA_TRAP:
		return true;
	default:
		return fault && !filter->no_eviction_on_vm_fault;
	}
}

static bool wanted(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched)
{
	return wanted_with_faults(filter, entry, is_fault(entry));
}

static void decode_fault(const u32 *entry, struct kfdm_interrupt *irq)
{
	u32 ring = ring_of(entry);

	irq->kind = KFDM_IRQ_VM_FAULT;
	irq->fault = KFDM_FAULT_FOR_LOG_ONLY;
	irq->page = entry[4] | (u64)(entry[5] & 0xf) << 32;
	irq->prot_valid = ring & 0x08;
	irq->prot_read = ring & 0x10;
	irq->prot_write = ring & 0x20;
}

static void decode_signal(struct kfdm_interrupt *irq, u32 context_id, u32 bits)
{
	irq->kind = KFDM_IRQ_SIGNAL;
	irq->event_bits = bits;
	irq->event_id = bits < 32 ? context_id & ((1u << bits) - 1) : context_id;
}

/* Encoding in bits 7:6 of the second context id; an error's type in 24:21 of the first */
static void decode_sq(const u32 *entry, struct kfdm_interrupt *irq)
{
	enum { ENCODING_ERROR = 2 };
	enum { ERROR_ILLEGAL_INST = 1, ERROR_MEMVIOL = 2 };
	u32 encoding = entry[5] >> 6 & 3, error = entry[4] >> 21 & 0xf;

	if (encoding == ENCODING_ERROR) {
		irq->is_sq_error = true;
		irq->context_id = entry[4];
		if (error != ERROR_ILLEGAL_INST && error != ERROR_MEMVIOL) {
			irq->kind = KFDM_IRQ_POISON;
			irq->cure = KFDM_POISON_RESET_QUEUES;
			return;
		}
	}
	decode_signal(irq, entry[4], 24);
}

static void decode(const u32 *entry, struct kfdm_interrupt *irq)
{
	memset(irq, 0, sizeof(*irq));
	irq->client = (u16)client_of(entry);
	irq->vmid = (u16)vmid_of(entry);
	irq->pasid = (u16)pasid_of(entry);

	if (is_fault(entry)) {
		decode_fault(entry, irq);
		return;
	}
	if (irq->client != CLIENT_GRBM_CP && irq->client != CLIENT_GFX)
		return;
	switch (source_of(entry)) {
	case SOURCE_CP_END_OF_PIPE:
		decode_signal(irq, entry[4], 32);
		break;
	case SOURCE_SDMA_TRAP:
		decode_signal(irq, entry[4], 28);
		break;
	case SOURCE_SDMA_ECC:
		irq->kind = KFDM_IRQ_POISON;
		break;
	case SOURCE_SQ_MSG:
		decode_sq(entry, irq);
		break;
	}
}

const struct kfdm_interrupt_ops kfdm_interrupt_v11 = {
	.entry_dwords = KFDM_IH_ENTRY_DWORDS,
	.wanted = wanted,
	.decode = decode,
};

static bool wanted_7_2(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched)
{
	if (kfdm_is_fence(client_of(entry), source_of(entry)))
		return pasid_of(entry);
	return wanted(filter, entry, patched);
}

static void decode_sq_7_2(const u32 *entry, struct kfdm_interrupt *irq)
{
	enum { ENCODING_WAVE = 1 };

	decode_sq(entry, irq);
	if (irq->kind == KFDM_IRQ_POISON) {
		irq->block = KFDM_RAS_GFX;
		irq->reset = KFDM_RAS_MODE2;
	} else if ((entry[5] >> 6 & 3) == ENCODING_WAVE && entry[4] & BIT(26)) {
		irq->has_trap = true;
		irq->doorbell_id = entry[4] & 0x3ff;
		irq->trap_code = entry[4] >> 10 & 0x3fff;
	}
}

/* The filter lets no SDMA_ECC through. */
static void decode_7_2(const u32 *entry, struct kfdm_interrupt *irq)
{
	decode(entry, irq);
	if (irq->kind == KFDM_IRQ_VM_FAULT) {
		irq->fault = KFDM_FAULT_IN_ENTRY;
		irq->smi = KFDM_SMI_LAST;
		return;
	}
	if (kfdm_is_fence(client_of(entry), source_of(entry)))
		irq->kind = KFDM_IRQ_DRAIN;
	if (irq->client != CLIENT_GRBM_CP && irq->client != CLIENT_GFX)
		return;
	if (source_of(entry) == SOURCE_SQ_MSG)
		decode_sq_7_2(entry, irq);
	else if (source_of(entry) == SOURCE_CP_BAD_OPCODE)
		kfdm_decode_bad_opcode(irq, entry[4], true);
}

const struct kfdm_interrupt_ops kfdm_interrupt_v11_7_2 = {
	.entry_dwords = KFDM_IH_ENTRY_DWORDS,
	.wanted = wanted_7_2,
	.decode = decode_7_2,
};

/* Four compute dies lie behind an interposer die, which has number 8k + 1 (kfd_setup_interrupt_bitmap). */
static u32 node_ids_v12_1(u32 physical_xcc)
{
	return (2u | 4u << physical_xcc % 4) << (physical_xcc / 4 ? 8 : 0);
}

/* GC 12.1: faults come from the UTCL2 itself. */
static bool is_fault_v12_1(const u32 *entry)
{
	return client_of(entry) == CLIENT_VMC || client_of(entry) == CLIENT_UTCL2;
}

static bool wanted_v12_1(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched)
{
	if (!kfdm_is_of_node(filter, entry))
		return false;
	if (kfdm_is_fence(client_of(entry), source_of(entry)))
		return pasid_of(entry);
	return wanted_with_faults(filter, entry, is_fault_v12_1(entry));
}

static void decode_v12_1(const u32 *entry, struct kfdm_interrupt *irq)
{
	decode_7_2(entry, irq);
	if (is_fault_v12_1(entry)) {
		decode_fault(entry, irq);
		irq->fault = KFDM_FAULT_IN_ENTRY;
		irq->smi = KFDM_SMI_LAST;
	} else if (irq->kind == KFDM_IRQ_VM_FAULT) {
		irq->kind = KFDM_IRQ_NOTHING;
	}
	irq->slot_may_lag = irq->kind == KFDM_IRQ_SIGNAL && source_of(entry) == SOURCE_CP_END_OF_PIPE;
}

const struct kfdm_interrupt_ops kfdm_interrupt_v12_1_7_2 = {
	.entry_dwords = KFDM_IH_ENTRY_DWORDS,
	.node_ids = node_ids_v12_1,
	.wanted = wanted_v12_1,
	.decode = decode_v12_1,
};

// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Interrupt ring entries of GFX7 and GFX8
 *
 * Four dwords: source, data, PASID with VMID and ring, nothing. They do not tell where a VM fault was; amdgpu reads that from
 * registers. On Hawaii they do not even tell whose it was (Linux: cik_event_interrupt.c).
 */
#include "kfd_interrupt_class.h"

#define ENTRY_DWORDS	4

enum source {
	SOURCE_PAGE_INV_FAULT	= 0x92,
	SOURCE_MEM_PROT_FAULT	= 0x93,
	SOURCE_CP_END_OF_PIPE	= 0xb5,
	SOURCE_CP_BAD_OPCODE	= 0xb7,
	SOURCE_SDMA_TRAP	= 0xe0,
	SOURCE_SQ_MSG		= 0xef,
};

static u32 vmid_of(const u32 *entry) { return entry[2] >> 8 & 0xff; }
static u32 pasid_of(const u32 *entry) { return entry[2] >> 16; }

static bool is_fault(const u32 *entry)
{
	return entry[0] == SOURCE_PAGE_INV_FAULT || entry[0] == SOURCE_MEM_PROT_FAULT;
}

static bool is_kfd_vmid(const struct kfdm_interrupt_filter *filter, u32 vmid)
{
	return vmid >= filter->first_vmid && vmid <= filter->last_vmid;
}

static bool patch_fault(const struct kfdm_interrupt_filter *filter, u32 *patched)
{
	u32 vmid = 0;
	u16 pasid = 0;
	bool known = filter->fault_owner(filter->device, &vmid, &pasid);

	patched[2] = (patched[2] & 0xff) | vmid << 8 | (u32)pasid << 16;
	return known && pasid && is_kfd_vmid(filter, vmid);
}

static bool wanted(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched)
{
	if (is_fault(entry) && filter->fault_owner)
		return patch_fault(filter, patched);
	if (!is_kfd_vmid(filter, vmid_of(entry)))
		return false;
	if (WARN_ONCE(!pasid_of(entry), "FW bug: No PASID in KFD interrupt"))
		return false;

	switch (entry[0]) {
	case SOURCE_CP_END_OF_PIPE:
	case SOURCE_SDMA_TRAP:
	case SOURCE_SQ_MSG:
	case SOURCE_CP_BAD_OPCODE:
		return true;
	default:
		return is_fault(entry) && !filter->no_eviction_on_vm_fault;
	}
}

static void decode_signal(struct kfdm_interrupt *irq, u32 data, u32 bits)
{
	irq->kind = KFDM_IRQ_SIGNAL;
	irq->event_id = data & ((1u << bits) - 1);
	irq->event_bits = bits;
}

static void decode(const u32 *entry, struct kfdm_interrupt *irq)
{
	memset(irq, 0, sizeof(*irq));
	irq->vmid = (u16)vmid_of(entry);
	irq->pasid = (u16)pasid_of(entry);
	if (!irq->pasid)
		return;

	switch (entry[0]) {
	case SOURCE_CP_END_OF_PIPE:
	case SOURCE_SDMA_TRAP:
		decode_signal(irq, entry[1], 28);
		break;
	case SOURCE_SQ_MSG:
		decode_signal(irq, entry[1], 8);
		break;
	case SOURCE_CP_BAD_OPCODE:
		irq->kind = KFDM_IRQ_HW_EXCEPTION;
		break;
	case SOURCE_PAGE_INV_FAULT:
	case SOURCE_MEM_PROT_FAULT:
		irq->kind = KFDM_IRQ_VM_FAULT;
		irq->fault = KFDM_FAULT_IN_REGISTERS;
		break;
	}
}

/**
 * kfdm_fault_from_registers() - complete a VM fault whose entry does not tell the details
 * @irq:  decoded entry
 * @info: what amdgpu has read, zeros when it has read nothing
 *
 * The registers hold one fault: it may be that of another VMID. Pure. Return: false: there is nothing to be told.
 */
bool kfdm_fault_from_registers(struct kfdm_interrupt *irq, const struct kfdm_fault_info *info)
{
	if (!info->page && !info->status)
		return false;
	if (info->vmid != irq->vmid) {
		irq->fault = KFDM_FAULT_UNKNOWN;
		return true;
	}
	irq->fault = KFDM_FAULT_IN_ENTRY;
	irq->client = (u16)info->client;
	irq->page = info->page;
	irq->prot_valid = info->prot_valid;
	irq->prot_read = info->prot_read;
	irq->prot_write = info->prot_write;
	return true;
}

const struct kfdm_interrupt_ops kfdm_interrupt_cik = {
	.entry_dwords = ENTRY_DWORDS,
	.wanted = wanted,
	.decode = decode,
};

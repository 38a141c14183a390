// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Interrupt ring entries of GFX9 and GFX10
 *
 * Linux 7.2 handles GFX10's apart from GFX9's (Linux: kfd_int_process_v10.c), and has a debugger's exceptions.
 *
 * Which of them KFD wants, and what they say (Linux: kfd_int_process_v9.c). Entries are written by hardware that runs user code:
 * every field is looked at as if a user had sent it.
 */
#include "kfd_interrupt_class.h"

enum client {
	CLIENT_SDMA2	= 0x01,
	CLIENT_SDMA3	= 0x04,
	CLIENT_SDMA4	= 0x05,
	CLIENT_VMC1	= 0x06,
	CLIENT_SDMA0	= 0x08,
	CLIENT_SDMA1	= 0x09,
	CLIENT_SE0SH	= 0x0a,
	CLIENT_SE1SH	= 0x0b,
	CLIENT_SE2SH	= 0x0c,
	CLIENT_SE3SH	= 0x0d,
	CLIENT_SDMA5	= 0x11,
	CLIENT_VMC	= 0x12,
	CLIENT_SDMA6	= 0x13,
	CLIENT_GRBM_CP	= 0x14,
	CLIENT_SDMA7	= 0x18,
	CLIENT_UTCL2	= 0x1b,
};

enum source {
	SOURCE_UTCL2_POISON	= 1,
	SOURCE_CP_END_OF_PIPE	= 181,
	SOURCE_CP_BAD_OPCODE	= 183,
	SOURCE_SDMA_ECC		= 220,
	SOURCE_SDMA_TRAP	= 224,
	SOURCE_SQ_MSG		= 239,
};

enum client_class { OTHER, SHADER, SDMA, MEMORY };

static enum client_class class_of(u32 client)
{
	switch (client) {
	case CLIENT_GRBM_CP:
	case CLIENT_SE0SH:
	case CLIENT_SE1SH:
	case CLIENT_SE2SH:
	case CLIENT_SE3SH:
		return SHADER;
	case CLIENT_SDMA0:
	case CLIENT_SDMA1:
	case CLIENT_SDMA2:
	case CLIENT_SDMA3:
	case CLIENT_SDMA4:
	case CLIENT_SDMA5:
	case CLIENT_SDMA6:
	case CLIENT_SDMA7:
		return SDMA;
	case CLIENT_VMC:
	case CLIENT_VMC1:
	case CLIENT_UTCL2:
		return MEMORY;
	default:
		return OTHER;
	}
}

static u32 client_of(const u32 *entry) { return entry[0] & 0xff; }
static u32 source_of(const u32 *entry) { return entry[0] >> 8 & 0xff; }
static u32 ring_of(const u32 *entry) { return entry[0] >> 16 & 0xff; }
static u32 vmid_of(const u32 *entry) { return entry[0] >> 24 & 0xf; }
static u32 pasid_of(const u32 *entry) { return entry[3] & 0xffff; }

static bool is_ours(const struct kfdm_interrupt_filter *filter, const u32 *entry)
{
	return vmid_of(entry) >= filter->first_vmid && vmid_of(entry) <= filter->last_vmid;
}

static bool wanted_of_process(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched)
{
	enum client_class class = class_of(client_of(entry));
	u32 vmid = vmid_of(entry), pasid = pasid_of(entry);

	if (!pasid && filter->no_hws && filter->vmid_pasid) {
		pasid = filter->vmid_pasid[vmid];
		patched[3] = (patched[3] & ~0xffffu) | pasid;
	}
	if (WARN_ONCE(!pasid, "Bug: No PASID in KFD interrupt"))
		return false;

	switch (source_of(entry)) {
	case SOURCE_CP_END_OF_PIPE:
		return entry[4] || !filter->tells_event_id;
	case SOURCE_SDMA_TRAP:
	case SOURCE_SDMA_ECC:
	case SOURCE_SQ_MSG:
	case SOURCE_CP_BAD_OPCODE:
		return true;
	default:
		return kfdm_is_fence(client_of(entry), source_of(entry)) || (class == MEMORY && !filter->no_eviction_on_vm_fault);
	}
}

static bool wanted(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched)
{
	return is_ours(filter, entry) && class_of(client_of(entry)) != OTHER && wanted_of_process(filter, entry, patched);
}

static bool wanted_7_2(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched)
{
	return (kfdm_is_fence(client_of(entry), source_of(entry)) && wanted_of_process(filter, entry, patched)) ||
	       wanted(filter, entry, patched);
}

/* A device with several dies: only fences of the node's VMIDs come through, unlike elsewhere. */
static bool wanted_v9_4_3(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched)
{
	return kfdm_is_of_node(filter, entry) && wanted_7_2(filter, entry, patched);
}

/* Two sit on an active interposer die, which has number 4k: its own entries (SDMA, UTCL2) are of both (kfd_setup_interrupt_bitmap). */
static u32 node_ids_v9_4_3(u32 physical_xcc)
{
	enum { AID = 1, FIRST_XCD = 2, SECOND_XCD = 4 };

	return (u32)(physical_xcc % 2 ? AID | SECOND_XCD : AID | FIRST_XCD) << 4 * (physical_xcc / 2);
}

/**
 * kfdm_poison_without_mode2() - the power management's firmware cannot reset a part of the device: all of it, then
 * @irq: what an entry says
 *
 * Pure.
 */
void kfdm_poison_without_mode2(struct kfdm_interrupt *irq)
{
	if (irq->kind == KFDM_IRQ_POISON && irq->reset == KFDM_RAS_MODE2)
		irq->reset = KFDM_RAS_MODE1;
}

/* A fence would be wanted, but its client is not. Whether faults evict is not asked. */
static bool wanted_v10_7_2(const struct kfdm_interrupt_filter *filter, const u32 *entry, u32 *patched)
{
	enum client_class class = class_of(client_of(entry));

	if (!is_ours(filter, entry) || class == OTHER || !pasid_of(entry))
		return false;
	switch (source_of(entry)) {
	case SOURCE_CP_END_OF_PIPE:
	case SOURCE_SDMA_TRAP:
	case SOURCE_SQ_MSG:
	case SOURCE_CP_BAD_OPCODE:
		return true;
	default:
		return class == MEMORY;
	}
}

static void decode_poison(struct kfdm_interrupt *irq)
{
	irq->kind = KFDM_IRQ_POISON;
	if (irq->client == CLIENT_UTCL2 || (irq->client >= CLIENT_SE0SH && irq->client <= CLIENT_SE3SH))
		irq->cure = KFDM_POISON_EVICT;
}

static void decode_signal(struct kfdm_interrupt *irq, u32 context_id, u32 bits)
{
	irq->kind = KFDM_IRQ_SIGNAL;
	irq->event_bits = bits;
	irq->event_id = bits < 32 ? context_id & ((1u << bits) - 1) : context_id;
}

/* A wave's s_sendmsg, or the SQ reporting a wave's error */
static void decode_sq(const u32 *entry, struct kfdm_interrupt *irq)
{
	enum { ENCODING_ERROR = 2 };
	enum { ERROR_ILLEGAL_INST = 1, ERROR_MEMVIOL = 2 };
	u32 id0 = entry[4], id1 = entry[5];
	u32 data = (id0 & 0xfff) | (id0 >> 16 & 0xf000) | (id1 << 16 & 0xff0000);
	u32 error = data >> 20 & 0xf;

	if ((id0 >> 26 & 3) == ENCODING_ERROR) {
		irq->is_sq_error = true;
		irq->context_id = id0;
		if (error != ERROR_ILLEGAL_INST && error != ERROR_MEMVIOL) {
			decode_poison(irq);
			return;
		}
	}
	decode_signal(irq, id0, 24);
}

static void decode_shader(const u32 *entry, struct kfdm_interrupt *irq)
{
	switch (source_of(entry)) {
	case SOURCE_CP_END_OF_PIPE:
		decode_signal(irq, entry[4], 32);
		break;
	case SOURCE_SQ_MSG:
		decode_sq(entry, irq);
		break;
	case SOURCE_CP_BAD_OPCODE:
		irq->kind = KFDM_IRQ_HW_EXCEPTION;
		break;
	}
}

static void decode_fault(const u32 *entry, struct kfdm_interrupt *irq)
{
	u32 ring = ring_of(entry);

	irq->kind = KFDM_IRQ_VM_FAULT;
	irq->page = entry[4] | (u64)(entry[5] & 0xf) << 32;
	irq->prot_valid = ring & 0x08;
	irq->prot_read = ring & 0x10;
	irq->prot_write = ring & 0x20;
}

static void decode(const u32 *entry, struct kfdm_interrupt *irq)
{
	memset(irq, 0, sizeof(*irq));
	irq->client = (u16)client_of(entry);
	irq->vmid = (u16)vmid_of(entry);
	irq->pasid = (u16)pasid_of(entry);

	switch (class_of(irq->client)) {
	case SHADER:
		decode_shader(entry, irq);
		break;
	case SDMA:
		if (source_of(entry) == SOURCE_SDMA_TRAP)
			decode_signal(irq, entry[4], 28);
		else if (source_of(entry) == SOURCE_SDMA_ECC)
			decode_poison(irq);
		break;
	case MEMORY:
		decode_fault(entry, irq);
		break;
	case OTHER:
		break;
	}
}

const struct kfdm_interrupt_ops kfdm_interrupt_v9 = {
	.entry_dwords = KFDM_IH_ENTRY_DWORDS,
	.wanted = wanted,
	.decode = decode,
};

static void decode_poison_7_2(struct kfdm_interrupt *irq)
{
	irq->kind = KFDM_IRQ_POISON;
	irq->reset = KFDM_RAS_MODE2;
	irq->marks_block = true;
	switch (irq->client) {
	case CLIENT_SE0SH:
	case CLIENT_SE1SH:
	case CLIENT_SE2SH:
	case CLIENT_SE3SH:
	case CLIENT_UTCL2:
		irq->block = KFDM_RAS_GFX;
		break;
	case CLIENT_VMC:
	case CLIENT_VMC1:
		irq->block = KFDM_RAS_MMHUB;
		irq->reset = KFDM_RAS_MODE1;
		irq->marks_block = false;
		break;
	case CLIENT_SDMA0:
	case CLIENT_SDMA1:
	case CLIENT_SDMA2:
	case CLIENT_SDMA3:
	case CLIENT_SDMA4:
		irq->block = KFDM_RAS_SDMA;
		break;
	default:
		irq->cure = KFDM_POISON_NONE;
		break;
	}
}

enum sq_encoding { ENCODING_WAVE = 1, ENCODING_ERROR = 2 };

/* What a trap handler sends: low bits of m0 */
static void decode_trap(struct kfdm_interrupt *irq, u32 data)
{
	irq->has_trap = true;
	irq->doorbell_id = data & 0x3ff;
	irq->trap_code = data >> 10 & 0x1ff;
}

static void decode_sq_7_2(const u32 *entry, struct kfdm_interrupt *irq)
{
	enum { ERROR_ILLEGAL_INST = 1, ERROR_MEMVIOL = 2 };
	u32 id0 = entry[4], id1 = entry[5];
	u32 data = (id0 & 0xfff) | (id0 >> 16 & 0xf000) | (id1 << 16 & 0xff0000);
	u32 encoding = id0 >> 26 & 3, error = data >> 20 & 0xf;

	if (encoding == ENCODING_ERROR) {
		irq->is_sq_error = true;
		irq->context_id = id0;
		if (error != ERROR_ILLEGAL_INST && error != ERROR_MEMVIOL) {
			decode_poison_7_2(irq);
			return;
		}
	}
	decode_signal(irq, data, 24);
	if (encoding == ENCODING_WAVE && id0 & BIT(13))
		decode_trap(irq, data);
}

static void decode_shader_7_2(const u32 *entry, struct kfdm_interrupt *irq)
{
	switch (source_of(entry)) {
	case SOURCE_CP_END_OF_PIPE:
		decode_signal(irq, entry[4], 32);
		break;
	case SOURCE_SQ_MSG:
		decode_sq_7_2(entry, irq);
		break;
	case SOURCE_CP_BAD_OPCODE:
		kfdm_decode_bad_opcode(irq, entry[4], false);
		break;
	}
}

static void begin(const u32 *entry, struct kfdm_interrupt *irq)
{
	memset(irq, 0, sizeof(*irq));
	irq->client = (u16)client_of(entry);
	irq->vmid = (u16)vmid_of(entry);
	irq->pasid = (u16)pasid_of(entry);
}

static void decode_memory_7_2(const u32 *entry, struct kfdm_interrupt *irq)
{
	if (source_of(entry) == SOURCE_UTCL2_POISON) {
		decode_poison_7_2(irq);
		return;
	}
	decode_fault(entry, irq);
	irq->smi = KFDM_SMI_LAST;
}

static void decode_7_2(const u32 *entry, struct kfdm_interrupt *irq)
{
	begin(entry, irq);
	switch (class_of(irq->client)) {
	case SHADER:
		decode_shader_7_2(entry, irq);
		break;
	case SDMA:
		if (source_of(entry) == SOURCE_SDMA_TRAP)
			decode_signal(irq, entry[4], 28);
		else if (source_of(entry) == SOURCE_SDMA_ECC)
			decode_poison_7_2(irq);
		break;
	case MEMORY:
		decode_memory_7_2(entry, irq);
		break;
	case OTHER:
		if (kfdm_is_fence(client_of(entry), source_of(entry)))
			irq->kind = KFDM_IRQ_DRAIN;
		break;
	}
}

/* GFX10: encoding in bits 7:6 of the second context id, PRIV in bit 24 of the first, 23 bits of data */
static void decode_sq_v10(const u32 *entry, struct kfdm_interrupt *irq)
{
	u32 encoding = entry[5] >> 6 & 3;

	if (encoding == ENCODING_ERROR) {
		irq->is_sq_error = true;
		irq->context_id = entry[4];
	}
	decode_signal(irq, entry[4], 23);
	if (encoding == ENCODING_WAVE && entry[4] & BIT(24))
		decode_trap(irq, entry[4]);
}

static void decode_v10_7_2(const u32 *entry, struct kfdm_interrupt *irq)
{
	begin(entry, irq);
	switch (class_of(irq->client)) {
	case SHADER:
		if (source_of(entry) == SOURCE_SQ_MSG)
			decode_sq_v10(entry, irq);
		else
			decode_shader_7_2(entry, irq);
		break;
	case SDMA:
		if (source_of(entry) == SOURCE_SDMA_TRAP)
			decode_signal(irq, entry[4], 28);
		break;
	case MEMORY:
		decode_fault(entry, irq);
		irq->smi = KFDM_SMI_NEVER;
		break;
	case OTHER:
		break;
	}
}

const struct kfdm_interrupt_ops kfdm_interrupt_v9_7_2 = {
	.entry_dwords = KFDM_IH_ENTRY_DWORDS,
	.wanted = wanted_7_2,
	.decode = decode_7_2,
};

const struct kfdm_interrupt_ops kfdm_interrupt_v9_4_3_7_2 = {
	.entry_dwords = KFDM_IH_ENTRY_DWORDS,
	.node_ids = node_ids_v9_4_3,
	.wanted = wanted_v9_4_3,
	.decode = decode_7_2,
};

const struct kfdm_interrupt_ops kfdm_interrupt_v10_7_2 = {
	.entry_dwords = KFDM_IH_ENTRY_DWORDS,
	.wanted = wanted_v10_7_2,
	.decode = decode_v10_7_2,
};

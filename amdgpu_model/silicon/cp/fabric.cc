// SPDX-License-Identifier: MIT
/* fabric.cc - faults and flushes that concern more than one block. */
#include "fabric.h"

namespace silicon {

/*
 * amdkfd (Linux: kfd_int_process_v9.c) reads prot_valid, prot_read, prot_write from bits 3..5 of the ring id, amdgpu (Linux: gmc_v9_0.c)
 * the direction from bit 5 of the second data word. Faults of VMID 0 are the driver's bugs: reported, not interrupted.
 */
void Fabric::vm_fault(unsigned space, u64 va, Access access) const
{
	const bool mm = space >= mmhub_space;
	const unsigned vmid = space & (mmhub_space - 1);
	Place place;
	const bool valid = vm->translate(space, va, &place) == Mem::Ok;
	u8 ring_id = 0;

	vm->fault(space, va, access, {.valid_page = valid});
	if (!vmid)
		return;
	if (!valid)
		ring_id |= IH_FAULT_RING_PROT_VALID;
	if (access == Access::Read)
		ring_id |= IH_FAULT_RING_READ;
	else if (access == Access::Write)
		ring_id |= IH_FAULT_RING_WRITE;
	else
		ring_id |= IH_FAULT_RING_EXECUTE;
	if (chip->generation->gfx7_hub) {
		ih->raise({
			.client = 0,
			.source = valid ? u8{IH_SOURCE_OLD_PROT_FAULT} : u8{IH_SOURCE_OLD_PAGE_FAULT},
			.ring_id = 0,
			.vmid = static_cast<u8>(vmid),
			.mmhub = false,
			.node = 0,
			.data = {},
		});
		return;
	}
	ih->raise({
		.client = mm ? u8{IH_CLIENT_VMC} : u8{IH_CLIENT_UTCL2},
		.source = IH_SOURCE_VM_FAULT,
		.ring_id = ring_id,
		.vmid = static_cast<u8>(vmid),
		.mmhub = mm,
		.node = mm ? u8{0} : node_id(),
		.data = {static_cast<u32>(va >> 12),
			 (static_cast<u32>(va >> 44) & 0xf) | (access == Access::Write ? IH_FAULT_DATA1_WRITE : 0u), 0, 0},
	});
}

void Fabric::flush_vmid(unsigned vmid) const
{
	tlb->flush_vmid(vmid);
	tlb->flush_vmid(vmid + mmhub_space);
	board->count(SILICON_COUNT_TLB_FLUSHES);
}

} // namespace silicon

// SPDX-License-Identifier: MIT
/* fabric.cc - faults and flushes that concern more than one block. */
#include "fabric.h"

namespace silicon {

namespace {

u8 fault_ring_id(bool valid, Access access)
{
	const u8 direction = access == Access::Read  ? IH_FAULT_RING_READ :
			     access == Access::Write ? IH_FAULT_RING_WRITE :
						       IH_FAULT_RING_EXECUTE;

	return static_cast<u8>(direction | (valid ? 0 : IH_FAULT_RING_PROT_VALID));
}

Interrupt fault_interrupt(unsigned space, u64 va, Access access, bool valid, u8 node)
{
	const bool mm = space >= mmhub_space;

	return {
		.client = mm ? u8{IH_CLIENT_VMC} : u8{IH_CLIENT_UTCL2},
		.source = IH_SOURCE_VM_FAULT,
		.ring_id = fault_ring_id(valid, access),
		.vmid = static_cast<u8>(space & (mmhub_space - 1)),
		.mmhub = mm,
		.node = node,
		.data = {static_cast<u32>(va >> 12),
			 (static_cast<u32>(va >> 44) & 0xf) | (access == Access::Write ? IH_FAULT_DATA1_WRITE : 0u), 0, 0},
	};
}

} // namespace

/*
 * amdkfd (Linux: kfd_int_process_v9.c) reads prot_valid, prot_read, prot_write from bits 3..5 of the ring id, amdgpu (Linux: gmc_v9_0.c)
 * the direction from bit 5 of the second data word. Faults of VMID 0 are the driver's bugs: reported, not interrupted.
 */
void Fabric::vm_fault(unsigned space, u64 va, Access access) const
{
	const unsigned vmid = space & (mmhub_space - 1);
	Place place;
	const bool valid = vm->translate(space, va, &place) == Mem::Ok;

	vm->fault(space, va, access, {.valid_page = valid});
	if (!vmid)
		return;
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
	ih->raise(fault_interrupt(space, va, access, valid, node_of(space)));
}

/*
 * Which processes have their accesses tried again says SH_MEM_CONFIG.RETRY_DISABLE of their VMID (Linux: update_qpd_v9()), on chips
 * whose hub does that at all. It is the shader core's register; here other engines heed it, too.
 */
Mem Fabric::retry_fault(unsigned space, u64 va, Access access) const
{
	const unsigned vmid = space & (mmhub_space - 1);

	if (!vmid || !ih->cam_enabled() || retry_disabled(vmid))
		return Mem::Fault;
	const Mem answer = vm->retries(space, va);
	if (answer != Mem::Ok)
		return answer;
	Interrupt interrupt = fault_interrupt(space, va, access, false, node_of(space));
	interrupt.data[1] |= IH_FAULT_DATA1_RETRY;
	return ih->raise_retry(interrupt, va >> 12) ? Mem::Ok : Mem::Need;
}

void Fabric::flush_vmid(unsigned vmid) const
{
	tlb->flush_vmid(vmid);
	interposer->tlb->flush_vmid(vmid + mmhub_space);
	board->count(SILICON_COUNT_TLB_FLUSHES);
}

/* The ATC has one table for all dies, of which the last process to get the VMID is in it, as in Linux (kgd_gfx_v9_4_3_set_pasid_vmid_mapping()). */
void Fabric::set_pasid(unsigned vmid, u32 pasid) const
{
	const u32 valid = pasid ? pasid | 1u << 31 : 0;

	device->at<mmATC_VMID0_PASID_MAPPING>(0, vmid) = valid;
	device->at<mmATC_VMID16_PASID_MAPPING>(0, vmid) = valid;
	registers->at<mmIH_VMID_0_LUT>(0, vmid) = pasid;
	interposer->registers->at<mmIH_VMID_0_LUT_MM>(0, vmid) = pasid;
}

} // namespace silicon

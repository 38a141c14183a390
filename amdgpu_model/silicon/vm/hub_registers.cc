// SPDX-License-Identifier: MIT
/* hub_registers.cc - what writes to the memory hubs' registers set in motion: invalidation, faults that are cleared, PASIDs. */
#include "gpuvm.h"

namespace silicon {

/* The TLB holds translations only: every kind of invalidation removes all entries of the VMID. */
void Gpuvm::invalidate(bool mmhub, u32 engine, u32 request)
{
	RegisterFile &r = *registers_;

	for (unsigned vmid = 0; vmid < vmids; vmid++)
		if (request >> vmid & 1)
			tlb_->flush_vmid(vmid + (mmhub ? mmhub_space : 0));
	(mmhub ? r.at<mmMMHUB_VM_INVALIDATE_ENG0_ACK>(0, engine) : r.at<mmVM_INVALIDATE_ENG0_ACK>(0, engine)) = request & 0xffff;
	if (request & clear_fault_bit_)
		clear_fault(mmhub);
	board_->count(SILICON_COUNT_TLB_FLUSHES);
}

void Gpuvm::wrote(const RegisterAccess &access)
{
	RegisterFile &r = *registers_;

	switch (access.base) {
	case mmVM_INVALIDATE_REQUEST:
		invalidate(false, 0, access.value);
		r.at<mmVM_INVALIDATE_RESPONSE>() = access.value;
		break;
	case mmVM_INVALIDATE_ENG0_REQ: invalidate(false, access.index, access.value); break;
	case mmMMHUB_VM_INVALIDATE_ENG0_REQ: invalidate(true, access.index, access.value); break;
	case mmVM_CONTEXT0_CNTL2:
		if (access.index == 1 && bit(access.value, 0)) /* CLEAR_PROTECTION_FAULT_STATUS_ADDR */
			clear_fault(false);
		break;
	case mmVM_L2_PROTECTION_FAULT_CNTL:
	case mmMMHUB_VM_L2_PROTECTION_FAULT_CNTL:
		if (bit(access.value, 0))
			clear_fault(access.base != mmVM_L2_PROTECTION_FAULT_CNTL);
		break;
	case mmATC_VMID0_PASID_MAPPING: r.at<mmATC_VMID_PASID_MAPPING_UPDATE_STATUS>() |= 1u << access.index; break;
	case mmATC_VMID16_PASID_MAPPING: r.at<mmATC_VMID_PASID_MAPPING_UPDATE_STATUS>() |= 1u << (access.index + 16); break;
	case mmATC_VMID_PASID_MAPPING_UPDATE_STATUS: r.at<mmATC_VMID_PASID_MAPPING_UPDATE_STATUS>() = access.old & ~access.value; break;
	}
}

bool Gpuvm::read(const RegisterAccess &access, u32 *value)
{
	switch (access.base) {
	case mmVM_INVALIDATE_ENG0_SEM:
	case mmMMHUB_VM_INVALIDATE_ENG0_SEM:
		*value = 1; /* reading acquires, and there is only one driver */
		return true;
	}
	return false;
}

void Gpuvm::clear_fault(bool mm)
{
	RegisterFile &r = *registers_;

	if (gfx7_hub_)
		return clear_fault_v8();

	(mm ? r.at<mmMMHUB_VM_L2_PROTECTION_FAULT_STATUS>() : r.at<mmVM_L2_PROTECTION_FAULT_STATUS>()) = 0;
	(mm ? r.at<mmMMHUB_VM_L2_PROTECTION_FAULT_ADDR_LO32>() : r.at<mmVM_L2_PROTECTION_FAULT_ADDR_LO32>()) = 0;
	(mm ? r.at<mmMMHUB_VM_L2_PROTECTION_FAULT_ADDR_HI32>() : r.at<mmVM_L2_PROTECTION_FAULT_ADDR_HI32>()) = 0;
}

} // namespace silicon

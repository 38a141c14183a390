// SPDX-License-Identifier: MIT
/* gpuvm_v8.cc - the page walker of GFX7 and GFX8. Formats: hw/gpuvm_v8.h. */
#include "../../hw/gpuvm_v8.h"
#include "gpuvm.h"

namespace silicon {

namespace {

constexpr u8 all_access = 7;
constexpr u32 client_tc0 = 0x54433000; /* "TC0": the client that faulted; the model does not distinguish clients */

} // namespace

u64 Gpuvm::base_v8(unsigned vmid) const
{
	const RegisterFile &r = *registers_;
	const u32 base = vmid < 8 ? r.at<mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR>(0, vmid) :
				    r.at<mmVM_CONTEXT8_PAGE_TABLE_BASE_ADDR>(0, vmid - 8);

	return u64{base} << 12;
}

/* Tables lie in VRAM, at an MC address. */
bool Gpuvm::table_v8(u64 mc, u64 *vram) const
{
	const u32 location = registers_->at<mmMC_VM_FB_LOCATION>();

	if (mc < GPUVM_V8_FB_BASE(location) || mc > GPUVM_V8_FB_TOP(location))
		return false;
	*vram = mc - GPUVM_V8_FB_BASE(location);
	return *vram < vram_bytes_;
}

Mem Gpuvm::walk_v8(unsigned vmid, u64 va, Place *place)
{
	const u32 cntl = registers_->at<mmVM_CONTEXT0_CNTL>(0, vmid ? 1 : 0);
	const u64 page_number = va >> 12;
	const u64 start = registers_->at<mmVM_CONTEXT0_PAGE_TABLE_START_ADDR>(0, vmid ? 1 : 0);
	u64 table = base_v8(vmid), vram = 0, entry = 0;

	if (!bit(cntl, 0) || va >> GPUVM_V8_VA_BITS || page_number < start ||
	    page_number > registers_->at<mmVM_CONTEXT0_PAGE_TABLE_END_ADDR>(0, vmid ? 1 : 0))
		return Mem::Fault;
	u64 index = page_number - start;
	if (bits(cntl, 2, 1)) { /* PAGE_TABLE_DEPTH */
		const u32 block = GPUVM_V8_BLOCK_SIZE(cntl);
		if (!table_v8(table + (index >> block) * 8, &vram))
			return Mem::Fault;
		const Mem answer = read_entry(vmid, vram, false, &entry);
		if (answer != Mem::Ok)
			return answer;
		if (!(entry & GPUVM_PTE_VALID))
			return Mem::Fault;
		table = entry & GPUVM_V8_ADDRESS;
		index &= (u64{1} << block) - 1;
	}
	if (!table_v8(table + index * 8, &vram)) {
		board_->report(SILICON_REPORT_BAD_PTE, vmid, va, entry);
		return Mem::Fault;
	}
	const Mem answer = read_entry(vmid, vram, false, &entry);
	if (answer != Mem::Ok)
		return answer;
	const Mem end = finish(vmid, entry & (GPUVM_V8_ADDRESS | page_mask), page_mask, va, place);
	/* GFX7 knows no execute permission: what can be read can be executed. */
	if (end == Mem::Ok && place->allowed & static_cast<u8>(Access::Read))
		place->allowed |= static_cast<u8>(Access::Execute);
	return end;
}

Mem Gpuvm::translate_v8(unsigned vmid, u64 va, Place *place)
{
	u64 vram = 0;

	if (vmid || !table_v8(va, &vram))
		return walk_v8(vmid, va, place);
	place->address = vram;
	place->allowed = all_access;
	return Mem::Ok;
}

/* The first fault stays until the driver clears it. */
void Gpuvm::fault_v8(unsigned vmid, u64 va, Access access, FaultInfo info)
{
	RegisterFile &r = *registers_;
	u32 status = vmid << 25;

	if (r.at<mmVM_CONTEXT1_PROTECTION_FAULT_STATUS>())
		return;
	status |= info.valid_page ? 0 : GPUVM_V8_FAULT_VALID;
	status |= access == Access::Write ? GPUVM_V8_FAULT_WRITE | GPUVM_V8_FAULT_RW : GPUVM_V8_FAULT_READ;
	r.at<mmVM_CONTEXT1_PROTECTION_FAULT_STATUS>() = status;
	r.at<mmVM_CONTEXT1_PROTECTION_FAULT_ADDR>() = static_cast<u32>(va >> 12);
	r.at<mmVM_CONTEXT1_PROTECTION_FAULT_MCCLIENT>() = client_tc0;
}

void Gpuvm::clear_fault_v8()
{
	RegisterFile &r = *registers_;

	r.at<mmVM_CONTEXT1_PROTECTION_FAULT_STATUS>() = 0;
	r.at<mmVM_CONTEXT1_PROTECTION_FAULT_ADDR>() = 0;
	r.at<mmVM_CONTEXT1_PROTECTION_FAULT_MCCLIENT>() = 0;
}

} // namespace silicon

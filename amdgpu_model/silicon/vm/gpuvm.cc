// SPDX-License-Identifier: MIT
/* gpuvm.cc - see gpuvm.h. */
#include "gpuvm.h"

namespace silicon {

namespace {

constexpr u8 access_bits(u64 pte)
{
	return static_cast<u8>((pte & GPUVM_PTE_READABLE ? static_cast<u8>(Access::Read) : 0) |
			       (pte & GPUVM_PTE_WRITEABLE ? static_cast<u8>(Access::Write) : 0) |
			       (pte & GPUVM_PTE_EXECUTABLE ? static_cast<u8>(Access::Execute) : 0));
}

constexpr u8 all_access = 7;

constexpr bool is_mm(unsigned space) { return space >= mmhub_space; }
constexpr unsigned vmid_of(unsigned space) { return space & (mmhub_space - 1); }

} // namespace

u32 Gpuvm::hub(unsigned space, Reg reg) const
{
	const bool mm = is_mm(space);

	switch (reg) {
	case Reg::FbBase: return mm ? mmhub_->at<mmMMHUB_MC_VM_FB_LOCATION_BASE>() : registers_->at<mmMC_VM_FB_LOCATION_BASE>();
	case Reg::FbTop: return mm ? mmhub_->at<mmMMHUB_MC_VM_FB_LOCATION_TOP>() : registers_->at<mmMC_VM_FB_LOCATION_TOP>();
	case Reg::AgpBase: return mm ? mmhub_->at<mmMMHUB_MC_VM_AGP_BASE>() : registers_->at<mmMC_VM_AGP_BASE>();
	case Reg::AgpBot: return mm ? mmhub_->at<mmMMHUB_MC_VM_AGP_BOT>() : registers_->at<mmMC_VM_AGP_BOT>();
	case Reg::AgpTop: return mm ? mmhub_->at<mmMMHUB_MC_VM_AGP_TOP>() : registers_->at<mmMC_VM_AGP_TOP>();
	}
	return 0;
}

u32 Gpuvm::context_cntl(unsigned space) const
{
	const unsigned n = vmid_of(space);

	return is_mm(space) ? mmhub_->at<mmMMHUB_VM_CONTEXT0_CNTL>(0, n) : registers_->at<mmVM_CONTEXT0_CNTL>(0, n);
}

u64 Gpuvm::context_range(unsigned space, bool end) const
{
	const unsigned n = vmid_of(space);
	const RegisterFile &r = is_mm(space) ? *mmhub_ : *registers_;

	if (is_mm(space))
		return end ? join(r.at<mmMMHUB_VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32>(0, n),
				  r.at<mmMMHUB_VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32>(0, n)) :
			     join(r.at<mmMMHUB_VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32>(0, n),
				  r.at<mmMMHUB_VM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32>(0, n));
	return end ? join(r.at<mmVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32>(0, n), r.at<mmVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32>(0, n)) :
		     join(r.at<mmVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32>(0, n), r.at<mmVM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32>(0, n));
}

u64 Gpuvm::page_table_base(unsigned space) const
{
	const unsigned n = vmid_of(space);
	const RegisterFile &r = is_mm(space) ? *mmhub_ : *registers_;

	if (is_mm(space))
		return join(r.at<mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32>(0, n),
			    r.at<mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32>(0, n));
	return join(r.at<mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32>(0, n), r.at<mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32>(0, n));
}

Mem Gpuvm::page(const Place &place, bool write, u8 **host)
{
	const silicon_ports &ports = board_->ports();
	const u64 at = place.address & ~page_mask;
	void *found = nullptr;
	silicon_access answer;

	if (place.bus)
		answer = ports.bus_page(board_->context(), at, write, &found);
	else if (at >= vram_bytes_)
		return Mem::Fault;
	else
		answer = ports.vram_page(board_->context(), at, write, &found);
	if (answer == SILICON_OK)
		*host = static_cast<u8 *>(found);
	return answer == SILICON_OK ? Mem::Ok : answer == SILICON_NEED ? Mem::Need : Mem::Fault;
}

Mem Gpuvm::read_entry(unsigned space, u64 address, bool bus, u64 *entry)
{
	u8 *host = nullptr;
	const Mem answer = page({.address = address, .bus = bus, .allowed = all_access}, false, &host);

	if (answer == Mem::Ok)
		*entry = __atomic_load_n(reinterpret_cast<u64 *>(host + (address & page_mask & ~u64{7})), __ATOMIC_ACQUIRE);
	else if (answer == Mem::Fault)
		board_->report(SILICON_REPORT_BAD_PTE, vmid_of(space), address, 0);
	return answer;
}

/* The last step: a PTE that maps (offset_mask + 1) bytes. */
Mem Gpuvm::finish(unsigned space, u64 entry, u64 offset_mask, u64 va, Place *place)
{
	if (!(entry & GPUVM_PTE_VALID) || (entry & GPUVM_PTE_PRT)) {
		place->final = (entry & GPUVM_PTE_NORETRY) == GPUVM_PTE_NORETRY;
		return Mem::Fault;
	}
	place->address = (entry & GPUVM_PTE_ADDRESS & ~offset_mask) | (va & offset_mask);
	place->bus = entry & GPUVM_PTE_SYSTEM;
	place->allowed = access_bits(entry);
	if (!place->bus && place->address >= vram_bytes_) {
		board_->report(SILICON_REPORT_BAD_PTE, vmid_of(space), va, entry);
		return Mem::Fault;
	}
	return Mem::Ok;
}

Mem Gpuvm::walk_flat(unsigned space, u64 va, Place *place)
{
	const u64 page_number = va >> GPUVM_CONTEXT_RANGE_SHIFT;
	const u64 start = context_range(space, false);
	const u64 base = page_table_base(space);
	u64 entry;

	if (!bit(context_cntl(space), 0) || page_number < start || page_number > context_range(space, true))
		return Mem::Fault;
	if (!(base & GPUVM_PTE_VALID))
		return Mem::Fault;
	const Mem answer = read_entry(space, (base & GPUVM_PDE_ADDRESS) + (page_number - start) * 8, base & GPUVM_PTE_SYSTEM, &entry);
	if (answer != Mem::Ok)
		return answer;
	const Mem end = finish(space, entry, page_mask, va, place);
	if (end == Mem::Ok && !place->allowed)
		place->allowed = all_access; /* GART entries of old drivers carry no R/W bits: the aperture is the kernel's own */
	return end;
}

Mem Gpuvm::walk_tables(unsigned space, u64 va, Place *place)
{
	if (va >> (GPUVM_VA_BITS - 1) == ~u64{0} >> (GPUVM_VA_BITS - 1))
		va &= (u64{1} << GPUVM_VA_BITS) - 1; /* the upper half of the address space, sign extended */
	const u64 page_number = va >> GPUVM_CONTEXT_RANGE_SHIFT;
	u64 entry = page_table_base(space);

	if (!bit(context_cntl(space), 0) || va >> GPUVM_VA_BITS || page_number < context_range(space, false) ||
	    page_number > context_range(space, true))
		return Mem::Fault;
	for (unsigned level = GPUVM_PDB2; level < GPUVM_LEVELS; level++) {
		if (!(entry & GPUVM_PTE_VALID))
			return Mem::Fault;
		const u64 table = entry & GPUVM_PDE_ADDRESS;
		const Mem answer = read_entry(space, table + GPUVM_INDEX(va, level) * 8, entry & GPUVM_PTE_SYSTEM, &entry);
		if (answer != Mem::Ok)
			return answer;
		if (level != GPUVM_PTB && (entry & GPUVM_PDE_PTE))
			return finish(space, entry, (u64{1} << GPUVM_SHIFT(level)) - 1, va, place);
	}
	return finish(space, entry, page_mask, va, place);
}

Mem Gpuvm::translate(unsigned space, u64 va, Place *place)
{
	*place = {};
	if (gfx7_hub_)
		return translate_v8(vmid_of(space), va, place);
	if (vmid_of(space))
		return walk_tables(space, va, place);

	const u64 unit = va >> GPUVM_FB_LOCATION_SHIFT;
	if (unit >= hub(space, Reg::FbBase) && unit <= hub(space, Reg::FbTop)) {
		place->address = va - (static_cast<u64>(hub(space, Reg::FbBase)) << GPUVM_FB_LOCATION_SHIFT);
		place->allowed = all_access;
		return place->address < vram_bytes_ ? Mem::Ok : Mem::Fault;
	}
	if (unit >= hub(space, Reg::AgpBot) && unit <= hub(space, Reg::AgpTop) && hub(space, Reg::AgpTop)) {
		place->address = va - (static_cast<u64>(hub(space, Reg::AgpBot)) << GPUVM_FB_LOCATION_SHIFT) +
				 (static_cast<u64>(hub(space, Reg::AgpBase)) << GPUVM_FB_LOCATION_SHIFT);
		place->bus = true;
		place->allowed = all_access;
		return Mem::Ok;
	}
	return walk_flat(space, va, place);
}

Mem Gpuvm::retries(unsigned space, u64 va)
{
	Place place;

	if (gfx7_hub_ || !vmid_of(space) || !REG_GET(context_cntl(space), VM_CONTEXT0_CNTL, RETRY_PERMISSION_OR_INVALID_PAGE_FAULT))
		return Mem::Fault;
	if (translate(space, va, &place) == Mem::Need)
		return Mem::Need;
	return place.final ? Mem::Fault : Mem::Ok;
}

/* A page is asked for writing as soon as its PTE allows it only if the access writes: reads may share a zero page. */
Mem Gpuvm::walk(unsigned space, u64 va, Access access, TlbEntry *entry)
{
	Place place;
	const bool write = access == Access::Write;

	board_->count(SILICON_COUNT_TLB_MISSES);
	Mem answer = translate(space, va, &place);
	if (answer == Mem::Ok && !(place.allowed & static_cast<u8>(access)))
		answer = Mem::Fault;
	if (answer == Mem::Ok)
		answer = page(place, write, &entry->host);
	if (answer == Mem::Fault && !vmid_of(space))
		board_->report(SILICON_REPORT_BAD_ADDRESS, 0, va, static_cast<u64>(access));
	entry->allowed = write ? place.allowed : static_cast<u8>(place.allowed & ~static_cast<u8>(Access::Write));
	return answer;
}

/* MORE_FAULTS tells that others came after the latched one. PERMISSION_FAULTS: bit 0 not valid, 1 read, 2 write, 3 execute. */
void Gpuvm::fault(unsigned space, u64 va, Access access, FaultInfo info)
{
	const bool mm = is_mm(space);
	u32 &status = mm ? mmhub_->at<mmMMHUB_VM_L2_PROTECTION_FAULT_STATUS>() : registers_->at<mmVM_L2_PROTECTION_FAULT_STATUS>();
	u32 &lo = mm ? mmhub_->at<mmMMHUB_VM_L2_PROTECTION_FAULT_ADDR_LO32>() : registers_->at<mmVM_L2_PROTECTION_FAULT_ADDR_LO32>();
	u32 &hi = mm ? mmhub_->at<mmMMHUB_VM_L2_PROTECTION_FAULT_ADDR_HI32>() : registers_->at<mmVM_L2_PROTECTION_FAULT_ADDR_HI32>();
	const u32 permission = !info.valid_page ? 1 : access == Access::Read ? 2 : access == Access::Write ? 4 : 8;

	board_->report(SILICON_REPORT_VM_FAULT, vmid_of(space), va, static_cast<u64>(access));
	if (gfx7_hub_)
		return fault_v8(vmid_of(space), va, access, info);
	if (status) {
		status = REG_SET(status, VM_L2_PROTECTION_FAULT_STATUS, MORE_FAULTS, 1);
		return;
	}
	status = REG_SET(status, VM_L2_PROTECTION_FAULT_STATUS, PERMISSION_FAULTS, permission);
	status = REG_SET(status, VM_L2_PROTECTION_FAULT_STATUS, RW, access == Access::Write);
	status = REG_SET(status, VM_L2_PROTECTION_FAULT_STATUS, VMID, vmid_of(space));
	lo = static_cast<u32>(va >> 12);
	hi = static_cast<u32>(va >> 44) & 0xf;
}

void Gpuvm::assign(unsigned vmid, u64 base)
{
	RegisterFile &r = *registers_;

	if (gfx7_hub_) {
		(vmid < 8 ? r.at<mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR>(0, vmid) :
			    r.at<mmVM_CONTEXT8_PAGE_TABLE_BASE_ADDR>(0, vmid - 8)) = static_cast<u32>(base >> 12);
		return;
	}
	r.at<mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32>(0, vmid) = static_cast<u32>(base);
	r.at<mmVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32>(0, vmid) = static_cast<u32>(base >> 32);
	mmhub_->at<mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32>(0, vmid) = static_cast<u32>(base);
	mmhub_->at<mmMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32>(0, vmid) = static_cast<u32>(base >> 32);
}

} // namespace silicon

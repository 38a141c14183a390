// SPDX-License-Identifier: MIT
/*
 * gpuvm.h - the page walkers of the two hubs.
 *
 * A translation is (hub, VMID, address) -> VRAM offset or bus address. Address spaces of the GFXHUB are numbered 0..15 as
 * VMIDs are; those of the MMHUB, which SDMA uses, 16..31. Two compute dies on an interposer die share its MMHUB: its registers are the
 * first one's, and so are the engines' accesses.
 * VMID 0 is the driver's: addresses inside MC_VM_FB_LOCATION are VRAM, inside the AGP aperture bus addresses, inside
 * VM_CONTEXT0's range they go through a flat table (the GART). VMIDs 1..15 are walked through four levels of tables
 * (hw/gpuvm_v9.h), read from memory at every miss, so that the hardware follows what memory holds.
 * Chips before GFX9 have one hub, spaces 0..15, with two levels of tables (gpuvm_v8.cc, hw/gpuvm_v8.h).
 * A fault is the answer to the access that made it; fault() latches the first one in VM_L2_PROTECTION_FAULT_* as a hub does.
 */
#pragma once

#include "../../hw/gpuvm_v9.h"
#include "../bus/registers.h"
#include "tlb.h"

namespace silicon {

constexpr unsigned mmhub_space = 16; /* address space number of the MMHUB's VMID 0 */

/** Where an address lies. */
struct Place {
	u64 address = 0;
	bool bus = false;   /* false: VRAM offset */
	u8 allowed = 0;	    /* Access bits */
	bool final = false; /* there is nothing, and no access is to be tried again */
};

/** What a fault was, for the interrupt. */
struct FaultInfo {
	bool valid_page; /* there was a page, but it forbids the access */
};

class Gpuvm final : public PageWalker {
public:
	/** mmhub: where the MMHUB's registers are; clear_fault: bit of VM_INVALIDATE_ENGn_REQ that clears the fault registers. */
	void connect(Board *board, RegisterFile *registers, RegisterFile *mmhub, Tlb *tlb, u64 vram_bytes, bool gfx7_hub, u32 clear_fault)
	{
		mmhub_ = mmhub;
		gfx7_hub_ = gfx7_hub;
		clear_fault_bit_ = clear_fault;
		board_ = board;
		registers_ = registers;
		tlb_ = tlb;
		vram_bytes_ = vram_bytes;
	}

	/** A register has been written: what the hubs' own ones set in motion. */
	void wrote(const RegisterAccess &access);
	/** The hubs' registers that do not read as they were written. */
	static bool read(const RegisterAccess &access, u32 *value);

	Mem walk(unsigned space, u64 va, Access access, TlbEntry *entry) override;
	/** Mem::Fault: there is nothing at va; permissions are in the place. */
	Mem translate(unsigned space, u64 va, Place *place);

	/**
	 * Will an access that faulted be tried again? VM_CONTEXTn_CNTL says so (RETRY_PERMISSION_OR_INVALID_PAGE_FAULT), and the page
	 * table entry may say no. Fault: no.
	 */
	Mem retries(unsigned space, u64 va);

	/** Gives a VMID its page tables, as MAP_PROCESS names them, in both hubs. */
	void assign(unsigned vmid, u64 base);
	/** Latch the hub's fault registers. */
	void fault(unsigned space, u64 va, Access access, FaultInfo info);

private:
	enum class Reg : u8 { FbBase, FbTop, AgpBase, AgpBot, AgpTop };
	u32 hub(unsigned space, Reg reg) const;

	/* hub_registers.cc */
	void invalidate(bool mmhub, u32 engine, u32 request);
	void clear_fault(bool mmhub);

	u32 context_cntl(unsigned space) const;
	u64 context_range(unsigned space, bool end) const;
	u64 page_table_base(unsigned space) const;

	/* gpuvm_v8.cc */
	Mem translate_v8(unsigned vmid, u64 va, Place *place);
	Mem walk_v8(unsigned vmid, u64 va, Place *place);
	u64 base_v8(unsigned vmid) const;
	bool table_v8(u64 mc, u64 *vram) const;
	void fault_v8(unsigned vmid, u64 va, Access access, FaultInfo info);
	void clear_fault_v8();

	Mem walk_flat(unsigned space, u64 va, Place *place);
	Mem walk_tables(unsigned space, u64 va, Place *place);
	Mem read_entry(unsigned space, u64 address, bool bus, u64 *entry);
	Mem page(const Place &place, bool write, u8 **host);
	Mem finish(unsigned space, u64 entry, u64 offset_mask, u64 va, Place *place);

	Board *board_ = nullptr;
	RegisterFile *registers_ = nullptr;
	RegisterFile *mmhub_ = nullptr;
	Tlb *tlb_ = nullptr;
	u64 vram_bytes_ = 0;
	bool gfx7_hub_ = false;
	u32 clear_fault_bit_ = 0;
};

} // namespace silicon

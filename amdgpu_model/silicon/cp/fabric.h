// SPDX-License-Identifier: MIT
/*
 * fabric.h - what connects the engines: memory, registers, interrupts, time.
 *
 * One struct of pointers, so that an engine names what it uses and nothing else of the chip.
 */
#pragma once

#include "../base/clock.h"
#include "../ih/ih.h"
#include "../vm/gpuvm.h"
#include "../vm/memory.h"
#include "../chips.h"
#include "../bus/registers.h"

namespace silicon {

/** MMIO as a packet sees it: with the side effects that a driver's access has. */
class RegisterBus {
public:
	virtual u32 reg_read(u32 reg) = 0;
	virtual void reg_write(u32 reg, u32 value) = 0;

protected:
	~RegisterBus() = default;
};

/** What one pass over the engines has found; silicon_run() turns it into SILICON_RUN_* flags. */
struct Activity {
	bool progress = false; /* something happened: pass again */
	bool need = false;     /* something waits for a page */
	bool poll = false;     /* something waits for a value in memory */
	bool saving = false;   /* waves are on their way to memory: that takes the host's time, none of the chip's */
	u64 next = ~u64{0};    /* earliest cycle at which something goes on by itself */

	void at(u64 cycle) { next = min(next, cycle); }
	/** While the clock is held, all wait for a page that one needs: else the order of what happens would depend on when it comes. */
	bool stops(const Clock &clock) const { return need && clock.held(); }
	/** Book an answer that was not Ok; Fault is the caller's business. */
	void waits(Mem answer) { need |= answer == Mem::Need; }
};

struct Fabric {
	Board *board;
	Clock *clock;
	RegisterFile *registers; /* of the compute die */
	RegisterFile *device;	 /* of what the dies have in common: the ATC's PASID tables */
	RegisterBus *bus;
	Gpuvm *vm;
	Tlb *tlb;
	Memory *memory;
	InterruptHandler *ih;
	const Chip *chip;
	unsigned xcc;		  /* which compute die it is of */
	const Fabric *interposer; /* of the first compute die on the same interposer die: its MMHUB, and the MMHUB's PASID table */

	/** Where the interrupts of the die come from; 0 where there is but one (Linux: node ids of aqua_vanjaram.c). */
	u8 node_id() const { return chip->xccs > 1 ? static_cast<u8>(IH_NODE_OF_XCC(xcc)) : u8{0}; }
	/** The same of an access; those through the MMHUB come from the interposer die. */
	u8 node_of(unsigned space) const
	{
		return space >= mmhub_space && chip->xccs > 1 ? static_cast<u8>(IH_NODE_OF_AID(xcc / HW_XCCS_OF_AID)) : node_id();
	}
	/** A hardware queue in the trace. */
	u32 where(unsigned slot) const { return xcc << 16 | where_hqd(slot); }
	/** A fault of a user's address space: latch it, raise an interrupt. */
	void vm_fault(unsigned space, u64 va, Access access) const;
	/** The same for the last access that Memory answered with Fault. */
	void vm_fault(unsigned space) const { vm_fault(space, memory->fault_va(), memory->fault_access()); }
	/** An access has faulted. Ok: it is to be tried again, and the driver knows of the page; Fault: it is not; Need: ask again. */
	Mem retry_fault(unsigned space, u64 va, Access access) const;
	/** Drop translations of a VMID in both hubs. */
	void flush_vmid(unsigned vmid) const;
	u32 pasid_of(unsigned vmid) const { return registers->at<mmIH_VMID_0_LUT>(0, vmid) & 0xffff; }
	/** Gives a VMID of the die, and of its interposer die's MMHUB, to a process; 0: to none. */
	void set_pasid(unsigned vmid, u32 pasid) const;
	/** Accesses of a VMID that fault are not to be tried again. */
	bool retry_disabled(unsigned vmid) const { return REG_GET(registers->at<mmSH_MEM_CONFIG>(vmid), SH_MEM_CONFIG, RETRY_DISABLE); }
};

} // namespace silicon

// SPDX-License-Identifier: MIT
/*
 * memory.h - loads, stores and copies of the packet processors, which see memory as a stream of bytes of an address space.
 *
 * All or nothing: an access that crosses pages has translated every page before the first byte moves. CPUs and other
 * queues look at the same words, so aligned words move as one piece and stores become visible in program order.
 */
#pragma once

#include "tlb.h"

namespace silicon {

/** Whether an access that faulted is to be tried again. Fault: no; else Need: the driver has been told, or is still to be. */
class FaultRetry {
public:
	virtual Mem retry_fault(unsigned space, u64 va, Access access) = 0;

protected:
	~FaultRetry() = default;
};

class Memory {
public:
	void connect(Tlb *tlb, FaultRetry *retry)
	{
		tlb_ = tlb;
		retry_ = retry;
	}

	Mem read(unsigned space, u64 va, void *to, u32 bytes);
	Mem write(unsigned space, u64 va, const void *from, u32 bytes);

	/** One naturally aligned word. A misaligned address is rounded down, as the hardware ignores the low bits. */
	Mem load32(unsigned space, u64 va, u32 *value);
	Mem load64(unsigned space, u64 va, u64 *value);
	Mem store16(unsigned space, u64 va, u16 value);
	Mem store32(unsigned space, u64 va, u32 value);
	Mem store64(unsigned space, u64 va, u64 value);

	/** Atomic read-modify-write, TC opcodes (hw/sdma_v4.h); *old gets the value before. Unknown opcode: *known = false. */
	Mem atomic(unsigned space, u64 va, u32 op, u64 operand, u64 compare, u64 *old, bool *known);
	Mem fetch_sub64(unsigned space, u64 va, u64 n);

	/** Host address of the word, for what needs more than the above; only valid within this slice. */
	Mem reach(unsigned space, u64 va, Access access, u8 **host) { return translate(space, va, access, host); }

	/** The address and direction of the last fault, for the interrupt. */
	u64 fault_va() const { return fault_va_; }
	Access fault_access() const { return fault_access_; }

private:
	template <class Word> Mem load(unsigned space, u64 va, Word *value);
	template <class Word> Mem store(unsigned space, u64 va, Word value);
	Mem translate(unsigned space, u64 va, Access access, u8 **host);
	Mem prepare(unsigned space, u64 va, u32 bytes, Access access);

	Tlb *tlb_ = nullptr;
	FaultRetry *retry_ = nullptr;
	u64 fault_va_ = 0;
	Access fault_access_ = Access::Read;
};

} // namespace silicon

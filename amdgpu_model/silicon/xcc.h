// SPDX-License-Identifier: MIT
/*
 * xcc.h - a compute die: registers, memory hub, command processors, shader core. A Vega has one, which is all of it but SDMA and interrupts.
 *
 * The first die's register file also holds what belongs to the whole device (interrupt handler, the ATC's PASID tables), and the first one's
 * on each interposer die what belongs to that (MMHUB); the others' copies of these are out of reach.
 */
#pragma once

#include "chips.h"
#include "cp/cp.h"
#include "sdma/sdma.h"
#include "shader/shader_core.h"

namespace silicon {

class Xcc final : public RegisterBus, public FaultRetry {
public:
	/** What is around it; device: the first die's registers. */
	struct Wires {
		const silicon_config *config;
		const Chip *chip;
		Board *board;
		Clock *clock;
		InterruptHandler *ih;
		Sdma *sdma;
		RegisterFile *device;
		RegisterBus *bus;
		const Dies *dies;
		Xcc *interposer; /* the first one on the same interposer die */
	};

	static u64 bytes(const silicon_config &config, const Chip &chip, unsigned number);
	/** shader_memory: behind it, of bytes(). */
	void power(const Wires &wires, unsigned number, void *shader_memory);
	void reset();
	void trace(bool on);
	/** Modes are properties of the shader core. */
	void apply_modes();

	/** A driver's access, to a register by its place in the die. */
	u32 read(u32 reg);
	void write(u32 reg, u32 value);
	/** A packet's: what is not the die's is the device's. */
	u32 reg_read(u32 reg) override;
	void reg_write(u32 reg, u32 value) override;
	/** Engines do not stop as waves do: they come back to the access, as to a page that must be fetched. */
	Mem retry_fault(unsigned space, u64 va, Access access) override;

	RegisterFile registers;
	Gpuvm vm;
	Tlb tlb;
	Memory memory;
	Fabric fabric = {};
	CommandProcessor cp;
	ShaderCore shaders;
	u64 reached = 0; /* of the window in hand, which has been cut */

private:
	bool is_own(u32 reg) const { return wires_.chip->xccs > 1 && hw_is_xcc_reg(reg); }
	u32 inactive(u32 cus) const;

	Wires wires_ = {};
	void *shader_memory_ = nullptr;
	u8 number_ = 0;
};

} // namespace silicon

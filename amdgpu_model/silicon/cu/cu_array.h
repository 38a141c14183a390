// SPDX-License-Identifier: MIT
/*
 * cu_array.h - the compute units of a compute die, by number and by shader engine.
 *
 * Owns: the CUs and their register files, and which of them each shader engine has. Called by every part of the shader core, also
 * while waves run: nothing here changes after power-on but the CUs themselves. Calls no other part.
 */
#pragma once

#include "../base/geometry.h"
#include "compute_unit.h"

namespace silicon {

/** What of the chip's row the shader core must know. GFX9's numbers are the default. */
struct ShaderLimits {
	u8 xcc = 0; /* which of the compute dies it is on */
	u8 shader_engines = 4;
	u8 arrays_per_engine = 1;
	CuLimits cu;
	MemoryTimes memory;
};

class CuArray {
public:
	/**
	 * Of one engine's bits of a CU mask (SH0 in 15:0, SH1 in 31:16) the CU's own, and the next one, where the engine's next search
	 * begins.
	 */
	static u32 bit_of(const ComputeUnit &cu) { return 1u << (cu.sh() * 16 + cu.id()); }
	static u8 behind(const ComputeUnit &cu) { return static_cast<u8>((cu.sh() * 16 + cu.id() + 1) & 31); }

	static u32 count_of(const silicon_config &config, unsigned xcc);
	static u64 memory_size(const silicon_config &config, const CuLimits &cu, unsigned xcc = 0);
	/** memory: 64-byte aligned, memory_size(). */
	void init(const silicon_config &config, const ShaderLimits &limits, u8 *memory);

	const ShaderLimits &limits() const { return limits_; }
	u32 count() const { return count_; }
	ComputeUnit &operator[](u32 index) { return cus_[index]; }
	const ComputeUnit &operator[](u32 index) const { return cus_[index]; }
	ComputeUnit *begin() { return cus_; }
	ComputeUnit *end() { return cus_ + count_; }

	/** CUs that the engine has. */
	u32 fused(unsigned se) const { return engines_[se].fused; }

	/** Offer cus of the engine, from bit first on and then from the beginning, until one is taken. */
	template <class Take> bool ask(unsigned se, u32 cus, unsigned first, Take &&take)
	{
		const u32 later = cus & ~u32{0} << first, halves[2] = {later, cus & ~later};

		for (u32 half : halves)
			for (; half; half &= half - 1)
				if (take(cus_[engines_[se].cu[lowest_bit(u64{half})]]))
					return true;
		return false;
	}

	/** visit(cu, number) each workgroup of the chip; it may go away meanwhile. */
	template <class Visit> void each_workgroup(Visit &&visit)
	{
		for (ComputeUnit &cu : *this)
			for (u64 groups = cu.workgroups(); groups; groups &= groups - 1)
				visit(cu, lowest_bit(groups));
	}

private:
	struct ShaderEngine {
		u32 fused;
		u16 cu[32]; /* number by bit of fused */
	};

	ShaderLimits limits_;
	ComputeUnit *cus_;
	u32 count_;
	ShaderEngine engines_[max_se];
};

} // namespace silicon

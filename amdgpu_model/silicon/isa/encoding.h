// SPDX-License-Identifier: MIT
/* encoding.h - the format of an instruction by its first word (Vega ISA chapter 13, RDNA 2 ISA chapter 13). */
#pragma once

#include "row.h"

namespace silicon {

/** Scalar ALU formats share the two highest bits; where SOP2's opcode would be too large, it tells the others. */
constexpr Format scalar_format_of(u32 w)
{
	switch (bits(w, 29, 23)) {
	case 0x7f: return Format::SOPP;
	case 0x7e: return Format::SOPC;
	case 0x7d: return Format::SOP1;
	default: return bits(w, 29, 28) == 3 ? Format::SOPK : Format::SOP2;
	}
}

/** Format::Count: none that is executed. */
constexpr Format format_of(Isa isa, u32 w)
{
	const bool gfx10 = is_gfx10(isa);

	if (!(w >> 31))
		return w >> 25 == 0x3e ? Format::VOPC : w >> 25 == 0x3f ? Format::VOP1 : Format::VOP2;
	if (w >> 30 == 2)
		return scalar_format_of(w);
	if (w >> 23 == (gfx10 ? 0x198 : 0x1a7))
		return Format::VOP3P;
	if (w >> 26 == (gfx10 ? 0x3d : 0x30))
		return Format::SMEM;
	if (w >> 26 == (gfx10 ? 0x35 : 0x34))
		return Format::VOP3;
	switch (w >> 26) {
	case 0x36: return Format::DS;
	case 0x37: return Format::FLAT;
	case 0x38: return Format::MUBUF;
	case 0x3a: return Format::MTBUF;
	default: return Format::Count;
	}
}

} // namespace silicon

// SPDX-License-Identifier: MIT
/* isa.h - the instruction sets that the engine knows, by the generation of the graphics core. */
#pragma once

#include "../base/types.h"

namespace silicon {

enum class Isa : u8 {
	None,	     /* machine code of this generation is not executed */
	Gfx9,	     /* Vega: the rows of rows/ as they stand */
	Gfx8,	     /* Volcanic Islands: rows/gfx8.def says what is missing and what has another name */
	Gfx10,	     /* RDNA 2: rows/gfx10.def, waves of 64 lanes */
	Gfx10Wave32, /* the same for waves of 32: masks of lanes are one register */
	Gfx908,	     /* CDNA1: Vega with accumulation registers and matrix products */
	Gfx90a,	     /* CDNA2: one register file for both, packed singles, more on doubles */
	Gfx942,	     /* CDNA3: sparse and 8-bit matrix products, scratch as on RDNA 2, loads into LDS */
	Count,
};

constexpr bool is_gfx10(Isa isa) { return isa == Isa::Gfx10 || isa == Isa::Gfx10Wave32; }

/** Waves have accumulation VGPRs behind their VGPRs. */
constexpr bool has_accumulators(Isa isa) { return isa == Isa::Gfx908 || isa == Isa::Gfx90a || isa == Isa::Gfx942; }

/** Since CDNA2 a wave divides its registers between the two kinds, groups of them begin at even numbers, and v0 has all work-item ids. */
constexpr bool has_one_file(Isa isa) { return isa == Isa::Gfx90a || isa == Isa::Gfx942; }

} // namespace silicon

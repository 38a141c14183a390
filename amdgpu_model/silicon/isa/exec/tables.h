// SPDX-License-Identifier: MIT
/* tables.h - what the files of one execution unit variant offer to each other. */
#pragma once

#include "state.h"

namespace silicon::SILICON_VARIANT {

/* Functions of the rows, in the order of the .def files. */
extern const ExecFn sop2_table[], sopk_table[], sop1_table[], sopc_table[], sopp_table[], smem_table[], vop2_table[], vop1_table[],
	vopc_table[], vop3_table[], vop3p_table[], ds_table[], flat_table[], mubuf_table[], mtbuf_table[];
extern const Variant variant;

const Op *prepared(State &st, const Op *op);
const Op *splatted(State &st, const Op *op);

/** The first instruction at pc, decoded; nullptr ends the run (State::stop is set). */
const Op *jump_to(State &st, u64 pc);

/** MODE has changed. */
void reload_modes(State &st);

constexpr u32 mode_vskip = 1u << 28;	 /* MODE.VSKIP */
constexpr u32 mode_gpr_index = 1u << 27; /* MODE.GPR_IDX_EN */
constexpr u32 mode_debug_en = 1u << 11;	 /* MODE.DEBUG_EN */

/** MXCSR for a rounding and a denormal field of MODE (Vega ISA 3.3.3): all exceptions masked. */
ALWAYS_INLINE u32 mxcsr(u32 round, u32 denormals)
{
	const u32 direction = round == 1 ? 2 : round == 2 ? 1 : round; /* +inf and -inf change places */

	return 0x1f80 | direction << 13 | (denormals & 1 ? 0 : 0x40) | (denormals & 2 ? 0 : 0x8000);
}

ALWAYS_INLINE void use_csr(State &st, u32 csr)
{
	if (st.csr != csr) {
		st.csr = csr;
		asm volatile("ldmxcsr %0" : : "m"(st.csr) : "memory");
	}
}

} // namespace silicon::SILICON_VARIANT

// SPDX-License-Identifier: MIT
/* state.h - what the execution functions of one run_wave() call share; everything always_inline (see sources.mk). */
#pragma once

#include "../store.h"

namespace silicon {

struct State {
	Wave *w;
	VgprRow *v;
	EngineStore *store;
	EngineContext *context;
	StopInfo stop;
	u32 csr, csr_single, csr_double; /* MXCSR: now, for f32, for f64 and f16 */
	bool special;			 /* s_set_gpr_idx or s_setvskip are in force, exceptions are looked for, or memory is watched */
	ExecFn watched;			 /* the row's function while note_exceptions() stands before it */
	StepCode waited;		 /* what an s_waitcnt has found to wait for */
	bool in_bursts;			 /* functional mode: who sleeps lets the others go on */
	u32 raised;			 /* EXCP and, from bit 16 on, EXCP_CYCLE of the instruction under way */
	u32 met;			 /* watch points that it has met */

	ALWAYS_INLINE u32 *row(unsigned n) { return n & scratch_row ? store->rows[n & (scratch_row - 1)] : v[n]; }
	ALWAYS_INLINE u32 sgpr(unsigned n) const { return w->sgpr[n]; }
	ALWAYS_INLINE u64 sgpr64(unsigned n) const { return load<u64>(&w->sgpr[n]); }
	ALWAYS_INLINE void set_sgpr64(unsigned n, u64 value) { silicon::store(&w->sgpr[n], value); }
	/** A bit a lane: one register in a wave of 32. */
	ALWAYS_INLINE void set_mask(unsigned n, u64 value)
	{
		if (__builtin_expect(w->wave32, 0))
			w->sgpr[n] = static_cast<u32>(value);
		else
			set_sgpr64(n, value);
	}

	/** The instruction does not happen: the loop has charged and counted it already. */
	ALWAYS_INLINE void undo(const Op *op)
	{
		w->pc = op->pc;
		w->cycles -= op->cost;
		w->instructions--;
	}

	/** End run_wave() at this instruction. */
	ALWAYS_INLINE const Op *halt(const Op *op, Stop why, u32 detail = 0)
	{
		undo(op);
		stop = {why, Access::Execute, detail, 0};
		return nullptr;
	}

	/** End run_wave() behind this instruction. */
	ALWAYS_INLINE const Op *pause(const Op *op, Stop why, u32 detail = 0)
	{
		w->pc = op->pc + op->length;
		stop = {why, Access::Execute, detail, 0};
		return nullptr;
	}

	/** End run_wave() because memory was not there. */
	ALWAYS_INLINE const Op *refuse(const Op *op, Mem answer, Access access, u64 va)
	{
		undo(op);
		stop = {answer == Mem::Need ? Stop::Need : Stop::VmFault, access, 0, va};
		return nullptr;
	}
};

/* ---- Scalar operands (Vega ISA table "SGPR, constants, special values") ---- */

/** 235..254: values that are not registers. */
ALWAYS_INLINE u64 special_operand(const State &st, unsigned code)
{
	const Wave &w = *st.w;

	switch (code) {
	case 235: return u64{w.sh_mem_bases >> 16} << 48;		    /* SRC_SHARED_BASE */
	case 236: return (u64{w.sh_mem_bases >> 16} << 48) + 0xffffffff;    /* SRC_SHARED_LIMIT */
	case 237: return u64{w.sh_mem_bases & 0xffff} << 48;		    /* SRC_PRIVATE_BASE */
	case 238: return (u64{w.sh_mem_bases & 0xffff} << 48) + 0xffffffff; /* SRC_PRIVATE_LIMIT */
	case 251: return w.vcc() == 0;
	case 252: return w.exec() == 0;
	case 253: return w.scc;
	default: return 0;
	}
}

ALWAYS_INLINE u32 scalar32(const State &st, const Op *op, unsigned i)
{
	const unsigned code = op->code[i];

	if (__builtin_expect(code < 128, 1))
		return st.sgpr(code);
	if (code == code_constant)
		return static_cast<u32>(op->k[i]);
	const u64 value = special_operand(st, code);
	/* A 32-bit read of an aperture register gives its upper half, which is all that is set in a base. */
	return code >= 235 && code <= 238 ? static_cast<u32>(value >> 32) : static_cast<u32>(value);
}

ALWAYS_INLINE u64 scalar64(const State &st, const Op *op, unsigned i)
{
	const unsigned code = op->code[i];

	if (__builtin_expect(code < 128, 1))
		return st.sgpr64(code);
	return code == code_constant ? op->k[i] : special_operand(st, code);
}

ALWAYS_INLINE u64 scalar_mask(const State &st, const Op *op, unsigned i)
{
	return __builtin_expect(st.w->wave32, 0) ? scalar32(st, op, i) : scalar64(st, op, i);
}

} // namespace silicon

// SPDX-License-Identifier: MIT
/* salu_special.h - scalar instructions with a function of their own: control flow, hardware registers, register indexing. */
#pragma once

#include "tables.h"

namespace silicon::SILICON_VARIANT {

enum Condition { Always, Scc0, Scc1, Vccz, Vccnz, Execz, Execnz };

ALWAYS_INLINE bool holds(Condition c, const Wave &w)
{
	switch (c) {
	case Scc0: return !w.scc;
	case Scc1: return w.scc;
	case Vccz: return w.vcc() == 0;
	case Vccnz: return w.vcc() != 0;
	case Execz: return w.exec() == 0;
	case Execnz: return w.exec() != 0;
	default: return true;
	}
}

const Op *branch_taken(State &st, const Op *op);

/** Branches remember the Op they lead to: Ops live as long as each other. */
template <Condition c> const Op *branch(State &st, const Op *op)
{
	if (!holds(c, *st.w))
		return op + 1;
	return __builtin_expect(op->target != nullptr, 1) ? op->target : branch_taken(st, op);
}

template <unsigned width> const Op *movrels(State &st, const Op *op)
{
	const unsigned from = op->code[0] + st.w->sgpr[sgpr_m0];

	if (op->code[0] >= sgpr_vcc || from >= st.w->sgprs || from + width > st.w->sgprs)
		return st.halt(op, Stop::IllegalInstruction);
	for (unsigned i = 0; i < width; i++)
		st.w->sgpr[op->dst + i] = st.w->sgpr[from + i];
	return op + 1;
}

template <unsigned width> const Op *movreld(State &st, const Op *op)
{
	const unsigned to = op->dst + st.w->sgpr[sgpr_m0];
	const u64 value = width == 2 ? scalar64(st, op, 0) : scalar32(st, op, 0);

	if (op->dst >= sgpr_vcc || to >= st.w->sgprs || to + width > st.w->sgprs)
		return st.halt(op, Stop::IllegalInstruction);
	for (unsigned i = 0; i < width; i++)
		st.w->sgpr[to + i] = static_cast<u32>(value >> 32 * i);
	return op + 1;
}

/** Until no more than count operations of a counter are under way. The longest wait of an instruction is its step. */
ALWAYS_INLINE void wait_until(State &st, Counter counter, u32 count)
{
	const u64 time = st.w->of(counter).down_to(count);

	if (time <= st.w->cycles)
		return;
	st.w->cycles = time;
	st.waited = wait_step(counter, count);
}

/** GFX10's waits for one counter. */
template <Counter counter> const Op *wait_for(State &st, const Op *op)
{
	wait_until(st, counter, scalar32(st, op, 0) + op->k[1]);
	return op + 1;
}

/** Four bits of MODE from at on: round and denormal modes. */
template <unsigned at> const Op *set_mode(State &st, const Op *op)
{
	st.w->mode = (st.w->mode & ~(15u << at)) | (op->k[1] & 15) << at;
	reload_modes(st);
	return op + 1;
}

const Op *movrelsd_2(State &st, const Op *op);
const Op *subvector_loop_begin(State &st, const Op *op);
const Op *subvector_loop_end(State &st, const Op *op);
const Op *code_end(State &st, const Op *op);
const Op *nop(State &st, const Op *op);
const Op *endpgm(State &st, const Op *op);
const Op *barrier(State &st, const Op *op);
const Op *waitcnt(State &st, const Op *op);
const Op *sethalt(State &st, const Op *op);
const Op *sleep(State &st, const Op *op);
const Op *sendmsg(State &st, const Op *op);
const Op *trap(State &st, const Op *op);
const Op *icache_inv(State &st, const Op *op);
const Op *setprio(State &st, const Op *op);
const Op *fork_to_register(State &st, const Op *op);
const Op *fork_to_offset(State &st, const Op *op);
const Op *join_paths(State &st, const Op *op);
const Op *setvskip(State &st, const Op *op);
const Op *getpc(State &st, const Op *op);
const Op *setpc(State &st, const Op *op);
const Op *swappc(State &st, const Op *op);
const Op *call(State &st, const Op *op);
const Op *rfe(State &st, const Op *op);
const Op *getreg(State &st, const Op *op);
const Op *setreg(State &st, const Op *op);
const Op *set_gpr_idx_on(State &st, const Op *op);
const Op *set_gpr_idx_off(State &st, const Op *op);
const Op *set_gpr_idx_idx(State &st, const Op *op);
const Op *set_gpr_idx_mode(State &st, const Op *op);

} // namespace silicon::SILICON_VARIANT

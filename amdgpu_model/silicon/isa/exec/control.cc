// SPDX-License-Identifier: MIT
/* control.cc - program control: branches, calls, traps, waits, messages, hardware registers (Vega ISA chapters 3 and 4). */
#include "exceptions.h"
#include "salu_special.h"
#include "scalar.h"

namespace silicon::SILICON_VARIANT {
namespace {

u64 behind(const Op *op) { return op->pc + op->length; }

/** Those that GFX10 has elsewhere, or alone (RDNA 2 ISA table "Hardware Register Values"). */
u32 gfx10_register(const Wave &w, unsigned id)
{
	switch (id) {
	case 20:
	case 21: return w.flat_scratch[id & 1];
	case 23: /* HW_ID1 */ return w.hw_id;
	case 24: /* HW_ID2 */ return w.hw_id2;
	case 29: /* SHADER_CYCLES: 20 bits */ return w.cycles & 0xfffff;
	default: return 0;
	}
}

/** Hardware registers by number (Vega ISA table "Hardware Register Values"). */
u32 hardware_register(const Wave &w, Isa isa, unsigned id)
{
	if (is_gfx10(isa) && (id == 4 || id >= 20))
		return gfx10_register(w, id);
	switch (id) {
	case 1: return w.mode;
	case 2: /* STATUS: SCC 0, PRIV 5, TRAP_EN 6, EXECZ 9, VCCZ 10, VALID 16 */
		return w.scc | w.privileged << 5 | w.trap_enabled << 6 | (w.exec() == 0) << 9 | (w.vcc() == 0) << 10 | 1u << 16;
	case 3: return w.trapsts & ~trapsts_hidden;
	case 4: return w.hw_id;
	case 5: return w.gpr_alloc;
	case 6: return w.lds_alloc;
	case 15: return w.sh_mem_bases;
	case 16: return static_cast<u32>(w.tba);
	case 17: return static_cast<u32>(w.tba >> 32);
	case 18: return static_cast<u32>(w.tma);
	case 19: return static_cast<u32>(w.tma >> 32);
	case 20: /* XCC_ID: bits 3:0, the physical die (CDNA 3 ISA, the same table) */ return isa == Isa::Gfx942 ? w.hw_id2 : 0;
	default: return 0;
	}
}

struct RegisterField {
	unsigned id, at;
	u32 mask;
};

/** simm16: register [5:0], offset [10:6], size - 1 [15:11]. */
RegisterField register_field(u32 simm16)
{
	const unsigned size = (simm16 >> 11 & 31) + 1;

	return {simm16 & 63, simm16 >> 6 & 31, size == 32 ? ~0u : (1u << size) - 1};
}

} // namespace

const Op *branch_taken(State &st, const Op *op)
{
	const u64 generation = st.store->generation;
	const Op *next = jump_to(st, behind(op) + op->k[1] * 4);

	if (next && st.store->generation == generation)
		const_cast<Op *>(op)->target = next;
	return next;
}

const Op *nop(State &, const Op *op) { return op + 1; }

/** Counted like any other, but pc stays on it. Waits first, as s_waitcnt 0 does ("Vega" ISA 12.5, S_ENDPGM). */
const Op *endpgm(State &st, const Op *op)
{
	for (const Returns &returns : st.w->returns)
		st.w->cycles = max(st.w->cycles, returns.down_to(0));
	st.pause(op, Stop::End);
	st.w->pc = op->pc;
	return nullptr;
}

const Op *barrier(State &st, const Op *op) { return st.pause(op, Stop::Barrier); }

/** vmcnt [3:0], lgkmcnt [11:8]; since GFX9 vmcnt has [15:14] as well, GFX10's lgkmcnt [13:12] (Vega ISA 12.5, RDNA 2 ISA 12.5). */
const Op *waitcnt(State &st, const Op *op)
{
	const u32 imm = static_cast<u32>(op->k[1]);
	const Isa isa = st.store->isa;

	wait_until(st, Counter::Vm, (imm & 15) | (isa == Isa::Gfx8 ? 0 : imm >> 14 << 4 & 0x30));
	wait_until(st, Counter::Lgkm, imm >> 8 & (is_gfx10(isa) ? 63 : 15));
	return op + 1;
}

const Op *sethalt(State &st, const Op *op) { return op->k[1] & 1 ? st.pause(op, Stop::Halt) : op + 1; }

const Op *sleep(State &st, const Op *op)
{
	st.w->cycles += sleep_unit * sleep_length(*op);
	return st.in_bursts ? st.pause(op, Stop::Sleep) : op + 1;
}

/** SIMM16[1:0] (Vega ISA 12.5); the SIMD orders its waves anew behind the turn. */
const Op *setprio(State &st, const Op *op)
{
	st.w->user_priority = op->k[1] & 3;
	return op + 1;
}

const Op *sendmsg(State &st, const Op *op) { return st.pause(op, Stop::Message, static_cast<u32>(op->k[1]) & 0xffff); }

/* Into the trap handler, if there is one, goes the CU (sq/trap.h). */
const Op *trap(State &st, const Op *op) { return st.halt(op, Stop::Trap, op->k[1] & 255); }

const Op *icache_inv(State &st, const Op *op)
{
	const u64 next = behind(op);

	engine_flush(*st.store);
	return jump_to(st, next);
}

const Op *getpc(State &st, const Op *op)
{
	st.set_sgpr64(op->dst, behind(op));
	return op + 1;
}

const Op *setpc(State &st, const Op *op) { return jump_to(st, scalar64(st, op, 0)); }

const Op *swappc(State &st, const Op *op)
{
	const u64 target = scalar64(st, op, 0);

	st.set_sgpr64(op->dst, behind(op));
	return jump_to(st, target);
}

const Op *call(State &st, const Op *op)
{
	const u64 next = behind(op);
	const u64 target = next + op->k[1] * 4;

	st.set_sgpr64(op->dst, next);
	return jump_to(st, target);
}

/* ---- Fork and join: a stack of paths in SGPRs, four a level; MODE.CSP counts them (Vega ISA 4.6) ---- */

namespace {

constexpr u32 mode_csp_shift = 29;

unsigned paths_waiting(const Wave &w) { return w.mode >> mode_csp_shift; }

void set_paths_waiting(Wave &w, unsigned n) { w.mode = (w.mode & 0x1fffffff) | n << mode_csp_shift; }

/** Lanes of pass go to target, others on; the smaller part first, the other part is put on the stack. */
const Op *fork(State &st, const Op *op, u64 lanes_that_pass, u64 target)
{
	Wave &w = *st.w;
	const u64 exec = w.exec(), pass = lanes_that_pass & exec, fail = ~lanes_that_pass & exec, next = behind(op);
	const unsigned level = paths_waiting(w), at = level * 4;

	if (pass == exec)
		return jump_to(st, target);
	if (fail == exec)
		return jump_to(st, next);
	if (level == 7 || at + 4 > w.sgprs)
		return st.halt(op, Stop::IllegalInstruction);
	const bool fail_first = count_ones(fail) < count_ones(pass);
	st.set_sgpr64(at, fail_first ? pass : fail);
	st.set_sgpr64(at + 2, fail_first ? target : next);
	w.set_exec(fail_first ? fail : pass);
	set_paths_waiting(w, level + 1);
	return jump_to(st, fail_first ? next : target);
}

} // namespace

const Op *fork_to_register(State &st, const Op *op) { return fork(st, op, scalar64(st, op, 0), scalar64(st, op, 1)); }

const Op *fork_to_offset(State &st, const Op *op) { return fork(st, op, scalar64(st, op, 0), behind(op) + op->k[1] * 4); }

/** At the level where the fork began go on, else take the path on top of the stack. */
const Op *join_paths(State &st, const Op *op)
{
	Wave &w = *st.w;
	const unsigned level = paths_waiting(w);

	if (scalar32(st, op, 0) == level)
		return jump_to(st, behind(op));
	if (!level || level * 4 > w.sgprs)
		return st.halt(op, Stop::IllegalInstruction);
	const unsigned at = (level - 1) * 4;
	set_paths_waiting(w, level - 1);
	w.set_exec(st.sgpr64(at));
	return jump_to(st, st.sgpr64(at + 2));
}

/** MODE.VSKIP: vector instructions are passed over. */
const Op *setvskip(State &st, const Op *op)
{
	const bool skip = scalar32(st, op, 0) >> (scalar32(st, op, 1) & 31) & 1;

	st.w->mode = (st.w->mode & ~mode_vskip) | (skip ? mode_vskip : 0);
	reload_modes(st);
	return op + 1;
}

/** Return from exception: leaves the trap handler; a program outside of one may not. */
const Op *rfe(State &st, const Op *op)
{
	if (!st.w->privileged)
		return st.halt(op, Stop::IllegalInstruction);
	const u64 target = scalar64(st, op, 0) & 0xffffffffffff;

	st.w->privileged = false;
	return jump_to(st, target);
}

/** A program that accesses TRAPSTS gets the sticky bits from there on. */
static void watch_exceptions(State &st, unsigned id)
{
	if (id != 3 || st.w->trapsts & trapsts_watched)
		return;
	st.w->trapsts |= trapsts_watched;
	reload_modes(st);
}

const Op *getreg(State &st, const Op *op)
{
	const RegisterField f = register_field(static_cast<u32>(op->k[1]));

	watch_exceptions(st, f.id);
	st.w->sgpr[op->dst] = hardware_register(*st.w, st.store->isa, f.id) >> f.at & f.mask;
	return op + 1;
}

/** MODE is the program's own; TRAPSTS and STATUS bits may be written by a trap handler only. */
const Op *setreg(State &st, const Op *op)
{
	const RegisterField f = register_field(static_cast<u32>(op->k[1]));
	const u32 value = scalar32(st, op, 0) << f.at, mask = f.mask << f.at;
	Wave &w = *st.w;

	watch_exceptions(st, f.id);
	if (f.id == 1) {
		w.mode = (w.mode & ~mask) | (value & mask);
		reload_modes(st);
		if (st.in_bursts && steps(w)) /* from the next instruction on */
			return st.pause(op, Stop::Budget);
	} else if (f.id == 3) {
		const u32 written = mask & ~trapsts_hidden;

		w.trapsts = (w.trapsts & ~written) | (value & written);
	} else if ((f.id == 20 || f.id == 21) && is_gfx10(st.store->isa)) {
		u32 &half = w.flat_scratch[f.id & 1];

		half = (half & ~mask) | (value & mask);
	} else if (f.id == 2 && w.privileged && (mask & 1)) {
		w.scc = value & 1;
	}
	return op + 1;
}

/** GFX10: source M0[9:0], destination M0[25:16] registers further. */
const Op *movrelsd_2(State &st, const Op *op)
{
	const u32 m0 = st.w->sgpr[sgpr_m0], from = op->code[0] + (m0 & 0x3ff), to = op->dst + (m0 >> 16 & 0x3ff);

	if (op->code[0] >= sgpr_vcc || op->dst >= sgpr_vcc || from >= st.w->sgprs || to >= st.w->sgprs)
		return st.halt(op, Stop::IllegalInstruction);
	st.w->sgpr[to] = st.w->sgpr[from];
	return op + 1;
}

/* ---- Both halves of a wave64 one after the other ("RDNA 2" ISA manual, s_subvector_loop_begin and _end) ---- */

const Op *subvector_loop_begin(State &st, const Op *op)
{
	u32 &low = st.w->sgpr[sgpr_exec], &high = st.w->sgpr[sgpr_exec + 1];

	if (!low && !high)
		return jump_to(st, behind(op) + op->k[1] * 4);
	if (!low) {
		st.w->sgpr[op->dst] = 0;
	} else {
		st.w->sgpr[op->dst] = high;
		high = 0;
	}
	return jump_to(st, behind(op));
}

const Op *subvector_loop_end(State &st, const Op *op)
{
	u32 &low = st.w->sgpr[sgpr_exec], &high = st.w->sgpr[sgpr_exec + 1], &kept = st.w->sgpr[op->dst];

	if (high) {
		low = kept;
	} else if (kept) {
		high = kept;
		kept = low;
		low = 0;
		return jump_to(st, behind(op) + op->k[1] * 4);
	}
	return jump_to(st, behind(op));
}

/** Behind the last instruction of a program: never executed. */
const Op *code_end(State &st, const Op *op) { return st.halt(op, Stop::IllegalInstruction); }

/* VGPR indexing: index in M0[7:0], which operands it applies to in M0[15:12], MODE.GPR_IDX_EN (Vega ISA 12.4). */
const Op *set_gpr_idx_on(State &st, const Op *op)
{
	u32 &m0 = st.w->sgpr[sgpr_m0];

	m0 = (m0 & ~0xf0ffu) | (scalar32(st, op, 0) & 255) | (op->k[1] & 15) << 12;
	st.w->mode |= mode_gpr_index;
	reload_modes(st);
	return op + 1;
}

const Op *set_gpr_idx_off(State &st, const Op *op)
{
	st.w->mode &= ~mode_gpr_index;
	reload_modes(st);
	return op + 1;
}

const Op *set_gpr_idx_idx(State &st, const Op *op)
{
	u32 &m0 = st.w->sgpr[sgpr_m0];

	m0 = (m0 & ~255u) | (scalar32(st, op, 0) & 255);
	return op + 1;
}

const Op *set_gpr_idx_mode(State &st, const Op *op)
{
	u32 &m0 = st.w->sgpr[sgpr_m0];

	m0 = (m0 & ~0xf000u) | (op->k[1] & 15) << 12;
	return op + 1;
}

} // namespace silicon::SILICON_VARIANT

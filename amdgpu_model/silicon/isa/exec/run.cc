// SPDX-License-Identifier: MIT
/*
 * run.cc - the loop of the execution unit, and what every variant offers to the decoder.
 *
 * op->run() executes an instruction and names the next one; nullptr ends the loop with State::stop telling why.
 */
#include "exceptions.h"
#include "scalar.h"

namespace silicon::SILICON_VARIANT {
namespace {

const Op *go_on(State &st, u64 pc)
{
	const Op *op = find_block(*st.context, variant, *st.w, pc, &st.stop);

	if (!op)
		st.w->pc = pc;
	return op;
}

const Op *block_end(State &st, const Op *op) { return go_on(st, op->pc); }

const Op *illegal(State &st, const Op *op) { return st.halt(op, Stop::IllegalInstruction); }

const Op *privileged(State &st, const Op *op) { return st.w->privileged ? op->kernel(st, op) : op + 1; }

/* ---- Waves that look for exceptions, skip vector instructions, or index VGPRs ---- */

constexpr unsigned trapsts_excp_cycle = 16;

/** Before the row's function, when its sources are made up. */
const Op *note_exceptions(State &st, const Op *op)
{
	unsigned cycle = 0;
	const u32 raised = raised_exceptions(st, op, &cycle);

	st.raised = raised | cycle << trapsts_excp_cycle;
	return st.watched(st, op);
}

/** Into TRAPSTS; Return: the wave traps. The cycle is that of the first exception. */
bool record_exceptions(State &st)
{
	Wave &w = *st.w;
	const u32 raised = st.raised & excp_arithmetic;

	if (!raised)
		return false;
	if (!(w.trapsts & excp_arithmetic))
		w.trapsts = (w.trapsts & ~(0x3fu << trapsts_excp_cycle)) | (st.raised & 0x3f << trapsts_excp_cycle);
	w.trapsts |= raised;
	return may_trap(w) && raised & w.mode >> mode_excp_en;
}

/** TRAPSTS: watch point 0 in EXCP, 1 to 3 in EXCP_HI; MODE has one bit for all (Linux: cwsr_trap_handler_gfx9.asm). */
constexpr u32 trapsts_of(u32 met) { return (met & 1) << 7 | met >> 1 << 12; }

/** A memory instruction: it has happened when the wave hears of a watch point. */
const Op *execute_watched(State &st, const Op *op)
{
	Wave &w = *st.w;

	st.met = 0;
	const Op *next = op->run(st, op);
	if (!next || !st.met)
		return next;
	w.trapsts |= trapsts_of(st.met);
	if (!may_trap(w) || !(w.mode >> mode_excp_en & excp_watch))
		return next;
	w.trapsts |= trapsts_pending;
	return st.pause(op, Stop::Exception);
}

const Op *execute(State &st, const Op *op)
{
	if (op->memory && is_watched(st))
		return execute_watched(st, op);
	if (!watches_exceptions(*st.w) || !op->vector || op->memory || !op->row)
		return op->run(st, op);
	Op copy = *op;
	st.watched = op->kernel;
	st.raised = 0;
	copy.kernel = note_exceptions;
	if (copy.run == op->kernel)
		copy.run = note_exceptions;
	const Op *next = copy.run(st, &copy);
	if (next != &copy + 1)
		return next;
	if (!record_exceptions(st))
		return op + 1;
	st.w->trapsts |= trapsts_pending;
	return st.pause(op, Stop::Exception);
}

/** Modes that only GFX8 and GFX9 have. */
bool special_modes(const State &st) { return st.w->mode & (mode_gpr_index | mode_vskip) && !is_gfx10(st.store->isa); }

/**
 * Executes an instruction while MODE.VSKIP or MODE.GPR_IDX_EN is set: passes over a vector instruction, or executes a copy of it whose
 * VGPR numbers are shifted by M0 (Vega ISA chapter 6, "VGPR Indexing").
 */
const Op *run_in_mode(State &st, const Op *op)
{
	Op &copy = st.store->indexed;
	const unsigned m0 = st.w->sgpr[sgpr_m0], index = m0 & 255;
	const u32 enable = m0 >> 12;
	unsigned top = op->vgprs;

	if (!special_modes(st))
		return execute(st, op);
	if (st.w->mode & mode_vskip && op->vector)
		return op + 1;
	if (!(st.w->mode & mode_gpr_index) || !op->vgprs || op->memory)
		return execute(st, op);
	copy = *op;
	const Signature &sig = op->row->sig;
	for (unsigned i = 0; i < sig.sources; i++)
		if ((enable >> i & 1) && is_vgpr(sig.source[i]) && !(copy.src[i] & scratch_row)) {
			copy.src[i] += index;
			top = max(top, copy.src[i] + width_of(sig.source[i]));
		}
	if ((enable & 8) && is_vgpr(sig.result)) {
		copy.dst += index;
		top = max(top, copy.dst + width_of(sig.result));
	}
	if (top > st.w->vgprs)
		return illegal(st, op);
	const Op *next = execute(st, &copy);
	return next == &copy + 1 ? op + 1 : next;
}

void load_modes(State &st)
{
	st.csr_single = mxcsr(st.w->mode & 3, st.w->mode >> 4 & 3);
	st.csr_double = mxcsr(st.w->mode >> 2 & 3, st.w->mode >> 6 & 3);
	st.special = special_modes(st) || watches_exceptions(*st.w) || is_watched(st);
}

/** Execute an instruction that the wave has been charged for. */
ALWAYS_INLINE const Op *execute_op(State &st, const Op *op)
{
	const Wave &w = *st.w;

	if (__builtin_expect((op->vgprs > w.vgprs) | (op->sgprs > w.sgprs), 0))
		return illegal(st, op);
	return __builtin_expect(st.special, 0) ? run_in_mode(st, op) : op->run(st, op);
}

/** Charge the instruction, and execute it. */
ALWAYS_INLINE const Op *issue_op(State &st, const Op *op)
{
	st.w->cycles += op->cost;
	st.w->instructions++;
	return execute_op(st, op);
}

void loop(State &st, const Op *op, u32 left, u64 limit)
{
	Wave &w = *st.w;

	while (op) {
		if (__builtin_expect(op->run == block_end, 0)) {
			op = go_on(st, op->pc);
			continue;
		}
		if (!left || w.cycles >= limit) {
			w.pc = op->pc;
			st.stop = {Stop::Budget, Access::Execute, 0, 0};
			return;
		}
		left--;
		op = issue_op(st, op);
	}
}

/** The wave stands before op; nullptr: whatever is the matter there, it comes to light when the instruction is tried. */
void stand(State &st, const Op *op, Ahead &ahead)
{
	ahead.stands = true;
	ahead.unit = op ? op->unit : Unit::Internal;
	ahead.busy = op ? op->busy : 0;
	ahead.exact = op && op->exact;
	ahead.unknown = !op;
	if (op)
		st.w->pc = op->pc;
	st.w->resume = op;
	st.w->generation = st.store->generation;
}

const Op *behind_block_end(State &st, const Op *op)
{
	while (op && op->run == block_end)
		op = go_on(st, op->pc);
	return op;
}

constexpr u64 code_line(const Op *op) { return op->pc / InstructionCaches::line_bytes; }

/** The wave holds the line of code, or has it from the instruction cache when it comes to it, by that time or later. */
bool has_code(State &st, const Op *op, u64 by)
{
	Wave &w = *st.w;
	const Caches *caches = st.context->caches;

	if (caches && !caches->holds_code(w.instruction_cache, w.vmid, code_line(op), by))
		return false;
	w.fetched = code_line(op);
	return true;
}

/** In the wave's turn: it goes on when it has the line. */
void fetch_code(State &st, const Op *op)
{
	Wave &w = *st.w;
	const EngineContext &c = *st.context;

	if (!c.caches || w.fetched == code_line(op))
		return;
	w.fetched = code_line(op);
	w.cycles = c.caches->fetch_code(w.instruction_cache, w.vmid, w.fetched, w.cycles);
}

/** The wave must have its turn before it is known when it goes on. */
void wait_for_code(Ahead &ahead)
{
	ahead.stands = ahead.unknown = true;
	ahead.exact = false;
	ahead.unit = Unit::Internal;
	ahead.busy = 0;
}

void run_ahead(State &st, const Op *op, Ahead &ahead, u32 most)
{
	Wave &w = *st.w;
	const u64 time = w.cycles;
	u32 executed = 0;
	bool fetched = true;

	while (op) {
		const StepCode step = op->step;

		/* The end of a block leaves no step either. */
		if (step == StepCode::None && op->run == block_end) {
			op = go_on(st, op->pc);
			continue;
		}
		fetched = code_line(op) == w.fetched || has_code(st, op, time);
		if (!fetched || step == StepCode::None)
			break;
		if (ahead.count >= most || !ahead.has_room(step))
			break;
		const bool waits = op->waits;

		w.cycles = 0; /* the step says how long it takes; whatever a wait waits for is later */
		st.waited = StepCode::Internal4;
		executed++;
		op = execute_op(st, op);
		if (!op) /* it has not happened */
			break;
		ahead.push(waits ? st.waited : step);
	}
	w.instructions += executed;
	w.cycles = time;
	stand(st, op, ahead);
	if (op && !fetched)
		return wait_for_code(ahead);
	/* At the end of the room for steps the wave may go on as soon as these are issued. */
	if (op && op->step != StepCode::None && most)
		ahead.stands = false;
}

const Op *resume(State &st)
{
	const Op *op = st.w->resume;

	return op && st.w->generation == st.store->generation && op->pc == st.w->pc ? op : go_on(st, st.w->pc);
}

template <class Work> StopInfo with_state(EngineContext &context, Wave &wave, Work work)
{
	State st;
	u32 host_csr;

	st.w = &wave;
	st.v = wave.vgpr;
	st.store = context.store;
	st.context = &context;
	st.stop = {Stop::Budget, Access::Execute, 0, 0};
	st.in_bursts = false;
	if (wave.trapsts & trapsts_pending) {
		st.stop.why = Stop::Exception;
		return st.stop;
	}
	wave.pc &= ~u64{3};
	load_modes(st);
	asm volatile("stmxcsr %0" : "=m"(host_csr));
	st.csr = host_csr;
	work(st);
	if (st.csr != host_csr)
		asm volatile("ldmxcsr %0" : : "m"(host_csr) : "memory");
	return st.stop;
}

/** MODE.DEBUG_EN: a trap is due if the instruction has happened, but not behind the last one ("Vega" ISA manual, table of MODE's fields). */
void trap_behind(State &st, u64 instructions_before)
{
	if (st.w->instructions == instructions_before || st.stop.why == Stop::End)
		return;
	st.w->trapsts |= trapsts_pending;
	if (st.stop.why == Stop::Budget)
		st.stop.why = Stop::Exception;
}

StopInfo run(EngineContext &context, Wave &wave, u32 max_instructions, u64 limit)
{
	return with_state(context, wave, [&](State &st) {
		const bool stepping = steps(wave);
		const u64 before = wave.instructions;

		st.in_bursts = true;
		loop(st, go_on(st, wave.pc), stepping ? min(max_instructions, u32{1}) : max_instructions, limit);
		if (stepping)
			trap_behind(st, before);
	});
}

/** One instruction of a wave that traps behind it. */
void step(State &st, const Op *op)
{
	const u64 before = st.w->instructions;

	if (op)
		op = issue_op(st, op);
	if (op)
		st.w->pc = op->pc;
	trap_behind(st, before);
}

StopInfo issue(EngineContext &context, Wave &wave, Ahead &ahead, bool now, u32 most)
{
	ahead.stands = ahead.exact = true;
	ahead.unknown = false;
	ahead.unit = Unit::Internal;
	return with_state(context, wave, [&](State &st) {
		const Op *op = resume(st);

		ahead.stands = false;
		if (op && context.fetches)
			fetch_code(st, op);
		if (now) {
			op = behind_block_end(st, op);
			if (steps(wave))
				return step(st, op);
			if (op)
				op = issue_op(st, op);
			if (!op)
				return;
		}
		/* An exception is to be met in its time. */
		run_ahead(st, op, ahead, watches_exceptions(wave) || steps(wave) ? 0 : most);
		if (now || !ahead.unknown || !ahead.empty())
			st.stop = {Stop::Budget, Access::Execute, 0, 0};
	});
}

} // namespace

const Op *jump_to(State &st, u64 pc) { return go_on(st, pc & ~u64{3}); }

void reload_modes(State &st) { load_modes(st); }

const Variant variant = {
	{sop2_table, sopk_table, sop1_table, sopc_table, sopp_table, smem_table, vop2_table, vop1_table, vopc_table, vop3_table,
	 vop3p_table, ds_table, flat_table, mubuf_table, mtbuf_table},
	prepared,
	splatted,
	privileged,
	block_end,
	illegal,
	run,
	issue,
};

} // namespace silicon::SILICON_VARIANT

// SPDX-License-Identifier: MIT
/* stops.cc - what stops a wave: barriers, messages, exceptions, errors. */
#include "sq.h"
#include "trap.h"

namespace silicon {

/** See to whatever stopped the wave. Need: the same instruction must be tried again after this slice. */
Mem Sq::stopped(ComputeUnit &cu, unsigned n, const StopInfo &stop)
{
	WaveSlot &slot = cu.slot(n);

	switch (stop.why) {
	case Stop::Budget:
	case Stop::Sleep: return Mem::Ok;
	case Stop::Need: return Mem::Need;
	case Stop::End: slot.state = WaveState::Ending; return Mem::Ok;
	case Stop::Barrier: arrive(cu, n); return Mem::Ok;
	case Stop::Message: message(cu, n, stop.detail); return Mem::Ok;
	case Stop::Halt: halt(cu, n, WaveError::Halted, stop); return Mem::Ok;
	case Stop::VmFault: return memory_fault(cu, n, stop);
	case Stop::Exception: return exception(cu, n, WaveError::Halted, stop);
	case Stop::Trap: return exception(cu, n, WaveError::Trap, stop);
	case Stop::MemoryViolation: slot.wave.trapsts |= trapsts_mem_viol; return exception(cu, n, WaveError::MemoryViolation, stop);
	case Stop::Gws: return sync(cu, n, stop);
	case Stop::IllegalInstruction:
		slot.wave.trapsts |= trapsts_illegal_inst;
		return exception(cu, n, WaveError::IllegalInstruction, stop);
	}
	return Mem::Ok;
}

/** XNACK: where accesses are retried the wave waits for the page; the instruction has left nothing behind. */
Mem Sq::memory_fault(ComputeUnit &cu, unsigned n, const StopInfo &stop)
{
	WaveSlot &slot = cu.slot(n);
	const Mem retry = client_->wave_fault(grid_of(cu, n).cookie, stop.va, stop.access);

	if (retry == Mem::Fault)
		return refused_access(cu, n, stop);
	if (retry == Mem::Ok) {
		slot.state = WaveState::Retry;
		retrying_++;
		cu.set_runnable(n, false);
	}
	return retry;
}

/**
 * The wave stops, and its queue with it. In a process that is debugged the wave goes into its trap handler instead, which leaves it where
 * the debugger finds it, and the queue goes on: its waves must be saved for that. (A card's waves enter the handler in any case.)
 */
Mem Sq::refused_access(ComputeUnit &cu, unsigned n, const StopInfo &stop)
{
	Wave &wave = cu.slot(n).wave;
	const u64 cookie = grid_of(cu, n).cookie, pc = wave.pc;
	Mem entered = grid_of(cu, n).tba ? is_debugged(*tlb_, wave) : Mem::Fault;

	if (entered == Mem::Ok)
		entered = enter_trap(*tlb_, wave, 0);
	if (entered == Mem::Need)
		return Mem::Need;
	wave.trapsts |= trapsts_mem_viol;
	if (entered == Mem::Ok)
		client_->wave_error(cookie, WaveError::TrappedVmFault, pc, stop.va, stop.access);
	else
		halt(cu, n, WaveError::VmFault, stop);
	return entered;
}

/** ds_gws_* */
Mem Sq::sync(ComputeUnit &cu, unsigned n, const StopInfo &stop)
{
	Wave &wave = cu.slot(n).wave;

	if (gws_.execute(cu, n, stop, client_->gws_range(wave.vmid)))
		return Mem::Ok;
	wave.trapsts |= trapsts_mem_viol;
	return exception(cu, n, WaveError::MemoryViolation, stop);
}

/** Into the user's trap handler if there is one, else the wave stops for good. */
Mem Sq::exception(ComputeUnit &cu, unsigned n, WaveError error, const StopInfo &stop)
{
	Wave &wave = cu.slot(n).wave;
	Mem entered = Mem::Fault;

	if (grid_of(cu, n).tba)
		entered = enter_trap(*tlb_, wave, error == WaveError::Trap ? stop.detail : 0);

	if (entered == Mem::Fault)
		halt(cu, n, error, stop);
	return entered == Mem::Need ? Mem::Need : Mem::Ok;
}

void Sq::halt(ComputeUnit &cu, unsigned n, WaveError error, const StopInfo &stop)
{
	WaveSlot &slot = cu.slot(n);

	slot.state = WaveState::Halted;
	cu.set_runnable(n, false);
	client_->wave_error(grid_of(cu, n).cookie, error, slot.wave.pc, stop.va, stop.access);
}

/** s_barrier: the last of the workgroup's waves to come lets them all go. */
void Sq::arrive(ComputeUnit &cu, unsigned n)
{
	WaveSlot &slot = cu.slot(n);
	Workgroup &wg = cu.workgroup_of(n);

	slot.state = WaveState::Barrier;
	cu.set_runnable(n, false);
	wg.arrived++;
	wg.barrier_until = max(wg.barrier_until, slot.wave.cycles);
	release_barrier(cu, wg);
}

void Sq::release_barrier(ComputeUnit &cu, Workgroup &wg)
{
	u32 simds = 0;

	if (!wg.waves || wg.arrived != count_bits(wg.waves))
		return;
	for (u64 left = wg.waves; left; left &= left - 1) {
		unsigned n = lowest_bit(left);

		settle(cu, ComputeUnit::simd_of(n));
		cu.slot(n).state = WaveState::Ready;
		cu.slot(n).wave.cycles = max(cu.slot(n).wave.cycles, wg.barrier_until);
		cu.set_runnable(n, !wg.frozen);
		simds |= 1u << ComputeUnit::simd_of(n);
	}
	wg.arrived = 0;
	wg.barrier_until = 0;
	for (; simds; simds &= simds - 1)
		reschedule(cu, lowest_bit(u64{simds}));
}

/** s_sendmsg ("Vega" ISA manual, table of messages). */
void Sq::message(ComputeUnit &cu, unsigned n, u32 detail)
{
	constexpr u32 msg_interrupt = 1, msg_get_doorbell = 10;
	Wave &wave = cu.slot(n).wave;
	u64 cookie = grid_of(cu, n).cookie;

	switch (bits(detail, 3, 0)) {
	case msg_interrupt:
		client_->wave_interrupt(cookie, bits(wave.sgpr[sgpr_m0], 23, 0), wave.privileged, cu.se(), cu.sh(), cu.id(),
					ComputeUnit::simd_of(n), ComputeUnit::slot_of(n));
		break;
	case msg_get_doorbell: /* the answer clears bit 31, which the handler set to wait on */
		wave.sgpr[sgpr_exec] = client_->doorbell_id(cookie) & 0x3ff;
		break;
	}
}

} // namespace silicon

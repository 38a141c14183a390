// SPDX-License-Identifier: MIT
/*
 * run.cc - letting time pass.
 *
 * The heap knows for each SIMD when it may next do something that others notice (issue.cc). The earliest SIMD has its turn: one instruction of
 * one wave, executed at its very time, and behind it, ahead of their time, instructions that nobody else notices.
 *
 * A page that must be served stops everything at that point of virtual time: the same wave goes on with the same instruction
 * afterwards, so that what is resident and what is not leaves no mark. Only when a page does not come for
 * need_patience calls is the wave set aside, lest one process's page holds up all the others.
 *
 * In functional mode a turn is a burst of instructions of all kinds.
 */
#include "../sq/trap.h"
#include "dispatcher.h"
#include "../sq/timing.h"

namespace silicon {

RunState Dispatcher::run(u64 from, u64 to, const StopHook &stop)
{
	RunState state = {to, false, false};

	in_run_ = true;
	work_ = 0;
	now_ = max(now_, from);
	unpark_starved();
	bool begun = false;	/* not before SIMDs that somebody has freed meanwhile have caught up with time */

	while (!at_break() && (!begun || turn_.cu >= 0 || (!heap_.empty() && heap_.top_key() < to))) {
		if (!begun && !catches_up()) {
			begun = true;
			position_ = nobody;
			moment_++;
			expire_quanta();
			deal_wanted();
			continue;
		}
		if (work_ >= stop_check_work) {
			work_ = 0;
			if (stop.expired && stop.expired(stop.context)) {
				state.expired = true;
				break;
			}
		}
		if (!step()) {
			state.need = true;
			break;
		}
		if (begun && (deal_wanted_ || offer_wanted_))
			deal_wanted();
	}
	if (state.expired || state.need || at_break())
		state.reached = turn_.cu >= 0 ? now_ : min(to, next_event());
	now_ = max(now_, state.reached);
	settle_all();
	in_run_ = false;
	state.need |= starved_ != 0;
	return state;
}

/** The earliest SIMD's turn. False: a page must be served first. */
bool Dispatcher::step()
{
	u64 key = round_of(turn_.start);

	moment_++;
	if (turn_.cu < 0) {
		key = heap_.top_key();
		position_ = heap_.top();
		now_ = max(now_, key);
		work_ += event_work;
	} else {
		position_ = static_cast<u32>(turn_.cu) * simds_per_cu + ComputeUnit::simd_of(turn_.wave);
	}
	ComputeUnit &cu = cu_at(position_ / simds_per_cu);
	const unsigned n = position_ % simds_per_cu;

	while (turn_.cu >= 0 || find_turn(cu, n, key)) {
		const bool last = functional_ || turn_.exact;

		if (!run_turn(cu, turn_.wave))
			return false;
		if (last || deal_wanted_ || offer_wanted_ || at_break() || work_ >= stop_check_work) {
			reschedule(cu, n);
			break;
		}
	}
	return true;
}

/** What others may notice of the SIMD, which had this key, in its round; if it is not its time yet, the SIMD gets its next place in the heap. */
bool Dispatcher::find_turn(ComputeUnit &cu, unsigned n, u64 key)
{
	u64 time;
	const int slot = advance(cu, n, functional_ ? key : round_of(key) + round_cycles - 1, &time);

	if (slot < 0) {
		reschedule(cu, n, time);
		return false;
	}
	const unsigned wave = n * wave_slots_per_simd + static_cast<unsigned>(slot);
	const bool ending = cu.slot(wave).state == WaveState::Ending;

	/* Not before the others have had their turns in the round. */
	if ((ending || cu.slot(wave).ahead.exact) && max(time, now_) > key && !functional_) {
		heap_.set(position_, max(time, now_));
		return false;
	}
	if (ending) {
		retire(cu, wave, now_);
		return false;
	}
	begin_turn(cu, wave, time);
	return true;
}

void Dispatcher::begin_turn(ComputeUnit &cu, unsigned n, u64 time)
{
	cu.slot(n).wave.cycles = time;
	turn_.cu = static_cast<s32>(cu.index());
	turn_.wave = static_cast<u8>(n);
	turn_.start = time;
	turn_.unit = cu.slot(n).ahead.unit;
	turn_.busy = cu.slot(n).ahead.busy;
	turn_.exact = cu.slot(n).ahead.exact;
	turn_.looks = cu.slot(n).ahead.unknown;
	turn_.executed = 0;
	turn_.most = static_cast<u32>(min(u64{functional_instructions}, break_at_ - counters_.instructions));
}

/** An instruction that others may notice, and what the wave may execute ahead behind it; in functional mode many of all kinds. */
StopInfo Dispatcher::execute(ComputeUnit &cu, unsigned n)
{
	WaveSlot &slot = cu.slot(n);
	const bool handling = slot.wave.privileged;
	const u64 before = slot.wave.instructions;

	engine_.place = cu.place_in_chip();
	const StopInfo stop = functional_ ? run_wave(engine_, slot.wave, handling ? 1 : turn_.most - turn_.executed, turn_.start + functional_cycles) :
					    issue_wave(engine_, slot.wave, slot.ahead, !turn_.looks, ahead_of(slot));
	const u64 executed = slot.wave.instructions - before;

	turn_.executed += static_cast<u32>(executed);
	count_executed(executed);
	if (executed)
		slot.need_calls = 0;
	if (executed && !turn_.looks && !functional_)
		cu.occupy(ComputeUnit::simd_of(n), turn_.unit, turn_.start, turn_.unit == Unit::Vmem ? engine_.busy : turn_.busy);
	return stop;
}

/** Run, or run on, the wave whose turn it is. */
bool Dispatcher::run_turn(ComputeUnit &cu, unsigned n)
{
	WaveSlot &slot = cu.slot(n);
	const bool handling = slot.wave.privileged;
	const StopInfo stop = execute(cu, n);

	if (handling && leaves_halted(slot.wave))
		halt(cu, n, WaveError::Halted, stop);
	else if (stopped(cu, n, stop) == Mem::Need && ++slot.need_calls < need_patience)
		return false;
	turn_.cu = -1;
	if (functional_)
		cu.simd(ComputeUnit::simd_of(n)).issue_free = min(turn_.start + max(u32{1}, turn_.executed) * issue_cycles,
								  max(slot.wave.cycles, turn_.start + issue_cycles));
	if (slot.need_calls >= need_patience) {
		slot.need_calls = 0;
		slot.state = WaveState::Starved;
		starved_++;
		cu.set_runnable(n, false);
	}
	if (cu.runnable(n))
		cu.note_next(n);
	return true;
}

/** See to whatever stopped the wave. Need: the same instruction must be tried again after this slice. */
Mem Dispatcher::stopped(ComputeUnit &cu, unsigned n, const StopInfo &stop)
{
	WaveSlot &slot = cu.slot(n);

	switch (stop.why) {
	case Stop::Budget:
	case Stop::Sleep:
		return Mem::Ok;
	case Stop::Need:
		return Mem::Need;
	case Stop::End:
		slot.state = WaveState::Ending;
		return Mem::Ok;
	case Stop::Barrier:
		arrive(cu, n);
		return Mem::Ok;
	case Stop::Message:
		message(cu, n, stop.detail);
		return Mem::Ok;
	case Stop::Halt:
		halt(cu, n, WaveError::Halted, stop);
		return Mem::Ok;
	case Stop::VmFault:
		slot.wave.trapsts |= trapsts_mem_viol;
		halt(cu, n, WaveError::VmFault, stop);
		return Mem::Ok;
	case Stop::Exception:
		return exception(cu, n, WaveError::Halted, stop);
	case Stop::Trap:
		return exception(cu, n, WaveError::Trap, stop);
	case Stop::MemoryViolation:
		slot.wave.trapsts |= trapsts_mem_viol;
		return exception(cu, n, WaveError::MemoryViolation, stop);
	case Stop::Gws:
		return gws(cu, n, stop);
	case Stop::IllegalInstruction:
		slot.wave.trapsts |= trapsts_illegal_inst;
		return exception(cu, n, WaveError::IllegalInstruction, stop);
	}
	return Mem::Ok;
}

/** Into the user's trap handler if there is one, else the wave stops for good. */
Mem Dispatcher::exception(ComputeUnit &cu, unsigned n, WaveError error, const StopInfo &stop)
{
	Wave &wave = cu.slot(n).wave;
	Mem entered = Mem::Fault;

	if (grids_[cu.workgroup_of(n).grid].grid.tba)
		entered = enter_trap(*tlb_, wave, error == WaveError::Trap ? stop.detail : 0);

	if (entered == Mem::Fault)
		halt(cu, n, error, stop);
	return entered == Mem::Need ? Mem::Need : Mem::Ok;
}

void Dispatcher::halt(ComputeUnit &cu, unsigned n, WaveError error, const StopInfo &stop)
{
	WaveSlot &slot = cu.slot(n);

	slot.state = WaveState::Halted;
	cu.set_runnable(n, false);
	client_->wave_error(grids_[cu.workgroup_of(n).grid].grid.cookie, error, slot.wave.pc, stop.va, stop.access);
}

/** s_barrier: the last of the workgroup's waves to come lets them all go. */
void Dispatcher::arrive(ComputeUnit &cu, unsigned n)
{
	WaveSlot &slot = cu.slot(n);
	Workgroup &wg = cu.workgroup_of(n);

	slot.state = WaveState::Barrier;
	cu.set_runnable(n, false);
	wg.arrived++;
	wg.barrier_until = max(wg.barrier_until, slot.wave.cycles);
	release_barrier(cu, wg);
}

void Dispatcher::release_barrier(ComputeUnit &cu, Workgroup &wg)
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
void Dispatcher::message(ComputeUnit &cu, unsigned n, u32 detail)
{
	constexpr u32 msg_interrupt = 1, msg_get_doorbell = 10;
	Wave &wave = cu.slot(n).wave;
	u64 cookie = grids_[cu.workgroup_of(n).grid].grid.cookie;

	switch (bits(detail, 3, 0)) {
	case msg_interrupt:
		client_->wave_interrupt(cookie, bits(wave.sgpr[sgpr_m0], 23, 0), cu.se(), cu.sh(), cu.id(),
					ComputeUnit::simd_of(n), ComputeUnit::slot_of(n));
		break;
	case msg_get_doorbell: /* the answer clears bit 31, which the handler set to wait on */
		wave.sgpr[sgpr_exec] = client_->doorbell_id(cookie) & 0x3ff;
		break;
	}
}

/** A wave has ended; perhaps its workgroup and its grid too. */
void Dispatcher::retire(ComputeUnit &cu, unsigned n, u64 cycle)
{
	Workgroup &wg = cu.workgroup_of(n);
	unsigned group = cu.slot(n).workgroup;
	s32 index = wg.grid;

	drop_wave(cu, n, cycle);
	if (cu.workgroups() >> group & 1)
		release_barrier(cu, wg);
	else
		grid_finished_if(index, cycle);
	offer(cu);
}

/** Free the wave, and its workgroup with the last one. */
void Dispatcher::drop_wave(ComputeUnit &cu, unsigned n, u64 cycle)
{
	WaveSlot &slot = cu.slot(n);
	unsigned group = slot.workgroup;
	const Workgroup &wg = cu.workgroup(group);
	GridSlot &grid = grids_[wg.grid];
	Queue &queue = queues_[grid.queue];

	leave_gws(slot);

	trace_wave(cycle, SILICON_TRACE_WAVE_END, cu, n);
	if (slot.scratch >= 0)
		queue.scratch.release(static_cast<u32>(slot.scratch));
	if (slot.state == WaveState::Starved)
		starved_--;
	if (turn_.cu == static_cast<s32>(cu.index()) && turn_.wave == n)
		turn_.cu = -1;
	queue.waves--;
	offer_wanted_ |= pipes_[grid.queue / queues_per_pipe].over_share;
	if (cu.release_wave(n)) {
		trace(cycle, SILICON_TRACE_WORKGROUP_END, grid.grid, wg.number, place_of(cu));
		grid.live--;
		cu.release_workgroup(group);
	}
	reschedule(cu, ComputeUnit::simd_of(n));
}

/** Waves that were set aside try again once a call. */
void Dispatcher::unpark_starved()
{
	for (u32 i = 0; starved_ && i < cu_count_; i++) {
		ComputeUnit &cu = cu_at(i);

		for (u64 groups = cu.workgroups(); groups; groups &= groups - 1) {
			const Workgroup &wg = cu.workgroup(lowest_bit(groups));

			for (u64 left = wg.frozen ? 0 : wg.waves; left; left &= left - 1) {
				WaveSlot &slot = cu.slot(lowest_bit(left));

				if (slot.state != WaveState::Starved)
					continue;
				slot.state = WaveState::Ready;
				slot.need_calls = need_patience - 1;
				slot.wave.cycles = max(slot.wave.cycles, now_);
				starved_--;
				cu.set_runnable(lowest_bit(left), true);
			}
		}
		reschedule_all(cu);
	}
}

void Dispatcher::trace(u64 cycle, u32 kind, const Grid &grid, u64 a, u64 b) const
{
	if (!trace_hook_.event)
		return;

	const silicon_trace_event event = {cycle, static_cast<u16>(kind), grid.vmid,
					   u32{grid.me} << 8 | u32{grid.pipe} << 4 | grid.queue, a, b};

	trace_hook_.event(trace_hook_.context, event);
}

void Dispatcher::trace_wave(u64 cycle, u32 kind, const ComputeUnit &cu, unsigned n) const
{
	const Workgroup &wg = cu.workgroup_of(n);

	trace(cycle, kind, grids_[wg.grid].grid, wg.number,
	      u64{cu.se()} << 24 | cu.sh() << 20 | cu.id() << 12 | ComputeUnit::simd_of(n) << 8 |
		      ComputeUnit::slot_of(n));
}

} // namespace silicon

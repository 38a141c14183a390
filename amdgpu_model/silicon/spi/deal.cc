// SPDX-License-Identifier: MIT
/*
 * deal.cc - from grid to CU: dealing, staging, placing.
 *
 * An ACE deals workgroup n + 1 never before workgroup n. Workgroups go round the shader engines in which the CU mask leaves a
 * CU. In the engine the workgroup is staged in the ACE's slot until a CU takes it; a full slot stops the ACE, even when
 * other engines have room (the cliffs of "Exploring AMD GPU Scheduling Details by Experimenting With 'Worst
 * Practices'", RTNS 2021). Among the staged workgroups of an engine higher pipe priority goes first, then age, and one
 * that does not fit lets the others pass.
 */
#include "dispatcher.h"
#include "../sq/timing.h"

namespace silicon {

/** First engine from from on in which the grid may use a CU, -1 if there is none. */
s32 Dispatcher::next_engine(const GridSlot &slot, unsigned from) const
{
	for (unsigned i = 0; i < max_se; i++) {
		unsigned se = (from + i) % max_se;

		if (usable(slot, se))
			return static_cast<s32>(se);
	}
	return -1;
}

constexpr u8 high_pipe_priority = 2;	/* CP_HQD_PIPE_PRIORITY: low 0, medium 1, high 2 */

constexpr u32 priority_of(const Grid &grid) { return grid.pipe_priority * 16u + grid.queue_priority; }

/** The higher priority, then the queue whose last turn is longer ago, then age. */
bool Dispatcher::goes_before(const GridSlot &slot, const GridSlot &other) const
{
	const u32 ours = priority_of(slot.grid), theirs = priority_of(other.grid);
	const u64 turn = queues_[slot.queue].turn, their_turn = queues_[other.queue].turn;

	if (ours != theirs)
		return ours > theirs;
	return turn != their_turn ? turn < their_turn : slot.order < other.order;
}

/** A grid of another queue than the one that is dealt could be dealt. */
bool Dispatcher::others_wait(unsigned n) const
{
	const Pipe &pipe = pipes_[n];

	if (!pipe.waiting)
		return false;
	for (const GridSlot &slot : grids_)
		if (slot.state == GridState::Waiting && slot.queue / queues_per_pipe == n &&
		    slot.queue != grids_[pipe.dealing].queue && !queues_[slot.queue].held && !queues_[slot.queue].frozen)
			return true;
	return false;
}

/** When the next pipe must be given to another queue. */
u64 Dispatcher::quantum_event() const
{
	u64 next = no_event;

	for (const Pipe &pipe : pipes_)
		if (pipe.dealing >= 0 && (pipe.waiting || pipe.contended) && !pipe.yields)
			next = min(next, pipe.quantum_end);
	return next;
}

/** Queues whose quantum is over stand back for the others of their pipe. */
void Dispatcher::expire_quanta()
{
	for (unsigned n = 0; n < max_pipes; n++) {
		Pipe &pipe = pipes_[n];

		if (pipe.dealing < 0 || now_ < pipe.quantum_end)
			continue;
		const unsigned queue = grids_[pipe.dealing].queue;
		const u32 quantum = grids_[pipe.dealing].grid.quantum;

		if (others_wait(n)) {
			queues_[queue].turn = ++turns_;
			stop_dealing(queue);
		} else if (pipe.contended) {
			pipe.yields = true;
		} else {
			pipe.quantum_end = now_ + quantum;
		}
	}
}

/** What is dealt is interrupted by the grid: of a higher priority, or the quantum is over. */
bool Dispatcher::gives_way(unsigned n, const Grid &grid) const
{
	const Pipe &pipe = pipes_[n];
	const GridSlot &dealing = grids_[pipe.dealing];

	if (dealing.queue == queue_index(grid.me, grid.pipe, grid.queue))
		return false;
	return priority_of(grid) > priority_of(dealing.grid) ||
	       (pipe.yields && priority_of(grid) == priority_of(dealing.grid));
}

/** Make the grid of the pipe that goes first its head. */
void Dispatcher::pick(unsigned n)
{
	Pipe &pipe = pipes_[n];
	s32 best = -1;

	if (pipe.dealing >= 0 || !pipe.waiting)
		return;
	for (s32 i = 0; i < static_cast<s32>(max_grids); i++) {
		const GridSlot &slot = grids_[i];

		if (slot.state != GridState::Waiting || slot.queue / queues_per_pipe != n)
			continue;
		if (queues_[slot.queue].held || queues_[slot.queue].frozen)
			continue;
		if (best < 0 || goes_before(slot, grids_[best]))
			best = i;
	}
	if (best < 0)
		return;
	grids_[best].state = GridState::Dealing;
	pipe.waiting--;
	pipe.dealing = static_cast<s16>(best);
	pipe.next_se = 0;
	pipe.contended = pipe.yields = false;
	pipe.quantum_end = grids_[best].grid.quantum ? now_ + grids_[best].grid.quantum : no_event;
}

/**
 * The last workgroups of another grid of the pipe are staged still, and would wait for ever: a grid of high pipe priority keeps its CUs for
 * itself (reserved()). They are dealt again after it.
 */
bool Dispatcher::displaces(const Grid &grid, const Staged &staged) const
{
	return !ignore_priorities_ && grid.pipe_priority >= high_pipe_priority &&
	       grids_[staged.grid].grid.pipe_priority < high_pipe_priority;
}

/** Deal from the head of the pipe until an engine's slot is taken. */
void Dispatcher::deal(unsigned n)
{
	Pipe &pipe = pipes_[n];

	while (pipe.dealing >= 0) {
		s32 index = pipe.dealing;
		GridSlot &slot = grids_[index];

		if (!slot.pending_count && slot.next == slot.total) {
			slot.state = GridState::Dealt;
			pipe.dealing = -1;
			give_back(slot.grid);
			grid_finished_if(index, now_);
			pick(n);
			continue;
		}
		s32 se = next_engine(slot, pipe.next_se);

		if (se < 0)
			return;
		if (engines_[se].staged_mask >> n & 1) {
			if (!displaces(slot.grid, engines_[se].staged[n]))
				return;
			withdraw(engines_[se].staged[n].grid);
		}

		u64 number = slot.next;

		if (slot.pending_count) {
			number = slot.pending[0];
			slot.pending_count--;
			__builtin_memmove(slot.pending, slot.pending + 1, slot.pending_count * sizeof(slot.pending[0]));
		} else {
			slot.next++;
		}
		slot.live++;
		engines_[se].staged[n] = {static_cast<s16>(index), number, orders_++};
		engines_[se].staged_mask |= 1u << n;
		pipe.next_se = static_cast<u8>(se + 1);
		place_somewhere(static_cast<unsigned>(se), n);
	}
}

void Dispatcher::deal_wanted()
{
	while (offer_wanted_ || deal_wanted_) {
		if (offer_wanted_)
			offer_all();
		if (!deal_wanted_)
			break;

		unsigned n = lowest_bit(u64{deal_wanted_});

		deal_wanted_ &= deal_wanted_ - 1;
		pick(n);
		deal(n);
	}
}

/** Take back the grid's staged workgroups; they will be dealt again before all others. */
void Dispatcher::withdraw(s32 index)
{
	GridSlot &slot = grids_[index];
	unsigned n = slot.queue / queues_per_pipe;

	for (ShaderEngine &engine : engines_) {
		if (!(engine.staged_mask >> n & 1) || engine.staged[n].grid != index)
			continue;
		engine.staged_mask &= ~(1u << n);
		slot.live--;

		unsigned at = slot.pending_count++;

		for (; at && slot.pending[at - 1] > engine.staged[n].number; at--)
			slot.pending[at] = slot.pending[at - 1];
		slot.pending[at] = engine.staged[n].number;
	}
	if (slot.state == GridState::Dealt && slot.pending_count) {
		slot.state = GridState::Waiting;
		pipes_[n].waiting++;
	}
}

/** A restore that has found no room yet comes before new workgroups. */
bool Dispatcher::denied(const ComputeUnit &cu) const
{
	return restore_.queue >= 0 && restore_.stalled && now_ < restore_.deny_until &&
	       (restore_.cu_mask[cu.se()] & bit_of(cu));
}

/**
 * A queue of high pipe priority has workgroups left for this CU: those of lower ones that end make room for it alone, so that also a large
 * workgroup finds its place (amdgpu did this for its high-priority compute rings with SPI_WCL_PIPE_PERCENT).
 */
bool Dispatcher::reserved(const ComputeUnit &cu, const Grid &grid) const
{
	const u32 bit = bit_of(cu);
	const ShaderEngine &engine = engines_[cu.se()];
	const auto wants = [&](s32 index) {
		return index >= 0 && grids_[index].grid.pipe_priority >= high_pipe_priority && (usable(grids_[index], cu.se()) & bit);
	};

	if (ignore_priorities_ || grid.pipe_priority >= high_pipe_priority)
		return false;
	for (unsigned n = 0; n < max_pipes; n++)
		if (wants(pipes_[n].dealing) || (engine.staged_mask >> n & 1 && wants(engine.staged[n].grid)))
			return true;
	return false;
}

/** The grid needs no more CUs for now: what waits in the engines may look again. */
void Dispatcher::give_back(const Grid &grid) { offer_wanted_ |= grid.pipe_priority >= high_pipe_priority; }

/** Try the CUs of the engine, beginning behind the one that got the last workgroup. */
bool Dispatcher::place_somewhere(unsigned se, unsigned n)
{
	const ShaderEngine &engine = engines_[se];

	return ask_cus(engine, usable(grids_[engine.staged[n].grid], se), engine.next_cu,
		       [&](ComputeUnit &cu) { return place_on(se, n, cu); });
}

/** The engine's share of the queue's scratch memory has slots for so many waves. */
bool Dispatcher::has_scratch(const GridSlot &slot, unsigned se, unsigned waves) const
{
	u32 share = tmpring::waves(slot.grid.tmpring_size) / limits_.shader_engines;

	return !rsrc::scratch_en(slot.grid.rsrc2) || queues_[slot.queue].scratch.room(se * share, share, waves);
}

/** So many waves more would be more than the pipe's share of the wave slots. */
bool Dispatcher::over_share(unsigned n, u32 waves)
{
	constexpr u32 slots_a_cu = 40;
	Pipe &pipe = pipes_[n];
	u32 running = 0;

	if (pipe.share >= full_share)
		return false;
	for (unsigned queue = n * queues_per_pipe; queue < (n + 1) * queues_per_pipe; queue++)
		running += queues_[queue].waves;
	if (!running || running + waves <= cu_count_ * slots_a_cu * pipe.share / full_share)
		return false;
	pipe.over_share = true;
	return true;
}

/** Launch what is staged in the slot on this CU if it has room. */
bool Dispatcher::place_on(unsigned se, unsigned n, ComputeUnit &cu)
{
	ShaderEngine &engine = engines_[se];
	const Staged staged = engine.staged[n];
	const GridSlot &slot = grids_[staged.grid];
	WaveStart start = {};
	Placement placement;

	if (denied(cu) || reserved(cu, slot.grid))
		return false;
	workgroup_shape(slot, staged.number, start.id, start.size);

	u32 items = start.size[0] * start.size[1] * start.size[2];
	Demand demand = {static_cast<u8>(waves_for(slot.grid, items)), slot.demand_vgprs, slot.demand_sgprs,
			 slot.demand_lds};

	if (over_share(n, demand.waves) || !has_scratch(slot, se, demand.waves) || !cu.place(demand, slot.grid.vmid, &placement))
		return false;
	engine.staged_mask &= ~(1u << n);
	engine.next_cu = behind(cu);
	launch(staged, cu, placement, start);
	if (slot.state == GridState::Dealt)
		give_back(slot.grid);
	return true;
}

/** Waves start one after the other, as fast as the engine's SPI starts them. */
void Dispatcher::launch(const Staged &staged, ComputeUnit &cu, const Placement &placement, WaveStart &start)
{
	GridSlot &slot = grids_[staged.grid];
	Queue &queue = queues_[slot.queue];
	ShaderEngine &engine = engines_[cu.se()];
	Workgroup &wg = cu.workgroup(placement.workgroup);
	u32 share = tmpring::waves(slot.grid.tmpring_size) / limits_.shader_engines;

	wg.number = staged.number;
	wg.grid = staged.grid;
	engine.launch_free = max(engine.launch_free, now_);
	trace(engine.launch_free, SILICON_TRACE_WORKGROUP_START, slot.grid, wg.number, place_of(cu));
	cu.begin_turns(base_);
	start.waves = placement.waves;
	start.has_scratch = rsrc::scratch_en(slot.grid.rsrc2);
	for (unsigned i = 0; i < placement.waves; i++) {
		unsigned n = placement.wave[i];

		start.wave_in_group = static_cast<u8>(i);
		start.cycle = engine.launch_free;
		engine.launch_free += wave_launch_cycles;
		if (start.has_scratch) {
			u32 scratch = queue.scratch.allocate(cu.se() * share, share);

			cu.slot(n).scratch = static_cast<s16>(scratch);
			start.scratch_offset = scratch * tmpring::wave_bytes(slot.grid.tmpring_size);
		}
		start_wave(cu, n, slot.grid, start);
		settle(cu, ComputeUnit::simd_of(n));
		cu.slot(n).state = WaveState::Ready;
		cu.set_runnable(n, true);
		trace_wave(start.cycle, SILICON_TRACE_WAVE_START, cu, n);
	}
	queue.waves += placement.waves;
	counters_.waves += placement.waves;
	counters_.workgroups++;
	reschedule_all(cu);
}

/** The same numbers after each power-on (Numerical Recipes' linear congruence). */
u32 Dispatcher::roll()
{
	dice_ = dice_ * 1664525 + 1013904223;
	return dice_ >> 16;
}

/** Pipes with a staged workgroup in the engine, first the one that goes first. Returns how many. */
u32 Dispatcher::staged_by_priority(const ShaderEngine &engine, u8 order[max_pipes])
{
	u32 count = 0, rank[max_pipes];

	for (u32 left = engine.staged_mask; left; left &= left - 1) {
		u8 pipe = static_cast<u8>(lowest_bit(u64{left}));
		const Staged &staged = engine.staged[pipe];

		rank[pipe] = ignore_priorities_ ? roll() : grids_[staged.grid].grid.pipe_priority;
		u32 at = count++;

		for (; at; at--) {
			const Staged &other = engine.staged[order[at - 1]];
			u32 others = rank[order[at - 1]];

			if (others > rank[pipe] || (others == rank[pipe] && other.since < staged.since))
				break;
			order[at] = order[at - 1];
		}
		order[at] = pipe;
	}
	return count;
}

/** The CU has room that it did not have: staged workgroups first, then the ACEs whose slots became free. */
void Dispatcher::offer(ComputeUnit &cu)
{
	ShaderEngine &engine = engines_[cu.se()];
	u32 bit = bit_of(cu);
	u8 order[max_pipes];
	u32 count = staged_by_priority(engine, order);

	for (u32 i = 0; i < count; i++)
		if ((usable(grids_[engine.staged[order[i]].grid], cu.se()) & bit) && place_on(cu.se(), order[i], cu))
			deal_wanted_ |= 1u << order[i];
}

/** Masks or the room of many CUs have changed: everything that is staged looks anew. */
void Dispatcher::offer_all()
{
	offer_wanted_ = false;
	for (Pipe &pipe : pipes_)
		pipe.over_share = false;
	for (unsigned se = 0; se < max_se; se++) {
		u8 order[max_pipes];
		u32 count = staged_by_priority(engines_[se], order);

		for (u32 i = 0; i < count; i++)
			place_somewhere(se, order[i]);
	}
	for (unsigned n = 0; n < max_pipes; n++)
		if (pipes_[n].dealing >= 0 || pipes_[n].waiting)
			deal_wanted_ |= 1u << n;
}

} // namespace silicon

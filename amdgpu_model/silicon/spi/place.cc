// SPDX-License-Identifier: MIT
/* place.cc - a CU for a staged workgroup, and the start of its waves. */
#include "spi.h"

namespace silicon {

void Spi::set_share(unsigned pipe, u32 share)
{
	shares_[pipe].share = static_cast<u8>(min(share, full_share));
	requests_->offer = !grids_->empty();
}

/** A restore that has found no room yet comes before new workgroups. */
bool Spi::denied(const ComputeUnit &cu) const { return sq_->now() < wanted_.until && (wanted_.cus[cu.se()] & CuArray::bit_of(cu)); }

/**
 * A queue of high pipe priority has workgroups left for this CU: room that ending workgroups of lower priority leave is for it alone, so
 * that a large workgroup finds a place, too (amdgpu did this for its high-priority compute rings with SPI_WCL_PIPE_PERCENT).
 */
bool Spi::reserved(const ComputeUnit &cu, const Grid &grid) const
{
	const u32 bit = CuArray::bit_of(cu);
	const Engine &engine = engines_[cu.se()];
	const auto wants = [&](s32 index) {
		return index >= 0 && (*grids_)[index].grid.pipe_priority >= high_pipe_priority && (usable((*grids_)[index], cu.se()) & bit);
	};

	if (ignore_priorities_ || grid.pipe_priority >= high_pipe_priority)
		return false;
	for (unsigned n = 0; n < max_pipes; n++)
		if (wants(grids_->head(n)) || (engine.staged_mask >> n & 1 && wants(engine.staged[n].grid)))
			return true;
	return false;
}

/** Try the CUs of the engine, beginning behind the one that got the last workgroup. */
bool Spi::place_somewhere(unsigned se, unsigned n)
{
	const Engine &engine = engines_[se];

	const u32 cus = usable((*grids_)[engine.staged[n].grid], se);

	return cus_->ask(se, cus, engine.next_cu, [&](ComputeUnit &cu) { return place_on(se, n, cu); });
}

/** The engine's share of the queue's scratch memory has slots for so many waves. */
bool Spi::has_scratch(const GridSlot &slot, unsigned se, unsigned waves) const
{
	const u32 share = scratch_share(slot.grid);

	return !rsrc::scratch_en(slot.grid.rsrc2) || rooms_[slot.queue].scratch.room(se * share, share, waves);
}

/** So many waves more would be more than the pipe's share of the wave slots. */
bool Spi::over_share(unsigned n, u32 waves)
{
	constexpr u32 slots_a_cu = 40;
	PipeShare &pipe = shares_[n];
	u32 running = 0;

	if (pipe.share >= full_share)
		return false;
	for (unsigned queue = n * queues_per_pipe; queue < (n + 1) * queues_per_pipe; queue++)
		running += rooms_[queue].waves;
	if (!running || running + waves <= cus_->count() * slots_a_cu * pipe.share / full_share)
		return false;
	pipe.over = true;
	return true;
}

/**
 * An ordered kernel's workgroup that was dealt before this one has no CU yet. They are dealt in order, so that it is staged in another
 * engine, and this one waits for it, however much room there is here.
 */
bool Spi::held_by_order(unsigned n, const Staged &staged) const
{
	if (!(*grids_)[staged.grid].grid.ordered)
		return false;
	for (const Engine &engine : engines_)
		if ((engine.staged_mask >> n & 1) && engine.staged[n].grid == staged.grid && engine.staged[n].number < staged.number)
			return true;
	return false;
}

Demand Spi::demand_of(const Staged &staged, WaveStart &start) const
{
	const GridSlot &slot = (*grids_)[staged.grid];

	workgroup_shape(slot, staged.number, start.id, start.size);
	const u32 items = start.size[0] * start.size[1] * start.size[2];
	return {static_cast<u8>(waves_for(slot.grid, items)), slot.demand_vgprs, slot.demand_sgprs, slot.demand_lds};
}

/**
 * The workgroup that goes first in its engine and does not fit sticks to the CU that has room for its first wave: what becomes free there
 * is its own, until it fits. Registers are given to the waves of a workgroup one by one: a later wave may get what an earlier one has left
 * (Linux, gfx_v9_4_2.c: "add synchronization among waves in the same threadgroup"). Here its waves start together.
 */
void Spi::claim(unsigned se, unsigned n, ComputeUnit &cu)
{
	Engine &engine = engines_[se];
	WaveStart start;
	Demand first = demand_of(engine.staged[n], start);

	first.waves = 1;
	if (ignore_priorities_ || engine.claimed || !cu.fits(first)) /* by chance nobody goes first */
		return;
	engine.claimed = CuArray::bit_of(cu);
	engine.claimant = static_cast<u8>(n);
	engine.claim_end = sq_->now() + claim_patience;
}

void Spi::expire_claims()
{
	for (Engine &engine : engines_)
		if (engine.claimed && sq_->now() >= engine.claim_end) {
			engine.claimed = 0;
			requests_->offer = true;
		}
}

u64 Spi::claim_event() const
{
	u64 first = ~u64{0};

	for (const Engine &engine : engines_)
		if (engine.claimed)
			first = min(first, engine.claim_end);
	return first;
}

void Spi::end_claim(unsigned se, unsigned n)
{
	Engine &engine = engines_[se];

	if (!engine.claimed || engine.claimant != n)
		return;
	engine.claimed = 0;
	requests_->offer = true;
}

/** By another pipe's workgroup, which is of no lower priority. */
bool Spi::claimed(const ComputeUnit &cu, unsigned n) const
{
	const Engine &engine = engines_[cu.se()];
	const auto priority = [&](unsigned pipe) { return (*grids_)[engine.staged[pipe].grid].grid.pipe_priority; };

	return (engine.claimed & CuArray::bit_of(cu)) && engine.claimant != n && priority(engine.claimant) >= priority(n);
}

/** Launch what is staged in the slot on this CU if it has room. */
bool Spi::place_on(unsigned se, unsigned n, ComputeUnit &cu)
{
	Engine &engine = engines_[se];
	const Staged staged = engine.staged[n];
	const GridSlot &slot = (*grids_)[staged.grid];
	WaveStart start = {};
	Placement placement;

	if (denied(cu) || reserved(cu, slot.grid) || claimed(cu, n) || held_by_order(n, staged))
		return false;
	const Demand demand = demand_of(staged, start);

	if (over_share(n, demand.waves) || !has_scratch(slot, se, demand.waves) || !cu.place(demand, slot.grid.vmid, &placement))
		return false;
	engine.staged_mask &= ~(1u << n);
	end_claim(se, n);
	engine.next_cu = CuArray::behind(cu);
	launch(staged, cu, placement, start);
	if (slot.state == GridState::Dealt)
		give_back(slot.grid);
	requests_->offer |= slot.grid.ordered; /* to what waits in the other engines for this one */
	return true;
}

/** Waves start one after the other, as fast as the engine's SPI starts them. */
void Spi::launch(const Staged &staged, ComputeUnit &cu, const Placement &placement, WaveStart &start)
{
	GridSlot &slot = (*grids_)[staged.grid];
	QueueRoom &room = rooms_[slot.queue];
	Engine &engine = engines_[cu.se()];
	Workgroup &wg = cu.workgroup(placement.workgroup);
	const u32 share = scratch_share(slot.grid);

	wg.number = staged.number;
	wg.grid = staged.grid;
	engine.launch_free = max(engine.launch_free, sq_->now());
	const u64 begin = engine.launch_free;

	trace_->workgroup(begin, SILICON_TRACE_WORKGROUP_START, cu, wg);
	cu.begin_turns(sq_->base());
	start.waves = placement.waves;
	start.has_scratch = rsrc::scratch_en(slot.grid.rsrc2);
	const u32 debug = debug_[slot.grid.vmid % gdbg::vmids] | debug_all_;
	const bool halted = gdbg::launch_mode(debug) == gdbg::launch_halted;
	for (unsigned i = 0; i < placement.waves; i++) {
		unsigned n = placement.wave[i];

		start.wave_in_group = static_cast<u8>(i);
		start.cycle = engine.launch_free;
		engine.launch_free += wave_launch_cycles;
		if (start.has_scratch) {
			u32 scratch = room.scratch.allocate(cu.se() * share, share);

			cu.slot(n).scratch = static_cast<s16>(scratch);
			start.scratch_offset = scratch * tmpring::wave_bytes(slot.grid.tmpring_size);
		}
		start_wave(cu, n, slot.grid, start);
		cu.slot(n).wave.mode = debugged_mode(cu.slot(n).wave.mode, debug);
		cu.slot(n).since = start.cycle;
		sq_->settle(cu, ComputeUnit::simd_of(n));
		cu.slot(n).state = halted ? WaveState::Halted : WaveState::Ready;
		cu.set_runnable(n, !halted);
		trace_->wave(start.cycle, SILICON_TRACE_WAVE_START, cu, n);
	}
	room.waves += placement.waves;
	counters_.waves += placement.waves;
	counters_.workgroups++;
	slot.counted[SILICON_KERNEL_WAVES] += placement.waves;
	if (!slot.counted[SILICON_KERNEL_WORKGROUPS]++ && !slot.begin)
		slot.begin = begin + 1;
	sq_->reschedule_all(cu);
}

ComputeUnit *Spi::place_restored(unsigned se, u32 cus, bool packed, const Demand &demand, unsigned vmid, Placement *placement)
{
	Engine &engine = engines_[se];
	ComputeUnit *asked = nullptr;
	const bool found = cus_->ask(se, cus, packed ? 0 : engine.next_cu, [&](ComputeUnit &cu) {
		asked = &cu;
		return cu.place(demand, vmid, placement);
	});

	if (!found)
		return nullptr;
	engine.next_cu = CuArray::behind(*asked);
	return asked;
}

bool Spi::take_scratch(unsigned queue, u32 slot)
{
	ScratchSlots &scratch = rooms_[queue].scratch;

	if (slot >= ScratchSlots::slots || scratch.taken(slot))
		return false;
	scratch.take(slot);
	return true;
}

} // namespace silicon

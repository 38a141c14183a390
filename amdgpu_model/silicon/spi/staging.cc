// SPDX-License-Identifier: MIT
/*
 * staging.cc - staged workgroups: into their slots and out of them, and which one goes first.
 *
 * Among the staged workgroups of an engine higher pipe priority goes first, then age, and one that does not fit lets the others pass.
 */
#include "spi.h"

namespace silicon {

void Spi::init(const Wires &wires)
{
	__builtin_memset(static_cast<void *>(this), 0, sizeof(*this));
	cus_ = wires.cus;
	grids_ = wires.grids;
	requests_ = wires.requests;
	sq_ = wires.sq;
	trace_ = wires.trace;
	for (PipeShare &share : shares_)
		share.share = full_share;
}

void Spi::forget()
{
	for (Engine &engine : engines_) {
		engine.next_cu = 0;
		engine.launch_free = 0;
	}
}

s32 Spi::next_engine(const GridSlot &slot, unsigned from) const
{
	for (unsigned i = 0; i < max_se; i++) {
		unsigned se = (from + i) % max_se;

		if (usable(slot, se))
			return static_cast<s32>(se);
	}
	return -1;
}

/**
 * The last workgroups of another grid of the pipe may still be staged. They would wait for ever, since a grid of high pipe priority
 * reserves its CUs (reserved()): so they give up their slots, and are dealt again after it.
 */
bool Spi::displaces(const Grid &grid, const Staged &staged) const
{
	return !ignore_priorities_ && grid.pipe_priority >= high_pipe_priority &&
	       (*grids_)[staged.grid].grid.pipe_priority < high_pipe_priority;
}

bool Spi::clear_slot(unsigned se, unsigned pipe, const Grid &grid)
{
	const Engine &engine = engines_[se];

	if (!(engine.staged_mask >> pipe & 1))
		return true;
	if (!displaces(grid, engine.staged[pipe]))
		return false;
	withdraw(engine.staged[pipe].grid);
	return true;
}

void Spi::stage(unsigned se, unsigned pipe, s32 grid, u64 number)
{
	engines_[se].staged[pipe] = {static_cast<s16>(grid), number, staged_++};
	engines_[se].staged_mask |= 1u << pipe;
	place_somewhere(se, pipe);
}

void Spi::withdraw(s32 index)
{
	GridSlot &slot = (*grids_)[index];
	const unsigned n = pipe_of(slot.queue);

	for (Engine &engine : engines_) {
		if (!(engine.staged_mask >> n & 1) || engine.staged[n].grid != index)
			continue;
		engine.staged_mask &= ~(1u << n);
		end_claim(static_cast<unsigned>(&engine - engines_), n);
		slot.live--;

		unsigned at = slot.pending_count++;

		for (; at && slot.pending[at - 1] > engine.staged[n].number; at--)
			slot.pending[at] = slot.pending[at - 1];
		slot.pending[at] = engine.staged[n].number;
	}
	if (slot.state == GridState::Dealt && slot.pending_count)
		grids_->set_state(index, GridState::Waiting);
}

/**
 * A random number for the choice at this moment among those who wait for a place, the same whenever the same work comes to it, however often
 * it is asked for (the final mix of MurmurHash3).
 */
u32 Spi::roll(unsigned se, unsigned place, unsigned pipe) const
{
	const u64 moment = ((sq_->now() - sq_->base()) * max_se + se) * 33 + place;
	u32 mixed = static_cast<u32>(moment ^ moment >> 32) +
		    (static_cast<u32>(engines_[se].staged[pipe].number) * max_pipes + pipe) * 0x9e3779b9;

	mixed = (mixed ^ mixed >> 16) * 0x85ebca6b;
	mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35;
	return mixed ^ mixed >> 16;
}

/** Pipes with a staged workgroup in the engine, first the one that goes first. Returns how many. */
u32 Spi::staged_by_priority(unsigned se, unsigned place, u8 order[max_pipes]) const
{
	const Engine &engine = engines_[se];
	u32 count = 0, rank[max_pipes];

	for (u32 left = engine.staged_mask; left; left &= left - 1) {
		u8 pipe = static_cast<u8>(lowest_bit(u64{left}));
		const Staged &staged = engine.staged[pipe];

		rank[pipe] = ignore_priorities_ ? roll(se, place, pipe) : (*grids_)[staged.grid].grid.pipe_priority;
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
void Spi::offer(ComputeUnit &cu)
{
	Engine &engine = engines_[cu.se()];
	u32 bit = CuArray::bit_of(cu);
	u8 order[max_pipes];
	u32 count = staged_by_priority(cu.se(), lowest_bit(u64{bit}), order);

	if (engine.claimed & bit)
		engine.claim_end = sq_->now() + claim_patience;
	for (u32 i = 0; i < count; i++) {
		if (!(usable((*grids_)[engine.staged[order[i]].grid], cu.se()) & bit))
			continue;
		if (place_on(cu.se(), order[i], cu))
			requests_->deal |= 1u << order[i];
		else if (!i)
			claim(cu.se(), order[i], cu);
	}
}

void Spi::offer_all()
{
	requests_->offer = false;
	for (PipeShare &share : shares_)
		share.over = false;
	for (unsigned se = 0; se < max_se; se++) {
		u8 order[max_pipes];
		u32 count = staged_by_priority(se, 32, order);

		for (u32 i = 0; i < count; i++)
			place_somewhere(se, order[i]);
	}
	for (unsigned n = 0; n < max_pipes; n++)
		if (grids_->head(n) >= 0 || grids_->waiting(n))
			requests_->deal |= 1u << n;
}

} // namespace silicon

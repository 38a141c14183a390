// SPDX-License-Identifier: MIT
/* deal.cc - which grid a pipe deals, and dealing it. */
#include "ace.h"

namespace silicon {

namespace {

constexpr u32 priority_of(const Grid &grid) { return grid.pipe_priority * 16u + grid.queue_priority; }

} // namespace

/** The higher priority, then the queue whose last turn is longer ago, then age. */
bool Ace::goes_before(const GridSlot &slot, const GridSlot &other) const
{
	const u32 ours = priority_of(slot.grid), theirs = priority_of(other.grid);
	const u64 turn = queues_[slot.queue].turn, their_turn = queues_[other.queue].turn;

	if (ours != theirs)
		return ours > theirs;
	return turn != their_turn ? turn < their_turn : slot.order < other.order;
}

/** A grid of another queue than the one that is dealt could be dealt. */
bool Ace::others_wait(unsigned n) const
{
	if (!grids_->waiting(n))
		return false;
	for (const GridSlot &slot : *grids_)
		if (slot.state == GridState::Waiting && pipe_of(slot.queue) == n && slot.queue != (*grids_)[grids_->head(n)].queue &&
		    !queues_[slot.queue].stopped())
			return true;
	return false;
}

u64 Ace::quantum_event() const
{
	u64 next = never;

	for (unsigned n = 0; n < max_pipes; n++)
		if (grids_->head(n) >= 0 && (grids_->waiting(n) || pipes_[n].contended) && !pipes_[n].yields)
			next = min(next, pipes_[n].quantum_end);
	return next;
}

void Ace::expire_quanta()
{
	for (unsigned n = 0; n < max_pipes; n++) {
		Pipe &pipe = pipes_[n];
		const s32 head = grids_->head(n);

		if (head < 0 || sq_->now() < pipe.quantum_end)
			continue;
		if (others_wait(n))
			end_turn((*grids_)[head].queue);
		else if (pipe.contended)
			pipe.yields = true;
		else
			pipe.quantum_end = sq_->now() + (*grids_)[head].grid.quantum;
	}
}

void Ace::end_turn(unsigned queue)
{
	queues_[queue].turn = ++turns_;
	stop_dealing(queue);
}

/** What is dealt is interrupted by the grid: of a higher priority, or the quantum is over. */
bool Ace::gives_way(unsigned n, const Grid &grid) const
{
	const Pipe &pipe = pipes_[n];
	const GridSlot &dealing = (*grids_)[grids_->head(n)];

	if (dealing.queue == queue_index(grid.me, grid.pipe, grid.queue))
		return false;
	return priority_of(grid) > priority_of(dealing.grid) || (pipe.yields && priority_of(grid) == priority_of(dealing.grid));
}

/** Make the grid of the pipe that goes first its head. */
void Ace::pick(unsigned n)
{
	Pipe &pipe = pipes_[n];
	s32 best = -1;

	if (grids_->head(n) >= 0 || !grids_->waiting(n))
		return;
	for (s32 i = 0; i < static_cast<s32>(max_grids); i++) {
		const GridSlot &slot = (*grids_)[i];

		if (slot.state != GridState::Waiting || pipe_of(slot.queue) != n)
			continue;
		if (queues_[slot.queue].stopped())
			continue;
		if (best < 0 || goes_before(slot, (*grids_)[best]))
			best = i;
	}
	if (best < 0)
		return;
	grids_->set_state(best, GridState::Dealing);
	pipe.next_se = 0;
	pipe.contended = pipe.yields = false;
	pipe.quantum_end = (*grids_)[best].grid.quantum ? sq_->now() + (*grids_)[best].grid.quantum : never;
}

/** Deal from the head of the pipe until an engine's slot is taken. */
void Ace::deal(unsigned n)
{
	Pipe &pipe = pipes_[n];

	for (s32 index = grids_->head(n); index >= 0; index = grids_->head(n)) {
		GridSlot &slot = (*grids_)[index];

		if (!slot.pending_count && slot.next == slot.total) {
			grids_->set_state(index, GridState::Dealt);
			spi_->give_back(slot.grid);
			spi_->finish_grid(index, sq_->now());
			pick(n);
			continue;
		}
		const s32 se = spi_->next_engine(slot, pipe.next_se);

		if (se < 0 || !spi_->clear_slot(static_cast<unsigned>(se), n, slot.grid))
			return;

		u64 number = workgroup_number(slot.grid, slot.next);

		if (slot.pending_count) {
			number = slot.pending[0];
			slot.pending_count--;
			__builtin_memmove(slot.pending, slot.pending + 1, slot.pending_count * sizeof(slot.pending[0]));
		} else {
			slot.next++;
		}
		slot.live++;
		pipe.next_se = static_cast<u8>(se + 1);
		spi_->stage(static_cast<unsigned>(se), n, index, number);
	}
}

void Ace::serve()
{
	while (requests_->any()) {
		if (requests_->offer)
			spi_->offer_all();
		if (!requests_->deal)
			break;

		const unsigned n = lowest_bit(u64{requests_->deal});

		requests_->deal &= requests_->deal - 1;
		pick(n);
		deal(n);
	}
}

} // namespace silicon

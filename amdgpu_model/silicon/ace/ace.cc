// SPDX-License-Identifier: MIT
/* ace.cc - queues: their grids come, stop, go on and vanish. */
#include "ace.h"
#include "../spi/demand.h"

namespace silicon {

void Ace::init(const Wires &wires)
{
	__builtin_memset(static_cast<void *>(this), 0, sizeof(*this));
	cus_ = wires.cus;
	grids_ = wires.grids;
	requests_ = wires.requests;
	sq_ = wires.sq;
	spi_ = wires.spi;
}

void Ace::forget()
{
	turns_ = 0;
	for (Pipe &pipe : pipes_)
		pipe = {};
	for (Queue &queue : queues_)
		queue.turn = 0;
}

bool Ace::accepts(const Grid &grid)
{
	const unsigned index = queue_index(grid.me, grid.pipe, grid.queue), pipe = pipe_of(index);

	pick(pipe);
	if (queues_[index].stopped())
		return false;
	const s32 dealing = grids_->head(pipe);
	if (dealing >= 0 && !gives_way(pipe, grid)) {
		pipes_[pipe].contended |= (*grids_)[dealing].queue != index;
		return false;
	}
	return !grids_->full();
}

/**
 * Inside a run the loop deals next; without a time the next run brings it; a grid of no workgroups is done in
 * a run, not before this returns.
 */
Step Ace::submit(const Grid &grid, u64 now)
{
	const unsigned index = queue_index(grid.me, grid.pipe, grid.queue), pipe = pipe_of(index);

	if (!accepts(grid))
		return Step::Busy;

	const bool first = grids_->empty();
	const s32 dealing = grids_->head(pipe), at = grids_->add(grid, index, GridState::Waiting);

	if (dealing >= 0)
		end_turn((*grids_)[dealing].queue);
	size_grid((*grids_)[at], cus_->limits().cu);
	if (now != never)
		sq_->reach(now);
	if (first)
		sq_->begin_work();
	pick(pipe);
	if (sq_->running() || now == never || (*grids_)[at].total == 0)
		requests_->deal |= 1u << pipe;
	else
		deal(pipe);
	return Step::Done;
}

void Ace::stop_dealing(unsigned queue)
{
	const unsigned n = pipe_of(queue);
	const s32 head = grids_->head(n);

	if (head >= 0 && (*grids_)[head].queue == queue) {
		grids_->set_state(head, GridState::Waiting);
		spi_->give_back((*grids_)[head].grid);
	}
	for (s32 i = 0; grids_->of_queue(queue) && i < static_cast<s32>(max_grids); i++)
		if ((*grids_)[i].state != GridState::Free && (*grids_)[i].queue == queue)
			spi_->withdraw(i);
	go_on(queue);
}

void Ace::go_on(unsigned queue)
{
	if (grids_->waiting(pipe_of(queue)))
		requests_->deal |= 1u << pipe_of(queue);
}

void Ace::hold(unsigned queue, bool held)
{
	if (queues_[queue].held == held)
		return;
	queues_[queue].held = held;
	if (held)
		stop_dealing(queue);
	else
		go_on(queue);
}

void Ace::set_cu_mask(unsigned queue, const u32 mask[max_se])
{
	if (!grids_->of_queue(queue))
		return;
	for (GridSlot &slot : *grids_)
		if (slot.state != GridState::Free && slot.queue == queue)
			__builtin_memcpy(slot.grid.cu_mask, mask, sizeof(slot.grid.cu_mask));
	/* What is staged where the mask has no CU any more must go elsewhere. */
	stop_dealing(queue);
}

void Ace::drop(unsigned queue, s32 vmid)
{
	auto meant = [&](const GridSlot &slot) {
		return slot.state != GridState::Free && slot.queue == queue && (vmid < 0 || slot.grid.vmid == vmid);
	};

	if (!grids_->of_queue(queue))
		return;
	stop_dealing(queue);
	cus_->each_workgroup([&](ComputeUnit &cu, unsigned group) {
		const Workgroup &wg = cu.workgroup(group);

		if (!meant((*grids_)[wg.grid]))
			return;
		for (u64 left = wg.waves; left; left &= left - 1)
			spi_->drop_wave(cu, lowest_bit(left), sq_->now());
	});
	for (s32 i = 0; i < static_cast<s32>(max_grids); i++)
		if (meant((*grids_)[i])) {
			spi_->tell_counts((*grids_)[i], sq_->now());
			grids_->free(i);
		}
	queues_[queue].frozen = false;
	requests_->offer = !grids_->empty();
}

void Ace::end_waves(unsigned vmid)
{
	cus_->each_workgroup([&](ComputeUnit &cu, unsigned group) {
		const Workgroup &wg = cu.workgroup(group);

		if ((*grids_)[wg.grid].grid.vmid != vmid)
			return;
		for (u64 left = wg.waves; left; left &= left - 1)
			spi_->wave_ended(cu, lowest_bit(left), sq_->now());
	});
}

} // namespace silicon

// SPDX-License-Identifier: MIT
/*
 * grid.cc - grids: what they need, how they are cut into workgroups, their slots in the dispatcher.
 */
#include "dispatcher.h"
#include "launch.h"

namespace silicon {

namespace {

constexpr u32 workgroup_items_max = 1024;
/* COMPUTE_RELAUNCH has three bits for the granules of a wave, the trap handler's one included. */
constexpr u32 sgprs_max = 112;

u32 workgroup_items(const Grid &grid) { return u32{grid.workgroup[0]} * grid.workgroup[1] * grid.workgroup[2]; }

/* The field counts in eights for waves of 32. */
u16 vgpr_granules(const Grid &grid) { return static_cast<u16>((rsrc::vgprs(grid.rsrc1) + 1) << grid.wave32); }

/* The field counts in eights, registers are given out in sixteens. On GFX10 it is 0: all waves have as many as there are. */
u32 sgprs_asked(const Grid &grid, const CuLimits &limits) { return limits.gfx10() ? sgprs_max : (rsrc::sgprs(grid.rsrc1) + 1) * 8; }

u16 sgpr_granules(const Grid &grid, const CuLimits &limits)
{
	return static_cast<u16>((sgprs_asked(grid, limits) + sgpr_granule - 1) / sgpr_granule +
				(grid.trap_enabled ? trap_sgpr_granules : 0));
}

u32 count_of(u32 items, u16 workgroup) { return items / workgroup + (items % workgroup != 0); }

} // namespace

/** One workgroup must fit into an empty CU, or it would wait for ever and everything behind it too. */
GridFlaw Dispatcher::flaw(const Grid &grid) const
{
	u64 product;
	bool cus = false;

	if (queue_index(grid.me, grid.pipe, grid.queue) >= max_queues)
		return GridFlaw::Queue;
	for (u16 size : grid.workgroup)
		if (size == 0 || size > workgroup_items_max)
			return GridFlaw::Workgroup;
	if (workgroup_items(grid) > workgroup_items_max)
		return GridFlaw::Workgroup;
	product = u64{count_of(grid.items[0], grid.workgroup[0])} * count_of(grid.items[1], grid.workgroup[1]);
	if (__builtin_mul_overflow(product, u64{count_of(grid.items[2], grid.workgroup[2])}, &product) || product >> 62)
		return GridFlaw::Dimensions;

	u32 waves = waves_for(grid, workgroup_items(grid));
	u32 waves_a_simd = (waves + simds_per_cu - 1) / simds_per_cu;

	if (vgpr_granules_per_simd / vgpr_granules(grid) < waves_a_simd)
		return GridFlaw::Vgprs;
	if (sgprs_asked(grid, limits_.cu) > sgprs_max ||
	    u32{limits_.cu.sgprs_per_simd} / sgpr_granule / sgpr_granules(grid, limits_.cu) < waves_a_simd)
		return GridFlaw::Sgprs;
	if (grid.lds_bytes > lds_bytes_per_cu)
		return GridFlaw::Lds;
	for (unsigned se = 0; se < max_se; se++)
		cus |= (grid.cu_mask[se] & engines_[se].fused) != 0;
	if (!cus)
		return GridFlaw::CuMask;
	if (rsrc::scratch_en(grid.rsrc2) && tmpring::waves(grid.tmpring_size) / limits_.shader_engines < waves)
		return GridFlaw::Scratch;
	return GridFlaw::None;
}

/** Fill in what follows from slot.grid. */
void Dispatcher::size_grid(GridSlot &slot) const
{
	const Grid &grid = slot.grid;

	for (unsigned axis = 0; axis < 3; axis++)
		slot.counts[axis] = count_of(grid.items[axis], grid.workgroup[axis]);
	slot.total = u64{slot.counts[0]} * slot.counts[1] * slot.counts[2];
	slot.demand_vgprs = vgpr_granules(grid);
	slot.demand_sgprs = sgpr_granules(grid, limits_.cu);
	slot.demand_lds = static_cast<u16>((grid.lds_bytes + lds_granule - 1) / lds_granule);
	slot.queue = static_cast<u8>(queue_index(grid.me, grid.pipe, grid.queue));
}

/** Id and work-items of workgroup number: x runs fastest, the last one of a row holds the rest. */
void Dispatcher::workgroup_shape(const GridSlot &slot, u64 number, u32 id[3], u32 size[3]) const
{
	const Grid &grid = slot.grid;

	for (unsigned axis = 0; axis < 3; axis++) {
		u32 at = axis < 2 ? static_cast<u32>(number % slot.counts[axis]) : static_cast<u32>(number);
		u32 left = grid.items[axis] - at * grid.workgroup[axis];

		number /= slot.counts[axis];
		id[axis] = grid.start[axis] + at;
		size[axis] = min(left, u32{grid.workgroup[axis]});
	}
}

/** Place in queues_; max_queues for a queue that cannot be. */
unsigned Dispatcher::queue_index(unsigned me, unsigned pipe, unsigned queue) const
{
	if (me < 1 || me > 2 || pipe >= 4 || queue >= queues_per_pipe)
		return max_queues;
	return ((me - 1) * 4 + pipe) * queues_per_pipe + queue;
}

s32 Dispatcher::allocate_grid()
{
	for (s32 i = 0; grids_used_ < max_grids && i < static_cast<s32>(max_grids); i++)
		if (grids_[i].state == GridState::Free) {
			GridSlot &slot = grids_[i];

			__builtin_memset(static_cast<void *>(&slot), 0, sizeof(slot));
			slot.order = orders_++;
			grids_used_++;
			return i;
		}
	return -1;
}

void Dispatcher::free_grid(s32 index)
{
	GridSlot &slot = grids_[index];

	if (slot.state == GridState::Waiting)
		pipes_[slot.queue / queues_per_pipe].waiting--;
	slot.state = GridState::Free;
	grids_used_--;
	queues_[slot.queue].grids--;
}

/** The last workgroup has ended, or there never was one. */
void Dispatcher::grid_finished_if(s32 index, u64 cycle)
{
	GridSlot &slot = grids_[index];

	if (slot.state != GridState::Dealt || slot.live)
		return;

	u64 cookie = slot.grid.cookie;

	free_grid(index);
	client_->grid_done(cookie, cycle);
}

Step Dispatcher::submit(const Grid &grid, u64 now)
{
	if (flaw(grid) != GridFlaw::None)
		return Step::Fault;

	unsigned index = queue_index(grid.me, grid.pipe, grid.queue);
	unsigned pipe = index / queues_per_pipe;
	Queue &queue = queues_[index];

	pick(pipe);
	if (queue.held || queue.frozen)
		return Step::Busy;
	const s32 dealing = pipes_[pipe].dealing;
	if (dealing >= 0 && !gives_way(pipe, grid)) {
		pipes_[pipe].contended |= grids_[dealing].queue != index;
		return Step::Busy;
	}

	const bool first = idle();
	s32 at = allocate_grid();

	if (at < 0)
		return Step::Busy;
	if (dealing >= 0) {
		queues_[grids_[dealing].queue].turn = ++turns_;
		stop_dealing(grids_[dealing].queue);
	}
	grids_[at].grid = grid;
	size_grid(grids_[at]);
	grids_[at].state = GridState::Waiting;
	pipes_[pipe].waiting++;
	queue.grids++;
	if (now != no_event)
		now_ = max(now_, now);
	if (first)
		base_ = now_;
	pick(pipe);
	/*
	 * Inside run() the loop deals next; without a time the next run() brings it; a grid of no workgroups is done in
	 * run(), not before this returns.
	 */
	if (in_run_ || now == no_event || grids_[at].total == 0)
		deal_wanted_ |= 1u << pipe;
	else
		deal(pipe);
	return Step::Done;
}

} // namespace silicon

// SPDX-License-Identifier: MIT
/* wave_end.cc - waves leave their CUs. */
#include "spi.h"

namespace silicon {

void Spi::wave_ended(ComputeUnit &cu, unsigned n, u64 cycle)
{
	Workgroup &wg = cu.workgroup_of(n);
	const unsigned group = cu.slot(n).workgroup;
	const s32 grid = wg.grid;

	drop_wave(cu, n, cycle);
	if (cu.workgroups() >> group & 1)
		sq_->release_barrier(cu, wg);
	else
		grids_->finish_if_done(grid, cycle);
	offer(cu);
}

void Spi::drop_wave(ComputeUnit &cu, unsigned n, u64 cycle)
{
	const WaveSlot &slot = cu.slot(n);
	const unsigned group = slot.workgroup;
	const Workgroup &wg = cu.workgroup(group);
	GridSlot &grid = (*grids_)[wg.grid];
	QueueRoom &room = rooms_[grid.queue];

	sq_->forget(cu, n);
	trace_->wave(cycle, SILICON_TRACE_WAVE_END, cu, n);
	if (slot.scratch >= 0)
		room.scratch.release(static_cast<u32>(slot.scratch));
	room.waves--;
	requests_->offer |= shares_[pipe_of(grid.queue)].over;
	if (cu.release_wave(n)) {
		trace_->workgroup(cycle, SILICON_TRACE_WORKGROUP_END, cu, wg);
		grid.live--;
		cu.release_workgroup(group);
	}
	sq_->reschedule(cu, ComputeUnit::simd_of(n));
}

} // namespace silicon

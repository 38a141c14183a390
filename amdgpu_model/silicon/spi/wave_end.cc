// SPDX-License-Identifier: MIT
/* wave_end.cc - waves leave their CUs. */
#include "spi.h"

namespace silicon {

u32 Spi::waves() const
{
	u32 sum = 0;

	for (const QueueRoom &room : rooms_)
		sum += room.waves;
	return sum;
}

void Spi::wave_ended(ComputeUnit &cu, unsigned n, u64 cycle)
{
	Workgroup &wg = cu.workgroup_of(n);
	const unsigned group = cu.slot(n).workgroup;
	const s32 grid = wg.grid;

	drop_wave(cu, n, cycle);
	if (cu.workgroups() >> group & 1)
		sq_->release_barrier(cu, wg);
	else
		finish_grid(grid, cycle);
	offer(cu);
}

void Spi::finish_grid(s32 grid, u64 cycle)
{
	if ((*grids_)[grid].done())
		tell_counts((*grids_)[grid], cycle);
	grids_->finish_if_done(grid, cycle);
}

void Spi::tell_counts(GridSlot &slot, u64 cycle)
{
	/* One that has been there has been there for a cycle: without any, whoever reads the trace would not know when. */
	if (slot.begin)
		slot.counted[SILICON_KERNEL_CYCLES] = max(cycle + 1 - min(slot.begin, cycle + 1), u64{1});
	trace_->kernel(cycle, slot);
}

/** What the wave has done is its grid's. */
void Spi::take_counts(WaveSlot &slot, GridSlot &grid, u64 cycle)
{
	slot.counted[SILICON_KERNEL_WAVE_CYCLES] = cycle - min(slot.since, cycle);
	counters_.wave_cycles += slot.counted[SILICON_KERNEL_WAVE_CYCLES];
	for (unsigned n = 0; n < SILICON_KERNEL_COUNTS; n++)
		grid.counted[n] += slot.counted[n];
}

void Spi::drop_wave(ComputeUnit &cu, unsigned n, u64 cycle)
{
	WaveSlot &slot = cu.slot(n);
	const unsigned group = slot.workgroup;
	const Workgroup &wg = cu.workgroup(group);
	GridSlot &grid = (*grids_)[wg.grid];
	QueueRoom &room = rooms_[grid.queue];

	sq_->forget(cu, n);
	take_counts(slot, grid, cycle);
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

// SPDX-License-Identifier: MIT
/*
 * restore_place.cc - restored workgroups take their places on CUs (restore.cc reads them).
 *
 * They go round the shader engines, and in an engine round its CUs, as new ones do (spi/place.cc), but in no strict order: what does
 * not fit into one engine goes into the next. Should not all of them find room like this, restore.cc packs them.
 */
#include "cwsr.h"

namespace silicon {

/** Room on any CU of the mask. Fault: not even an empty one would do. */
Step Cwsr::place_restored(const Demand &demand, const Grid &grid, ComputeUnit **cu, Placement *placement)
{
	u32 cus[max_se], any = 0;

	if (u32{demand.vgprs} * ((demand.waves + simds_per_cu - 1u) / simds_per_cu) > vgpr_granules_per_simd)
		return Step::Fault;
	for (unsigned se = 0; se < max_se; se++) {
		cus[se] = grid.cu_mask[se] & cus_->fused(se);
		any |= cus[se];
		spi_->set_wanted(se, cus[se]);
	}
	for (unsigned i = 0; i < max_se; i++) {
		const unsigned se = restore_.packed ? i : (restore_.next_se + i) % max_se;

		*cu = spi_->place_restored(se, cus[se], restore_.packed, demand, grid.vmid, placement);
		if (!*cu)
			continue;
		restore_.next_se = static_cast<u8>(se + 1);
		return Step::Done;
	}
	return any ? Step::Busy : Step::Fault;
}

/** Read the blocks of a workgroup that has its place, from the end of the area downwards. */
Mem Cwsr::fill_workgroup(UserMemory &memory, ComputeUnit &cu, const Placement &placement, s32 index, const WaveTag &first)
{
	Workgroup &wg = cu.workgroup(placement.workgroup);
	GridSlot &slot = (*grids_)[index];
	u32 top = restore_.state;
	u32 seen = 0;

	wg.grid = static_cast<s16>(index);
	wg.number = first.number;
	wg.size = first.group_size;
	wg.frozen = true;
	slot.live++;
	spi_->add_restored(slot.queue, placement.waves);
	for (unsigned i = 0; i < placement.waves; i++)
		cu.slot(placement.wave[i]).since = sq_->now(); /* also for waves that leave again before they go on */
	for (unsigned i = 0; i < placement.waves; i++) {
		unsigned n = placement.wave[i];
		WaveSlot &wave = cu.slot(n);
		u32 lds = i == 0 ? wg.lds_granules : 0;
		WaveTag tag;

		wave.wave.wave32 = slot.grid.wave32;
		wave.wave.trap_enabled = slot.grid.trap_enabled;

		const WaveSizes sizes = sizes_of(cu, wave);
		Mem mem = memory.read(restore_.area.base + top - sizes.tag_from_end(lds), &tag, sizeof(tag));

		if (mem != Mem::Ok)
			return mem;
		if (tag.magic != WaveTag::magic_value || tag.ordinal != first.ordinal || tag.number != first.number ||
		    tag.wave_in_group >= min(u32{first.group_size}, u32{waves_per_workgroup}) || (seen >> tag.wave_in_group & 1))
			return Mem::Fault;
		seen |= 1u << tag.wave_in_group;
		if (tag.flags & WaveTag::flag_scratch) {
			if (!spi_->take_scratch(slot.queue, tag.scratch))
				return Mem::Fault;
			wave.scratch = static_cast<s16>(tag.scratch);
		}
		cu.begin_turns(sq_->base());
		connect_wave(cu, n, slot.grid, tag.wave_in_group);
		top -= sizes.block_bytes(lds);
		mem = restore_wave(memory, restore_.area.base + top, cu, n, cu.lds(wg), lds, tag);
		if (mem != Mem::Ok)
			return mem;
		wg.arrived += wave.state == WaveState::Barrier;
	}
	/* Had all arrived, the hardware would have let them go. */
	return wg.arrived < placement.waves ? Mem::Ok : Mem::Fault;
}

/** Undo place_restored() and what fill_workgroup() has done. */
void Cwsr::abandon_workgroup(ComputeUnit &cu, const Placement &placement)
{
	const ShaderTrace::Silence silence(*trace_);

	for (unsigned i = 0; i < placement.waves; i++)
		spi_->drop_wave(cu, placement.wave[i], sq_->now());
}

/** Everything has its place: the waves go on. */
Step Cwsr::finish_restore(unsigned queue)
{
	if (restore_.state != restore_.area.control_stack_size)
		return Step::Fault;
	for (const GridSlot &slot : *grids_)
		if (slot.state == GridState::Dealt && slot.queue == queue && !slot.live)
			return Step::Fault;
	const u32 bytes = restore_.area.state_offset - restore_.area.control_stack_size + restore_.records * grid_record_bytes;

	restore_.queue = -1;
	spi_->forget_wanted();
	context_free_ = max(context_free_, sq_->now()) + bytes / context_bytes_per_cycle;
	counters_.restored_waves += restore_.waves;
	trace_->queue(sq_->now(), SILICON_TRACE_RESTORE, queue, restore_.waves, bytes);
	cus_->each_workgroup([&](ComputeUnit &cu, unsigned group) {
		const Workgroup &wg = cu.workgroup(group);

		if ((*grids_)[wg.grid].queue != queue)
			return;
		trace_->workgroup(sq_->now(), SILICON_TRACE_WORKGROUP_RESTORE, cu, wg);
		for (u64 left = wg.waves; left; left &= left - 1) {
			Wave &wave = cu.slot(lowest_bit(left)).wave;

			trace_->wave(sq_->now(), SILICON_TRACE_WAVE_RESTORE, cu, lowest_bit(left));
			wave.cycles = context_free_;
			wave.begin_returns();
			cu.slot(lowest_bit(left)).since = sq_->now();
			(*grids_)[wg.grid].begin = sq_->now() + 1;
		}
	});
	freeze(queue, false);
	requests_->offer = true; /* for workgroups that were denied a CU that this queue has not taken after all */
	return Step::Done;
}

} // namespace silicon

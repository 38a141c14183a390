// SPDX-License-Identifier: MIT
/* demand.cc - what a grid needs. */
#include "demand.h"
#include "../grid/registers.h"
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
u32 sgprs_asked(const Grid &grid, const CuLimits &limits)
{
	return limits.gfx10() ? gfx10_sgpr_granules * sgpr_granule : (rsrc::sgprs(grid.rsrc1) + 1) * 8;
}

u16 sgpr_granules(const Grid &grid, const CuLimits &limits)
{
	return static_cast<u16>((sgprs_asked(grid, limits) + sgpr_granule - 1) / sgpr_granule +
				(grid.trap_enabled ? trap_sgpr_granules : 0));
}

u32 count_of(u32 items, u16 workgroup) { return items / workgroup + (items % workgroup != 0); }

} // namespace

GridFlaw flaw_of(const Grid &grid, const CuArray &cu_array)
{
	const ShaderLimits &limits = cu_array.limits();
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
	if (sgprs_asked(grid, limits.cu) > sgprs_max ||
	    u32{limits.cu.sgprs_per_simd} / sgpr_granule / sgpr_granules(grid, limits.cu) < waves_a_simd)
		return GridFlaw::Sgprs;
	if (grid.lds_bytes > lds_bytes_per_cu)
		return GridFlaw::Lds;
	for (unsigned se = 0; se < max_se; se++)
		cus |= (grid.cu_mask[se] & cu_array.fused(se)) != 0;
	if (!cus)
		return GridFlaw::CuMask;
	if (rsrc::scratch_en(grid.rsrc2) && tmpring::waves(grid.tmpring_size) / limits.shader_engines < waves)
		return GridFlaw::Scratch;
	return GridFlaw::None;
}

void size_grid(GridSlot &slot, const CuLimits &limits)
{
	const Grid &grid = slot.grid;

	for (unsigned axis = 0; axis < 3; axis++)
		slot.counts[axis] = count_of(grid.items[axis], grid.workgroup[axis]);
	slot.total = workgroups_of_die(grid, u64{slot.counts[0]} * slot.counts[1] * slot.counts[2]);
	slot.demand_vgprs = vgpr_granules(grid);
	slot.demand_sgprs = sgpr_granules(grid, limits);
	slot.demand_lds = static_cast<u16>((grid.lds_bytes + lds_granule - 1) / lds_granule);
}

} // namespace silicon

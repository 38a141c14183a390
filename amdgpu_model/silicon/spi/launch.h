// SPDX-License-Identifier: MIT
/* launch.h - what a wave finds in its registers when it starts. */
#pragma once

#include "../grid/registers.h"
#include "../cu/compute_unit.h"

namespace silicon {

/** Trap handlers own TTMPs: a granule of SGPRs more. */
constexpr unsigned trap_sgpr_granules = 1;

/** Waves that so many work-items make. */
constexpr u32 waves_for(const Grid &grid, u32 items)
{
	const u32 width = grid.wave32 ? 32 : lanes;

	return (items + width - 1) / width;
}

/** One wave of a workgroup about to start. */
struct WaveStart {
	u32 id[3];   /* workgroup id, COMPUTE_START included */
	u32 size[3]; /* work-items of this workgroup */
	u8 wave_in_group, waves;
	bool has_scratch;
	u32 scratch_offset; /* bytes from the queue's scratch base */
	u64 cycle;
};

/** What a wave has from its grid and its place alone, whether it is launched or restored. */
void connect_wave(ComputeUnit &cu, unsigned wave, const Grid &grid, unsigned wave_in_group);

/** Initial registers. */
void start_wave(ComputeUnit &cu, unsigned wave, const Grid &grid, const WaveStart &start);

} // namespace silicon

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

/** SPI_GDBG_PER_VMID_CNTL (Linux 7.2: gc_9_4_2_sh_mask.h): LAUNCH_MODE 2:1, EXCP_EN 12:4, EXCP_REPLACE 13. */
namespace gdbg {
constexpr unsigned vmids = 16;
constexpr u32 launch_halted = 1, launch_stepping = 3;
constexpr u32 mode_field(u32 mode) { return mode << 1; }
constexpr u32 excp_field(u32 enable, bool replace) { return enable << 4 | u32{replace} << 13; }
constexpr u32 launch_mode(u32 cntl) { return bits(cntl, 2, 1); }
constexpr u32 excp_en(u32 cntl) { return bits(cntl, 12, 4); }
constexpr bool replaces(u32 cntl) { return bit(cntl, 13); }
} // namespace gdbg

/** HW_REG_MODE of a wave as its debugger wants it: exceptions beside the kernel's own or instead of them, a trap at each instruction. */
u32 debugged_mode(u32 mode, u32 cntl);

/** Initial registers. */
void start_wave(ComputeUnit &cu, unsigned wave, const Grid &grid, const WaveStart &start);

} // namespace silicon

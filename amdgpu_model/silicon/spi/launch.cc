// SPDX-License-Identifier: MIT
/*
 * launch.cc - the initial state of a wave.
 *
 * SGPRs: the user SGPRs, then whatever COMPUTE_PGM_RSRC2 enables: workgroup id x, y, z, workgroup size, scratch wave offset.
 * VGPRs: work-item ids in v0..v2, one register each, or all in v0 (GFX90A). EXEC: the work-items that exist. Everything else starts as
 * zero. Sources: LLVM's "User Guide for AMDGPU Backend", "Initial Kernel Execution State"; "Vega" ISA manual, 3.13.
 */
#include "launch.h"

namespace silicon {

namespace {

constexpr unsigned mode_excp_en = 12;
constexpr u32 mode_debug_en = 1u << 11;

u32 initial_mode(const Grid &grid)
{
	return rsrc::float_mode(grid.rsrc1) | u32{rsrc::dx10_clamp(grid.rsrc1)} << 8 | u32{rsrc::ieee_mode(grid.rsrc1)} << 9 |
	       (rsrc::excp_en(grid.rsrc2) | rsrc::excp_en_msb(grid.rsrc2) << 7) << mode_excp_en | u32{rsrc::fp16_ovfl(grid.rsrc1)} << 23;
}

/** HW_REG_HW_ID1 of GFX10: wave 4:0, SIMD 9:8, WGP 13:10, SA 16, SE 19:18. */
u32 hw_id1(const ComputeUnit &cu, unsigned wave)
{
	return ComputeUnit::slot_of(wave) | ComputeUnit::simd_of(wave) << 8 | (cu.id() / 2 & 15) << 10 | (cu.sh() & 1) << 16 |
	       (cu.se() & 3) << 18;
}

/** HW_REG_HW_ID2 of GFX10: queue 3:0, pipe 5:4, ME 9:8, workgroup 20:16, VMID 27:24. */
u32 hw_id2(const ComputeUnit &cu, unsigned wave, const Grid &grid)
{
	return (grid.queue & 15u) | (grid.pipe & 3u) << 4 | (grid.me & 3u) << 8 | (cu.slot(wave).workgroup & 31u) << 16 |
	       (grid.vmid & 15u) << 24;
}

/** HW_REG_HW_ID; a shader engine of three bits, 15:13, is what GFX908 and GFX90A have. */
u32 hw_id(const ComputeUnit &cu, unsigned wave, const Grid &grid)
{
	return ComputeUnit::slot_of(wave) | ComputeUnit::simd_of(wave) << 4 | u32{grid.pipe} << 6 | cu.id() << 8 | cu.sh() << 12 |
	       (cu.se() & 7) << 13 | (u32{cu.slot(wave).workgroup} & 15) << 16 | (u32{grid.vmid} & 15) << 20 | u32{grid.queue} << 24 |
	       u32{grid.me} << 30;
}

/** Loads SGPRs after SGPRs; what does not fit is lost, as the operand encodings end at 101. */
struct SgprLoader {
	Wave &wave;
	unsigned next = 0;

	void push(u32 value)
	{
		if (next < sgpr_flat_scratch)
			wave.sgpr[next++] = value;
	}
};

void load_sgprs(Wave &wave, const Grid &grid, const WaveStart &start, Isa isa)
{
	SgprLoader sgpr{wave};

	for (unsigned i = 0; i < min(rsrc::user_sgpr(grid.rsrc2), u32{16}); i++)
		sgpr.push(grid.user_sgpr[i]);
	for (unsigned axis = 0; axis < 3; axis++)
		if (rsrc::tgid_en(grid.rsrc2, axis))
			sgpr.push(start.id[axis]);
	if (rsrc::tg_size_en(grid.rsrc2))
		sgpr.push(u32{start.wave_in_group == 0} << 31 | start.waves);
	if (start.has_scratch) {
		u64 base = grid.scratch_base + start.scratch_offset;

		if (isa != Isa::Gfx942) /* which has it in FLAT_SCRATCH alone */
			sgpr.push(start.scratch_offset);
		if (is_gfx10(isa)) /* the program sets it */
			return;
		wave.sgpr[sgpr_flat_scratch] = static_cast<u32>(base);
		wave.sgpr[sgpr_flat_scratch + 1] = static_cast<u32>(base >> 32);
	}
}

/** Work-item ids and EXEC of a wave's work-items, from linear id first on. GFX90A packs the ids into v0, ten bits each. */
void load_work_items(Wave &wave, const Grid &grid, const WaveStart &start, bool packed)
{
	u32 count = start.size[0] * start.size[1] * start.size[2];
	const u32 width = wave.last_lane() + 1;
	u32 first = start.wave_in_group * width;
	unsigned ids = min(min(rsrc::tidig_comp_cnt(grid.rsrc2), u32{2}) + 1, wave.vgprs);
	u32 x = first % start.size[0];
	u32 y = first / start.size[0] % start.size[1];
	u32 z = first / start.size[0] / start.size[1];
	const u32 here = min(count - first, width);
	const auto fill = [&](unsigned axis, u32 from, u32 to, u32 id, u32 step) {
		for (u32 lane = from; lane < to; lane++, id += step)
			wave.vgpr[axis][lane] = id;
	};

	/* Row by row. */
	for (u32 lane = 0, end; lane < here; lane = end) {
		end = lane + min(here - lane, start.size[0] - x);
		if (packed) {
			fill(0, lane, end, x | (ids > 1 ? y << 10 : 0) | (ids > 2 ? z << 20 : 0), 1);
		} else {
			fill(0, lane, end, x, 1);
			for (unsigned axis = 1; axis < ids; axis++)
				fill(axis, lane, end, axis == 1 ? y : z, 0);
		}
		x = 0;
		if (++y == start.size[1]) {
			y = 0;
			z++;
		}
	}
	for (unsigned axis = 0; axis < (packed ? 1 : ids); axis++)
		fill(axis, here, width, 0, 0);
	wave.set_exec(run_of_bits<u64>(0, here));
}

/** TTMPs that the SPI fills for trap handlers and debuggers: workgroup id in 8..10, wave in workgroup in 11[5:0]. */
void load_ttmps(Wave &wave, const WaveStart &start)
{
	for (unsigned axis = 0; axis < 3; axis++)
		wave.sgpr[sgpr_ttmp0 + 8 + axis] = start.id[axis];
	wave.sgpr[sgpr_ttmp0 + 11] = start.wave_in_group;
	wave.sgpr[sgpr_ttmp0 + 13] = start.scratch_offset;
}

/** Where AGPRs begin: GFX90A's waves say it, GFX908's have half of the registers of each kind. */
u16 accum_offset(Isa isa, u32 vgprs, const Grid &grid)
{
	if (has_one_file(isa))
		return static_cast<u16>((rsrc::accum_offset(grid.rsrc3) + 1) * 4);
	return isa == Isa::Gfx908 ? static_cast<u16>(vgprs / 2) : 0;
}

/** HW_REG_GPR_ALLOC: base and size of the VGPRs in granules, GFX90A's AGPRs in fours, size of the SGPRs. */
u32 gpr_alloc(Isa isa, const WaveSlot &slot, u32 accum_offset)
{
	const u32 size = slot.vgpr_granules - 1u, sgprs = (slot.sgpr_granules - 1u) << 24;

	if (has_one_file(isa))
		return slot.vgpr_first | size << 6 | (accum_offset / 4 - 1) << 12 | sgprs;
	return slot.vgpr_first | size << 8 | sgprs;
}

} // namespace

void connect_wave(ComputeUnit &cu, unsigned n, const Grid &grid, unsigned wave_in_group)
{
	WaveSlot &slot = cu.slot(n);
	const Workgroup &wg = cu.workgroup_of(n);
	Wave &wave = slot.wave;

	wave.vgprs = slot.vgpr_granules * cu.vgpr_granule();
	wave.accum_offset = accum_offset(cu.isa(), wave.vgprs, grid);
	const bool gfx10 = cu.limits().gfx10();
	wave.wave32 = grid.wave32;
	wave.sgprs = min((slot.sgpr_granules - (grid.trap_enabled ? trap_sgpr_granules : 0)) * sgpr_granule,
			 gfx10 ? sgpr_vcc : sgpr_flat_scratch);
	wave.hw_id = gfx10 ? hw_id1(cu, n) : hw_id(cu, n, grid);
	wave.hw_id2 = gfx10 ? hw_id2(cu, n, grid) : cu.xcc();
	cu.rank_wave(n, grid.pipe_priority);
	wave.gpr_alloc = gpr_alloc(cu.isa(), slot, wave.accum_offset);
	/* In granules of 64 dwords, half of what is handed out. */
	wave.lds_alloc = u32{wg.lds_first} * 2 | u32{wg.lds_granules} * 2 << 12;
	wave.lds = cu.lds(wg);
	wave.lds_bytes = wg.lds_granules * lds_granule;
	wave.vmid = grid.vmid;
	wave.wave_in_group = static_cast<u8>(wave_in_group);
	wave.instruction_cache = cu.instruction_cache();
	wave.trap_enabled = grid.trap_enabled;
	wave.tba = 0; /* the first level is native (trap.h): the engine must not jump there, but leave traps to the CU */
	wave.tma = grid.tma;
	wave.sh_mem_bases = grid.sh_mem_bases;
	wave.sh_mem_config = grid.sh_mem_config;
}

u32 debugged_mode(u32 mode, u32 cntl)
{
	const u32 kept = gdbg::replaces(cntl) ? mode & ~(0x1ffu << mode_excp_en) : mode;
	const u32 stepping = gdbg::launch_mode(cntl) == gdbg::launch_stepping ? mode_debug_en : 0;

	return kept | gdbg::excp_en(cntl) << mode_excp_en | stepping;
}

void start_wave(ComputeUnit &cu, unsigned n, const Grid &grid, const WaveStart &start)
{
	Wave &wave = cu.slot(n).wave;

	connect_wave(cu, n, grid, start.wave_in_group);
	wave.pc = grid.code;
	wave.mode = initial_mode(grid);
	wave.cycles = start.cycle;
	wave.begin_returns();
	load_sgprs(wave, grid, start, cu.isa());
	load_work_items(wave, grid, start, has_one_file(cu.isa()));
	load_ttmps(wave, start);
}

} // namespace silicon

// SPDX-License-Identifier: MIT
/* context_save.cc - one wave to memory and back. */
#include "context_save.h"
#include "../sq/trap.h"

namespace silicon {

namespace {

constexpr u32 hwregs = 16, ttmps = 16, aliased = 6, sgprs_addressed = 108;
constexpr u32 sgprs_max = 128;

// clang-format off
enum HwReg {
	hw_m0, hw_pc_lo, hw_pc_hi, hw_exec_lo, hw_exec_hi, hw_status, hw_trapsts, hw_xnack_lo, hw_xnack_hi, hw_mode, hw_flat_lo,
	hw_flat_hi, hw_ahead
};
// clang-format on
static_assert(hw_ahead + Ahead::saved_words - 1 == hwregs);

static_assert(WaveSizes::hwreg_bytes == hwregs * 4 && WaveSizes::ttmp_bytes == ttmps * 4 && WaveSizes::gfx10_sgprs <= sgprs_max);

/** A wave's registers between its VGPRs and its LDS. */
struct ScalarBlock {
	u32 word[sgprs_max + hwregs + ttmps];
};

/** FLAT_SCRATCH, XNACK_MASK and VCC take the place of the last six SGPRs. */
u32 alias_place(u32 sgprs) { return min(sgprs, sgprs_addressed) - aliased; }

/** XNACK_MASK is one word on GFX10: MODE and FLAT_SCRATCH follow one word earlier. */
u32 *behind_xnack(u32 *hw, bool gfx10) { return hw - gfx10; }

void fill(ScalarBlock &block, const WaveSlot &slot, const WaveSizes &sizes, const u32 *ahead)
{
	const Wave &wave = slot.wave;
	const u32 sgprs = sizes.saved_sgprs();
	u32 *hw = block.word + sgprs, *ttmp = hw + hwregs, *behind = behind_xnack(hw, sizes.gfx10);

	__builtin_memset(&block, 0, sizeof(block));
	__builtin_memcpy(block.word, wave.sgpr, alias_place(sgprs) * 4);
	__builtin_memcpy(block.word + alias_place(sgprs), wave.sgpr + sgpr_flat_scratch, aliased * 4);
	hw[hw_m0] = wave.sgpr[sgpr_m0];
	hw[hw_pc_lo] = static_cast<u32>(wave.pc);
	hw[hw_pc_hi] = static_cast<u32>(wave.pc >> 32);
	hw[hw_exec_lo] = wave.sgpr[sgpr_exec];
	hw[hw_exec_hi] = wave.sgpr[sgpr_exec + 1];
	hw[hw_status] = wave_status(wave) | (slot.state == WaveState::Halted ? status::halt : 0) |
			(slot.state == WaveState::Barrier ? status::in_barrier : 0);
	hw[hw_trapsts] = wave.trapsts;
	hw[hw_xnack_lo] = wave.sgpr[sgpr_xnack_mask];
	hw[hw_xnack_hi] = wave.sgpr[sgpr_xnack_mask + 1];
	behind[hw_mode] = wave.mode;
	behind[hw_flat_lo] = wave.flat_scratch[0]; /* GFX10's */
	behind[hw_flat_hi] = wave.flat_scratch[1];
	__builtin_memcpy(hw + hw_ahead, ahead, sizeof(u32) * (Ahead::saved_words - 1));
	__builtin_memcpy(ttmp, wave.sgpr + sgpr_ttmp0, ttmps * 4);
}

void take(ScalarBlock &block, WaveSlot &slot, const WaveSizes &sizes, const WaveTag &tag)
{
	Wave &wave = slot.wave;
	const u32 sgprs = sizes.saved_sgprs();
	u32 *hw = block.word + sgprs, *ttmp = hw + hwregs, *behind = behind_xnack(hw, sizes.gfx10);
	u32 ahead[Ahead::saved_words];

	__builtin_memcpy(wave.sgpr, block.word, alias_place(sgprs) * 4);
	__builtin_memcpy(wave.sgpr + alias_place(sgprs), tag.hidden_sgprs, sizeof(tag.hidden_sgprs));
	__builtin_memcpy(wave.sgpr + sgpr_flat_scratch, block.word + alias_place(sgprs), aliased * 4);
	__builtin_memcpy(wave.sgpr + sgpr_ttmp0, ttmp, ttmps * 4);
	wave.sgpr[sgpr_m0] = hw[hw_m0];
	wave.sgpr[sgpr_exec] = hw[hw_exec_lo];
	wave.sgpr[sgpr_exec + 1] = hw[hw_exec_hi];
	wave.pc = join(hw[hw_pc_lo], hw[hw_pc_hi] & 0xffff);
	wave.scc = hw[hw_status] & status::scc;
	/* A user may write this word. It gives his wave what his own second-level trap handler has: TTMPs, no further traps. */
	wave.privileged = hw[hw_status] & status::priv;
	wave.user_priority = hw[hw_status] >> status::user_prio_shift & 3;
	wave.trapsts = hw[hw_trapsts];
	wave.mode = behind[hw_mode];
	wave.flat_scratch[0] = behind[hw_flat_lo];
	wave.flat_scratch[1] = behind[hw_flat_hi];
	__builtin_memcpy(ahead, hw + hw_ahead, sizeof(ahead) - sizeof(u32));
	ahead[Ahead::saved_words - 1] = tag.ahead;
	slot.ahead.restore(ahead);
	slot.state = hw[hw_status] & status::halt      ? WaveState::Halted :
		     tag.flags & WaveTag::flag_barrier ? WaveState::Barrier :
							 WaveState::Ready;
}

} // namespace

Mem UserMemory::copy(u64 va, void *host, u32 bytes, bool out)
{
	u8 *local = static_cast<u8 *>(host);

	while (bytes) {
		u32 piece = static_cast<u32>(min(u64{bytes}, page_bytes - (va & page_mask)));
		u8 *there;
		Mem mem = tlb_.translate(vmid_, va, out ? Access::Write : Access::Read, &there);

		if (mem != Mem::Ok)
			return mem;
		if (out)
			__builtin_memcpy(there, local, piece);
		else
			__builtin_memcpy(local, there, piece);
		va += piece;
		local += piece;
		bytes -= piece;
	}
	return Mem::Ok;
}

Mem UserMemory::probe(u64 va, u32 bytes)
{
	const u64 end = va + bytes;
	Mem mem = Mem::Ok;
	u8 *there;

	for (; va < end && mem == Mem::Ok; va = (va | page_mask) + 1)
		mem = tlb_.translate(vmid_, va, Access::Read, &there);
	return mem;
}

WaveSizes sizes_of(const ComputeUnit &cu, const WaveSlot &slot)
{
	return {cu.limits().gfx10(), slot.wave.wave32, slot.vgpr_granules * cu.vgpr_granule(),
		slot.sgpr_granules - (slot.wave.trap_enabled ? trap_sgpr_granules : 0u)};
}

namespace {

/** VGPRs, of waves of 32 lanes half of each row. */
template <class Copy> Mem each_run_of_vgprs(VgprRow *rows, u64 va, const WaveSizes &sizes, Copy copy)
{
	Mem mem = Mem::Ok;

	if (!sizes.wave32)
		return copy(va, rows, sizes.vgprs * sizes.row_bytes());
	for (u32 n = 0; n < sizes.vgprs && mem == Mem::Ok; n++)
		mem = copy(va + n * sizes.row_bytes(), rows + n, sizes.row_bytes());
	return mem;
}

} // namespace

Mem save_wave(UserMemory &memory, u64 va, const ComputeUnit &cu, unsigned n, const u8 *lds, u32 lds_granules, WaveTag tag)
{
	const WaveSlot &slot = cu.slot(n);
	const WaveSizes sizes = sizes_of(cu, slot);
	const u32 sgprs = sizes.saved_sgprs(), scalars = (sgprs + hwregs + ttmps) * 4;
	const u64 end = va + sizes.block_bytes(lds_granules);
	u32 ahead[Ahead::saved_words];
	ScalarBlock block;

	slot.ahead.save(ahead);
	fill(block, slot, sizes, ahead);
	tag.ahead = ahead[Ahead::saved_words - 1];
	tag.magic = WaveTag::magic_value;
	tag.wave_in_group = slot.wave.wave_in_group;
	tag.flags = (slot.state == WaveState::Barrier ? WaveTag::flag_barrier : 0) | (slot.scratch >= 0 ? WaveTag::flag_scratch : 0) |
		    (slot.wave.wave32 ? WaveTag::flag_wave32 : 0);
	tag.scratch = slot.scratch >= 0 ? static_cast<u16>(slot.scratch) : u16{0};
	__builtin_memcpy(tag.hidden_sgprs, slot.wave.sgpr + alias_place(sgprs), sizeof(tag.hidden_sgprs));

	Mem mem = each_run_of_vgprs(slot.wave.vgpr, va, sizes,
				    [&](u64 to, const VgprRow *rows, u32 bytes) { return memory.write(to, rows, bytes); });

	va += sizes.vgprs * sizes.row_bytes();
	if (mem == Mem::Ok)
		mem = memory.write(va, block.word, scalars);
	if (mem == Mem::Ok)
		mem = memory.write(va + scalars, lds, lds_granules * lds_granule);
	return mem == Mem::Ok ? memory.write(end - sizes.tag_from_end(lds_granules), &tag, sizeof(tag)) : mem;
}

Mem restore_wave(UserMemory &memory, u64 va, ComputeUnit &cu, unsigned n, u8 *lds, u32 lds_granules, const WaveTag &tag)
{
	WaveSlot &slot = cu.slot(n);
	const WaveSizes sizes = sizes_of(cu, slot);
	const u32 scalars = (sizes.saved_sgprs() + hwregs + ttmps) * 4;
	ScalarBlock block;
	Mem mem = each_run_of_vgprs(slot.wave.vgpr, va, sizes,
				    [&](u64 from, VgprRow *rows, u32 bytes) { return memory.read(from, rows, bytes); });

	va += sizes.vgprs * sizes.row_bytes();
	if (mem == Mem::Ok)
		mem = memory.read(va, block.word, scalars);
	if (mem == Mem::Ok)
		mem = memory.read(va + scalars, lds, lds_granules * lds_granule);
	if (mem == Mem::Ok)
		take(block, slot, sizes, tag);
	return mem;
}

} // namespace silicon

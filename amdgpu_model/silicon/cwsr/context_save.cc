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

/** A wave's registers between its VGPRs and its LDS. */
struct ScalarBlock {
	u32 word[sgprs_max + hwregs + ttmps];
};

u32 sgprs_of(const WaveSlot &slot) { return (slot.sgpr_granules - (slot.wave.trap_enabled ? 1u : 0u)) * sgpr_granule; }

/** FLAT_SCRATCH, XNACK_MASK and VCC take the place of the last six SGPRs. */
u32 alias_place(u32 sgprs) { return min(sgprs, sgprs_addressed) - aliased; }

void fill(ScalarBlock &block, const WaveSlot &slot, const u32 *ahead)
{
	const Wave &wave = slot.wave;
	u32 sgprs = sgprs_of(slot);
	u32 *hw = block.word + sgprs, *ttmp = hw + hwregs;

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
	hw[hw_mode] = wave.mode;
	hw[hw_flat_lo] = wave.flat_scratch[0]; /* GFX10's */
	hw[hw_flat_hi] = wave.flat_scratch[1];
	__builtin_memcpy(hw + hw_ahead, ahead, sizeof(u32) * (Ahead::saved_words - 1));
	__builtin_memcpy(ttmp, wave.sgpr + sgpr_ttmp0, ttmps * 4);
}

void take(const ScalarBlock &block, WaveSlot &slot, const WaveTag &tag)
{
	Wave &wave = slot.wave;
	u32 sgprs = sgprs_of(slot);
	const u32 *hw = block.word + sgprs, *ttmp = hw + hwregs;
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
	wave.mode = hw[hw_mode];
	wave.flat_scratch[0] = hw[hw_flat_lo];
	wave.flat_scratch[1] = hw[hw_flat_hi];
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

Mem save_wave(UserMemory &memory, u64 va, const ComputeUnit &cu, unsigned n, const u8 *lds, u32 lds_granules, WaveTag tag)
{
	const WaveSlot &slot = cu.slot(n);
	u32 vgpr_bytes = slot.vgpr_granules * cu.vgpr_granule() * sizeof(VgprRow);
	u32 sgprs = sgprs_of(slot);
	u32 ahead[Ahead::saved_words];
	ScalarBlock block;

	slot.ahead.save(ahead);
	fill(block, slot, ahead);
	tag.ahead = ahead[Ahead::saved_words - 1];
	tag.magic = WaveTag::magic_value;
	tag.wave_in_group = slot.wave.wave_in_group;
	tag.flags = (slot.state == WaveState::Barrier ? WaveTag::flag_barrier : 0) | (slot.scratch >= 0 ? WaveTag::flag_scratch : 0) |
		    (slot.wave.wave32 ? WaveTag::flag_wave32 : 0);
	tag.scratch = slot.scratch >= 0 ? static_cast<u16>(slot.scratch) : u16{0};
	__builtin_memcpy(tag.hidden_sgprs, slot.wave.sgpr + alias_place(sgprs), sizeof(tag.hidden_sgprs));

	Mem mem = memory.write(va, slot.wave.vgpr, vgpr_bytes);

	va += vgpr_bytes;
	if (mem == Mem::Ok)
		mem = memory.write(va, block.word, (sgprs + hwregs + ttmps) * 4);
	va += (sgprs + hwregs + ttmps) * 4;
	if (mem == Mem::Ok)
		mem = memory.write(va, lds, lds_granules * lds_granule);
	va += lds_granules * lds_granule;
	return mem == Mem::Ok ? memory.write(va, &tag, sizeof(tag)) : mem;
}

Mem restore_wave(UserMemory &memory, u64 va, ComputeUnit &cu, unsigned n, u8 *lds, u32 lds_granules, const WaveTag &tag)
{
	WaveSlot &slot = cu.slot(n);
	u32 vgpr_bytes = slot.vgpr_granules * cu.vgpr_granule() * sizeof(VgprRow);
	u32 sgprs = sgprs_of(slot);
	ScalarBlock block;
	Mem mem = memory.read(va, slot.wave.vgpr, vgpr_bytes);

	va += vgpr_bytes;
	if (mem == Mem::Ok)
		mem = memory.read(va, block.word, (sgprs + hwregs + ttmps) * 4);
	va += (sgprs + hwregs + ttmps) * 4;
	if (mem == Mem::Ok)
		mem = memory.read(va, lds, lds_granules * lds_granule);
	if (mem == Mem::Ok)
		take(block, slot, tag);
	return mem;
}

} // namespace silicon

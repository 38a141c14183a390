// SPDX-License-Identifier: MIT
/*
 * context_save.h - the context save area of a queue (CWSR), layout of GFX9 and of GFX10.
 *
 *	base + 0 ................ header, 40 bytes, user space's own
 *	control_stack_offset .... control stack, grows down
 *	control_stack_size ...... state, grows up
 *	state_offset ............ grid records, one for each grid that has workgroups left to deal
 *
 * Control stack, from its lowest address up, is what a packet processor would execute to bring the waves back: SET_SH_REG to
 * COMPUTE_RELAUNCH (two words), then values for that register. With IS_STATE set: sizes of all that follow (namespace relaunch);
 * GFX10 has a second word of it. With neither IS_STATE nor IS_EVENT: one wave, which may be the first or the last one of its workgroup.
 * The word at the highest address is an event of ours, which readers skip: the number of grid records.
 *
 * State: a block for each wave; the first wave of the control stack is the block at the end, and nothing else is there: debuggers
 * check it. A wave's block, upwards:
 *
 *	VGPRs		of all lanes that the wave has, AGPRs behind them
 *	SGPRs		as many as allocated; FLAT_SCRATCH, XNACK_MASK, VCC in the last six (of at most 108). GFX10: 128, the tag in the last
 *	16 HWREGs	M0, PC, EXEC, STATUS, TRAPSTS, XNACK_MASK (GFX10: one word), MODE, GFX10's FLAT_SCRATCH; the last four: steps that
 *			are not issued yet (wave/ahead.h)
 *	16 TTMPs
 *	LDS		of the workgroup, only in the first wave's block
 *	64 bytes	GFX9: which the hardware leaves alone
 *
 * The tag is what the model must know besides (struct WaveTag).
 *
 * Sources: cwsr_trap_handler_gfx9.asm and _gfx10.asm of Linux 6.1 (offsets), ROCdbgapi (COMPUTE_RELAUNCH fields, order), libhsakmt (sizes).
 *
 * All of this is user memory: a restore believes nothing of it.
 */
#pragma once

#include "../vm/tlb.h"
#include "../cu/compute_unit.h"
#include "../spi/launch.h"

namespace silicon {

constexpr u32 save_area_header_bytes = 40;
constexpr u32 grid_record_words = 64;
constexpr u32 grid_record_bytes = grid_record_words * 4;
constexpr u32 grid_records_max = 15;

/** What the model must know of a wave besides its registers. */
struct WaveTag {
	static constexpr u32 magic_value = 0x4d44464b;
	static constexpr u32 flag_barrier = 1, flag_scratch = 2, flag_wave32 = 4;

	u32 magic;
	u8 wave_in_group, group_size, flags;
	u8 code_high; /* address of the grid's code, bits 47:40 and 39:8: by it its counts are told from others' */
	u32 code_low;
	u16 scratch;	     /* slot of the queue's scratch memory */
	u16 ordinal;	     /* grid: equal for all waves of one grid */
	u64 number;	     /* workgroup */
	u64 cookie;	     /* of the grid */
	u32 hidden_sgprs[6]; /* those below the six that are saved in their place */
	u32 rsrc3;	     /* of the grid: where GFX90A's AGPRs begin */
	u32 ahead;	     /* the last of the steps that are not issued yet */
};
static_assert(sizeof(WaveTag) == 64);

/** How large a wave's block is, and where its tag lies. */
struct WaveSizes {
	bool gfx10, wave32;
	u32 vgprs; /* AGPRs included */
	u32 sgprs; /* in granules, without the trap handler's */
	static constexpr u32 gfx10_sgprs = 128, hwreg_bytes = 64, ttmp_bytes = 64;

	constexpr u32 row_bytes() const { return static_cast<u32>(sizeof(VgprRow)) >> wave32; }
	constexpr u32 saved_sgprs() const { return gfx10 ? gfx10_sgprs : sgprs * sgpr_granule; }
	constexpr u32 tail_bytes() const { return gfx10 ? 0 : sizeof(WaveTag); }
	/** lds: granules */
	constexpr u32 block_bytes(u32 lds) const
	{
		return vgprs * row_bytes() + saved_sgprs() * 4 + hwreg_bytes + ttmp_bytes + lds * lds_granule + tail_bytes();
	}
	/** How far below the block's end the tag begins. */
	constexpr u32 tag_from_end(u32 lds) const { return sizeof(WaveTag) + (gfx10 ? hwreg_bytes + ttmp_bytes + lds * lds_granule : 0); }
};

namespace relaunch {
constexpr u32 set_sh_reg_header = 0xc0017600; /* PACKET3(SET_SH_REG, 1) */
constexpr u32 compute_relaunch = 0x222;	      /* COMPUTE_RELAUNCH, from the start of the SH registers */
constexpr u32 is_event = 1u << 30;
constexpr u32 is_state = 1u << 31;
constexpr u32 gfx10_state2 = is_event; /* the second word; says nothing, so a reader may also skip it */
constexpr u32 grid_records = 0xf;      /* in our event word */
constexpr u32 leader_bytes = 8, event_bytes = 4;

constexpr u32 first_wave(bool gfx10) { return 1u << (gfx10 ? 12 : 17); }
constexpr u32 last_wave(bool gfx10) { return 1u << (gfx10 ? 29 : 16); }

/** VGPRs in one unit of a state word. */
constexpr u32 vgpr_unit(bool gfx10, bool wave32, u32 granule) { return gfx10 ? wave32 ? 8 : 4 : granule; }

/**
 * VGPRs [5:0] less one. GFX9: SGPRs [8:6] in sixteens less one, the trap handler's granule included, LDS [17:9] in 512 bytes, since GFX90A
 * the VGPRs before the AGPRs [29:24] in fours less one. GFX10: LDS [17:10], waves of 32 [24].
 */
constexpr u32 state(const WaveSizes &sizes, u32 vgpr_granule, u32 arch_vgprs, u32 lds)
{
	const u32 vgprs = sizes.vgprs / vgpr_unit(sizes.gfx10, sizes.wave32, vgpr_granule) - 1;

	if (sizes.gfx10)
		return is_state | vgprs | lds << 10 | u32{sizes.wave32} << 24;
	return is_state | vgprs | sizes.sgprs << 6 | lds << 9 | (arch_vgprs ? (arch_vgprs / 4 - 1) << 24 : 0);
}

constexpr WaveSizes sizes(bool gfx10, u32 vgpr_granule, u32 word)
{
	const bool wave32 = gfx10 && bit(word, 24);

	return {gfx10, wave32, (bits(word, 5, 0) + 1) * vgpr_unit(gfx10, wave32, vgpr_granule),
		gfx10 ? gfx10_sgpr_granules : bits(word, 8, 6)};
}
constexpr u32 lds(bool gfx10, u32 word) { return bits(word, 17, gfx10 ? 10 : 9); }
} // namespace relaunch

/** Bytes of a VMID's memory; a piece may cross pages. Need and Fault may leave a part copied. */
class UserMemory {
public:
	UserMemory(Tlb &tlb, unsigned vmid) : tlb_(tlb), vmid_(vmid) {}
	Mem write(u64 va, const void *from, u32 bytes) { return copy(va, const_cast<void *>(from), bytes, true); }
	Mem read(u64 va, void *to, u32 bytes) { return copy(va, to, bytes, false); }
	/** Whether all of it can be read. */
	Mem probe(u64 va, u32 bytes);

private:
	Mem copy(u64 va, void *host, u32 bytes, bool out);

	Tlb &tlb_;
	unsigned vmid_;
};

/** Of a wave on a CU. */
WaveSizes sizes_of(const ComputeUnit &cu, const WaveSlot &slot);

/**
 * Write the block of a wave at va; lds: LDS granules to include. tag's hidden_sgprs, wave_in_group and flags are filled in.
 */
Mem save_wave(UserMemory &memory, u64 va, const ComputeUnit &cu, unsigned wave, const u8 *lds, u32 lds_granules, WaveTag tag);

/** Registers (and LDS, if lds_granules) of a wave that has been connected; its state follows from STATUS and tag. */
Mem restore_wave(UserMemory &memory, u64 va, ComputeUnit &cu, unsigned wave, u8 *lds, u32 lds_granules, const WaveTag &tag);

} // namespace silicon

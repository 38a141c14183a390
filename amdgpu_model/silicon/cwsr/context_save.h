// SPDX-License-Identifier: MIT
/*
 * context_save.h - the context save area of a queue (CWSR), layout of GFX9.
 *
 *	base + 0 ................ header, 40 bytes, user space's own
 *	control_stack_offset .... control stack, grows down
 *	control_stack_size ...... state, grows up
 *	state_offset ............ end of what is used
 *
 * Control stack, from its lowest address up, is what a packet processor would execute to bring the waves back: SET_SH_REG to
 * COMPUTE_RELAUNCH (two words), then values for that register. With IS_STATE set: VGPRs [5:0] in granules less one,
 * SGPRs [8:6] in sixteens less one, the trap handler's granule included, LDS [17:9] in 512 bytes, of all that
 * follow. With neither IS_STATE nor IS_EVENT: one wave, LAST_WAVE [16], FIRST_WAVE [17] of its workgroup. The word at
 * the highest address is an event of ours, which readers skip: the number of grid records.
 *
 * State: first the grid records (one for each grid that has workgroups left to deal), then a block for each wave; the
 * first wave of the control stack is the block at the end. A wave's block, upwards:
 *
 *	VGPRs		256 bytes each, AGPRs behind them
 *	SGPRs		as many as allocated; FLAT_SCRATCH, XNACK_MASK, VCC in the last six (of at most 108)
 *	16 HWREGs	M0, PC, EXEC, STATUS, TRAPSTS, XNACK_MASK, MODE; the last four: steps that are not issued yet (wave/ahead.h)
 *	16 TTMPs
 *	LDS		of the workgroup, only in the FIRST_WAVE's block
 *	64 bytes	which the hardware leaves alone: what the model must know besides (struct WaveTag)
 *
 * Sources: cwsr_trap_handler_gfx9.asm of Linux 6.1 (offsets), ROCdbgapi (COMPUTE_RELAUNCH fields, order), libhsakmt (sizes).
 *
 * All of this is user memory: a restore believes nothing of it.
 */
#pragma once

#include "../vm/tlb.h"
#include "../cu/compute_unit.h"

namespace silicon {

namespace relaunch {
constexpr u32 set_sh_reg_header = 0xc0017600; /* PACKET3(SET_SH_REG, 1) */
constexpr u32 compute_relaunch = 0x222;	      /* COMPUTE_RELAUNCH, from the start of the SH registers */
constexpr u32 is_event = 1u << 30;
constexpr u32 is_state = 1u << 31;
constexpr u32 last_wave = 1u << 16;
constexpr u32 first_wave = 1u << 17;
constexpr u32 grid_records = 0xf; /* in our event word */
constexpr u32 leader_bytes = 8, event_bytes = 4;

/** sgprs: granules without the trap handler's. */
constexpr u32 state(u32 vgprs, u32 sgprs, u32 lds) { return is_state | (vgprs - 1) | sgprs << 6 | lds << 9; }
constexpr u32 vgprs(u32 word) { return bits(word, 5, 0) + 1; }
constexpr u32 sgprs(u32 word) { return bits(word, 8, 6); }
constexpr u32 lds(u32 word) { return bits(word, 17, 9); }
} // namespace relaunch

constexpr u32 save_area_header_bytes = 40;
constexpr u32 grid_record_words = 64;
constexpr u32 grid_record_bytes = grid_record_words * 4;
constexpr u32 grid_records_max = 15;

/** The last 64 bytes of a wave's block. */
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

/** vgprs: registers; sgprs and lds: granules. */
constexpr u32 wave_block_bytes(u32 vgprs, u32 sgprs, u32 lds)
{
	return vgprs * sizeof(VgprRow) + sgprs * sgpr_granule * 4 + 64 + 64 + lds * lds_granule + sizeof(WaveTag);
}

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

/**
 * Write the block of a wave at va; lds: LDS granules to include. tag's hidden_sgprs, wave_in_group and flags are filled in.
 */
Mem save_wave(UserMemory &memory, u64 va, const ComputeUnit &cu, unsigned wave, const u8 *lds, u32 lds_granules, WaveTag tag);

/** Registers (and LDS, if lds_granules) of a wave that has been connected; its state follows from STATUS and tag. */
Mem restore_wave(UserMemory &memory, u64 va, ComputeUnit &cu, unsigned wave, u8 *lds, u32 lds_granules, const WaveTag &tag);

} // namespace silicon

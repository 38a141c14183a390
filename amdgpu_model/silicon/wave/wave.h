// SPDX-License-Identifier: MIT
/*
 * wave.h - the state of one wavefront, as the GFX9 shader programming manual ("Vega" ISA, chapter 3 "Kernel State") names it.
 *
 * Shared by the instruction engine (isa/), which changes it, and by the CU (cu/), which launches, schedules,
 * saves and restores it. VGPRs live in the register file of the wave's SIMD: vgpr points at the wave's first one.
 */
#pragma once

#include "../base/types.h"

namespace silicon {

constexpr unsigned lanes = 64;
using VgprRow = u32[lanes]; /* one vector register, lane by lane */

/* Places in Wave::sgpr, equal to the operand encodings of the ISA (Vega ISA, table "SGPR operands"). */
constexpr unsigned sgpr_flat_scratch = 102; /* lo, hi */
constexpr unsigned sgpr_xnack_mask = 104;   /* lo, hi */
constexpr unsigned sgpr_vcc = 106;	    /* lo, hi */
constexpr unsigned sgpr_ttmp0 = 108;	    /* ttmp0..ttmp15 = 108..123 */
constexpr unsigned sgpr_m0 = 124;
constexpr unsigned sgpr_null = 125;	 /* GFX10: reads 0 */
constexpr unsigned sgpr_exec = 126;	 /* lo, hi */
constexpr unsigned sgpr_discarded = 128; /* no encoding: where writes to the null register go */

/* In Wave::trapsts, where the register has nothing: isa/exec/exceptions.h. */
constexpr u32 trapsts_pending = 1u << 9;  /* an exception has happened, and the trap handler is not entered yet */
constexpr u32 trapsts_watched = 1u << 15; /* the program has accessed TRAPSTS */

/**
 * When the operations return that a counter counts, for s_waitcnt: in the order in which they were issued (Vega ISA 4.4, "Data Dependency
 * Resolution"; scalar reads may overtake each other, so that programs can only wait for all of them).
 */
struct Returns {
	static constexpr unsigned counted = 64; /* vmcnt has six bits, no counter more */

	u64 issued;	 /* operations so far */
	u64 at[counted]; /* virtual times of the latest ones, by number; not cleared for a new wave */

	ALWAYS_INLINE void begin() { issued = 0; }
	ALWAYS_INLINE void add(u64 time)
	{
		at[issued % counted] = max(time, down_to(0));
		issued++;
	}
	/** From when on no more than so many are under way; 0: since long. */
	ALWAYS_INLINE u64 down_to(u32 count) const { return count < counted && count < issued ? at[(issued - 1 - count) % counted] : 0; }
};

enum class Counter : u8 { Vm, Lgkm, Vs }; /* Vs: stores, which GFX10 counts by themselves */
constexpr unsigned counters = 3;

struct Wave {
	u64 pc;			 /* byte address of the next instruction */
	u64 cycles;		 /* wave-local virtual time at which the next instruction may issue */
	u64 instructions;	 /* executed so far */
	const struct Op *resume; /* the engine's: the instruction at pc, decoded, as long as generation is the store's */
	u64 generation;
	VgprRow *vgpr;	     /* vgpr[n][lane]; n < vgprs */
	u32 vgprs;	     /* allocated, AGPRs included */
	u16 accum_offset;    /* a0 is vgpr[accum_offset]; 0: no AGPRs */
	u32 sgprs;	     /* allocated, without VCC and the like */
	bool wave32;	     /* GFX10: 32 lanes; the upper half of EXEC and VCC is not looked at */
	u32 flat_scratch[2]; /* GFX10: hardware registers */
	bool scc;
	bool privileged;	  /* inside a trap handler: TTMPs may be written */
	u32 mode;		  /* HW_REG_MODE: FP_ROUND [3:0], FP_DENORM [7:4], DX10_CLAMP 8, IEEE 9, EXCP_EN [20:12] */
	u32 trapsts;		  /* HW_REG_TRAPSTS, and trapsts_watched, trapsts_pending */
	u32 hw_id, hw_id2;	  /* HW_REG_HW_ID, XCC_ID; GFX10: HW_ID1, HW_ID2 */
	u32 gpr_alloc, lds_alloc; /* HW_REG_GPR_ALLOC, HW_REG_LDS_ALLOC */
	u8 *lds;		  /* the workgroup's LDS */
	u32 lds_bytes;
	u8 vmid;
	u8 wave_in_group;
	bool trap_enabled; /* STATUS.TRAP_EN */
	u64 tba, tma;
	u32 sh_mem_bases, sh_mem_config; /* apertures of flat instructions: LDS (shared) and scratch (private) */
	u32 sgpr[130];			 /* by operand encoding; M0, EXEC, VCC and TTMPs included */
	u8 user_priority;		 /* s_setprio: 0 to 3 */
	u8 instruction_cache;		 /* which one its instructions come from */
	u64 fetched;			 /* line of code that it holds: address / InstructionCaches::line_bytes; 0: none */

	/** Lanes that are active, and the lanes' bits of VCC. */
	u64 exec() const { return wave32 ? sgpr[sgpr_exec] : exec_pair(); }
	void set_exec(u64 v)
	{
		sgpr[sgpr_exec] = static_cast<u32>(v);
		if (!wave32)
			sgpr[sgpr_exec + 1] = static_cast<u32>(v >> 32);
	}
	u64 vcc() const { return sgpr[sgpr_vcc] | (wave32 ? 0 : static_cast<u64>(sgpr[sgpr_vcc + 1]) << 32); }
	unsigned last_lane() const { return wave32 ? 31 : 63; }
	void set_vcc(u64 v)
	{
		sgpr[sgpr_vcc] = static_cast<u32>(v);
		if (!wave32)
			sgpr[sgpr_vcc + 1] = static_cast<u32>(v >> 32);
	}
	/** EXEC as scalar instructions of 64 bits see it. */
	u64 exec_pair() const { return static_cast<u64>(sgpr[sgpr_exec + 1]) << 32 | sgpr[sgpr_exec]; }
	void set_exec_pair(u64 v)
	{
		sgpr[sgpr_exec] = static_cast<u32>(v);
		sgpr[sgpr_exec + 1] = static_cast<u32>(v >> 32);
	}

	Returns returns[counters]; /* memory operations under way */
	ALWAYS_INLINE Returns &of(Counter counter) { return returns[static_cast<unsigned>(counter)]; }
	ALWAYS_INLINE const Returns &of(Counter counter) const { return returns[static_cast<unsigned>(counter)]; }
	/** No memory operation is under way. */
	ALWAYS_INLINE void begin_returns()
	{
		for (Returns &r : returns)
			r.begin();
	}
};

} // namespace silicon

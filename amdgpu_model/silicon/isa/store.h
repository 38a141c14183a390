// SPDX-License-Identifier: MIT
/*
 * store.h - decoded instructions.
 *
 * Machine code is decoded once into Ops, straight-line runs of them in one array, so that execution is a chain of indirect
 * calls: op = op->run(state, op). All checks of the encoding (registers in range, legal operands) are made while
 * decoding; what depends on the wave (how many registers it has) is one comparison an Op.
 *
 * Everything here is plain memory that may be thrown away at any moment between instructions: flush() empties it.
 */
#pragma once

#include "engine.h"
#include "row.h"

namespace silicon {

struct State;
struct Op;
using ExecFn = const Op *(*)(State &, const Op *);

/* Op::code: operand encodings that are not registers; inline and literal constants have become op->k. */
constexpr u8 code_constant = 255;
constexpr u8 code_zero = 254;

/* Op::prep: which sources have to be made up before the row's function may run, and whether modifiers apply. */
constexpr u8 prep_source(unsigned i) { return 1 << i; }
constexpr u8 prep_modifiers = 8;

/* Op::flags */
constexpr u8 op_privileged = 1;	     /* writes a TTMP: ignored outside of the trap handler (Vega ISA 3.9) */
constexpr u8 op_glc = 2, op_slc = 4; /* memory bits */
constexpr u8 op_offen = 8, op_idxen = 16, op_lds = 32;
constexpr u8 op_saddr = 64; /* global, scratch: an SGPR takes part in the address */

/* Op::mods of vector instructions */
constexpr u32 mod_neg(unsigned i) { return 1u << i; }
constexpr u32 mod_abs(unsigned i) { return 8u << i; }
constexpr unsigned mod_omod_shift = 6; /* two bits: none, *2, *4, /2 */
constexpr u32 mod_clamp = 1u << 8;
constexpr unsigned mod_op_sel_shift = 9; /* four bits */
constexpr u32 mod_sdwa = 1u << 13;	 /* mods2: the SDWA dword */
constexpr u32 mod_dpp = 1u << 14;	 /* mods2: the DPP dword */
constexpr u32 mod_sext(unsigned i) { return 1u << (15 + i); }
constexpr unsigned mod_op_sel_hi_shift = 18;			 /* three bits, VOP3P */
constexpr unsigned mod_neg_hi_shift = 21;			 /* three bits, VOP3P */
constexpr unsigned matrix_abid_shift = 3, matrix_blgp_shift = 7; /* matrix products: CBSZ [2:0], ABID, BLGP */
constexpr u32 mod_half = 1u << 24;				 /* 16-bit result that keeps the register's other half */
constexpr u32 mod_dpp8 = 1u << 25;				 /* mods2: the DPP8 dword */
constexpr u32 mod_fetch_inactive = 1u << 26;			 /* DPP8 reads lanes that are not active */

struct Op {
	ExecFn run;	/* what the loop calls */
	ExecFn kernel;	/* the row's function, when run prepares operands for it */
	const Row *row; /* nullptr: end of a block */
	u64 pc;		/* address of the instruction */
	union {
		u64 k[3]; /* constants of the sources; k[0]: simm16, offset */
		const Op *target;
	};
	u16 dst, sdst; /* VGPR (below 512, AGPRs behind the VGPRs) or SGPR number; sdst: carry, mask */
	u16 src[3];    /* vector sources: VGPR, or scratch_row + row of EngineStore::rows; memory: address, data, data 2 */
	u8 code[3];    /* scalar sources: operand encoding */
	u8 prep;
	u8 length;     /* bytes */
	u8 cost;       /* cycles of the wave */
	StepCode step; /* what it leaves behind when it is executed ahead of its time; None: it must not be */
	bool waits;    /* for a counter of memory instructions */
	bool exact;    /* see Ahead */
	Unit unit;
	u8 busy;   /* cycles of the unit; vector memory knows only when it has happened */
	u16 vgprs; /* registers that the wave must have */
	u8 sgprs;
	u8 flags;
	u32 mods, mods2;
	bool memory; /* s_set_gpr_idx does not apply */
	bool vector; /* s_setvskip applies */
};

/** s_sleep: simm16[6:0], in units of 64 cycles (Vega ISA 12.5). */
constexpr u32 sleep_length(const Op &op) { return op.k[1] & 127; }

/* Rows of EngineStore::rows: made-up operands first, then constants that decoding has found. */
constexpr unsigned row_source(unsigned i) { return 2 * i; }
constexpr unsigned row_result = 6;
constexpr unsigned row_keep = 10; /* destination's old value while modifiers are applied */
constexpr unsigned row_constants = 14;
constexpr unsigned row_count = 64;
constexpr u16 scratch_row = 512; /* added to a row number in Op::src, Op::dst */

struct Variant;

struct Block {
	u64 tag; /* see find_block(); 0: empty */
	const Op *first;
};

struct EngineStore {
	static constexpr unsigned ops_max = 6144, blocks_max = 2048;

	alignas(64) VgprRow rows[row_count];
	alignas(64) VgprRow mask; /* mask[lane] = all ones where mask_exec has the lane's bit */
	u64 mask_exec;
	u64 address[lanes];
	u8 *host[8][lanes];  /* of a memory instruction under way: 4 elements, 4 second parts over a page end */
	u8 head[4][lanes];   /* bytes of the first part where there are two */
	u64 line[lanes * 8]; /* cache lines of the memory instruction under way, neighbours once */
	u32 lines;
	u32 matrix[2][lanes * 16]; /* elements of A and B of the matrix product under way */
	u64 generation;		   /* counts flushes */
	u32 used, constants;
	u32 fills; /* how many entries of filled count */
	u32 constant_value[row_count];
	u16 filled[ops_max]; /* blocks that are not empty, so that a flush need not touch the others; each has an op of its own */
	Block blocks[blocks_max];
	const Variant *variant; /* chosen at the first run */
	Isa isa;		/* of the chip, and on GFX10 of the wave's size; None counts as GFX9 */
	u16 accum_offset;	/* of the wave whose code is being decoded (Wave::accum_offset) */
	Op indexed;		/* copy with VGPR numbers shifted by s_set_gpr_idx */
	Op ops[ops_max];	/* the last member: those below used are valid, the others never read */
};

/** Execution units of one instruction set extension of the host (exec/): the same functions compiled again. */
struct Variant {
	const ExecFn *rows[static_cast<unsigned>(Format::Count)];
	ExecFn prepared;   /* makes up sources, calls op->kernel, applies output modifiers */
	ExecFn splatted;   /* the same with scalar sources only */
	ExecFn privileged; /* op->kernel if privileged, else nothing */
	ExecFn block_end;  /* goes on at op->pc */
	ExecFn illegal;
	StopInfo (*run)(EngineContext &, Wave &, u32, u64);
	StopInfo (*issue)(EngineContext &, Wave &, Ahead &, bool, u32);
};

/** The n-th best variant that this host can run, nullptr behind the last; the best is taken unless a test chooses. */
const Variant *engine_variant(unsigned n);

/**
 * decode() - one instruction at code, size readable bytes.
 * Return: its length; 0 if illegal; more than size if it goes on beyond.
 */
unsigned decode(EngineStore &store, const Variant &variant, const u32 *code, unsigned size, u64 pc, Op *op);

/** Find or decode the run of instructions at pc; nullptr: *why tells. */
const Op *find_block(EngineContext &context, const Variant &variant, const Wave &wave, u64 pc, StopInfo *why);

} // namespace silicon

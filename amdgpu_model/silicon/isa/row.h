// SPDX-License-Identifier: MIT
/*
 * row.h - what one line of a .def file of rows/ says about an instruction.
 *
 *	ROW(opcode, name, "signature", cost | traits | spelling | arithmetic, meaning)
 *
 * A signature reads results_sources, a letter each:
 *	u i f   32 bits: unsigned, signed, float		U I d   the same with 64 bits (two registers)
 *	w s h   16 bits: unsigned, signed, half			m       a bit a lane (VCC or an SGPR pair)
 *	c       the result is SCC				z       behind a result: SCC = result is not 0
 *	x       behind a mask of lanes: it goes to EXEC as well (on GFX10 to EXEC alone)
 *	S l     a scalar register, a scalar source of a vector instruction		k       a constant of the encoding
 *	b e     32 and 16 bits that a float may be: neg and abs apply, nothing else looks at them
 *	1..8 g G so many registers (g: 16, G: 32)		a       the address register of DS
 *	p q     packed halves (p: as they come, q: of a row on halves)	Q       four registers	F  a pair of floats
 * The meaning is an expression over the sources a, b, c. ROW_LANE is for meanings that only work on one lane at a time, ROW_WIDE for
 * unsigned integers of 64 bits whose meaning works on vectors of lanes as well, ROW_FN names a function for instructions that do not
 * fit a pattern (branches, messages, lane swaps).
 *
 * The rows are Vega's and those of all other sets together. rows/gfx*.def say what a set does not have of them, or has otherwise:
 *
 *	ABSENT(format, first, last)		it does not have the rows of these opcodes
 *	RENAMED(format, opcode, name)		it calls the row of the opcode so
 *	MOVED(format, opcode, row)		it has the row of the format at this opcode
 *	FROM(format, opcode, home, row, name)	the same with a row of another format, or under another name
 *
 * The same rows make the decoder's tables (tables.cc), the disassembler and the execution units (exec/).
 */
#pragma once

#include "isa.h"

namespace silicon {

enum class Format : u8 { SOP2, SOPK, SOP1, SOPC, SOPP, SMEM, VOP2, VOP1, VOPC, VOP3, VOP3P, DS, FLAT, MUBUF, MTBUF, Count };

struct Signature {
	char result = 0;
	bool mask_out = false; /* second result: carry, flag a lane */
	bool scc_nonzero = false;
	bool narrows_exec = false;
	u8 sources = 0;
	char source[3] = {};
};

constexpr Signature signature(const char *text)
{
	Signature s;
	for (; *text != '_'; text++) {
		if (*text == '-')
			continue;
		else if (*text == 'z')
			s.scc_nonzero = true;
		else if (*text == 'x')
			s.narrows_exec = true;
		else if (s.result && *text == 'm')
			s.mask_out = true;
		else
			s.result = *text;
	}
	const char *first = ++text;
	for (; *text; text++) {
		if (*text == '-') /* a place without an operand; no source at all when it is the last */
			continue;
		s.sources = static_cast<u8>(text - first + 1);
		s.source[text - first] = *text;
	}
	return s;
}

/** Registers that an operand of this type takes. */
constexpr unsigned width_of(char type)
{
	switch (type) {
	case 0:
	case 'c':
	case 'k': return 0;
	case 'U':
	case 'I':
	case 'd':
	case 'F':
	case 'm':
	case '2': return 2;
	case '3': return 3;
	case '4':
	case 'Q': return 4;
	case '8': return 8;
	case 'g': return 16;
	case 'G': return 32;
	default: return 1;
	}
}

/** An operand of a vector instruction that is a VGPR, or may be one as a source: no lane mask, no scalar register. */
constexpr bool is_vgpr(char type) { return width_of(type) && type != 'm' && type != 'S' && type != 'l'; }

/** A memory instruction that takes data and gives some back. */
constexpr bool is_atomic(const Signature &sig) { return width_of(sig.result) && sig.sources; }

/** neg and abs apply to a source of this type. */
constexpr bool has_sign(char type) { return type == 'f' || type == 'd' || type == 'h' || type == 'b' || type == 'e'; }

/** Half of a register: op_sel says which. */
constexpr bool is_half(char type) { return type == 'h' || type == 'w' || type == 's' || type == 'e'; }

/**
 * Issue cycles of a wave64 on Vega 20's 16-lane SIMDs (Vega 7nm ISA chapter 1; AMD's published rates: double precision
 * half rate, 32-bit integer multiply and transcendental quarter rate).
 *
 * The two lowest bits say what may not be executed ahead of its time (wave/ahead.h): what sees or changes more than registers, what happens
 * at an exact time; and what waits for a counter of memory instructions. The highest bit: it sleeps.
 */
constexpr u8 cost_shown = 1, cost_waits = 2, cost_exact = 3, cost_sleeps = 128, cost_bits = cost_exact | cost_sleeps;
// clang-format off
enum Cost : u8 {
	salu = 4, full = 4, half = 8, quarter = 16, eighth = 32, jump = 8,
	memory = 4 | cost_shown, shown = 4 | cost_shown, exact = 4 | cost_exact, wait = 4 | cost_waits,
	nap = 4 | cost_sleeps
};
// clang-format on

/**
 * What sets an instruction apart from others of its format and signature. The decoder, the disassembler and the execution units ask
 * for traits, never for an opcode or a name.
 */
enum class Trait : u32 {
	none = 0,
	ends_block = 1u << 0, /* the instruction behind it is not the next one: decoding stops here */
	literal_a = 1u << 1,  /* source a is always the literal behind the instruction, and so on */
	literal_b = 1u << 2,
	literal_c = 1u << 3,
	accumulates = 1u << 4, /* the last source is the destination's old value, which the encoding does not name */
	short_only = 1u << 5,  /* there is no VOP3 encoding of it */
	swaps = 1u << 6,       /* writes source a too, which must be a VGPR */
	float_class = 1u << 7, /* asks what kind of float source a is: its type is an integer, yet neg and abs apply */
	clears_half = 1u << 8, /* a VOP3 row whose 16-bit result clears the other half of the register */
	matrix = 1u << 9,      /* encoded as VOP3P-MAI */
	reads_agpr = 1u << 10, /* moves between VGPRs and accumulation registers */
	writes_agpr = 1u << 11,
	gds = 1u << 12,		 /* DS: the GDS bit must be set; in all others it must be clear */
	to_lds = 1u << 13,	 /* MUBUF: the LDS bit may be set, which sends the data to LDS */
	lane_address = 1u << 14, /* the address is the number of the lane */
	float_sum = 1u << 15,	 /* atomic sum of singles or halves: global memory only, and GFX908 does not return the old value */
	mixed = 1u << 16,	 /* VOP3P: each source is a single or a half, as op_sel_hi says; abs stands where neg_hi does */
	saturates = 1u << 17,	 /* integers: CLAMP limits the exact result to what the type holds, unsigned or signed */
	saturates_signed = 1u << 18,
	flushes_denormals = 1u << 19, /* in every mode (LLVM: "do not support denormals") */
	saves_exec = 1u << 20,	      /* writes EXEC, and SCC by what EXEC has become */
	source_part = 1u << 21,	      /* SDWA: chooses a part of the source only; the result is whole, and may be two registers */
	byte_result = 1u << 22,	      /* VOP3: op_sel's two upper bits choose the byte that is written */
	sparse = 1u << 23,	      /* matrix: half of A is zero, source c says which, and the destination's old value is added */
	has_scope = 1u << 24,	      /* cache control whose SC bits say how far it reaches (GFX942) */
};
using enum Trait;

constexpr Trait operator|(Trait a, Trait b) { return static_cast<Trait>(static_cast<u32>(a) | static_cast<u32>(b)); }
constexpr bool any_of(Trait set, Trait asked) { return static_cast<u32>(set) & static_cast<u32>(asked); }

/** How the disassembler prints an operand that is not a register: the constant of SOPK, SOPP and SOPC, offsets of SMEM and DS. */
enum class Spelling : u8 {
	usual, /* decimal up to 64, else hexadecimal; SOPK always hexadecimal */
	shows_hex,
	shows_nonzero,	    /* decimal, nothing for 0 */
	shows_distance,	    /* of a branch: decimal */
	shows_register,	    /* hwreg(...) */
	shows_waits,	    /* vmcnt(...) and so on */
	shows_message,	    /* sendmsg(...) */
	shows_index_mode,   /* gpr_idx(...) */
	shows_dependencies, /* depctr_...(...) */
	shows_address,	    /* SMEM without data: the address (two registers) or the descriptor (four) all the same */
	shows_descriptor,
	shows_swizzle,	      /* DS: the pattern of the swizzle */
	shows_two_offsets,    /* DS: offset0 and offset1 */
	shows_whole_exponent, /* v_ldexp_f16: source b is printed as a dword in the long form */
	no_suffix,	      /* vector instructions without _e32, _e64, _sdwa, _dpp behind the name */
};
using enum Spelling;

/**
 * What a vector instruction on floats computes, for the exceptions that it raises (exec/exceptions.cc). Legacy products, whose rules
 * are their own, count as other. Comparisons are not listed: a row whose result is a mask is one.
 */
enum class Arithmetic : u8 {
	other,
	adds,
	subtracts,
	subtracts_reversed,
	multiplies,
	multiplies_and_adds, /* with a rounding in between */
	fuses,		     /* without */
	makes_float,
	makes_integer,
	takes_root,
	takes_reciprocal_root,
	takes_reciprocal,
	takes_integer_reciprocal, /* for a division of integers, as which its exception counts */
	chooses,		  /* one of its sources */
};
using enum Arithmetic;

/** A row's cost and what is joined to it by |. */
struct Facts {
	u8 cost;
	Spelling spelling = usual;
	Arithmetic arithmetic = other;
	Trait traits = none;

	constexpr Facts(u8 cycles) : cost(cycles) {}
	constexpr bool has(Trait asked) const { return any_of(traits, asked); }
};

constexpr Facts operator|(Facts facts, Trait trait)
{
	facts.traits = facts.traits | trait;
	return facts;
}

constexpr Facts operator|(Facts facts, Spelling spelling)
{
	facts.spelling = spelling;
	return facts;
}

constexpr Facts operator|(Facts facts, Arithmetic arithmetic)
{
	facts.arithmetic = arithmetic;
	return facts;
}

/** A matrix product takes so many passes of four cycles. */
constexpr Facts passes(unsigned n) { return Facts(static_cast<u8>(n * 4)) | matrix; }

struct Row {
	u16 opcode = 0;
	u8 cost = 0;
	Spelling spelling = usual;
	Arithmetic arithmetic = other;
	Trait traits = none;
	const char *name = nullptr;
	Signature sig;

	constexpr Row() = default;
	constexpr Row(u16 code, const char *text, Signature signature, Facts facts)
		: opcode(code), cost(facts.cost), spelling(facts.spelling), arithmetic(facts.arithmetic), traits(facts.traits), name(text),
		  sig(signature)
	{
	}
	constexpr bool has(Trait asked) const { return any_of(traits, asked); }
};

/** Added to the opcodes of rows that only GFX10, or only GFX942, has, so that they do not meet those of the other sets. */
constexpr u16 rows_of_gfx10 = 0x400, rows_of_gfx942 = 0x800, rows_of_one_set = 0x400;

/** A row's place: the same in all sets and in the execution units' tables. */
struct RowPlace {
	Format format;
	u16 index;
};

/** Rows of a format, ordered by opcode, as one instruction set has them. */
struct RowTable {
	const Row *rows;
	u16 count;
	const u16 *by_opcode; /* opcode -> place, 0: no such instruction in this set */
	u16 opcodes;

	static constexpr u16 place(Format format, unsigned index)
	{
		return static_cast<u16>(static_cast<unsigned>(format) << 12 | (index + 1));
	}
	static constexpr RowPlace place(u16 word) { return {static_cast<Format>(word >> 12), static_cast<u16>((word & 0xfff) - 1)}; }
};

const RowTable &row_table(Isa isa, Format format);

/** The row of an opcode, nullptr if there is none; *place gets where it stands. */
const Row *find_row(Isa isa, Format format, unsigned opcode, RowPlace *place);

/** VOP3 has long forms of the short vector formats: which one, and the opcode there. */
struct LongCode {
	Format format;
	unsigned opcode;
};
LongCode long_code(Isa isa, unsigned opcode);

} // namespace silicon

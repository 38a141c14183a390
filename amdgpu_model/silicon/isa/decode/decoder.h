// SPDX-License-Identifier: MIT
/*
 * decoder.h - what the functions that decode one format each share: the instruction under way, and its operands.
 *
 * A function returns false, and has marked the instruction as illegal, if the manual does not define an operand or a register does
 * not exist. The numbers of the registers are summed up in Op::vgprs and Op::sgprs for the check at run time.
 */
#pragma once

#include "../fields.h"
#include "../store.h"

namespace silicon::decoding {

struct Decoder {
	EngineStore &store;
	const Variant &variant;
	const u32 *code;
	unsigned words; /* readable */
	Op *op;
	unsigned used = 1; /* words that the instruction takes */
	Format home{};	   /* format whose table has the row */
	bool literal = false;
	bool bad = false;

	bool gfx8() const { return store.isa == Isa::Gfx8; }
	bool gfx10() const { return is_gfx10(store.isa); }
	/** Type of a mask of lanes, as scalar_source() has it. */
	char mask_type() const { return store.isa == Isa::Gfx10Wave32 ? 'u' : 'U'; }
	bool gfx90a() const { return has_one_file(store.isa); } /* or later */
	bool gfx942() const { return store.isa == Isa::Gfx942; }

	bool fail()
	{
		bad = true;
		return false;
	}
	/** Word i; asks for more if the page ends before it. */
	u32 word(unsigned i)
	{
		used = max(used, i + 1);
		return i < words ? code[i] : 0;
	}
	void set_row(RowPlace place, const Row *row)
	{
		op->kernel = variant.rows[static_cast<unsigned>(place.format)][place.index];
		home = place.format;
		op->run = op->kernel;
		op->row = row;
	}
};

/** The row of an opcode, nullptr if the set has no such instruction. */
const Row *row_at(Decoder &d, Format format, unsigned opcode);

/** The row of the instruction under way. */
inline const Row *row_of(Decoder &d, Format format)
{
	return row_at(d, format, opcode_of(d.store.isa, format, d.code[0], format == Format::MTBUF ? d.word(1) : 0));
}

/* ---- Registers ---- */

/** GFX90A: groups start at even numbers. */
inline bool misaligned(const Decoder &d, unsigned n, unsigned width) { return d.gfx90a() && width > 1 && n % 2; }

inline bool vgpr(Decoder &d, unsigned n, unsigned width)
{
	const unsigned end = d.store.accum_offset ? d.store.accum_offset : 256; /* behind them are the AGPRs */

	if (n + width > end || misaligned(d, n, width))
		return d.fail();
	d.op->vgprs = max<u16>(d.op->vgprs, n + width);
	return true;
}

/** Accumulation register n, whose number in the wave's registers goes to a field of the Op. */
bool agpr(Decoder &d, u16 *field, unsigned n, unsigned width);

/** Data of a memory instruction: the register whose number the field holds, by the ACC bit an accumulation register. */
bool data_register(Decoder &d, u16 *field, unsigned width, bool acc);

/** An SGPR operand of width registers, read or written. Groups are aligned to 2 or 4 (Vega ISA 3.4.2). */
bool sgpr(Decoder &d, unsigned n, unsigned width, bool written);

/** The number of an SGPR that is written: GFX10's null register becomes one that no instruction can read. */
inline u16 written(const Decoder &d, unsigned n) { return static_cast<u16>(n == sgpr_null && d.gfx10() ? sgpr_discarded : n); }

/* ---- Sources ---- */

/** Value of a constant operand; false if the code does not stand for a constant. */
bool constant(Decoder &d, unsigned code, char type, u64 *value);

/** A source that is an SGPR, a special value or a constant, into op->code[i] and op->k[i]. */
bool scalar_source(Decoder &d, unsigned i, unsigned code, char type);

/** A 9-bit source of a vector instruction: a VGPR from 256 on; else a scalar, of which each lane gets a copy. */
bool vector_source(Decoder &d, unsigned i, unsigned code, char type);

/* ---- Formats: w is the first word ---- */

void decode_sop2(Decoder &d, u32 w);
void decode_sopk(Decoder &d, u32 w);
void decode_sop1(Decoder &d, u32 w);
void decode_sopc(Decoder &d, u32 w);
void decode_sopp(Decoder &d, u32 w);
void decode_smem(Decoder &d, u32 w);
void decode_vop2(Decoder &d, u32 w);
void decode_vop1(Decoder &d, u32 w);
void decode_vopc(Decoder &d, u32 w);
void decode_vop3(Decoder &d, u32 w);
void decode_vop3p(Decoder &d, u32 w);
void decode_ds(Decoder &d, u32 w);
void decode_flat(Decoder &d, u32 w);
void decode_mubuf(Decoder &d, u32 w);
void decode_mtbuf(Decoder &d, u32 w);

} // namespace silicon::decoding

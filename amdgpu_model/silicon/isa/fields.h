// SPDX-License-Identifier: MIT
/*
 * fields.h - where the fields of each format stand, and the codes of sources, for the decoder and the disassembler alike (Vega ISA
 * chapter 13 and its table of source operands in chapter 3; RDNA 2 ISA chapter 13; CDNA1 and CDNA2 ISA).
 *
 * A format that generations encode alike but for the opcode has no struct here: SOP2, SOPK, SOP1, SOPC, SOPP, VOP2, VOP1, VOPC.
 */
#pragma once

#include "row.h"

namespace silicon {

/* ---- Sources: registers below 128, VGPRs from 256 on ---- */

constexpr unsigned source_zero_integer = 128, source_last_positive = 192, source_last_integer = 208; /* 0 to 64, then -1 to -16 */
constexpr unsigned source_first_float = 240, source_last_float = 248;
constexpr unsigned source_literal = 255; /* the word behind the instruction */
constexpr unsigned source_vgpr0 = 256;

/* Of source 0 in the short formats: the next word says more. */
constexpr unsigned source_dpp8 = 233, source_dpp8_inactive = 234, source_sdwa = 249, source_dpp = 250;

constexpr bool is_inline_integer(unsigned code) { return code >= source_zero_integer && code <= source_last_integer; }
constexpr bool is_inline_float(unsigned code) { return code >= source_first_float && code <= source_last_float; }
constexpr bool is_dpp8(Isa isa, unsigned code) { return is_gfx10(isa) && (code == source_dpp8 || code == source_dpp8_inactive); }
/** An SDWA or DPP word follows, in the short formats; the others have no such source. */
constexpr bool has_second_word(unsigned code) { return code == source_sdwa || code == source_dpp; }

constexpr s32 inline_integer(unsigned code)
{
	return code <= source_last_positive ? static_cast<s32>(code - source_zero_integer) :
					      static_cast<s32>(source_last_positive) - static_cast<s32>(code);
}

/* 0.5 -0.5 1 -1 2 -2 4 -4 1/(2 pi), as half, single, double */
constexpr unsigned inline_floats = 9;
constexpr u16 inline_halves[inline_floats] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
constexpr u32 inline_singles[inline_floats] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
					       0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
constexpr u64 inline_doubles[inline_floats] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
					       0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
					       0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

/* ---- Opcodes ---- */

/** w1 is looked at for MTBUF of GFX10 alone. VOP3: long_code() says what it means. */
static constexpr unsigned opcode_of(Isa isa, Format format, u32 w, u32 w1)
{
	struct Field {
		u8 high, low;
	};
	constexpr Field fields[] = {
		{29, 23}, {27, 23}, {15, 8},  {22, 16}, {22, 16}, /* SOP2, SOPK, SOP1, SOPC, SOPP */
		{25, 18},					  /* SMEM */
		{30, 25}, {16, 9},  {24, 17}, {25, 16}, {22, 16}, /* VOP2, VOP1, VOPC, VOP3, VOP3P */
		{24, 17}, {24, 18}, {24, 18}, {18, 15},		  /* DS, FLAT, MUBUF, MTBUF */
	};
	static_assert(sizeof(fields) / sizeof(fields[0]) == static_cast<unsigned>(Format::Count));
	const Field field = fields[static_cast<unsigned>(format)];

	if (is_gfx10(isa) && format == Format::DS)
		return bits(w, 25, 18);
	if (is_gfx10(isa) && format == Format::MTBUF)
		return bits(w, 18, 16) | bits(w1, 21, 21) << 3;
	return bits(w, field.high, field.low);
}

/* ---- Formats of two words ---- */

constexpr s32 sign_extend(u32 value, unsigned width) { return static_cast<s32>(value << (32 - width)) >> (32 - width); }

struct SmemFields {
	unsigned base, data; /* SGPRs */
	bool glc, dlc;
	bool constant; /* there is an offset that is a constant */
	bool scalar;   /* one in an SGPR (GFX9's SOFFSET_EN: beside the constant) */
	s32 offset;
	unsigned soffset;

	constexpr SmemFields(Isa isa, u32 w, u32 w1)
		: base(bits(w, 5, 0) * 2), data(bits(w, 12, 6)), glc(bit(w, 16)), dlc(is_gfx10(isa) && bit(w, 14)),
		  constant(is_gfx10(isa) || bit(w, 17)), scalar(is_gfx10(isa) || !bit(w, 17) || (isa != Isa::Gfx8 && bit(w, 14))),
		  offset(isa == Isa::Gfx8 ? static_cast<s32>(bits(w1, 19, 0)) : sign_extend(w1, 21)),
		  soffset(is_gfx10(isa) || (isa != Isa::Gfx8 && bit(w, 14)) ? bits(w1, 31, 25) : bits(w1, 6, 0))
	{
	}
};

struct DsFields {
	unsigned offset; /* of two: offset1 in the upper byte */
	unsigned address, data[2], result;
	bool gds, acc;

	constexpr DsFields(Isa isa, u32 w, u32 w1)
		: offset(bits(w, 15, 0)), address(bits(w1, 7, 0)), data{bits(w1, 15, 8), bits(w1, 23, 16)}, result(bits(w1, 31, 24)),
		  gds(bit(w, is_gfx10(isa) ? 17 : 16)), acc(has_one_file(isa) && bit(w, 25))
	{
	}
	/** The register of source i: the address is not always the first one. */
	constexpr unsigned source(unsigned i) const { return i ? data[i - 1] : address; }
};

enum class Segment : u8 { Flat, Scratch, Global, None };

struct FlatFields {
	Segment segment;
	unsigned address, data, result, saddr;
	s32 offset;		 /* signed but for flat addresses (Vega ISA 9.1); a bit less on GFX10 */
	bool glc, slc, dlc, acc; /* GFX942 calls the first two SC0 and NT */
	bool sc1;
	bool lane_offset; /* scratch: the lane's register takes part in the address; before GFX942 it does if saddr does not */

	constexpr FlatFields(Isa isa, u32 w, u32 w1)
		: segment(static_cast<Segment>(bits(w, 15, 14))), address(bits(w1, 7, 0)), data(bits(w1, 15, 8)), result(bits(w1, 31, 24)),
		  saddr(bits(w1, 22, 16)), offset(offset_of(w, is_gfx10(isa) ? 12 : 13)), glc(bit(w, 16)), slc(bit(w, 17)),
		  dlc(is_gfx10(isa) && bit(w, 12)), acc(has_one_file(isa) && bit(w1, 23)), sc1(isa == Isa::Gfx942 && bit(w, 25)),
		  lane_offset(isa == Isa::Gfx942 ? bit(w, 13) : saddr == 0x7f)
	{
	}

private:
	constexpr s32 offset_of(u32 w, unsigned width) const
	{
		return segment != Segment::Flat ? sign_extend(w, width) : static_cast<s32>(bits(w, width - 2, 0));
	}
};

/** MUBUF and MTBUF. */
struct BufferFields {
	unsigned offset;
	bool offen, idxen, glc, slc, dlc; /* GFX942: SC0 and NT */
	bool sc1;
	bool lds; /* MUBUF */
	bool acc; /* GFX90A; before: TFE, of partially resident textures */
	unsigned address, data, resource, soffset;
	unsigned format; /* MTBUF: DFMT and NFMT, or GFX10's FORMAT */

	constexpr BufferFields(Isa isa, Format which, u32 w, u32 w1)
		: offset(bits(w, 11, 0)), offen(bit(w, 12)), idxen(bit(w, 13)), glc(bit(w, 14)),
		  slc(which == Format::MTBUF || is_gfx10(isa) ? bit(w1, 22) : bit(w, 17)), dlc(is_gfx10(isa) && bit(w, 15)),
		  sc1(isa == Isa::Gfx942 && (which == Format::MTBUF ? bit(w1, 21) : bit(w, 15))), lds(which == Format::MUBUF && bit(w, 16)),
		  acc(bit(w1, 23)), address(bits(w1, 7, 0)), data(bits(w1, 15, 8)), resource(bits(w1, 20, 16) * 4),
		  soffset(bits(w1, 31, 24)), format(bits(w, 25, 19))
	{
	}
};

/** VOP3A, VOP3B, VOP3P and VOP3P-MAI; what a bit means is the format's and the row's. */
struct Vop3Fields {
	unsigned result;
	unsigned sdst;	 /* VOP3B */
	unsigned abs;	 /* VOP3P: neg_hi; MAI: CBSZ */
	unsigned op_sel; /* MAI: ABID */
	bool clamp;	 /* MAI: result and addend are AGPRs */
	unsigned source[3];
	unsigned omod;	    /* VOP3P: op_sel_hi of the first two; MAI: which of these are AGPRs */
	unsigned neg;	    /* MAI: BLGP */
	unsigned op_sel_hi; /* VOP3P */

	constexpr Vop3Fields(u32 w, u32 w1)
		: result(bits(w, 7, 0)), sdst(bits(w, 14, 8)), abs(bits(w, 10, 8)), op_sel(bits(w, 14, 11)), clamp(bit(w, 15)),
		  source{bits(w1, 8, 0), bits(w1, 17, 9), bits(w1, 26, 18)}, omod(bits(w1, 28, 27)), neg(bits(w1, 31, 29)),
		  op_sel_hi(omod | bits(w, 14, 14) << 2)
	{
	}
};

/* ---- The word behind a short form ---- */

struct SdwaFields {
	unsigned source0; /* its code */
	bool scalar1;
	bool neg[2], abs[2], sext[2];
	unsigned select[2];
	/* comparisons */
	bool has_sdst;
	unsigned sdst;
	/* all others */
	unsigned result_select, unused, omod;
	bool clamp;

	constexpr explicit SdwaFields(u32 w)
		: source0(bits(w, 7, 0) + (bit(w, 23) ? 0 : source_vgpr0)), scalar1(bit(w, 31)), neg{bit(w, 20), bit(w, 28)},
		  abs{bit(w, 21), bit(w, 29)}, sext{bit(w, 19), bit(w, 27)}, select{bits(w, 18, 16), bits(w, 26, 24)}, has_sdst(bit(w, 15)),
		  sdst(bits(w, 14, 8)), result_select(bits(w, 10, 8)), unused(bits(w, 12, 11)), omod(bits(w, 15, 14)), clamp(bit(w, 13))
	{
	}
};

struct DppFields {
	unsigned source0; /* its code: a VGPR */
	unsigned control, row_mask, bank_mask;
	bool neg[2], abs[2];
	bool fetch_inactive, bound_control;

	constexpr explicit DppFields(u32 w)
		: source0(bits(w, 7, 0) + source_vgpr0), control(bits(w, 16, 8)), row_mask(bits(w, 31, 28)), bank_mask(bits(w, 27, 24)),
		  neg{bit(w, 20), bit(w, 22)}, abs{bit(w, 21), bit(w, 23)}, fetch_inactive(bit(w, 18)), bound_control(bit(w, 19))
	{
	}
};

} // namespace silicon

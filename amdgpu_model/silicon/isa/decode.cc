// SPDX-License-Identifier: MIT
/*
 * decode.cc - from the words of an instruction to an Op (Vega ISA chapter 13 "Microcode formats").
 *
 * One function a format. Anything that the manual does not define, and any register number that does not exist, makes
 * the whole instruction illegal; register numbers are summed up in Op::vgprs and Op::sgprs for the run-time check.
 */
#include "store.h"

namespace silicon {

namespace {

struct Decoder {
	EngineStore &store;
	const Variant &variant;
	const u32 *code;
	unsigned words;		/* readable */
	Op *op;
	unsigned used = 1;	/* words that the instruction takes */
	Format home{};		/* table that the row stands in */
	bool literal = false;
	bool bad = false;
	bool vector = false;	/* constants need a row */

	bool gfx8() const { return store.isa == Isa::Gfx8; }
	bool gfx10() const { return is_gfx10(store.isa); }
	/** Type of a mask of lanes, as scalar_source() has it. */
	char mask_type() const { return store.isa == Isa::Gfx10Wave32 ? 'u' : 'U'; }
	bool gfx90a() const { return store.isa == Isa::Gfx90a; }

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

/* ---- Registers ---- */

/** GFX90A: groups start at even numbers. */
bool misaligned(const Decoder &d, unsigned n, unsigned width) { return d.gfx90a() && width > 1 && n % 2; }

bool vgpr(Decoder &d, unsigned n, unsigned width)
{
	const unsigned end = d.store.accum_offset ? d.store.accum_offset : 256;	/* behind them are the AGPRs */

	if (n + width > end || misaligned(d, n, width))
		return d.fail();
	d.op->vgprs = max<u16>(d.op->vgprs, n + width);
	return true;
}

/** Accumulation register n into a field of the Op. */
bool agpr(Decoder &d, u16 *field, unsigned n, unsigned width)
{
	if (!d.store.accum_offset || n + width > 256 || misaligned(d, n, width))
		return d.fail();
	*field = d.store.accum_offset + n;
	d.op->vgprs = max<u16>(d.op->vgprs, *field + width);
	return true;
}

/** A register for data of a memory instruction, whose number the field holds: by the ACC bit an AGPR. */
bool data_register(Decoder &d, u16 *field, unsigned width, bool acc)
{
	return acc ? agpr(d, field, *field, width) : vgpr(d, *field, width);
}

/** An SGPR operand of width registers, read or written. Groups are aligned to 2 or 4 (Vega ISA 3.4.2). */
bool sgpr(Decoder &d, unsigned n, unsigned width, bool written)
{
	const unsigned align = width >= 4 ? 4 : width;

	const unsigned general = d.gfx10() ? sgpr_vcc : sgpr_flat_scratch;

	if (n == sgpr_null && d.gfx10())
		return width <= 2 || d.fail();
	if (n >= 128 || n % align || n == sgpr_null || (n == 124 && width > 1))
		return d.fail();
	if (n < general) {
		if (n + width > general)
			return d.fail();
		d.op->sgprs = max<u8>(d.op->sgprs, n + width);
	} else if (n < sgpr_ttmp0) {
		if (n + width > sgpr_ttmp0)
			return d.fail();
	} else if (n < sgpr_m0) {
		if (n + width > sgpr_m0)
			return d.fail();
		if (written)
			d.op->flags |= op_privileged;
	}
	return true;
}

/* ---- Constants ---- */

constexpr u64 inline_float(unsigned code, char type)
{
	/* 0.5 -0.5 1 -1 2 -2 4 -4 1/(2 pi), as half, single, double (Vega ISA table of source operands) */
	constexpr u16 half[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
	constexpr u32 single[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
				  0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
	constexpr u64 twice[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
				 0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
				 0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};
	const unsigned i = code - 240;

	if (is_half(type) || type == 'p')
		return half[i];
	return width_of(type) == 2 && type != 'F' ? twice[i] : single[i];
}

/** Value of a constant operand; false if code names none. */
bool constant(Decoder &d, unsigned code, char type, u64 *value)
{
	if (code >= 128 && code <= 192) {
		*value = code - 128;
	} else if (code >= 193 && code <= 208) {
		*value = static_cast<u64>(s64{192} - s64{code});
	} else if (code >= 240 && code <= 248) {
		*value = inline_float(code, type);
	} else if (code == 255) {
		/* One literal an instruction, directly behind it; doubles take it as their upper half. */
		const u32 literal = d.word(d.literal ? d.used - 1 : d.used);

		d.literal = true;
		*value = type == 'd' ? u64{literal} << 32 : type == 'I' ? static_cast<u64>(s64{static_cast<s32>(literal)}) : literal;
	} else {
		return false;
	}
	if (type == 'F')	/* only the lower one of a pair */
		*value = static_cast<u32>(*value);
	return true;
}

bool same_constant(const EngineStore &s, unsigned row, u64 value, unsigned width)
{
	return s.constant_value[row] == static_cast<u32>(value) &&
	       (width == 1 || s.constant_value[row + 1] == static_cast<u32>(value >> 32));
}

/** Row (or two) that holds value in every lane; 0: no room. */
unsigned constant_row(EngineStore &s, u64 value, unsigned width)
{
	const unsigned end = row_constants + s.constants;

	for (unsigned row = row_constants; row + width <= end; row++)
		if (same_constant(s, row, value, width))
			return row;
	if (end + width > row_count)
		return 0;
	for (unsigned i = 0; i < width; i++) {
		const u32 word = static_cast<u32>(value >> 32 * i);

		s.constant_value[end + i] = word;
		for (unsigned lane = 0; lane < lanes; lane++)
			s.rows[end + i][lane] = word;
	}
	s.constants += width;
	return end;
}

/* ---- Operands ---- */

/** A source that is an SGPR, a special value or a constant, into op->code[i] and op->k[i]. */
bool scalar_source(Decoder &d, unsigned i, unsigned code, char type)
{
	Op &op = *d.op;

	if (code == sgpr_null && d.gfx10()) {
		op.code[i] = code_constant;
		op.k[i] = 0;
		return true;
	}
	if (code < 128) {
		op.code[i] = code;
		return sgpr(d, code, width_of(type), false);
	}
	if ((code >= 235 && code <= 239) || (code >= 251 && code <= 253)) {
		op.code[i] = code;
		return code > 239 || !d.gfx8() || d.fail();	/* apertures are values since GFX9 */
	}
	op.code[i] = code_constant;
	return constant(d, code, type, &op.k[i]) || d.fail();
}

/** A 9-bit vector source: VGPR from 256, else scalar (which becomes a row of copies). */
bool vector_source(Decoder &d, unsigned i, unsigned code, char type)
{
	Op &op = *d.op;

	if (type == 'm' || type == 'l') {
		if (code >= 256)
			return d.fail();
		return scalar_source(d, i, code, type == 'm' ? d.mask_type() : 'u');
	}
	if (code >= 256) {
		op.src[i] = code - 256;
		return vgpr(d, code - 256, width_of(type));
	}
	if (width_of(type) > 2 || !scalar_source(d, i, code, type))
		return d.fail();
	const unsigned row = op.code[i] == code_constant ? constant_row(d.store, op.k[i], width_of(type)) : 0;
	op.src[i] = scratch_row + (row ? row : row_source(i));
	if (!row)
		op.prep |= prep_source(i);
	return true;
}

/* ---- Scalar formats ---- */

const Row *row_of(Decoder &d, Format format, unsigned opcode)
{
	RowPlace place;
	const Row *row = find_row(d.store.isa, format, opcode, &place);

	if (!row)
		d.fail();
	else
		d.set_row(place, row);
	return row;
}

/** What is written to the null register goes where nobody reads. */
u16 written(const Decoder &d, unsigned n) { return static_cast<u16>(n == sgpr_null && d.gfx10() ? sgpr_discarded : n); }

bool scalar_result(Decoder &d, unsigned n, const Signature &sig)
{
	d.op->dst = written(d, n);
	return !width_of(sig.result) || sgpr(d, n, width_of(sig.result), true);
}

bool scalar_sources(Decoder &d, const Signature &sig, unsigned code0, unsigned code1)
{
	const unsigned code[2] = {code0, code1};

	for (unsigned i = 0; i < sig.sources; i++) {
		if (sig.source[i] == 'k')
			d.op->k[i] = code[i];
		else if (sig.source[i] && !scalar_source(d, i, code[i], sig.source[i]))
			return false;
	}
	return true;
}

void decode_sop2(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::SOP2, bits(w, 29, 23));

	if (row && scalar_sources(d, row->sig, bits(w, 7, 0), bits(w, 15, 8)))
		scalar_result(d, bits(w, 22, 16), row->sig);
}

void decode_sopk(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPK, bits(w, 27, 23));
	Op &op = *d.op;

	if (!row)
		return;
	const unsigned n = bits(w, 22, 16);

	op.code[1] = code_constant;
	op.k[1] = static_cast<u64>(s64{static_cast<s16>(w)});
	const char type = row->sig.sources ? row->sig.source[0] : 0;
	if (width_of(type))
		scalar_source(d, 0, n, type);
	scalar_result(d, n, row->sig);
	if (row->has(literal_a)) {
		op.code[0] = code_constant;
		op.k[0] = d.word(1);
	}
}

void decode_sop1(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::SOP1, bits(w, 15, 8));

	if (row && scalar_sources(d, row->sig, bits(w, 7, 0), 0))
		scalar_result(d, bits(w, 22, 16), row->sig);
}

void decode_sopc(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPC, bits(w, 22, 16));

	if (row)
		scalar_sources(d, row->sig, bits(w, 7, 0), bits(w, 15, 8));
}

void decode_sopp(Decoder &d, u32 w)
{
	row_of(d, Format::SOPP, bits(w, 22, 16));
	/* k[0] is free for a branch to remember its target; the constant is in k[1]. */
	d.op->k[1] = static_cast<u64>(s64{static_cast<s16>(w)});
	d.op->target = nullptr;
}

void decode_sop(Decoder &d, u32 w)
{
	const unsigned opcode = bits(w, 29, 23);

	if (opcode == 0x7f)
		decode_sopp(d, w);
	else if (opcode == 0x7e)
		decode_sopc(d, w);
	else if (opcode == 0x7d)
		decode_sop1(d, w);
	else if (bits(w, 29, 28) == 3)
		decode_sopk(d, w);
	else
		decode_sop2(d, w);
	if (d.op->flags & op_privileged)
		d.op->run = d.variant.privileged;
}

void decode_smem(Decoder &d, u32 w)
{
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, Format::SMEM, bits(w, 25, 18));
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	const Signature &sig = row->sig;
	op.src[0] = bits(w, 5, 0) * 2;
	op.dst = bits(w, 12, 6);
	op.k[0] = 0;
	op.code[1] = code_constant;
	op.k[1] = 0;
	if (bit(w, 16))
		op.flags |= op_glc;
	if (sig.sources && width_of(sig.source[0]) && d.gfx10()) {
		sgpr(d, op.src[0], width_of(sig.source[0]), false);
		op.k[0] = static_cast<u64>(s64{static_cast<s32>(w1 << 11) >> 11});
		scalar_source(d, 1, bits(w1, 31, 25), 'u');
	} else if (sig.sources && width_of(sig.source[0])) {
		sgpr(d, op.src[0], width_of(sig.source[0]), false);
		/* imm: 21-bit signed offset; else an SGPR in the offset field; soe adds one beside the constant. GFX8: 20 bits, no soe */
		if (bit(w, 17) && d.gfx8())
			op.k[0] = bits(w1, 19, 0);
		else if (bit(w, 17))
			op.k[0] = static_cast<u64>(s64{static_cast<s32>(w1 << 11) >> 11});
		if ((bit(w, 14) && !d.gfx8()) || !bit(w, 17))
			scalar_source(d, 1, bit(w, 14) && !d.gfx8() ? bits(w1, 31, 25) : bits(w1, 6, 0), 'u');
	}
	const unsigned data = max(width_of(sig.result), sig.sources > 1 ? width_of(sig.source[1]) : 0);
	if (data && sgpr(d, op.dst, data, width_of(sig.result)) && (op.flags & op_privileged))
		op.run = d.variant.privileged;
	op.dst = written(d, op.dst);
}

/* ---- Vector ALU formats ---- */

bool vector_result(Decoder &d, const Signature &sig, unsigned n)
{
	Op &op = *d.op;

	op.dst = n;
	if (sig.result == 'S') {
		op.dst = written(d, n);
		if (!sgpr(d, n, 1, true))
			return false;
		if (op.flags & op_privileged)
			return d.fail();
		return true;
	}
	return vgpr(d, n, width_of(sig.result));
}

/** Mask result of the long forms; TTMPs cannot be one outside the trap handler, so they are refused. */
bool mask_result(Decoder &d, unsigned n)
{
	d.op->sdst = written(d, n);
	return sgpr(d, n, width_of(d.mask_type()), true) && (!(d.op->flags & op_privileged) || d.fail());
}

void finish_vector(Decoder &d)
{
	Op &op = *d.op;

	if (op.mods) {
		op.prep |= prep_modifiers;
		op.run = d.variant.prepared;
	} else if (op.prep) {
		op.run = d.variant.splatted;
	}
}

/** 16-bit results leave the register's other half alone: on GFX10 all, on GFX9 its own VOP3 rows; older rows clear it. */
void keep_half(Decoder &d, const Signature &sig, bool own_row)
{
	const bool half = sig.result == 'h' || sig.result == 'w' || sig.result == 's';

	if (half && (own_row || d.gfx10()))
		d.op->mods |= mod_half;
}

/** v_mac, v_fmac: the third source is the destination. */
void accumulate(Decoder &d, const Row &row)
{
	if (row.has(accumulates))
		d.op->src[2] = d.op->dst;
}

constexpr u32 float_sources(const Signature &sig)
{
	u32 mask = 0;

	for (unsigned i = 0; i < sig.sources; i++)
		if (has_sign(sig.source[i]))
			mask |= 1u << i;
	return mask;
}

/** Sub-dword addressing: src0 is 249, the selectors follow in the next word (Vega ISA 6.?, SDWA). */
bool sdwa(Decoder &d, const Signature &sig, bool compare)
{
	const u32 w = d.word(1);
	Op &op = *d.op;

	if (sig.sources == 0 || (width_of(sig.result) == 2 && sig.result != 'm'))
		return d.fail();
	op.mods |= mod_sdwa | (bit(w, 20) ? mod_neg(0) : 0) | (bit(w, 21) ? mod_abs(0) : 0) | (bit(w, 28) ? mod_neg(1) : 0) |
		   (bit(w, 29) ? mod_abs(1) : 0) | (bit(w, 19) ? mod_sext(0) : 0) | (bit(w, 27) ? mod_sext(1) : 0);
	op.mods2 = w;
	if (bits(w, 18, 16) == 7 || bits(w, 26, 24) == 7)
		return d.fail();
	/* Scalar sources, omod and a mask elsewhere than in VCC are GFX9's. */
	if (d.gfx8() && (bit(w, 23) || bit(w, 31) || (compare ? bit(w, 15) : bits(w, 15, 14))))
		return d.fail();
	if (compare) {
		if (bit(w, 15) && !mask_result(d, bits(w, 14, 8)))
			return false;
	} else {
		if (bits(w, 10, 8) == 7 || bits(w, 12, 11) == 3)
			return d.fail();
		op.mods |= bits(w, 15, 14) << mod_omod_shift | (bit(w, 13) ? mod_clamp : 0);
	}
	return vector_source(d, 0, bits(w, 7, 0) + (bit(w, 23) ? 0 : 256), sig.source[0]);
}

bool dpp(Decoder &d, const Signature &sig)
{
	const u32 w = d.word(1);
	const unsigned control = bits(w, 16, 8);
	Op &op = *d.op;

	const bool row_newbcast = d.gfx90a() && control >= 0x150 && control <= 0x15f;
	if (sig.sources == 0 || (width_of(sig.source[0]) != 1 && !(row_newbcast && width_of(sig.source[0]) == 2)))
		return d.fail();
	const bool row_step = control > 0x100 && control < 0x130 && control & 15;
	const bool whole_wave = !d.gfx10() && control >= 0x130 && control <= 0x13c && !(control & 3);
	const bool mirror = control >= 0x140 && control <= (d.gfx10() ? 0x141u : 0x143u);
	const bool share = d.gfx10() && control >= 0x150 && control <= 0x16f;
	if (control > 0xff && !row_step && !whole_wave && !mirror && !share && !row_newbcast)
		return d.fail();
	op.mods |= mod_dpp | (bit(w, 20) ? mod_neg(0) : 0) | (bit(w, 21) ? mod_abs(0) : 0) | (bit(w, 22) ? mod_neg(1) : 0) |
		   (bit(w, 23) ? mod_abs(1) : 0);
	op.mods2 = w;
	return vector_source(d, 0, bits(w, 7, 0) + 256, sig.source[0]);
}

/** GFX10: lanes of groups of eight, three bits each. */
bool dpp8(Decoder &d, const Signature &sig, bool fetch_inactive)
{
	const u32 w = d.word(1);

	if (sig.sources == 0 || width_of(sig.source[0]) != 1)
		return d.fail();
	d.op->mods |= mod_dpp8 | (fetch_inactive ? mod_fetch_inactive : 0);
	d.op->mods2 = w;
	return vector_source(d, 0, bits(w, 7, 0) + 256, sig.source[0]);
}

bool source0(Decoder &d, const Signature &sig, unsigned code, bool compare)
{
	if (d.gfx10() && (code == 233 || code == 234))
		return compare ? d.fail() : dpp8(d, sig, code == 234);
	if (code == 249)
		return sdwa(d, sig, compare);
	if (code == 250 && d.gfx10() && compare)
		return d.fail();
	if (code == 250)
		return dpp(d, sig);
	return !sig.sources || vector_source(d, 0, code, sig.source[0]);
}

void decode_vop2(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::VOP2, bits(w, 30, 25));
	Op &op = *d.op;

	if (!row)
		return;
	const Signature &sig = row->sig;
	const unsigned src0 = bits(w, 8, 0), src1 = bits(w, 16, 9) + 256;

	op.sdst = sgpr_vcc;
	op.code[2] = sgpr_vcc;
	if (row->has(literal_b | literal_c)) {
		const unsigned literal = row->has(literal_b) ? 1 : 2, other = 3 - literal;

		if (src0 == 249 || src0 == 250 || (d.gfx10() && (src0 == 233 || src0 == 234)))
			d.fail();
		else if (vector_source(d, 0, src0, sig.source[0]) && vector_source(d, literal, 255, 'u'))
			vector_source(d, other, src1, sig.source[1]);
		vector_result(d, sig, bits(w, 24, 17));
	} else if (source0(d, sig, src0, false) && vector_result(d, sig, bits(w, 24, 17))) {
		const bool scalar = (op.mods & mod_sdwa) && bit(op.mods2, 31);

		vector_source(d, 1, scalar ? src1 - 256 : src1, sig.source[1]);
		accumulate(d, *row);
	}
	keep_half(d, sig, false);
	finish_vector(d);
	if (d.home == Format::VOP3P)	/* the packed rows look themselves which halves they take: low for low, high for high */
		op.mods |= 7u << mod_op_sel_hi_shift;
}

void decode_vop1(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::VOP1, bits(w, 16, 9));

	if (!row)
		return;
	if (row->has(reads_agpr)) {	/* v_accvgpr_mov_b32 */
		agpr(d, &d.op->dst, bits(w, 24, 17), 1);
		agpr(d, &d.op->src[0], bits(w, 7, 0), 1);
		if (!bit(w, 8))
			d.fail();
		return;
	}
	if (source0(d, row->sig, bits(w, 8, 0), false))
		vector_result(d, row->sig, bits(w, 24, 17));
	keep_half(d, row->sig, false);
	finish_vector(d);
	if (row->sig.result == 'S' && d.op->mods)
		d.fail();
	if (row->has(swaps) && (d.op->prep || d.op->src[0] >= scratch_row))
		d.fail();
}

/** v_cmpx of GFX10 writes EXEC alone. */
u16 compare_result(const Decoder &d, const Row &row, unsigned n)
{
	return d.gfx10() && row.sig.narrows_exec ? static_cast<u16>(sgpr_exec) : written(d, n);
}

void decode_vopc(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::VOPC, bits(w, 24, 17));

	if (!row)
		return;
	d.op->sdst = compare_result(d, *row, sgpr_vcc);
	if (source0(d, row->sig, bits(w, 8, 0), true)) {
		const bool scalar = (d.op->mods & mod_sdwa) && bit(d.op->mods2, 31);

		vector_source(d, 1, bits(w, 16, 9) + (scalar ? 0 : 256), row->sig.source[1]);
	}
	finish_vector(d);
}

/** Modifiers of VOP3A; VOP3B has sdst where abs, op_sel and clamp's neighbours are. */
void long_modifiers(Decoder &d, u32 w, u32 w1, const Row &row, bool b)
{
	const Signature &sig = row.sig;
	Op &op = *d.op;
	u32 abs = b ? 0 : bits(w, 10, 8), neg = bits(w1, 31, 29);

	const u32 floats = row.has(float_class) ? 1 : float_sources(sig);

	op.mods = bits(w1, 28, 27) << mod_omod_shift | (bit(w, 15) ? mod_clamp : 0);
	abs &= floats;
	neg &= floats;
	op.mods |= neg * mod_neg(0) | abs * mod_abs(0);
	if (!b)
		op.mods |= bits(w, 14, 11) << mod_op_sel_shift;
}

/** A source of VOP3 and VOP3P: literals since GFX10. */
bool long_source(Decoder &d, unsigned i, unsigned code, char type)
{
	if (code == 249 || code == 250 || (code == 255 && !d.gfx10()))
		return d.fail();
	return vector_source(d, i, code, type);
}

void decode_vop3(Decoder &d, u32 w)
{
	const LongCode place = long_code(d.store.isa, bits(w, 25, 16));
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, place.format, place.opcode);

	if (!row)
		return;
	const Signature &sig = row->sig;
	const unsigned code[3] = {bits(w1, 8, 0), bits(w1, 17, 9), bits(w1, 26, 18)};
	const bool b = sig.mask_out;
	const unsigned encoded = sig.sources - row->has(accumulates);

	if (row->has(short_only | literal_b | literal_c))
		d.fail();

	for (unsigned i = 0; i < encoded; i++)
		if (!long_source(d, i, code[i], sig.source[i])) {
			d.fail();
			return;
		}
	if (sig.result == 'm') {
		mask_result(d, bits(w, 7, 0));
		d.op->sdst = compare_result(d, *row, bits(w, 7, 0));
	} else {
		vector_result(d, sig, bits(w, 7, 0));
		if (b)
			mask_result(d, bits(w, 14, 8));
	}
	accumulate(d, *row);
	long_modifiers(d, w, w1, *row, b);
	if (sig.result == 'm' || sig.result == 'S')
		d.op->mods &= ~(mod_clamp | 3u << mod_omod_shift);
	keep_half(d, sig, d.home == Format::VOP3 && !row->has(clears_half));
	finish_vector(d);
}

/* ---- Matrix products and moves of accumulation registers (CDNA1 ISA, format VOP3P-MAI) ---- */

/** Source i: VGPR, or AGPR by its ACC bit. */
bool matrix_source(Decoder &d, unsigned i, unsigned code, char type, bool acc)
{
	if (code < 256)
		return d.fail();
	d.op->src[i] = code - 256;
	return data_register(d, &d.op->src[i], width_of(type), acc);
}

/** What is added: registers, or one constant for all elements, which op->prep tells. */
bool matrix_addend(Decoder &d, unsigned code, char type, bool acc)
{
	const char element = type == 'd' || type == '8' ? 'd' : 'f';

	if (code >= 256)
		return matrix_source(d, 2, code, type, acc);
	if (code == 249 || code == 250 || code == 255 || !constant(d, code, element, &d.op->k[2]))
		return d.fail();
	d.op->code[2] = code_constant;
	d.op->prep = prep_source(2);
	return true;
}

void decode_mai(Decoder &d, u32 w, const Row *row)
{
	const u32 w1 = d.word(1);
	const unsigned code[3] = {bits(w1, 8, 0), bits(w1, 17, 9), bits(w1, 26, 18)};
	const Signature &sig = row->sig;
	Op &op = *d.op;

	op.dst = bits(w, 7, 0);
	if (row->has(reads_agpr)) {
		matrix_source(d, 0, code[0], 'u', true);
		vgpr(d, op.dst, 1);
	} else if (row->has(writes_agpr)) {
		if (code[0] == 249 || code[0] == 250 || code[0] == 255 || (code[0] < 128 && !d.gfx90a()))
			d.fail();
		else if (vector_source(d, 0, code[0], 'u') && op.prep)
			op.run = d.variant.splatted;
		agpr(d, &op.dst, op.dst, 1);
	} else {
		const bool acc = !d.gfx90a() || bit(w, 15);	/* one bit for result and addend; before GFX90A always AGPRs */

		for (unsigned i = 0; i < 2; i++)
			matrix_source(d, i, code[i], sig.source[i], bit(w1, 27 + i));
		matrix_addend(d, code[2], sig.source[2], acc);
		data_register(d, &op.dst, width_of(sig.result), acc);
		op.mods = bits(w, 10, 8) | bits(w, 14, 11) << matrix_abid_shift | bits(w1, 31, 29) << matrix_blgp_shift;
	}
}

void decode_vop3p(Decoder &d, u32 w)
{
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, Format::VOP3P, bits(w, 22, 16));
	Op &op = *d.op;

	if (!row)
		return;
	if (row->has(matrix)) {
		decode_mai(d, w, row);
		return;
	}
	const unsigned code[3] = {bits(w1, 8, 0), bits(w1, 17, 9), bits(w1, 26, 18)};

	for (unsigned i = 0; i < row->sig.sources; i++)
		if (!long_source(d, i, code[i], row->sig.source[i])) {
			d.fail();
			return;
		}
	vector_result(d, row->sig, bits(w, 7, 0));
	/* The rows look at their modifiers themselves. */
	op.mods = bits(w1, 31, 29) * mod_neg(0) | bits(w, 13, 11) << mod_op_sel_shift | (bit(w, 15) ? mod_clamp : 0) |
		  (bits(w1, 28, 27) | bits(w, 14, 14) << 2) << mod_op_sel_hi_shift | bits(w, 10, 8) << mod_neg_hi_shift;
	if (op.prep)
		op.run = d.variant.splatted;
}

/* ---- Memory formats ---- */

void decode_ds(Decoder &d, u32 w)
{
	const u32 w1 = d.word(1);
	const unsigned opcode = d.gfx10() ? bits(w, 25, 18) : bits(w, 24, 17);
	const Row *row = row_of(d, Format::DS, opcode);
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	const Signature &sig = row->sig;
	op.k[0] = bits(w, 15, 0);
	op.k[1] = opcode;
	op.src[0] = bits(w1, 7, 0);
	op.src[1] = bits(w1, 15, 8);
	op.src[2] = bits(w1, 23, 16);
	op.dst = bits(w1, 31, 24);
	const bool acc = d.gfx90a() && bit(w, 25);
	for (unsigned i = 0; i < sig.sources; i++)
		if (sig.source[i] == 'a')
			vgpr(d, op.src[i], 1);
		else if (width_of(sig.source[i]))
			data_register(d, &op.src[i], width_of(sig.source[i]), acc);
	if (width_of(sig.result))
		data_register(d, &op.dst, width_of(sig.result), acc);
	/* Only GWS instructions and the ordered count reach beyond the workgroup's LDS; no process has any other global share. */
	if (bit(w, d.gfx10() ? 17 : 16) != row->has(gds))
		d.fail();
}

void decode_flat(Decoder &d, u32 w)
{
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, Format::FLAT, bits(w, 24, 18));
	const unsigned segment = bits(w, 15, 14), saddr = bits(w1, 22, 16);
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	const Signature &sig = row->sig;
	if (d.gfx8() && bits(w, 15, 0)) {	/* neither segments nor offsets */
		d.fail();
		return;
	}
	if (segment == 3 || bit(w, 13) || (segment == 1 && is_atomic(sig))) {
		d.fail();
		return;
	}
	op.sdst = segment;
	/* flat: 12-bit unsigned; global, scratch: 13-bit signed (Vega ISA 9.1) */
	if (d.gfx10())	/* 12 bits signed, flat 11 unsigned; bit 12 is DLC */
		op.k[0] = segment ? static_cast<u64>(s64{static_cast<s32>(bits(w, 11, 0) << 20) >> 20}) : bits(w, 10, 0);
	else
		op.k[0] = segment ? static_cast<u64>(s64{static_cast<s32>(bits(w, 12, 0) << 19) >> 19}) : bits(w, 11, 0);
	op.flags |= (bit(w, 16) ? op_glc : 0) | (bit(w, 17) ? op_slc : 0);
	op.src[0] = bits(w1, 7, 0);
	op.src[1] = bits(w1, 15, 8);
	op.dst = bits(w1, 31, 24);
	if (row->has(lane_address)) {
		if (segment != 2)
			d.fail();
		op.flags |= op_saddr;
		op.code[0] = code_zero;
		if (saddr != 0x7f && saddr != sgpr_null)
			scalar_source(d, 0, saddr, 'U');
	} else if (segment == 1 && d.gfx10() && saddr == 0x7f) {	/* the offset alone */
		op.flags |= op_saddr;
		op.code[0] = code_zero;
	} else if (segment && saddr != 0x7f && !(d.gfx10() && saddr == sgpr_null)) {
		op.flags |= op_saddr;
		scalar_source(d, 0, saddr, segment == 2 ? 'U' : 'u');
		if (saddr >= 128 || saddr == 125)
			d.fail();
	}
	if (segment != 1 && !row->has(lane_address))
		vgpr(d, op.src[0], op.flags & op_saddr ? 1 : 2);
	else if (!(op.flags & op_saddr))
		vgpr(d, op.src[0], 1);
	const bool acc = d.gfx90a() && bit(w1, 23);
	if (sig.sources && width_of(sig.source[0]))
		data_register(d, &op.src[1], width_of(sig.source[0]), acc);
	if (width_of(sig.result) && (!is_atomic(sig) || (op.flags & op_glc)))
		data_register(d, &op.dst, width_of(sig.result), acc);
	/* Atomic sums of singles and halves: global memory only; before GFX90A without the old value. */
	if (row->has(float_sum) && (segment != 2 || (!d.gfx90a() && (op.flags & op_glc))))
		d.fail();
}

/** What MUBUF and MTBUF share: the address, the descriptor, the data registers. */
void buffer_operands(Decoder &d, u32 w, const Signature &sig)
{
	const u32 w1 = d.word(1);
	Op &op = *d.op;

	op.k[0] = bits(w, 11, 0);
	op.flags |= (bit(w, 12) ? op_offen : 0) | (bit(w, 13) ? op_idxen : 0) | (bit(w, 14) ? op_glc : 0);
	if (bit(w1, 23) && !d.gfx90a())	/* TFE: partially resident textures, not of compute programs */
		d.fail();
	op.src[0] = bits(w1, 7, 0);
	op.src[1] = bits(w1, 15, 8);
	op.sdst = bits(w1, 20, 16) * 4;
	sgpr(d, op.sdst, 4, false);
	scalar_source(d, 1, bits(w1, 31, 24), 'u');
	if (op.flags & (op_offen | op_idxen))
		vgpr(d, op.src[0], (op.flags & op_offen) && (op.flags & op_idxen) ? 2 : 1);
	if (!(op.flags & op_lds))
		data_register(d, &op.src[1], max(width_of(sig.result), sig.sources ? width_of(sig.source[0]) : 0), bit(w1, 23));
	op.dst = op.src[1];
}

void decode_mubuf(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::MUBUF, bits(w, 24, 18));
	Op &op = *d.op;

	op.memory = true;
	d.word(1);
	if (!row || !(width_of(row->sig.result) || row->sig.sources))	/* cache control */
		return;
	if (row->has(float_sum) && !d.gfx90a() && bit(w, 14))
		d.fail();
	op.flags |= (bit(w, 16) ? op_lds : 0) | (bit(d.gfx10() ? d.word(1) : w, d.gfx10() ? 22 : 17) ? op_slc : 0);
	if (bit(w, 16) && !row->has(to_lds))
		d.fail();
	buffer_operands(d, w, row->sig);
}

void decode_mtbuf(Decoder &d, u32 w)
{
	const u32 opcode = d.gfx10() ? bits(w, 18, 16) | bits(d.word(1), 21, 21) << 3 : bits(w, 18, 15);
	const Row *row = row_of(d, Format::MTBUF, opcode);
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	op.flags |= bit(d.word(1), 22) ? op_slc : 0;
	buffer_operands(d, w, row->sig);
	op.mods = bits(w, 25, 19) | 0x80;	/* DFMT, NFMT, or GFX10's FORMAT; never 0, which means the descriptor's format */
}

void decode_word(Decoder &d, u32 w)
{
	const unsigned top6 = w >> 26;

	if (!(w >> 31)) {
		if (w >> 25 == 0x3e)
			return decode_vopc(d, w);
		return w >> 25 == 0x3f ? decode_vop1(d, w) : decode_vop2(d, w);
	}
	if (w >> 30 == 2)
		return decode_sop(d, w);
	if (w >> 23 == (d.gfx10() ? 0x198 : 0x1a7))
		return decode_vop3p(d, w);
	if (top6 == (d.gfx10() ? 0x3d : 0x30))
		return decode_smem(d, w);
	if (top6 == (d.gfx10() ? 0x35 : 0x34))
		return decode_vop3(d, w);
	switch (top6) {
	case 0x36:
		return decode_ds(d, w);
	case 0x37:
		return decode_flat(d, w);
	case 0x38:
		return decode_mubuf(d, w);
	case 0x3a:
		return decode_mtbuf(d, w);
	default:
		d.fail();
	}
}

Unit unit_of(Format format, bool jumps)
{
	switch (format) {
	case Format::SOPP:
		return jumps ? Unit::Branch : Unit::Internal;
	case Format::SOP1:
	case Format::SOP2:
	case Format::SOPC:
	case Format::SOPK:
		return jumps ? Unit::Branch : Unit::Scalar;
	case Format::SMEM:
		return Unit::Scalar;
	case Format::DS:
		return Unit::Lds;
	case Format::FLAT:
	case Format::MUBUF:
	case Format::MTBUF:
		return Unit::Vmem;
	default:
		return Unit::Valu;
	}
}

/** The LDS moves 128 bytes a cycle: a dword of 64 lanes in two. */
unsigned lds_cycles(const Signature &sig)
{
	unsigned dwords = width_of(sig.result);

	for (char type : sig.source)
		dwords = max(dwords, type == 'a' ? 0 : width_of(type));
	return max(dwords, 1u) * 2;
}

/** What the instruction costs, and whom. */
void take_costs(Op &op, Format format)
{
	const u8 how = op.row->cost & cost_bits;

	op.cost = op.row->cost & static_cast<u8>(~cost_bits);
	op.waits = how == cost_waits;
	op.exact = how == cost_exact;
	op.unit = op.waits ? Unit::Internal : unit_of(format, op.cost == jump);
	op.step = how & cost_shown   ? StepCode::None :
		  op.waits	     ? StepCode::Internal4 :
		  how == cost_sleeps ? sleep_step(sleep_length(op)) :
				       step_for(op.unit, op.cost);
	op.busy = static_cast<u8>(op.unit == Unit::Lds ? lds_cycles(op.row->sig) : op.step != StepCode::None ? cost_of(op.step).busy : op.cost);
}

} // namespace

unsigned decode(EngineStore &store, const Variant &variant, const u32 *code, unsigned size, u64 pc, Op *op)
{
	__builtin_memset(op, 0, sizeof(*op));
	op->pc = pc;
	Decoder d{store, variant, code, size / 4, op};
	decode_word(d, code[0]);
	op->vector = code[0] >> 30 != 2 && code[0] >> 26 != 0x30;	/* of GFX8 and GFX9 */
	op->length = d.used * 4;
	if (op->row)
		take_costs(*op, d.home);
	/* Words behind the end count as zeros: what they make of the instruction says nothing. */
	if ((d.bad || !op->kernel) && d.used * 4 <= size)
		return 0;
	return op->length;
}

} // namespace silicon

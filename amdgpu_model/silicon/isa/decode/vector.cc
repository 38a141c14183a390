// SPDX-License-Identifier: MIT
/* vector.cc - decodes the short formats of vector instructions, VOP2, VOP1 and VOPC, with SDWA and DPP (Vega ISA 13.3). */
#include "vector.h"

namespace silicon::decoding {

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

void keep_half(Decoder &d, const Signature &sig, bool own_row)
{
	const bool half = sig.result == 'h' || sig.result == 'w' || sig.result == 's';

	if (half && (own_row || d.gfx10()))
		d.op->mods |= mod_half;
}

void accumulate(Decoder &d, const Row &row)
{
	if (row.has(accumulates))
		d.op->src[2] = d.op->dst;
}

u16 compare_result(const Decoder &d, const Row &row, unsigned n)
{
	return d.gfx10() && row.sig.narrows_exec ? static_cast<u16>(sgpr_exec) : written(d, n);
}

namespace {

/** Sub-dword addressing: src0 is 249, the selectors follow in the next word (Vega ISA chapter 13, "SDWA"). */
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

/** A VGPR, or by an SDWA bit a scalar source. */
bool source1(Decoder &d, const Signature &sig, unsigned code)
{
	const bool scalar = (d.op->mods & mod_sdwa) && bit(d.op->mods2, 31);

	return vector_source(d, 1, scalar ? code : code + 256, sig.source[1]);
}

} // namespace

void decode_vop2(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::VOP2, bits(w, 30, 25));
	Op &op = *d.op;

	if (!row)
		return;
	const Signature &sig = row->sig;
	const unsigned src0 = bits(w, 8, 0), src1 = bits(w, 16, 9);

	op.sdst = sgpr_vcc;
	op.code[2] = sgpr_vcc;
	if (row->has(literal_b | literal_c)) {
		const unsigned literal = row->has(literal_b) ? 1 : 2, other = 3 - literal;

		if (src0 == 249 || src0 == 250 || (d.gfx10() && (src0 == 233 || src0 == 234)))
			d.fail();
		else if (vector_source(d, 0, src0, sig.source[0]) && vector_source(d, literal, 255, 'u'))
			vector_source(d, other, src1 + 256, sig.source[1]);
		vector_result(d, sig, bits(w, 24, 17));
	} else if (source0(d, sig, src0, false) && vector_result(d, sig, bits(w, 24, 17))) {
		source1(d, sig, src1);
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

void decode_vopc(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::VOPC, bits(w, 24, 17));

	if (!row)
		return;
	d.op->sdst = compare_result(d, *row, sgpr_vcc);
	if (source0(d, row->sig, bits(w, 8, 0), true))
		source1(d, row->sig, bits(w, 16, 9));
	finish_vector(d);
}

} // namespace silicon::decoding

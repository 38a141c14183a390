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

/** neg and abs of both sources, as SDWA and DPP have them. */
template <class Fields> u32 source_modifiers(const Fields &fields)
{
	u32 mods = 0;

	for (unsigned i = 0; i < 2; i++)
		mods |= (fields.neg[i] ? mod_neg(i) : 0) | (fields.abs[i] ? mod_abs(i) : 0);
	return mods;
}

/** Sub-dword addressing: the selectors follow in the next word (Vega ISA chapter 13, "SDWA"). */
bool sdwa(Decoder &d, const Signature &sig, bool compare)
{
	const u32 w = d.word(1);
	const SdwaFields fields(w);
	Op &op = *d.op;

	if (sig.sources == 0 || (width_of(sig.result) == 2 && sig.result != 'm' && !op.row->has(source_part)) ||
	    width_of(sig.source[0]) > 1)
		return d.fail();
	op.mods |= mod_sdwa | source_modifiers(fields) | (fields.sext[0] ? mod_sext(0) : 0) | (fields.sext[1] ? mod_sext(1) : 0);
	op.mods2 = w;
	if (fields.select[0] == 7 || fields.select[1] == 7)
		return d.fail();
	/* Scalar sources, omod and a mask elsewhere than in VCC are GFX9's. */
	if (d.gfx8() && (fields.source0 < source_vgpr0 || fields.scalar1 || (compare ? fields.has_sdst : fields.omod)))
		return d.fail();
	if (compare) {
		if (fields.has_sdst && !mask_result(d, fields.sdst))
			return false;
	} else {
		if (fields.result_select == 7 || fields.unused == 3)
			return d.fail();
		op.mods |= fields.omod << mod_omod_shift | (fields.clamp ? mod_clamp : 0);
	}
	return vector_source(d, 0, fields.source0, sig.source[0]);
}

/** Whether the instruction set has the way in which DPP takes values from other lanes. */
bool dpp_control_exists(const Decoder &d, unsigned control)
{
	const bool row_step = control > 0x100 && control < 0x130 && control & 15;
	const bool whole_wave = !d.gfx10() && control >= 0x130 && control <= 0x13c && !(control & 3);
	const bool mirror = control >= 0x140 && control <= (d.gfx10() ? 0x141u : 0x143u);
	const bool share = d.gfx10() && control >= 0x150 && control <= 0x16f;

	return control <= 0xff || row_step || whole_wave || mirror || share || (d.gfx90a() && control >= 0x150 && control <= 0x15f);
}

bool dpp(Decoder &d, const Signature &sig)
{
	const u32 w = d.word(1);
	const DppFields fields(w);
	const bool row_newbcast = d.gfx90a() && fields.control >= 0x150 && fields.control <= 0x15f;

	if (sig.sources == 0 || (width_of(sig.source[0]) != 1 && !(row_newbcast && width_of(sig.source[0]) == 2)))
		return d.fail();
	if (!dpp_control_exists(d, fields.control))
		return d.fail();
	d.op->mods |= mod_dpp | source_modifiers(fields);
	d.op->mods2 = w;
	return vector_source(d, 0, fields.source0, sig.source[0]);
}

/** GFX10: lanes of groups of eight, three bits each. */
bool dpp8(Decoder &d, const Signature &sig, bool fetch_inactive)
{
	const u32 w = d.word(1);

	if (sig.sources == 0 || width_of(sig.source[0]) != 1)
		return d.fail();
	d.op->mods |= mod_dpp8 | (fetch_inactive ? mod_fetch_inactive : 0);
	d.op->mods2 = w;
	return vector_source(d, 0, DppFields(w).source0, sig.source[0]);
}

bool source0(Decoder &d, const Signature &sig, unsigned code, bool compare)
{
	if (is_dpp8(d.store.isa, code))
		return compare ? d.fail() : dpp8(d, sig, code == source_dpp8_inactive);
	if (code == source_sdwa)
		return sdwa(d, sig, compare);
	if (code == source_dpp && d.gfx10() && compare)
		return d.fail();
	if (code == source_dpp)
		return dpp(d, sig);
	return !sig.sources || vector_source(d, 0, code, sig.source[0]);
}

/** A VGPR, or by an SDWA bit a scalar source. */
bool source1(Decoder &d, const Signature &sig, unsigned code)
{
	const bool scalar = (d.op->mods & mod_sdwa) && SdwaFields(d.op->mods2).scalar1;

	return vector_source(d, 1, scalar ? code : code + source_vgpr0, sig.source[1]);
}

} // namespace

void decode_vop2(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::VOP2);
	Op &op = *d.op;

	if (!row)
		return;
	const Signature &sig = row->sig;
	const unsigned src0 = bits(w, 8, 0), src1 = bits(w, 16, 9);

	op.sdst = sgpr_vcc;
	op.code[2] = sgpr_vcc;
	if (row->has(literal_b | literal_c)) {
		const unsigned literal = row->has(literal_b) ? 1 : 2, other = 3 - literal;

		if (has_second_word(src0) || is_dpp8(d.store.isa, src0))
			d.fail();
		else if (vector_source(d, 0, src0, sig.source[0]) && vector_source(d, literal, source_literal, 'u'))
			vector_source(d, other, src1 + source_vgpr0, sig.source[1]);
		vector_result(d, sig, bits(w, 24, 17));
	} else if (source0(d, sig, src0, false) && vector_result(d, sig, bits(w, 24, 17))) {
		source1(d, sig, src1);
		accumulate(d, *row);
	}
	keep_half(d, sig, false);
	finish_vector(d);
	if (d.home == Format::VOP3P) /* the packed rows look themselves which halves they take: low for low, high for high */
		op.mods |= 7u << mod_op_sel_hi_shift;
}

void decode_vop1(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::VOP1);

	if (!row)
		return;
	if (row->has(reads_agpr)) { /* v_accvgpr_mov_b32 */
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
	const Row *row = row_of(d, Format::VOPC);

	if (!row)
		return;
	d.op->sdst = compare_result(d, *row, sgpr_vcc);
	if (source0(d, row->sig, bits(w, 8, 0), true))
		source1(d, row->sig, bits(w, 16, 9));
	finish_vector(d);
}

} // namespace silicon::decoding

// SPDX-License-Identifier: MIT
/* vop3.cc - decodes the long formats of vector instructions, VOP3A, VOP3B and VOP3P (Vega ISA 13.3), and VOP3P-MAI (CDNA1 ISA). */
#include "vector.h"

namespace silicon::decoding {
namespace {

constexpr u32 float_sources(const Signature &sig)
{
	u32 mask = 0;

	for (unsigned i = 0; i < sig.sources; i++)
		if (has_sign(sig.source[i]))
			mask |= 1u << i;
	return mask;
}

/** Modifiers of VOP3A; VOP3B has sdst where abs, op_sel and clamp's neighbours are. */
void long_modifiers(Decoder &d, const Vop3Fields &fields, const Row &row, bool b)
{
	const u32 floats = row.has(float_class) ? 1 : float_sources(row.sig);

	d.op->mods = fields.omod << mod_omod_shift | (fields.clamp ? mod_clamp : 0) | (fields.neg & floats) * mod_neg(0);
	if (!b)
		d.op->mods |= (fields.abs & floats) * mod_abs(0) | fields.op_sel << mod_op_sel_shift;
}

/** Sources of VOP3 and VOP3P: literals since GFX10. */
bool long_sources(Decoder &d, const Signature &sig, unsigned count, const Vop3Fields &fields)
{
	for (unsigned i = 0; i < count; i++) {
		const unsigned code = fields.source[i];

		if (has_second_word(code) || (code == source_literal && !d.gfx10()))
			return d.fail();
		if (!vector_source(d, i, code, sig.source[i]))
			return d.fail();
	}
	return true;
}

/* ---- Matrix products and moves of accumulation registers (CDNA1 ISA, format VOP3P-MAI) ---- */

/** Source i: VGPR, or AGPR by its ACC bit. */
bool matrix_source(Decoder &d, unsigned i, unsigned code, char type, bool acc)
{
	if (code < source_vgpr0)
		return d.fail();
	d.op->src[i] = code - source_vgpr0;
	return data_register(d, &d.op->src[i], width_of(type), acc);
}

/** Which elements of A are not zero: a VGPR. */
bool matrix_index(Decoder &d, unsigned code) { return matrix_source(d, 2, code, 'u', false); }

/** What is added: registers, or one constant for all elements, which op->prep tells. */
bool matrix_addend(Decoder &d, unsigned code, char type, bool acc)
{
	const char element = type == 'd' || type == '8' ? 'd' : 'f';

	if (code >= source_vgpr0)
		return matrix_source(d, 2, code, type, acc);
	if (has_second_word(code) || code == source_literal || !constant(d, code, element, &d.op->k[2]))
		return d.fail();
	d.op->code[2] = code_constant;
	d.op->prep = prep_source(2);
	return true;
}

/** v_accvgpr_write_b32 */
void decode_agpr_write(Decoder &d, unsigned code, unsigned to)
{
	Op &op = *d.op;

	if (has_second_word(code) || code == source_literal || (code < source_zero_integer && !d.gfx90a()))
		d.fail();
	else if (vector_source(d, 0, code, 'u') && op.prep)
		op.run = d.variant.splatted;
	agpr(d, &op.dst, to, 1);
}

void decode_mai(Decoder &d, const Vop3Fields &fields, const Row *row)
{
	const Signature &sig = row->sig;
	Op &op = *d.op;

	op.dst = fields.result;
	if (row->has(reads_agpr)) {
		matrix_source(d, 0, fields.source[0], 'u', true);
		vgpr(d, op.dst, 1);
	} else if (row->has(writes_agpr)) {
		decode_agpr_write(d, fields.source[0], op.dst);
	} else {
		const bool acc = !d.gfx90a() || fields.clamp; /* one bit for result and addend; before GFX90A always AGPRs */

		for (unsigned i = 0; i < 2; i++)
			matrix_source(d, i, fields.source[i], sig.source[i], fields.omod >> i & 1);
		if (row->has(sparse))
			matrix_index(d, fields.source[2]);
		else
			matrix_addend(d, fields.source[2], sig.source[2], acc);
		data_register(d, &op.dst, width_of(sig.result), acc);
		op.mods = fields.abs | fields.op_sel << matrix_abid_shift;
		if (sig.source[0] != 'd' || d.gfx942()) /* of doubles: which are negated */
			op.mods |= fields.neg << matrix_blgp_shift;
	}
}

} // namespace

void decode_vop3(Decoder &d, u32 w)
{
	const LongCode place = long_code(d.store.isa, opcode_of(d.store.isa, Format::VOP3, w, 0));
	const Vop3Fields fields(w, d.word(1));
	const Row *row = row_at(d, place.format, place.opcode);

	if (!row)
		return;
	const Signature &sig = row->sig;
	const bool b = sig.mask_out;
	const unsigned encoded = sig.sources - row->has(accumulates);

	if (row->has(short_only | literal_b | literal_c))
		d.fail();

	if (!long_sources(d, sig, encoded, fields))
		return;
	if (sig.result == 'm') {
		mask_result(d, fields.result);
		d.op->sdst = compare_result(d, *row, fields.result);
	} else {
		vector_result(d, sig, fields.result);
		if (b)
			mask_result(d, fields.sdst);
	}
	accumulate(d, *row);
	long_modifiers(d, fields, *row, b);
	if (sig.result == 'm' || sig.result == 'S')
		d.op->mods &= ~(mod_clamp | 3u << mod_omod_shift);
	keep_half(d, sig, d.home == Format::VOP3 && !row->has(clears_half));
	finish_vector(d);
}

void decode_vop3p(Decoder &d, u32 w)
{
	const Vop3Fields fields(w, d.word(1));
	const Row *row = row_of(d, Format::VOP3P);
	Op &op = *d.op;

	if (!row)
		return;
	if (row->has(matrix)) {
		decode_mai(d, fields, row);
		return;
	}
	if (!long_sources(d, row->sig, row->sig.sources, fields))
		return;
	vector_result(d, row->sig, fields.result);
	/* The rows look at their modifiers themselves. */
	op.mods = fields.neg * mod_neg(0) | (fields.op_sel & 7) << mod_op_sel_shift | (fields.clamp ? mod_clamp : 0) |
		  fields.op_sel_hi << mod_op_sel_hi_shift | fields.abs << mod_neg_hi_shift;
	if (op.prep)
		op.run = d.variant.splatted;
}

} // namespace silicon::decoding

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

/** The codes of the three sources in the second word. */
struct LongSources {
	unsigned code[3];

	explicit LongSources(u32 w1) : code{bits(w1, 8, 0), bits(w1, 17, 9), bits(w1, 26, 18)} {}
};

/** Sources of VOP3 and VOP3P: literals since GFX10. */
bool long_sources(Decoder &d, const Signature &sig, unsigned count, u32 w1)
{
	const LongSources sources(w1);

	for (unsigned i = 0; i < count; i++) {
		const unsigned code = sources.code[i];

		if (code == 249 || code == 250 || (code == 255 && !d.gfx10()))
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
	const LongSources sources(w1);
	const Signature &sig = row->sig;
	Op &op = *d.op;

	op.dst = bits(w, 7, 0);
	if (row->has(reads_agpr)) {
		matrix_source(d, 0, sources.code[0], 'u', true);
		vgpr(d, op.dst, 1);
	} else if (row->has(writes_agpr)) {
		if (sources.code[0] == 249 || sources.code[0] == 250 || sources.code[0] == 255 || (sources.code[0] < 128 && !d.gfx90a()))
			d.fail();
		else if (vector_source(d, 0, sources.code[0], 'u') && op.prep)
			op.run = d.variant.splatted;
		agpr(d, &op.dst, op.dst, 1);
	} else {
		const bool acc = !d.gfx90a() || bit(w, 15);	/* one bit for result and addend; before GFX90A always AGPRs */

		for (unsigned i = 0; i < 2; i++)
			matrix_source(d, i, sources.code[i], sig.source[i], bit(w1, 27 + i));
		matrix_addend(d, sources.code[2], sig.source[2], acc);
		data_register(d, &op.dst, width_of(sig.result), acc);
		op.mods = bits(w, 10, 8) | bits(w, 14, 11) << matrix_abid_shift | bits(w1, 31, 29) << matrix_blgp_shift;
	}
}

} // namespace

void decode_vop3(Decoder &d, u32 w)
{
	const LongCode place = long_code(d.store.isa, bits(w, 25, 16));
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, place.format, place.opcode);

	if (!row)
		return;
	const Signature &sig = row->sig;
	const bool b = sig.mask_out;
	const unsigned encoded = sig.sources - row->has(accumulates);

	if (row->has(short_only | literal_b | literal_c))
		d.fail();

	if (!long_sources(d, sig, encoded, w1))
		return;
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
	if (!long_sources(d, row->sig, row->sig.sources, w1))
		return;
	vector_result(d, row->sig, bits(w, 7, 0));
	/* The rows look at their modifiers themselves. */
	op.mods = bits(w1, 31, 29) * mod_neg(0) | bits(w, 13, 11) << mod_op_sel_shift | (bit(w, 15) ? mod_clamp : 0) |
		  (bits(w1, 28, 27) | bits(w, 14, 14) << 2) << mod_op_sel_hi_shift | bits(w, 10, 8) << mod_neg_hi_shift;
	if (op.prep)
		op.run = d.variant.splatted;
}

} // namespace silicon::decoding

// SPDX-License-Identifier: MIT
/* vop3.cc - prints the long formats of vector instructions: VOP3A, VOP3B, VOP3P, VOP3P-MAI. */
#include "printer.h"

namespace silicon::printing {

namespace {

void long_results(Dis &d, const Vop3Fields &fields, const Row &row)
{
	const Signature &sig = row.sig;

	if (sig.result == 'm' && exec_alone(d, row))
		return;
	if (sig.result == 'm' || sig.result == 'S')
		sgpr(d, fields.result, sig.result == 'm' ? d.mask_width() : 1);
	else if (sig.result)
		vgpr(d, fields.result, width_of(sig.result));
	if (sig.mask_out)
		sgpr(d, fields.sdst, d.mask_width());
}

void output_modifiers(Dis &d, bool clamp, unsigned omod)
{
	static constexpr const char *names[] = {"", " mul:2", " mul:4", " div:2"};

	if (clamp)
		d.text.put(" clamp");
	d.text.put(names[omod]);
}

/** How a source of a long form prints: masks as wide as the wave, v_ldexp_f16's exponent as a whole dword. */
char long_type(const Dis &d, const Row &row, unsigned i)
{
	if (row.sig.source[i] == 'm')
		return d.mask_width() == 1 ? 'u' : 'U';
	return row.spelling == shows_whole_exponent && i ? 'u' : row.sig.source[i];
}

/** A source of a long form. Bits of neg and abs that do not apply are not shown; LLVM calls neg of a float row's integers sext. */
void long_source(Dis &d, const Row &row, unsigned i, unsigned code, bool neg, bool abs)
{
	const bool float_row = has_sign(row.sig.source[0]), sign = has_sign(row.sig.source[i]) || (!i && row.has(float_class));

	modified(d, code, long_type(d, row, i), neg && sign, abs && sign, neg && float_row && !sign && !row.has(byte_result));
}

} // namespace

bool dis_vop3(Dis &d, u32 w)
{
	const LongCode place = long_code(d.isa, opcode_of(d.isa, Format::VOP3, w, 0));
	d.literal_at = 2;
	const Row *row = row_at(d, place.format, place.opcode);
	const Vop3Fields fields(w, d.word(1));

	if (!row || row->has(short_only | literal_b | literal_c))
		return false;
	const Signature &sig = row->sig;
	const unsigned count = sig.sources - row->has(accumulates);
	d.text.put(row->name).put(place.format == Format::VOP3 || row->spelling == no_suffix ? "" : "_e64");
	if (!sig.sources)
		return true;
	long_results(d, fields, *row);
	for (unsigned i = 0; i < count; i++)
		long_source(d, *row, i, fields.source[i], bit(fields.neg, i), !sig.mask_out && bit(fields.abs, i));
	if (row->has(byte_result) && fields.op_sel)
		d.text.op_sel("op_sel", fields.op_sel, 4, bit(fields.op_sel, 3));
	else if (!sig.mask_out && fields.op_sel)
		d.text.op_sel("op_sel", fields.op_sel, count + 1, bit(fields.op_sel, 3));
	output_modifiers(d, fields.clamp, fields.omod);
	return true;
}

namespace {

/** Matrix products and moves of AGPRs; ACC bits say which file a source is in. */
bool dis_mai(Dis &d, const Vop3Fields &fields, const Row &row)
{
	const bool move = row.has(reads_agpr | writes_agpr);
	const bool acc_result = row.has(writes_agpr) || (!move && (!has_one_file(d.isa) || fields.clamp));

	vgpr(d, fields.result, width_of(row.sig.result), acc_result);
	for (unsigned i = 0; i < row.sig.sources; i++) {
		const unsigned code = fields.source[i];
		const bool acc = move ? row.has(reads_agpr) : i == 2 ? acc_result && !row.has(sparse) : bit(fields.omod, i);

		if (code >= source_vgpr0)
			vgpr(d, code - source_vgpr0, width_of(row.sig.source[i]), acc);
		else
			source(d, code, row.sig.source[i]);
	}
	if (move)
		return true;
	if (fields.abs)
		d.text.put(" cbsz:").decimal(fields.abs);
	if (fields.op_sel)
		d.text.put(" abid:").decimal(fields.op_sel);
	if (fields.neg && row.sig.source[0] == 'd' && d.isa == Isa::Gfx942)
		d.text.op_sel("neg", fields.neg, 3, false);
	else if (fields.neg)
		d.text.put(" blgp:").decimal(fields.neg);
	return true;
}

/** Modifiers that concern both halves: mixed rows have a single source of either kind in their place. */
void packed_modifiers(Dis &d, const Vop3Fields &fields, unsigned count, bool mix)
{
	const u32 all = (1u << count) - 1;

	if (fields.op_sel & all)
		d.text.op_sel("op_sel", fields.op_sel, count, false);
	if ((fields.op_sel_hi & all) != (mix ? 0 : all))
		d.text.op_sel("op_sel_hi", fields.op_sel_hi, count, false);
	if (!mix && (fields.neg & all))
		d.text.op_sel("neg_lo", fields.neg, count, false);
	if (!mix && (fields.abs & all))
		d.text.op_sel("neg_hi", fields.abs, count, false);
}

} // namespace

bool dis_vop3p(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::VOP3P);
	const Vop3Fields fields(w, d.word(1));

	if (!row)
		return false;
	if (row->has(matrix))
		return dis_mai(d, fields, *row);
	d.literal_at = 2;
	const bool mix = row->has(mixed);
	vgpr(d, fields.result, width_of(row->sig.result));
	for (unsigned i = 0; i < row->sig.sources; i++) {
		if (mix)
			modified(d, fields.source[i], 'w', bit(fields.neg, i), bit(fields.abs, i));
		else
			source(d, fields.source[i], row->sig.source[i] == 'F' ? 'F' : 'u'); /* literals are whole */
	}
	packed_modifiers(d, fields, row->sig.sources, mix);
	output_modifiers(d, fields.clamp, 0);
	return true;
}

} // namespace silicon::printing

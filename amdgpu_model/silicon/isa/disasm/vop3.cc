// SPDX-License-Identifier: MIT
/* vop3.cc - prints the long formats of vector instructions: VOP3A, VOP3B, VOP3P, VOP3P-MAI. */
#include "printer.h"

namespace silicon::printing {

namespace {

void long_results(Dis &d, u32 w, const Row &row)
{
	const Signature &sig = row.sig;

	if (sig.result == 'm' && exec_alone(d, row))
		return;
	if (sig.result == 'm' || sig.result == 'S')
		sgpr(d, bits(w, 7, 0), sig.result == 'm' ? d.mask_width() : 1);
	else if (sig.result)
		vgpr(d, bits(w, 7, 0), width_of(sig.result));
	if (sig.mask_out)
		sgpr(d, bits(w, 14, 8), d.mask_width());
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

	modified(d, code, long_type(d, row, i), neg && sign, abs && sign, neg && float_row && !sign);
}

} // namespace

bool dis_vop3(Dis &d, u32 w)
{
	const LongCode place = long_code(d.isa, bits(w, 25, 16));
	d.literal_at = 2;
	const Row *row = find(d, place.format, place.opcode);
	const u32 w1 = d.word(1);

	if (!row || row->has(short_only | literal_b | literal_c))
		return false;
	const Signature &sig = row->sig;
	const unsigned count = sig.sources - row->has(accumulates);
	d.text.put(row->name).put(place.format == Format::VOP3 || row->spelling == no_suffix ? "" : "_e64");
	if (!sig.sources)
		return true;
	long_results(d, w, *row);
	for (unsigned i = 0; i < count; i++)
		long_source(d, *row, i, bits(w1, 8 + 9 * i, 9 * i), bit(w1, 29 + i), !sig.mask_out && bit(w, 8 + i));
	if (!sig.mask_out && bits(w, 14, 11))
		d.text.op_sel("op_sel", bits(w, 14, 11), count + 1, bit(w, 14));
	output_modifiers(d, bit(w, 15), bits(w1, 28, 27));
	return true;
}

namespace {

/** Matrix products and moves of AGPRs; ACC bits say which file a source is in. */
bool dis_mai(Dis &d, u32 w, const Row &row)
{
	const u32 w1 = d.word(1);
	const bool move = row.has(reads_agpr | writes_agpr);
	const bool acc_result = row.has(writes_agpr) || (!move && (d.isa != Isa::Gfx90a || bit(w, 15)));

	vgpr(d, bits(w, 7, 0), width_of(row.sig.result), acc_result);
	for (unsigned i = 0; i < row.sig.sources; i++) {
		const unsigned code = bits(w1, 8 + 9 * i, 9 * i);
		const bool acc = move ? row.has(reads_agpr) : i == 2 ? acc_result : bit(w1, 27 + i);

		if (code >= 256)
			vgpr(d, code - 256, width_of(row.sig.source[i]), acc);
		else
			source(d, code, row.sig.source[i]);
	}
	if (move)
		return true;
	if (bits(w, 10, 8))
		d.text.put(" cbsz:").decimal(bits(w, 10, 8));
	if (bits(w, 14, 11))
		d.text.put(" abid:").decimal(bits(w, 14, 11));
	if (bits(w1, 31, 29))
		d.text.put(" blgp:").decimal(bits(w1, 31, 29));
	return true;
}

} // namespace

bool dis_vop3p(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::VOP3P, bits(w, 22, 16));
	const u32 w1 = d.word(1);

	if (!row)
		return false;
	if (row->has(matrix))
		return dis_mai(d, w, *row);
	d.literal_at = 2;
	const unsigned count = row->sig.sources, mix = row->has(mixed);
	const u32 all = (1u << count) - 1, high = bits(w1, 28, 27) | bits(w, 14, 14) << 2;
	vgpr(d, bits(w, 7, 0), width_of(row->sig.result));
	for (unsigned i = 0; i < count; i++) {
		if (mix)
			modified(d, bits(w1, 8 + 9 * i, 9 * i), 'w', bit(w1, 29 + i), bit(w, 8 + i));
		else
			source(d, bits(w1, 8 + 9 * i, 9 * i), row->sig.source[i] == 'F' ? 'F' : 'u');	/* literals are whole */
	}
	if (bits(w, 13, 11) & all)
		d.text.op_sel("op_sel", bits(w, 13, 11), count, false);
	if ((high & all) != (mix ? 0 : all))
		d.text.op_sel("op_sel_hi", high, count, false);
	if (!mix && (bits(w1, 31, 29) & all))
		d.text.op_sel("neg_lo", bits(w1, 31, 29), count, false);
	if (!mix && (bits(w, 10, 8) & all))
		d.text.op_sel("neg_hi", bits(w, 10, 8), count, false);
	output_modifiers(d, bit(w, 15), 0);
	return true;
}

} // namespace silicon::printing

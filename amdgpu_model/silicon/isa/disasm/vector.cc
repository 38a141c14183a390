// SPDX-License-Identifier: MIT
/* vector.cc - prints the short formats of vector instructions, VOP2, VOP1 and VOPC, with SDWA and DPP. */
#include "printer.h"

namespace silicon::printing {

namespace {

bool is_dpp8(const Dis &d, u32 src0) { return d.gfx10() && (src0 == 233 || src0 == 234); }

const char *short_suffix(const Dis &d, const Row &row, u32 src0)
{
	if (row.spelling == no_suffix)
		return "";
	return src0 == 249 ? "_sdwa" : src0 == 250 || is_dpp8(d, src0) ? "_dpp" : "_e32";
}

/** Source 0 and, with two, source 1 of a short form, which SDWA and DPP replace. */
void short_sources(Dis &d, u32 w, const Signature &sig, unsigned count)
{
	const unsigned code0 = bits(w, 8, 0), code1 = bits(w, 16, 9);

	if (is_dpp8(d, code0)) {
		source(d, bits(d.word(1), 7, 0) + 256, sig.source[0]);
		if (count > 1)
			source(d, code1 + 256, sig.source[1]);
		return;
	}
	if (code0 != 249 && code0 != 250) {
		source(d, code0, d.home == Format::VOP3P ? 'u' : sig.source[0]);
		if (count > 1)
			source(d, code1 + 256, sig.source[1]);
		return;
	}
	const u32 x = d.word(1);
	if (code0 == 249) {
		modified(d, bits(x, 7, 0) + (bit(x, 23) ? 0 : 256), sig.source[0], bit(x, 20), bit(x, 21), bit(x, 19));
		if (count > 1)
			modified(d, code1 + (bit(x, 31) ? 0 : 256), sig.source[1], bit(x, 28), bit(x, 29), bit(x, 27));
	} else {
		modified(d, bits(x, 7, 0) + 256, sig.source[0], bit(x, 20), bit(x, 21));
		if (count > 1)
			modified(d, code1 + 256, sig.source[1], bit(x, 22), bit(x, 23));
	}
}

void short_modifiers(Dis &d, u32 w, unsigned count, bool compare)
{
	if (bits(w, 8, 0) == 249)
		d.text.sdwa(d.word(1), count, compare);
	else if (bits(w, 8, 0) == 250)
		d.text.dpp(d.word(1));
	else if (is_dpp8(d, bits(w, 8, 0)))
		d.text.dpp8(d.word(1) >> 8, bits(w, 8, 0) == 234);
}

} // namespace

bool dis_vop2(Dis &d, u32 w)
{
	const Row *row = find(d, Format::VOP2, bits(w, 30, 25));

	if (!row)
		return false;
	const Signature &sig = row->sig;
	d.text.put(row->name).put(short_suffix(d, *row, bits(w, 8, 0)));
	vgpr(d, bits(w, 24, 17), width_of(sig.result));
	if (sig.mask_out)
		vcc(d);
	if (row->has(literal_b | literal_c)) {
		const bool second = row->has(literal_b);
		const u32 literal = d.word(1) & (sig.result == 'h' && d.gfx10() ? 0xffff : ~0u);

		source(d, bits(w, 8, 0), sig.source[0]);
		if (second)
			d.next().hex(literal);
		vgpr(d, bits(w, 16, 9), 1);
		if (!second)
			d.next().hex(literal);
		return true;
	}
	short_sources(d, w, sig, 2);
	if (sig.sources == 3 && sig.source[2] == 'm')
		vcc(d);
	short_modifiers(d, w, 2, false);
	return true;
}

bool dis_vop1(Dis &d, u32 w)
{
	const Row *row = find(d, Format::VOP1, bits(w, 16, 9));

	if (!row)
		return false;
	d.text.put(row->name).put(short_suffix(d, *row, bits(w, 8, 0)));
	if (!row->sig.sources)
		return true;
	if (row->has(reads_agpr)) {	/* v_accvgpr_mov_b32 */
		vgpr(d, bits(w, 24, 17), 1, true);
		vgpr(d, bits(w, 7, 0), 1, true);
		return bit(w, 8);
	}
	if (row->sig.result == 'S')
		sgpr(d, bits(w, 24, 17), 1);
	else
		vgpr(d, bits(w, 24, 17), width_of(row->sig.result));
	short_sources(d, w, row->sig, 1);
	short_modifiers(d, w, 1, false);
	return true;
}

bool dis_vopc(Dis &d, u32 w)
{
	const Row *row = find(d, Format::VOPC, bits(w, 24, 17));

	if (!row)
		return false;
	d.text.put(row->name).put(short_suffix(d, *row, bits(w, 8, 0)));
	if (exec_alone(d, *row))
		;
	else if (bits(w, 8, 0) == 249 && bit(d.word(1), 15))
		sgpr(d, bits(d.word(1), 14, 8), d.mask_width());
	else
		vcc(d);
	short_sources(d, w, row->sig, 2);
	short_modifiers(d, w, 2, true);
	return true;
}

} // namespace silicon::printing

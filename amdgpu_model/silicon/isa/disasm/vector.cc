// SPDX-License-Identifier: MIT
/* vector.cc - prints the short formats of vector instructions, VOP2, VOP1 and VOPC, with SDWA and DPP. */
#include "printer.h"

namespace silicon::printing {

namespace {

/** Source 0 of the three formats: its code, or that a second word says more. */
unsigned source0(u32 w) { return bits(w, 8, 0); }

const char *short_suffix(const Dis &d, const Row &row, unsigned source0)
{
	if (row.spelling == no_suffix)
		return "";
	return source0 == source_sdwa ? "_sdwa" : source0 == source_dpp || is_dpp8(d.isa, source0) ? "_dpp" : "_e32";
}

/** Source 0 and, with two, source 1 of a short form, which SDWA and DPP replace. */
void short_sources(Dis &d, u32 w, const Signature &sig, unsigned count)
{
	const unsigned code0 = source0(w), code1 = bits(w, 16, 9);

	if (code0 == source_sdwa) {
		const SdwaFields x(d.word(1));

		modified(d, x.source0, sig.source[0], x.neg[0], x.abs[0], x.sext[0]);
		if (count > 1)
			modified(d, code1 + (x.scalar1 ? 0 : source_vgpr0), sig.source[1], x.neg[1], x.abs[1], x.sext[1]);
	} else if (code0 == source_dpp) {
		const DppFields x(d.word(1));

		modified(d, x.source0, sig.source[0], x.neg[0], x.abs[0]);
		if (count > 1)
			modified(d, code1 + source_vgpr0, sig.source[1], x.neg[1], x.abs[1]);
	} else {
		if (is_dpp8(d.isa, code0))
			source(d, DppFields(d.word(1)).source0, sig.source[0]);
		else
			source(d, code0, d.home == Format::VOP3P ? 'u' : sig.source[0]);
		if (count > 1)
			source(d, code1 + source_vgpr0, sig.source[1]);
	}
}

void short_modifiers(Dis &d, u32 w, unsigned count, bool compare, bool part_of_result = true)
{
	if (source0(w) == source_sdwa)
		d.text.sdwa(d.word(1), count, compare, part_of_result);
	else if (source0(w) == source_dpp)
		d.text.dpp(d.word(1));
	else if (is_dpp8(d.isa, source0(w)))
		d.text.dpp8(d.word(1) >> 8, source0(w) == source_dpp8_inactive);
}

} // namespace

bool dis_vop2(Dis &d, u32 w)
{
	const Row *row = find(d, Format::VOP2);

	if (!row)
		return false;
	const Signature &sig = row->sig;
	d.text.put(row->name).put(short_suffix(d, *row, source0(w)));
	vgpr(d, bits(w, 24, 17), width_of(sig.result));
	if (sig.mask_out)
		vcc(d);
	if (row->has(literal_b | literal_c)) {
		const bool second = row->has(literal_b);
		const u32 literal = d.word(1) & (sig.result == 'h' && d.gfx10() ? 0xffff : ~0u);

		source(d, source0(w), sig.source[0]);
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
	const Row *row = find(d, Format::VOP1);

	if (!row)
		return false;
	d.text.put(row->name).put(short_suffix(d, *row, source0(w)));
	if (!row->sig.sources)
		return true;
	if (row->has(reads_agpr)) { /* v_accvgpr_mov_b32 */
		vgpr(d, bits(w, 24, 17), 1, true);
		vgpr(d, bits(w, 7, 0), 1, true);
		return bit(w, 8);
	}
	if (row->sig.result == 'S')
		sgpr(d, bits(w, 24, 17), 1);
	else
		vgpr(d, bits(w, 24, 17), width_of(row->sig.result));
	short_sources(d, w, row->sig, 1);
	short_modifiers(d, w, 1, false, !row->has(source_part));
	return true;
}

bool dis_vopc(Dis &d, u32 w)
{
	const Row *row = find(d, Format::VOPC);

	if (!row)
		return false;
	d.text.put(row->name).put(short_suffix(d, *row, source0(w)));
	if (exec_alone(d, *row))
		;
	else if (source0(w) == source_sdwa && SdwaFields(d.word(1)).has_sdst)
		sgpr(d, SdwaFields(d.word(1)).sdst, d.mask_width());
	else
		vcc(d);
	short_sources(d, w, row->sig, 2);
	short_modifiers(d, w, 2, true);
	return true;
}

} // namespace silicon::printing

// SPDX-License-Identifier: MIT
/* scalar.cc - prints the formats of scalar instructions: SOP2, SOPK, SOP1, SOPC, SOPP, SMEM. */
#include "printer.h"

namespace silicon::printing {

bool dis_sop2(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::SOP2, bits(w, 29, 23));

	if (!row)
		return false;
	if (width_of(row->sig.result))
		sgpr(d, bits(w, 22, 16), width_of(row->sig.result));
	source(d, bits(w, 7, 0), row->sig.source[0]);
	source(d, bits(w, 15, 8), row->sig.source[1]);
	return true;
}

bool dis_sopk(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPK, bits(w, 27, 23));

	if (!row)
		return false;
	const bool register_first = row->spelling == shows_register && !row->sig.result;	/* s_setreg: it is what is written */
	const unsigned width = max(width_of(row->sig.result), width_of(row->sig.source[0]));

	if (register_first)
		d.next().hardware_register(w & 0xffff);
	if (row->has(literal_a))
		d.next().literal(d.word(1));
	else if (width)
		sgpr(d, bits(w, 22, 16), width);
	if (row->spelling == shows_distance)
		d.next().decimal(w & 0xffff);
	else if (row->spelling != shows_register)
		d.next().hex(w & 0xffff);
	else if (!register_first)
		d.next().hardware_register(w & 0xffff);
	return true;
}

bool dis_sop1(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::SOP1, bits(w, 15, 8));

	if (!row)
		return false;
	if (width_of(row->sig.result))
		sgpr(d, bits(w, 22, 16), width_of(row->sig.result));
	if (row->sig.sources)
		source(d, bits(w, 7, 0), row->sig.source[0]);
	return true;
}

bool dis_sopc(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPC, bits(w, 22, 16));

	if (!row)
		return false;
	source(d, bits(w, 7, 0), row->sig.source[0]);
	if (row->spelling == shows_index_mode)
		d.next().index_mode(bits(w, 15, 8));
	else
		source(d, bits(w, 15, 8), row->sig.source[1]);
	return true;
}

bool dis_sopp(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPP, bits(w, 22, 16));
	const u32 imm = w & 0xffff;

	if (!row)
		return false;
	switch (row->spelling) {
	case shows_waits:
		d.next().waits(imm);
		break;
	case shows_message:
		d.next().message(imm);
		break;
	case shows_index_mode:
		d.next().index_mode(imm);
		break;
	case shows_distance:
		d.next().decimal(imm);
		break;
	case shows_nonzero:
		if (imm)
			d.next().decimal(imm);
		break;
	case shows_dependencies:
		d.next().dependencies(imm);
		break;
	case shows_hex:
		d.next().hex(imm);
		break;
	default:
		if (row->sig.sources)
			d.next().small_or_hex(imm);
	}
	return true;
}

namespace {

/** GFX10: an SGPR unless it is null, and a constant. */
void smem_offset(Dis &d, u32 w1)
{
	const unsigned soffset = bits(w1, 31, 25);
	const s32 offset = static_cast<s32>(w1 << 11) >> 11;

	if (soffset != sgpr_null || !offset)	/* neither: null is named */
		source(d, soffset, 'u');
	else
		d.next();
	if (soffset != sgpr_null && offset)
		d.text.put(" offset:");
	if (offset)
		d.text.put(offset < 0 ? "-" : "").hex(static_cast<u32>(offset < 0 ? -offset : offset));
}

} // namespace

bool dis_smem(Dis &d, u32 w)
{
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, Format::SMEM, bits(w, 25, 18));

	if (!row)
		return false;
	const Signature &sig = row->sig;
	const unsigned data = max(width_of(sig.result), sig.sources > 1 ? width_of(sig.source[1]) : 0);
	const unsigned base = row->spelling == shows_descriptor ? 4 : row->spelling == shows_address ? 2 : width_of(sig.source[0]);
	if (sig.source[0] == 'k')
		d.next().decimal(bits(w, 12, 6));
	else if (data)
		sgpr(d, bits(w, 12, 6), data);
	if (!base)
		return true;
	sgpr(d, bits(w, 5, 0) * 2, base);
	if (d.gfx10()) {
		smem_offset(d, w1);
	} else if (d.isa == Isa::Gfx8 && bit(w, 17)) {
		d.next().hex(bits(w1, 19, 0));
	} else if (!bit(w, 17)) {
		source(d, bit(w, 14) ? bits(w1, 31, 25) : bits(w1, 6, 0), 'u');
	} else if (static_cast<s32>(w1 << 11) < 0) {
		d.next().put("-").hex((1u << 21) - bits(w1, 20, 0));
	} else {
		d.next().hex(bits(w1, 20, 0));
	}
	d.text.put(bit(w, 16) ? " glc" : "").put(d.gfx10() && bit(w, 14) ? " dlc" : "");
	return true;
}

} // namespace silicon::printing

// SPDX-License-Identifier: MIT
/* scalar.cc - prints the formats of scalar instructions: SOP2, SOPK, SOP1, SOPC, SOPP, SMEM. */
#include "printer.h"

namespace silicon::printing {

bool dis_sop2(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::SOP2);

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
	const Row *row = row_of(d, Format::SOPK);

	if (!row)
		return false;
	const bool register_first = row->spelling == shows_register && !row->sig.result; /* s_setreg: it is what is written */
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
	const Row *row = row_of(d, Format::SOP1);

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
	const Row *row = row_of(d, Format::SOPC);

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
	const Row *row = row_of(d, Format::SOPP);
	const u32 imm = w & 0xffff;

	if (!row)
		return false;
	switch (row->spelling) {
	case shows_waits: d.next().waits(imm); break;
	case shows_message: d.next().message(imm); break;
	case shows_index_mode: d.next().index_mode(imm); break;
	case shows_distance: d.next().decimal(imm); break;
	case shows_nonzero:
		if (imm)
			d.next().decimal(imm);
		break;
	case shows_dependencies: d.next().dependencies(imm); break;
	case shows_hex: d.next().hex(imm); break;
	default:
		if (row->sig.sources)
			d.next().small_or_hex(imm);
	}
	return true;
}

namespace {

void signed_hex(Text &text, s32 v) { text.put(v < 0 ? "-" : "").hex(static_cast<u32>(v < 0 ? -v : v)); }

void smem_offset(Dis &d, const SmemFields &fields)
{
	if (!d.gfx10()) {
		if (fields.constant)
			signed_hex(d.next(), fields.offset);
		else
			source(d, fields.soffset, 'u');
		return;
	}
	/* An SGPR unless it is null, and a constant unless it is 0; of neither, null is named. */
	const bool scalar = fields.soffset != sgpr_null || !fields.offset;

	if (scalar)
		source(d, fields.soffset, 'u');
	else
		d.next();
	if (scalar && fields.offset)
		d.text.put(" offset:");
	if (fields.offset)
		signed_hex(d.text, fields.offset);
}

} // namespace

bool dis_smem(Dis &d, u32 w)
{
	const SmemFields fields(d.isa, w, d.word(1));
	const Row *row = row_of(d, Format::SMEM);

	if (!row)
		return false;
	const Signature &sig = row->sig;
	const unsigned data = max(width_of(sig.result), sig.sources > 1 ? width_of(sig.source[1]) : 0);
	const unsigned base = row->spelling == shows_descriptor ? 4 : row->spelling == shows_address ? 2 : width_of(sig.source[0]);
	if (sig.source[0] == 'k')
		d.next().decimal(fields.data);
	else if (data)
		sgpr(d, fields.data, data);
	if (!base)
		return true;
	sgpr(d, fields.base, base);
	smem_offset(d, fields);
	d.text.put(fields.glc ? " glc" : "").put(fields.dlc ? " dlc" : "");
	return true;
}

} // namespace silicon::printing

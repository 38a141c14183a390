// SPDX-License-Identifier: MIT
/* memory.cc - decodes the formats of vector memory and LDS instructions: DS, FLAT, MUBUF, MTBUF (Vega ISA 13.4 to 13.7). */
#include "decoder.h"

namespace silicon::decoding {

void decode_ds(Decoder &d, u32 w)
{
	const u32 w1 = d.word(1);
	const unsigned opcode = d.gfx10() ? bits(w, 25, 18) : bits(w, 24, 17);
	const Row *row = row_of(d, Format::DS, opcode);
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	const Signature &sig = row->sig;
	op.k[0] = bits(w, 15, 0);
	op.src[0] = bits(w1, 7, 0);
	op.src[1] = bits(w1, 15, 8);
	op.src[2] = bits(w1, 23, 16);
	op.dst = bits(w1, 31, 24);
	const bool acc = d.gfx90a() && bit(w, 25);
	for (unsigned i = 0; i < sig.sources; i++)
		if (sig.source[i] == 'a')
			vgpr(d, op.src[i], 1);
		else if (width_of(sig.source[i]))
			data_register(d, &op.src[i], width_of(sig.source[i]), acc);
	if (width_of(sig.result))
		data_register(d, &op.dst, width_of(sig.result), acc);
	/* Only GWS instructions and the ordered count reach beyond the workgroup's LDS; no process has any other global share. */
	if (bit(w, d.gfx10() ? 17 : 16) != row->has(gds))
		d.fail();
}

void decode_flat(Decoder &d, u32 w)
{
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, Format::FLAT, bits(w, 24, 18));
	const unsigned segment = bits(w, 15, 14), saddr = bits(w1, 22, 16);
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	const Signature &sig = row->sig;
	if (d.gfx8() && bits(w, 15, 0)) {	/* neither segments nor offsets */
		d.fail();
		return;
	}
	if (segment == 3 || bit(w, 13) || (segment == 1 && is_atomic(sig))) {
		d.fail();
		return;
	}
	op.sdst = segment;
	/* flat: 12-bit unsigned; global, scratch: 13-bit signed (Vega ISA 9.1) */
	if (d.gfx10())	/* 12 bits signed, flat 11 unsigned; bit 12 is DLC */
		op.k[0] = segment ? static_cast<u64>(s64{static_cast<s32>(bits(w, 11, 0) << 20) >> 20}) : bits(w, 10, 0);
	else
		op.k[0] = segment ? static_cast<u64>(s64{static_cast<s32>(bits(w, 12, 0) << 19) >> 19}) : bits(w, 11, 0);
	op.flags |= (bit(w, 16) ? op_glc : 0) | (bit(w, 17) ? op_slc : 0);
	op.src[0] = bits(w1, 7, 0);
	op.src[1] = bits(w1, 15, 8);
	op.dst = bits(w1, 31, 24);
	if (row->has(lane_address)) {
		if (segment != 2)
			d.fail();
		op.flags |= op_saddr;
		op.code[0] = code_zero;
		if (saddr != 0x7f && saddr != sgpr_null)
			scalar_source(d, 0, saddr, 'U');
	} else if (segment == 1 && d.gfx10() && saddr == 0x7f) {	/* the offset alone */
		op.flags |= op_saddr;
		op.code[0] = code_zero;
	} else if (segment && saddr != 0x7f && !(d.gfx10() && saddr == sgpr_null)) {
		op.flags |= op_saddr;
		scalar_source(d, 0, saddr, segment == 2 ? 'U' : 'u');
		if (saddr >= 128 || saddr == 125)
			d.fail();
	}
	if (segment != 1 && !row->has(lane_address))
		vgpr(d, op.src[0], op.flags & op_saddr ? 1 : 2);
	else if (!(op.flags & op_saddr))
		vgpr(d, op.src[0], 1);
	const bool acc = d.gfx90a() && bit(w1, 23);
	if (sig.sources && width_of(sig.source[0]))
		data_register(d, &op.src[1], width_of(sig.source[0]), acc);
	if (width_of(sig.result) && (!is_atomic(sig) || (op.flags & op_glc)))
		data_register(d, &op.dst, width_of(sig.result), acc);
	/* Atomic sums of singles and halves: global memory only; before GFX90A without the old value. */
	if (row->has(float_sum) && (segment != 2 || (!d.gfx90a() && (op.flags & op_glc))))
		d.fail();
}

namespace {

/** What MUBUF and MTBUF share: the address, the descriptor, the data registers. */
void buffer_operands(Decoder &d, u32 w, const Signature &sig)
{
	const u32 w1 = d.word(1);
	Op &op = *d.op;

	op.k[0] = bits(w, 11, 0);
	op.flags |= (bit(w, 12) ? op_offen : 0) | (bit(w, 13) ? op_idxen : 0) | (bit(w, 14) ? op_glc : 0);
	if (bit(w1, 23) && !d.gfx90a())	/* TFE: partially resident textures, not of compute programs */
		d.fail();
	op.src[0] = bits(w1, 7, 0);
	op.src[1] = bits(w1, 15, 8);
	op.sdst = bits(w1, 20, 16) * 4;
	sgpr(d, op.sdst, 4, false);
	scalar_source(d, 1, bits(w1, 31, 24), 'u');
	if (op.flags & (op_offen | op_idxen))
		vgpr(d, op.src[0], (op.flags & op_offen) && (op.flags & op_idxen) ? 2 : 1);
	if (!(op.flags & op_lds))
		data_register(d, &op.src[1], max(width_of(sig.result), sig.sources ? width_of(sig.source[0]) : 0), bit(w1, 23));
	op.dst = op.src[1];
}

} // namespace

void decode_mubuf(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::MUBUF, bits(w, 24, 18));
	Op &op = *d.op;

	op.memory = true;
	d.word(1);
	if (!row || !(width_of(row->sig.result) || row->sig.sources))	/* cache control */
		return;
	if (row->has(float_sum) && !d.gfx90a() && bit(w, 14))
		d.fail();
	op.flags |= (bit(w, 16) ? op_lds : 0) | (bit(d.gfx10() ? d.word(1) : w, d.gfx10() ? 22 : 17) ? op_slc : 0);
	if (bit(w, 16) && !row->has(to_lds))
		d.fail();
	buffer_operands(d, w, row->sig);
}

void decode_mtbuf(Decoder &d, u32 w)
{
	const u32 opcode = d.gfx10() ? bits(w, 18, 16) | bits(d.word(1), 21, 21) << 3 : bits(w, 18, 15);
	const Row *row = row_of(d, Format::MTBUF, opcode);
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	op.flags |= bit(d.word(1), 22) ? op_slc : 0;
	buffer_operands(d, w, row->sig);
	op.mods = bits(w, 25, 19) | 0x80;	/* DFMT, NFMT, or GFX10's FORMAT; never 0, which means the descriptor's format */
}

} // namespace silicon::decoding

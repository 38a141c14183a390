// SPDX-License-Identifier: MIT
/* memory.cc - decodes the formats of vector memory and LDS instructions: DS, FLAT, MUBUF, MTBUF (Vega ISA 13.4 to 13.7). */
#include "decoder.h"

namespace silicon::decoding {

void decode_ds(Decoder &d, u32 w)
{
	const DsFields fields(d.store.isa, w, d.word(1));
	const Row *row = row_of(d, Format::DS);
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	const Signature &sig = row->sig;
	op.k[0] = fields.offset;
	for (unsigned i = 0; i < 3; i++)
		op.src[i] = fields.source(i);
	op.dst = fields.result;
	for (unsigned i = 0; i < sig.sources; i++)
		if (sig.source[i] == 'a')
			vgpr(d, op.src[i], 1);
		else if (width_of(sig.source[i]))
			data_register(d, &op.src[i], width_of(sig.source[i]), fields.acc);
	if (width_of(sig.result))
		data_register(d, &op.dst, width_of(sig.result), fields.acc);
	/* Only GWS instructions and the ordered count reach beyond the workgroup's LDS; no process has any other global share. */
	if (fields.gds != row->has(gds))
		d.fail();
}

namespace {

/** saddr: an SGPR beside the lanes' addresses, or in their place (scratch). */
void flat_base(Decoder &d, const FlatFields &fields, bool lane_addresses)
{
	const bool none = fields.saddr == 0x7f || (d.gfx10() && fields.saddr == sgpr_null);
	Op &op = *d.op;

	if (lane_addresses) {
		if (fields.segment != Segment::Global)
			d.fail();
		op.flags |= op_saddr;
		op.code[0] = code_zero;
		if (fields.saddr != 0x7f && fields.saddr != sgpr_null)
			scalar_source(d, 0, fields.saddr, 'U');
	} else if (none && fields.segment == Segment::Scratch && (d.gfx942() ? !fields.lane_offset : d.gfx10() && fields.saddr == 0x7f)) {
		/* the offset alone */
		op.flags |= op_saddr;
		op.code[0] = code_zero;
	} else if (fields.segment != Segment::Flat && !none) {
		op.flags |= op_saddr;
		scalar_source(d, 0, fields.saddr, fields.segment == Segment::Global ? 'U' : 'u');
		if (fields.saddr >= 128 || fields.saddr == sgpr_null)
			d.fail();
	}
}

/** The old encodings of GFX8 know neither segments nor offsets; scratch has no atomics. */
bool flat_exists(const Decoder &d, u32 w, const FlatFields &fields, const Signature &sig)
{
	if (d.gfx8() && bits(w, 15, 0))
		return false;
	if (bit(w, 13) && !(d.gfx942() && fields.segment == Segment::Scratch)) /* into LDS, which GFX942 has opcodes for */
		return false;
	return fields.segment != Segment::None && !(fields.segment == Segment::Scratch && is_atomic(sig));
}

} // namespace

namespace {

/**
 * GLC: atomics give the old value back, loads do not trust the L1. On GFX942 the scope says the latter: within a workgroup (SC0) the
 * L1 is common to all, beyond (SC1) it is not (LLVM's AMDGPU usage, "Memory Model gfx942").
 */
template <class Fields> bool past_l1(const Decoder &d, const Signature &sig, const Fields &fields)
{
	return d.gfx942() && !is_atomic(sig) ? fields.sc1 : fields.glc;
}

} // namespace

void decode_flat(Decoder &d, u32 w)
{
	const FlatFields fields(d.store.isa, w, d.word(1));
	const Row *row = row_of(d, Format::FLAT);
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	const Signature &sig = row->sig;
	if (!flat_exists(d, w, fields, sig)) {
		d.fail();
		return;
	}
	op.sdst = static_cast<u16>(fields.segment);
	op.k[0] = static_cast<u64>(s64{fields.offset});
	op.flags |= (past_l1(d, sig, fields) ? op_glc : 0) | (fields.slc ? op_slc : 0) | (row->has(to_lds) ? op_lds : 0);
	op.src[0] = fields.address;
	op.src[1] = fields.data;
	op.dst = fields.result;
	flat_base(d, fields, row->has(lane_address));
	if (fields.segment != Segment::Scratch && !row->has(lane_address)) {
		vgpr(d, op.src[0], op.flags & op_saddr ? 1 : 2);
	} else if (!(op.flags & op_saddr)) {
		vgpr(d, op.src[0], 1);
	} else if (d.gfx942() && fields.lane_offset) {
		op.flags |= op_offen;
		vgpr(d, op.src[0], 1);
	}
	if (row->has(to_lds) && fields.segment == Segment::Flat)
		d.fail();
	if (sig.sources && width_of(sig.source[0]))
		data_register(d, &op.src[1], width_of(sig.source[0]), fields.acc);
	if (width_of(sig.result) && (!is_atomic(sig) || (op.flags & op_glc)))
		data_register(d, &op.dst, width_of(sig.result), fields.acc);
	/* Atomic sums of singles and halves: before GFX942 global memory only; before GFX90A without the old value. */
	if (row->has(float_sum) && ((fields.segment != Segment::Global && !d.gfx942()) || (!d.gfx90a() && (op.flags & op_glc))))
		d.fail();
}

namespace {

/** What MUBUF and MTBUF share: the address, the descriptor, the data registers. */
void buffer_operands(Decoder &d, const BufferFields &fields, const Signature &sig)
{
	Op &op = *d.op;

	op.k[0] = fields.offset;
	op.flags |= (fields.offen ? op_offen : 0) | (fields.idxen ? op_idxen : 0) | (past_l1(d, sig, fields) ? op_glc : 0) |
		    (fields.slc ? op_slc : 0);
	if (fields.acc && !d.gfx90a()) /* TFE: partially resident textures, not of compute programs */
		d.fail();
	op.src[0] = fields.address;
	op.src[1] = fields.data;
	op.sdst = fields.resource;
	sgpr(d, op.sdst, 4, false);
	scalar_source(d, 1, fields.soffset, 'u');
	if (fields.offen || fields.idxen)
		vgpr(d, op.src[0], fields.offen && fields.idxen ? 2 : 1);
	if (!(op.flags & op_lds))
		data_register(d, &op.src[1], max(width_of(sig.result), sig.sources ? width_of(sig.source[0]) : 0), fields.acc);
	op.dst = op.src[1];
}

} // namespace

void decode_mubuf(Decoder &d, u32 w)
{
	const BufferFields fields(d.store.isa, Format::MUBUF, w, d.word(1));
	const Row *row = row_of(d, Format::MUBUF);
	Op &op = *d.op;

	op.memory = true;
	if (!row || !(width_of(row->sig.result) || row->sig.sources)) /* cache control */
		return;
	if (row->has(float_sum) && !d.gfx90a() && fields.glc)
		d.fail();
	if (fields.lds)
		op.flags |= op_lds;
	if (fields.lds && !row->has(to_lds))
		d.fail();
	buffer_operands(d, fields, row->sig);
}

void decode_mtbuf(Decoder &d, u32 w)
{
	const BufferFields fields(d.store.isa, Format::MTBUF, w, d.word(1));
	const Row *row = row_of(d, Format::MTBUF);
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	buffer_operands(d, fields, row->sig);
	op.mods = fields.format | 0x80; /* never 0, which means the descriptor's format */
}

} // namespace silicon::decoding

// SPDX-License-Identifier: MIT
/* memory.cc - prints the formats of vector memory and LDS instructions: DS, FLAT, MUBUF, MTBUF. */
#include "printer.h"

namespace silicon::printing {

bool dis_ds(Dis &d, u32 w)
{
	const DsFields fields(d.isa, w, d.word(1));
	const Row *row = row_of(d, Format::DS);

	if (!row)
		return false;
	const Signature &sig = row->sig;
	const u32 offset = fields.offset;
	if (width_of(sig.result))
		vgpr(d, fields.result, width_of(sig.result), fields.acc);
	for (unsigned i = 0; i < sig.sources; i++)
		if (sig.source[i] == 'a')
			vgpr(d, fields.source(i), 1);
		else if (sig.source[i])
			vgpr(d, fields.source(i), width_of(sig.source[i]), fields.acc);
	if (row->spelling == shows_swizzle) {
		d.text.swizzle(offset);
	} else if (row->spelling == shows_two_offsets) {
		if (offset & 255)
			d.text.put(" offset0:").decimal(offset & 255);
		if (offset >> 8)
			d.text.put(" offset1:").decimal(offset >> 8);
	} else if (offset) {
		d.text.put(" offset:").decimal(offset);
	}
	if (fields.gds)
		d.text.put(" gds");
	return true;
}

namespace {

/** What tells caches how to treat the access. */
template <class Fields> void cache_bits(Dis &d, const Fields &fields)
{
	if (d.isa == Isa::Gfx942)
		d.text.scope(fields.glc, fields.slc, fields.sc1);
	else
		d.text.put(fields.glc ? " glc" : "").put(fields.slc ? " slc" : "").put(fields.dlc ? " dlc" : "");
}

} // namespace

bool dis_flat(Dis &d, u32 w)
{
	static constexpr const char *prefixes[] = {"flat_", "scratch_", "global_"};
	const FlatFields fields(d.isa, w, d.word(1));
	const Segment segment = fields.segment;

	if (segment == Segment::None)
		return false;
	const Row *row = row_of(d, Format::FLAT, prefixes[static_cast<unsigned>(segment)]);
	const bool atomic = row && is_atomic(row->sig);
	if (!row || (segment == Segment::Scratch && atomic))
		return false;
	const Signature &sig = row->sig;
	const bool store = !width_of(sig.result), lane_addresses = row->has(lane_address);
	/* GFX10's scratch with neither address has the old encoding of none. */
	const bool no_base = fields.saddr == 0x7f || (d.gfx10() && fields.saddr == sgpr_null);
	const bool nothing = segment == Segment::Scratch && d.gfx10() && fields.saddr == 0x7f;
	const bool lane_offset = d.isa == Isa::Gfx942 ? fields.lane_offset : no_base && !nothing;
	if ((!atomic && !store) || (atomic && fields.glc))
		vgpr(d, fields.result, width_of(sig.result), fields.acc);
	if (!lane_addresses && segment == Segment::Scratch && !lane_offset)
		d.next().put("off");
	else if (!lane_addresses)
		vgpr(d, fields.address, segment == Segment::Scratch || (segment == Segment::Global && !no_base) ? 1 : 2);
	if (sig.sources)
		vgpr(d, fields.data, width_of(sig.source[0]), fields.acc);
	if (segment != Segment::Flat) {
		if (no_base)
			d.next().put("off");
		else
			sgpr(d, fields.saddr, segment == Segment::Global ? 2 : 1);
	}
	if (fields.offset)
		d.text.put(" offset:").signed_decimal(fields.offset);
	cache_bits(d, fields);
	return true;
}

namespace {

/** Data, address, descriptor, offset, and the address bits of MUBUF and MTBUF; format comes between for MTBUF. */
template <class F> void buffer_operands(Dis &d, const BufferFields &fields, unsigned data, F format)
{
	if (data)
		vgpr(d, fields.data, data, has_one_file(d.isa) && fields.acc);
	if (fields.offen || fields.idxen)
		vgpr(d, fields.address, fields.offen && fields.idxen ? 2 : 1);
	else
		d.next().put("off");
	sgpr(d, fields.resource, 4);
	source(d, fields.soffset, 'u');
	format();
	d.text.put(fields.idxen ? " idxen" : "").put(fields.offen ? " offen" : "");
	if (fields.offset)
		d.text.put(" offset:").decimal(fields.offset);
	cache_bits(d, fields);
}

unsigned data_width(const Row &row) { return max(width_of(row.sig.result), row.sig.sources ? width_of(row.sig.source[0]) : 0); }

} // namespace

bool dis_mubuf(Dis &d, u32 w)
{
	const BufferFields fields(d.isa, Format::MUBUF, w, d.word(1));
	const Row *row = row_of(d, Format::MUBUF);

	if (!row)
		return false;
	if (!data_width(*row)) { /* cache control */
		if (row->has(has_scope) && d.isa == Isa::Gfx942)
			cache_bits(d, fields);
		return true;
	}
	buffer_operands(d, fields, fields.lds ? 0 : data_width(*row), [] {});
	d.text.put(fields.lds ? " lds" : "");
	return true;
}

bool dis_mtbuf(Dis &d, u32 w)
{
	const BufferFields fields(d.isa, Format::MTBUF, w, d.word(1));
	const Row *row = row_of(d, Format::MTBUF);

	if (!row)
		return false;
	buffer_operands(d, fields, data_width(*row), [&] {
		if (d.gfx10())
			d.text.unified_format(fields.format);
		else
			d.text.buffer_format(fields.format & 15, fields.format >> 4);
	});
	return true;
}

} // namespace silicon::printing

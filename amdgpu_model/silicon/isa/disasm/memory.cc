// SPDX-License-Identifier: MIT
/* memory.cc - prints the formats of vector memory and LDS instructions: DS, FLAT, MUBUF, MTBUF. */
#include "printer.h"

namespace silicon::printing {

bool dis_ds(Dis &d, u32 w)
{
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, Format::DS, d.gfx10() ? bits(w, 25, 18) : bits(w, 24, 17));

	if (!row)
		return false;
	const Signature &sig = row->sig;
	const u32 offset = bits(w, 15, 0);
	const bool acc = d.isa == Isa::Gfx90a && bit(w, 25);
	if (width_of(sig.result))
		vgpr(d, bits(w1, 31, 24), width_of(sig.result), acc);
	for (unsigned i = 0; i < sig.sources; i++)
		if (sig.source[i] == 'a')
			vgpr(d, bits(w1, 7 + 8 * i, 8 * i), 1);
		else if (sig.source[i])
			vgpr(d, bits(w1, 7 + 8 * i, 8 * i), width_of(sig.source[i]), acc);
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
	if (bit(w, d.gfx10() ? 17 : 16))
		d.text.put(" gds");
	return true;
}

namespace {

/** 13 bits signed, or 12 for flat addresses without sign; a bit less of each on GFX10. */
s32 flat_offset(const Dis &d, u32 w, unsigned segment)
{
	const unsigned width = d.gfx10() ? 12 : 13;

	return segment ? static_cast<s32>(w << (32 - width)) >> (32 - width) : static_cast<s32>(bits(w, width - 2, 0));
}

} // namespace

bool dis_flat(Dis &d, u32 w)
{
	static constexpr const char *prefixes[] = {"flat_", "scratch_", "global_"};
	const u32 w1 = d.word(1);
	const unsigned segment = bits(w, 15, 14), saddr = bits(w1, 22, 16);

	if (segment == 3)
		return false;
	const Row *row = row_of(d, Format::FLAT, bits(w, 24, 18), prefixes[segment]);
	const bool atomic = row && is_atomic(row->sig);
	if (!row || (segment == 1 && atomic))
		return false;
	const Signature &sig = row->sig;
	const bool store = !width_of(sig.result), lane_addresses = row->has(lane_address);
	/* GFX10's scratch with neither address has the old encoding of none. */
	const bool no_base = saddr == 0x7f || (d.gfx10() && saddr == sgpr_null), nothing = segment == 1 && d.gfx10() && saddr == 0x7f;
	const bool acc = d.isa == Isa::Gfx90a && bit(w1, 23);
	if ((!atomic && !store) || (atomic && bit(w, 16)))
		vgpr(d, bits(w1, 31, 24), width_of(sig.result), acc);
	if (!lane_addresses && segment == 1 && (!no_base || nothing))
		d.next().put("off");
	else if (!lane_addresses)
		vgpr(d, bits(w1, 7, 0), segment == 1 || (segment == 2 && !no_base) ? 1 : 2);
	if (sig.sources)
		vgpr(d, bits(w1, 15, 8), width_of(sig.source[0]), acc);
	if (segment) {
		if (no_base)
			d.next().put("off");
		else
			sgpr(d, saddr, segment == 2 ? 2 : 1);
	}
	const s32 offset = flat_offset(d, w, segment);
	if (offset)
		d.text.put(" offset:").signed_decimal(offset);
	d.text.put(bit(w, 16) ? " glc" : "").put(bit(w, 17) ? " slc" : "").put(d.gfx10() && bit(w, 12) ? " dlc" : "");
	return true;
}

namespace {

/** Data, address, descriptor, offset, and the address bits of MUBUF and MTBUF; format comes between for MTBUF. */
template <class F> void buffer_operands(Dis &d, u32 w, unsigned data, F format)
{
	const u32 w1 = d.word(1);
	const bool offen = bit(w, 12), idxen = bit(w, 13);

	if (data)
		vgpr(d, bits(w1, 15, 8), data, d.isa == Isa::Gfx90a && bit(w1, 23));
	if (offen || idxen)
		vgpr(d, bits(w1, 7, 0), offen && idxen ? 2 : 1);
	else
		d.next().put("off");
	sgpr(d, bits(w1, 20, 16) * 4, 4);
	source(d, bits(w1, 31, 24), 'u');
	format();
	d.text.put(idxen ? " idxen" : "").put(offen ? " offen" : "");
	if (bits(w, 11, 0))
		d.text.put(" offset:").decimal(bits(w, 11, 0));
}

unsigned data_width(const Row &row) { return max(width_of(row.sig.result), row.sig.sources ? width_of(row.sig.source[0]) : 0); }

} // namespace

bool dis_mubuf(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::MUBUF, bits(w, 24, 18));

	const u32 w1 = d.word(1);
	if (!row)
		return false;
	if (!data_width(*row))	/* cache control */
		return true;
	buffer_operands(d, w, bit(w, 16) ? 0 : data_width(*row), [] {});
	d.text.put(bit(w, 14) ? " glc" : "").put((d.gfx10() ? bit(w1, 22) : bit(w, 17)) ? " slc" : "");
	d.text.put(d.gfx10() && bit(w, 15) ? " dlc" : "").put(bit(w, 16) ? " lds" : "");
	return true;
}

bool dis_mtbuf(Dis &d, u32 w)
{
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, Format::MTBUF, d.gfx10() ? bits(w, 18, 16) | bits(w1, 21, 21) << 3 : bits(w, 18, 15));

	if (!row)
		return false;
	buffer_operands(d, w, data_width(*row), [&] {
		if (d.gfx10())
			d.text.unified_format(bits(w, 25, 19));
		else
			d.text.buffer_format(bits(w, 22, 19), bits(w, 25, 23));
	});
	d.text.put(bit(w, 14) ? " glc" : "").put(bit(w1, 22) ? " slc" : "").put(d.gfx10() && bit(w, 15) ? " dlc" : "");
	return true;
}

} // namespace silicon::printing

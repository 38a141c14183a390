// SPDX-License-Identifier: MIT
/* operands.cc - checks register numbers and finds out what the codes of sources mean (Vega ISA 3.4, table of source operands). */
#include "decoder.h"

namespace silicon::decoding {

const Row *row_at(Decoder &d, Format format, unsigned opcode)
{
	RowPlace place;
	const Row *row = find_row(d.store.isa, format, opcode, &place);

	if (!row)
		d.fail();
	else
		d.set_row(place, row);
	return row;
}

/* ---- Registers ---- */

bool agpr(Decoder &d, u16 *field, unsigned n, unsigned width)
{
	if (!d.store.accum_offset || n + width > 256 || misaligned(d, n, width))
		return d.fail();
	*field = d.store.accum_offset + n;
	d.op->vgprs = max<u16>(d.op->vgprs, *field + width);
	return true;
}

bool data_register(Decoder &d, u16 *field, unsigned width, bool acc)
{
	return acc ? agpr(d, field, *field, width) : vgpr(d, *field, width);
}

bool sgpr(Decoder &d, unsigned n, unsigned width, bool written)
{
	const unsigned align = width >= 4 ? 4 : width;

	const unsigned general = d.gfx10() ? sgpr_vcc : sgpr_flat_scratch;

	if (n == sgpr_null && d.gfx10())
		return width <= 2 || d.fail();
	if (n >= 128 || n % align || n == sgpr_null || (n == 124 && width > 1))
		return d.fail();
	if (n < general) {
		if (n + width > general)
			return d.fail();
		d.op->sgprs = max<u8>(d.op->sgprs, n + width);
	} else if (n < sgpr_ttmp0) {
		if (n + width > sgpr_ttmp0)
			return d.fail();
	} else if (n < sgpr_m0) {
		if (n + width > sgpr_m0)
			return d.fail();
		if (written)
			d.op->flags |= op_privileged;
	}
	return true;
}

/* ---- Constants ---- */

namespace {

constexpr u64 inline_float(unsigned code, char type)
{
	const unsigned i = code - source_first_float;

	if (is_half(type) || type == 'p')
		return inline_halves[i];
	return width_of(type) == 2 && type != 'F' ? inline_doubles[i] : inline_singles[i];
}

} // namespace

bool constant(Decoder &d, unsigned code, char type, u64 *value)
{
	if (is_inline_integer(code)) {
		*value = static_cast<u64>(s64{inline_integer(code)});
	} else if (is_inline_float(code)) {
		*value = inline_float(code, type);
	} else if (code == source_literal) {
		/* One literal an instruction, directly behind it; doubles take it as their upper half. */
		const u32 literal = d.word(d.literal ? d.used - 1 : d.used);

		d.literal = true;
		*value = type == 'd' ? u64{literal} << 32 : type == 'I' ? static_cast<u64>(s64{static_cast<s32>(literal)}) : literal;
	} else {
		return false;
	}
	if (type == 'F') /* only the lower one of a pair */
		*value = static_cast<u32>(*value);
	return true;
}

namespace {

bool same_constant(const EngineStore &s, unsigned row, u64 value, unsigned width)
{
	return s.constant_value[row] == static_cast<u32>(value) &&
	       (width == 1 || s.constant_value[row + 1] == static_cast<u32>(value >> 32));
}

/** Row (or two) that holds value in every lane; 0: no room. */
unsigned constant_row(EngineStore &s, u64 value, unsigned width)
{
	const unsigned end = row_constants + s.constants;

	for (unsigned row = row_constants; row + width <= end; row++)
		if (same_constant(s, row, value, width))
			return row;
	if (end + width > row_count)
		return 0;
	for (unsigned i = 0; i < width; i++) {
		const u32 word = static_cast<u32>(value >> 32 * i);

		s.constant_value[end + i] = word;
		for (unsigned lane = 0; lane < lanes; lane++)
			s.rows[end + i][lane] = word;
	}
	s.constants += width;
	return end;
}

} // namespace

/* ---- Operands ---- */

bool scalar_source(Decoder &d, unsigned i, unsigned code, char type)
{
	Op &op = *d.op;

	if (code == sgpr_null && d.gfx10()) {
		op.code[i] = code_constant;
		op.k[i] = 0;
		return true;
	}
	if (code < 128) {
		op.code[i] = code;
		return sgpr(d, code, width_of(type), false);
	}
	if ((code >= 235 && code <= 239) || (code >= 251 && code <= 253)) {
		op.code[i] = code;
		return code > 239 || !d.gfx8() || d.fail(); /* apertures are values since GFX9 */
	}
	op.code[i] = code_constant;
	return constant(d, code, type, &op.k[i]) || d.fail();
}

bool vector_source(Decoder &d, unsigned i, unsigned code, char type)
{
	Op &op = *d.op;

	if (type == 'm' || type == 'l') {
		if (code >= source_vgpr0)
			return d.fail();
		return scalar_source(d, i, code, type == 'm' ? d.mask_type() : 'u');
	}
	if (code >= source_vgpr0) {
		op.src[i] = code - source_vgpr0;
		return vgpr(d, code - source_vgpr0, width_of(type));
	}
	if (width_of(type) > 2 || !scalar_source(d, i, code, type))
		return d.fail();
	const unsigned row = op.code[i] == code_constant ? constant_row(d.store, op.k[i], width_of(type)) : 0;
	op.src[i] = scratch_row + (row ? row : row_source(i));
	if (!row)
		op.prep |= prep_source(i);
	return true;
}

} // namespace silicon::decoding

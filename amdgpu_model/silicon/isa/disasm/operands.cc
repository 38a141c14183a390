// SPDX-License-Identifier: MIT
/* operands.cc - prints registers, constants, and sources with modifiers. */
#include "printer.h"

namespace silicon::printing {

const Row *row_at(Dis &d, Format format, unsigned opcode)
{
	RowPlace place;
	const Row *row = find_row(d.isa, format, opcode, &place);

	if (row)
		d.home = place.format;
	return row;
}

const Row *row_of(Dis &d, Format format, const char *prefix)
{
	const Row *row = find(d, format);

	if (row)
		d.text.put(prefix).put(row->name);
	return row;
}

void source(Dis &d, unsigned code, char type, bool separate)
{
	if (separate)
		d.next();
	if (code >= source_vgpr0)
		d.text.registers('v', code - source_vgpr0, width_of(type));
	else if (code == source_literal && (is_half(type) || (type == 'p' && d.isa != Isa::Gfx942))) /* which LLVM 19 prints whole */
		d.text.literal16(d.word(d.literal_at), type == 'h' || type == 'e' || type == 'p');
	else if (code == source_literal)
		d.text.literal(d.word(d.literal_at));
	else
		d.text.scalar_or_constant(code, !width_of(type) || (type == 'F' && code >= source_zero_integer) ? 1 : width_of(type));
}

void modified(Dis &d, unsigned code, char type, bool neg, bool abs, bool sext)
{
	const bool number = is_inline_integer(code) || is_inline_float(code) || code == source_literal;
	const bool constant = number && neg && !abs; /* -1 would be another constant */

	d.next().put(constant ? "neg(" : neg ? "-" : "").put(abs ? "|" : "").put(sext ? "sext(" : "");
	source(d, code, type, false);
	d.text.put(sext ? ")" : "").put(abs ? "|" : "").put(constant ? ")" : "");
}

} // namespace silicon::printing

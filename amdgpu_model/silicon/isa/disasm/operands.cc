// SPDX-License-Identifier: MIT
/* operands.cc - prints registers, constants, and sources with modifiers. */
#include "printer.h"

namespace silicon::printing {

const Row *find(Dis &d, Format format, unsigned opcode)
{
	RowPlace place;
	const Row *row = find_row(d.isa, format, opcode, &place);

	if (row)
		d.home = place.format;
	return row;
}

const Row *row_of(Dis &d, Format format, unsigned opcode, const char *prefix)
{
	const Row *row = find(d, format, opcode);

	if (row)
		d.text.put(prefix).put(row->name);
	return row;
}

void source(Dis &d, unsigned code, char type, bool separate)
{
	if (separate)
		d.next();
	if (code >= 256)
		d.text.registers('v', code - 256, width_of(type));
	else if (code == 255 && (is_half(type) || type == 'p'))
		d.text.literal16(d.word(d.literal_at), type == 'h' || type == 'e' || type == 'p');
	else if (code == 255)
		d.text.literal(d.word(d.literal_at));
	else
		d.text.scalar_or_constant(code, !width_of(type) || (type == 'F' && code >= 128) ? 1 : width_of(type));
}

void modified(Dis &d, unsigned code, char type, bool neg, bool abs, bool sext)
{
	const bool number = (code >= 128 && code <= 208) || (code >= 240 && code <= 248) || code == 255;
	const bool constant = number && neg && !abs;	/* -1 would be another constant */

	d.next().put(constant ? "neg(" : neg ? "-" : "").put(abs ? "|" : "").put(sext ? "sext(" : "");
	source(d, code, type, false);
	d.text.put(sext ? ")" : "").put(abs ? "|" : "").put(constant ? ")" : "");
}

} // namespace silicon::printing

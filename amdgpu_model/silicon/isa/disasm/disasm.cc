// SPDX-License-Identifier: MIT
/*
 * disasm.cc - text of an instruction in llvm-objdump's syntax, from the same rows that decode and execute it.
 *
 * One function a format, in the files of a format group. Like decode(), it prints nothing for a word that has no row.
 */
#include "../encoding.h"
#include "../engine.h"
#include "printer.h"

namespace silicon::printing {
namespace {

/* In the order of enum Format. */
constexpr bool (*formats[])(Dis &d, u32 w) = {
	dis_sop2, dis_sopk, dis_sop1,  dis_sopc, dis_sopp, dis_smem,  dis_vop2,	 dis_vop1,
	dis_vopc, dis_vop3, dis_vop3p, dis_ds,	 dis_flat, dis_mubuf, dis_mtbuf,
};
static_assert(sizeof(formats) / sizeof(formats[0]) == static_cast<unsigned>(Format::Count));

bool instruction(Dis &d, u32 w)
{
	const Format format = format_of(d.isa, w);

	return format != Format::Count && formats[static_cast<unsigned>(format)](d, w);
}

} // namespace

} // namespace silicon::printing

namespace silicon {

unsigned disassemble(Isa isa, const u32 *code, unsigned size, char *text, unsigned text_size)
{
	printing::Dis d{isa, code, size / 4, {text, text_size, isa}};

	if (size < 4 || !printing::instruction(d, code[0]) || d.used * 4 > size) {
		if (text_size)
			text[0] = 0;
		return 0;
	}
	return d.used * 4;
}

} // namespace silicon

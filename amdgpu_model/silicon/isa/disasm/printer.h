// SPDX-License-Identifier: MIT
/*
 * printer.h - what the functions that print one format each share: the instruction under way, and its operands.
 *
 * They work on the raw words, so that operands print as they are encoded. A function returns false, and its text does not count, if
 * there is no such instruction.
 */
#pragma once

#include "../../wave/wave.h"
#include "../fields.h"
#include "text.h"

namespace silicon::printing {

struct Dis {
	Isa isa;
	const u32 *code;
	unsigned words;
	Text text;
	unsigned used = 1;
	bool first = true;
	Format home{};		 /* table that the row stands in */
	unsigned literal_at = 1; /* word */

	bool gfx10() const { return is_gfx10(isa); }
	unsigned mask_width() const { return isa == Isa::Gfx10Wave32 ? 1 : 2; }

	u32 word(unsigned i)
	{
		used = max(used, i + 1);
		return i < words ? code[i] : 0;
	}
	/** Separator before every operand: a space first, commas then. */
	Text &next()
	{
		text.put(first ? " " : ", ");
		first = false;
		return text;
	}
};

/** The row of an opcode, nullptr if the set has no such instruction. */
const Row *row_at(Dis &d, Format format, unsigned opcode);

/** The row of the instruction under way. */
inline const Row *find(Dis &d, Format format)
{
	return row_at(d, format, opcode_of(d.isa, format, d.code[0], format == Format::MTBUF ? d.word(1) : 0));
}

/** find(), and print the row's name. */
const Row *row_of(Dis &d, Format format, const char *prefix = "");

inline void vgpr(Dis &d, unsigned n, unsigned width, bool acc = false) { d.next().registers(acc ? 'a' : 'v', n, width); }
inline void sgpr(Dis &d, unsigned n, unsigned width) { d.next().scalar(n, width); }

/** VCC as a mask of lanes. */
inline void vcc(Dis &d) { d.next().put(d.mask_width() == 1 ? "vcc_lo" : "vcc"); }

/** A source by its 9-bit (or, without VGPRs, 8-bit) encoding. */
void source(Dis &d, unsigned code, char type, bool separate = true);

/** A source with modifiers: -|v1|. */
void modified(Dis &d, unsigned code, char type, bool neg, bool abs, bool sext = false);

/** v_cmpx of GFX10 has no other result than EXEC, which is not printed. */
inline bool exec_alone(const Dis &d, const Row &row) { return d.gfx10() && row.sig.narrows_exec; }

/* ---- Formats: w is the first word ---- */

bool dis_sop2(Dis &d, u32 w);
bool dis_sopk(Dis &d, u32 w);
bool dis_sop1(Dis &d, u32 w);
bool dis_sopc(Dis &d, u32 w);
bool dis_sopp(Dis &d, u32 w);
bool dis_smem(Dis &d, u32 w);
bool dis_vop2(Dis &d, u32 w);
bool dis_vop1(Dis &d, u32 w);
bool dis_vopc(Dis &d, u32 w);
bool dis_vop3(Dis &d, u32 w);
bool dis_vop3p(Dis &d, u32 w);
bool dis_ds(Dis &d, u32 w);
bool dis_flat(Dis &d, u32 w);
bool dis_mubuf(Dis &d, u32 w);
bool dis_mtbuf(Dis &d, u32 w);

} // namespace silicon::printing

// SPDX-License-Identifier: MIT
/* encodings.cc - see encodings.h. */
#include "encodings.h"

#include <random>
#include <string>

namespace isa_test {

using namespace silicon;

namespace {

std::mt19937 random_words(12345);

u32 noise() { return static_cast<u32>(random_words()); }
u32 pick_bits(u32 mask) { return noise() & 3 ? noise() & mask : 0; }

/** A 9-bit source: mostly a register, now and then a constant. */
u32 source9()
{
	static const u32 scalars[] = {2, 4, 20, 100, 102, 106, 107, 124, 126, 128, 129, 192, 193, 208, 240, 241, 242, 247, 248, 253, 251};
	return noise() % 3 ? 256 + noise() % 200 : scalars[noise() % 21];
}
u32 source8()
{
	const u32 s = source9();
	return s >= 256 ? s % 50 * 2 : s;
}

Words scalar_encoding(Isa isa, Format format, u32 op, bool literal)
{
	switch (format) {
	case Format::SOP2:
		if (op == 41 || op == 43) /* s_cbranch_g_fork, s_rfe_restore_b64 have no result */
			return {2u << 30 | op << 23 | (noise() % 50 * 2) << 8 | noise() % 50 * 2};
		if (literal)
			return {2u << 30 | op << 23 | (noise() % 50 * 2) << 16 | 255 << 8 | source8(), noise() | 0x1000};
		return {2u << 30 | op << 23 | (noise() % 50 * 2) << 16 | source8() << 8 | source8()};
	case Format::SOPK:
		if (op == 20)
			return {0xbu << 28 | op << 23 | (noise() & 0xffff), noise()};
		return {0xbu << 28 | op << 23 | (noise() % 50 * 2) << 16 | (noise() & 0xffff)};
	case Format::SOP1: {
		const u32 d = pick_bits(0x3e), s = noise() & 1 ? source8() : 0;
		return {0x17du << 23 | d << 16 | op << 8 | s};
	}
	case Format::SOPC: return {0x17eu << 23 | op << 16 | source8() << 8 | source8()};
	case Format::SOPP:
		if (op == 16 || op == 17) /* messages of compute programs */
			return {0x17fu << 23 | op << 16 | (noise() & 1)};
		return {0x17fu << 23 | op << 16 | pick_bits(noise() & 1 ? 0xffff : 15)};
	case Format::SMEM: {
		if (op >= 38 && op <= 41) /* LLVM's encoder does not survive most of their operands */
			return {0x30u << 26 | op << 18, 0};
		const u32 base = 0x30u << 26 | op << 18 | (noise() & 1) << 16 | pick_bits(0x1c) << 6 | pick_bits(0x1e);
		if (noise() & 1)
			return {base | 1 << 17, noise() & (noise() & 1 ? (isa == Isa::Gfx8 ? 0xfffff : 0x1fffff) : 0xffff)};
		return {base, pick_bits(0x3f)};
	}
	default: return {};
	}
}

/** Matrix products: registers, a constant to add, AGPRs; moves of these have fixed bits. */
Words matrix_encoding(Isa isa, u32 op)
{
	const u32 c = noise() & 3 ? 256 + noise() % 200 : noise() & 1 ? 128 : 242;
	const bool move = op == 0x58 || op == 0x59;

	if (move)
		return {0x1a7u << 23 | op << 16 | 0x4000 | (noise() & 255), (op == 0x58 ? 256 + noise() % 200 : source9()) | 3u << 27};
	return {0x1a7u << 23 | op << 16 | (noise() & 3 ? 0 : pick_bits(0x7f00)) | (has_one_file(isa) ? pick_bits(0x8000) : 0) |
			noise() % 100 * 2,
		(256 + noise() % 100 * 2) | (256 + noise() % 100 * 2) << 9 | (c >= 256 ? 256 + c / 2 % 100 * 2 : c) << 18 |
			pick_bits(3u << 27) | (noise() & 3 ? 0 : pick_bits(0xe0000000))};
}

Words vector_encoding(Isa isa, Format format, u32 op, bool literal)
{
	switch (format) {
	case Format::VOP2:
		if (op == 23 || op == 24 || op == 36 || op == 37)
			return {op << 25 | (noise() & 255) << 17 | (noise() & 255) << 9 | source9(), noise()};
		if (literal)
			return {op << 25 | (noise() & 255) << 17 | (noise() & 255) << 9 | 255, noise() | 0x1000};
		return {op << 25 | (noise() & 255) << 17 | (noise() & 255) << 9 | source9()};
	case Format::VOP1:
		if (isa == Isa::Gfx942 && (op == 81 || op == 82)) /* LLVM 19 prints others, too, than registers */
			return {0x3fu << 25 | (noise() & 127) << 17 | op << 9 | (256 + noise() % 200)};
		if (isa == Isa::Gfx942 && !(noise() & 7)) /* SDWA, with a whole result; DPP */
			return {0x3fu << 25 | (noise() & 63) << 18 | op << 9 | 249,
				(noise() & 0xff) | 6u << 8 | noise() % 7 << 16 | pick_bits(0x2000)};
		if (isa == Isa::Gfx942 && !(noise() & 7))
			return {0x3fu << 25 | (noise() & 63) << 18 | op << 9 | 250,
				(noise() & 0xfe) | (noise() & 1 ? 0x150 + noise() % 16 : noise() & 0xff) << 8 | pick_bits(0xff080000)};
		return {0x3fu << 25 | (op == 2 ? pick_bits(0x3e) : pick_bits(0x7f)) << 17 | op << 9 | (noise() & 3 ? source9() : 0)};
	case Format::VOPC: return {0x3eu << 25 | op << 17 | (noise() & 255) << 9 | source9()};
	case Format::VOP3: {
		const u32 modifiers = noise() & 1 ? pick_bits(0x700) | pick_bits(0x8000) : 0;
		const u32 c = noise() & 1 ? noise() & 1 ? 256 + noise() % 200 : noise() % 50 * 2 : 0;
		const u32 b = noise() & 3 ? source9() : 0, a = noise() & 7 ? source9() : 0;
		const u32 sdst = noise() & 1 ? noise() % 50 * 2 << 8 : 0, dst = noise() % 50 * 2;
		return {0x34u << 26 | op << 16 | (noise() & 1 ? sdst : modifiers) | dst,
			a | b << 9 | c << 18 | (noise() & 1 ? pick_bits(0xe0000000) : 0) | (noise() & 7 ? 0 : noise() & 3u << 27)};
	}
	case Format::VOP3P:
		if (op >= (isa == Isa::Gfx942 ? 0x3eu : 0x40u))
			return matrix_encoding(isa, op);
		return {0x1a7u << 23 | op << 16 | pick_bits(0x4000) | pick_bits(0x3800) | pick_bits(0x700) | (noise() & 127),
			source9() | source9() << 9 | (noise() & 1 ? source9() << 18 : 0) | pick_bits(3u << 27) | pick_bits(0xe0000000)};
	default: return {};
	}
}

Words memory_encoding(Isa isa, Format format, u32 op)
{
	switch (format) {
	case Format::DS:
		return {0x36u << 26 | op << 17 | pick_bits(0xffff) | ((op >= 152 && op <= 157) || op == 191 ? 1u << 16 : 0),
			pick_bits(0x7f) | pick_bits(0x7f) << 8 | pick_bits(0x7f) << 16 | pick_bits(0x7f) << 24};
	case Format::FLAT: {
		if (isa == Isa::Gfx8)
			return {0x37u << 26 | op << 18 | pick_bits(0x30000),
				pick_bits(0x7f) | pick_bits(0x7f) << 8 | pick_bits(0x7f) << 24};
		const u32 segment = noise() % 3;
		const u32 saddr = segment ? (noise() & 1 ? 0x7f : noise() % 50 * 2) : 0;
		if (isa == Isa::Gfx942) {
			const bool lane_offset = segment == 1 && noise() & 1, into_lds = op >= 0x26 && op <= 0x2a;

			return {0x37u << 26 | op << 18 | segment << 14 | pick_bits(0x2030000) | lane_offset << 13 |
					pick_bits(segment ? 0x1fff : 0xfff),
				(segment == 1 && !lane_offset ? 0 : pick_bits(0x7f)) | (into_lds ? 0 : pick_bits(0x7f) << 8) | saddr << 16 |
					(into_lds ? 0 : pick_bits(0x7f) << 24)};
		}
		return {0x37u << 26 | op << 18 | segment << 14 | pick_bits(0x30000) | pick_bits(segment ? 0x1fff : 0xfff),
			pick_bits(0x7f) | pick_bits(0x7f) << 8 | saddr << 16 | pick_bits(0x7f) << 24};
	}
	case Format::MUBUF:
	case Format::MTBUF: {
		const u32 code = format == Format::MUBUF ? 0x38u << 26 | op << 18 | pick_bits(0x20000) :
							   0x3au << 26 | op << 15 | pick_bits(0x3f80000);
		const u32 lds = format == Format::MUBUF && op >= 16 && op <= 20 ? pick_bits(0x10000) : 0;

		const u32 sc1 = isa != Isa::Gfx942 ? 0 : format == Format::MUBUF ? pick_bits(0x8000) : pick_bits(1u << 21);
		if (isa == Isa::Gfx942 && (op == 40 || op == 41) && format == Format::MUBUF)
			return {0x38u << 26 | op << 18 | pick_bits(0x24000) | sc1, 0};

		return {code | lds | (format == Format::MUBUF ? sc1 : 0) | pick_bits(0x3000) | pick_bits(0x4000) | pick_bits(0xfff),
			pick_bits(0x7f) | (lds ? 0 : pick_bits(0x7f) << 8) | (noise() % 20) << 16 |
				(format == Format::MTBUF ? pick_bits(1 << 22) | sc1 : 0) | (noise() & 1 ? 128u : noise() % 100) << 24};
	}
	default: return {};
	}
}

/** One random encoding of an opcode; unused fields are often, but not always, zero. */
Words random_encoding(Isa isa, Format format, u32 op)
{
	const bool literal = !(noise() & 7);

	switch (format) {
	case Format::SOP2:
	case Format::SOPK:
	case Format::SOP1:
	case Format::SOPC:
	case Format::SOPP:
	case Format::SMEM: return scalar_encoding(isa, format, op, literal);
	case Format::VOP2:
	case Format::VOP1:
	case Format::VOPC:
	case Format::VOP3:
	case Format::VOP3P: return vector_encoding(isa, format, op, literal);
	default: return memory_encoding(isa, format, op);
	}
}

/** Instructions without operands want a second word of zeros. */
Words encode(Isa isa, Format format, u32 op)
{
	Words words = random_encoding(isa, format, op);

	if (!(noise() & 7) && (format == Format::SMEM || format == Format::DS || format == Format::MUBUF)) {
		words[0] &= format == Format::DS && op >= 152 ? 0xffff00ff : 0xfffc0000;
		words[1] = 0;
	}
	return words;
}

/** Registers that a DS instruction does not have: LLVM prints only what has zeros there. */
void clear_unused(Words &words, const Row &row)
{
	for (unsigned i = 0; i < 3; i++)
		if (i >= row.sig.sources || !row.sig.source[i])
			words[1] &= ~(0xffu << 8 * i);
	if (!width_of(row.sig.result))
		words[1] &= 0x00ffffff;
}

/** neg and abs belong to float sources; most rows LLVM does not print with others. */
void drop_odd_modifiers(Words &words, const Row &row)
{
	for (unsigned i = 0; i < 3; i++)
		if (i >= row.sig.sources || !has_sign(row.sig.source[i])) {
			words[1] &= ~(1u << (29 + i));
			if (!row.sig.mask_out)
				words[0] &= ~(1u << (8 + i));
		}
}

/** Packed: neg only of float sources, op_sel_hi set for the third if there is none. */
void drop_odd_packing(Words &words, const Row &row)
{
	for (unsigned i = 0; i < 3; i++) {
		if (i < row.sig.sources && has_sign(row.sig.source[i]))
			continue;
		words[0] &= ~(1u << (8 + i));
		words[1] &= ~(1u << (29 + i));
	}
	if (row.sig.sources < 3) {
		words[0] = (words[0] & ~0x2000u) | 0x4000;
		words[1] &= ~(0x1ffu << 18);
	}
}

/** GFX90A: now and then data in AGPRs. */
void with_accumulators(Candidate &c)
{
	if (noise() & 3)
		return;
	if (c.format == Format::DS)
		c.words[0] |= 1u << 25;
	else if (c.format >= Format::FLAT)
		c.words[1] |= 1u << 23;
}

} // namespace

std::vector<Candidate> candidates(Isa isa, unsigned each)
{
	std::vector<Candidate> result;

	for (unsigned f = 0; f < static_cast<unsigned>(Format::Count); f++) {
		const Format format = static_cast<Format>(f);

		for (u32 op = 0; op < row_table(isa, format).opcodes; op++) {
			/* Among the long ones are those of the short rows. */
			const LongCode code = format == Format::VOP3 ? long_code(isa, op) : LongCode{format, op};
			RowPlace place;
			const Row *row = find_row(isa, code.format, code.opcode, &place);

			for (unsigned n = 0; row && n < each; n++)
				result.push_back({format, row, is_gfx10(isa) ? gfx10_encoding(format, op, *row) : encode(isa, format, op)});
		}
	}
	for (Candidate &c : result) {
		if (has_one_file(isa))
			with_accumulators(c);
		/* LLVM 19 prints neg of the packed halves of v_dot2c_f32_f16, which no manual mentions. */
		const bool undefined = isa == Isa::Gfx942 && c.row->sig.source[0] == 'p';
		if (c.format == Format::VOP3 && (noise() & 3 || undefined))
			drop_odd_modifiers(c.words, *c.row);
		if (c.format == Format::VOP3P && !c.row->has(matrix) && noise() & 1)
			drop_odd_packing(c.words, *c.row);
		if (c.format == Format::DS && noise() & 1)
			clear_unused(c.words, *c.row);
	}
	return result;
}

} // namespace isa_test

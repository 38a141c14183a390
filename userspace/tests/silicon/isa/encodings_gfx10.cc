// SPDX-License-Identifier: MIT
/* encodings_gfx10.cc - random encodings of RDNA 2: formats of their own, literals in the long ones, SDWA, DPP16 and DPP8. */
#include <random>

#include "encodings.h"

namespace isa_test {

using namespace silicon;

namespace {

std::mt19937 random_words(54321);

u32 noise() { return static_cast<u32>(random_words()); }
u32 pick_bits(u32 mask) { return noise() & 3 ? noise() & mask : 0; }
u32 field(u32 top, unsigned at) { return noise() % (top + 1) << at; }
bool one_in(unsigned n) { return noise() % n == 0; }

/** A scalar operand below 256: registers, null, special values, constants. */
u32 scalar()
{
	static const u32 others[] = {102, 104, 106, 107, 124, 125, 125, 126, 128, 129, 192,
				     193, 208, 235, 237, 240, 242, 247, 248, 251, 253};
	return one_in(2) ? noise() % 50 * 2 : others[noise() % 21];
}
u32 source9() { return noise() % 3 ? 256 + noise() % 200 : scalar(); }
u32 sdst() { return one_in(6) ? sgpr_null : noise() % 50 * 2; }

bool is_integer(char type) { return type && !has_sign(type); }

u32 sdwa(const Row &row, bool compare)
{
	const Signature &sig = row.sig;
	u32 w = (noise() & 63) | field(6, 16) | field(6, 24) | (one_in(4) ? 1u << 23 : 0) | (one_in(4) ? 1u << 31 : 0);

	for (unsigned i = 0; i < 2; i++)
		w |= has_sign(sig.source[i])						  ? (noise() & 3) << (20 + 8 * i) :
		     i < sig.sources && is_integer(sig.source[i]) && sig.source[i] != 'm' ? (noise() & 1) << (19 + 8 * i) :
											    0;
	if (sig.sources < 2)
		w = (w & 0x00ffffff) | 6 << 24;
	if (compare)
		return w | (one_in(2) ? 1u << 15 | noise() % 50 * 2 << 8 : 0);
	return w | field(6, 8) | field(2, 11) | (has_sign(sig.result) ? pick_bits(0xe000) : 0);
}

u32 dpp16(const Row &row)
{
	static const u32 controls[] = {0x00,  0x1b,  0xe4,  0xff,  0x101, 0x10f, 0x111, 0x118,
				       0x121, 0x12f, 0x140, 0x141, 0x150, 0x15f, 0x160, 0x16f};
	u32 w = (noise() & 63) | controls[noise() % 16] << 8 | pick_bits(3u << 18) | (one_in(2) ? 0xff000000 : noise() & 0xff000000);

	for (unsigned i = 0; i < 2; i++)
		w |= has_sign(row.sig.source[i]) && row.sig.source[i] != 'b' ? (noise() & 3) << (20 + 2 * i) : 0;
	return w;
}

bool is_madk(const Row &row) { return row.opcode == 0x42c || row.opcode == 0x42d || row.opcode == 0x437 || row.opcode == 0x438; }

/** A short vector instruction with what its first source may be. */
Words short_form(u32 code, const Row &row, bool compare)
{
	if (is_madk(row))
		return {code | source9(), noise() & (row.sig.result == 'h' ? 0xffff : ~0u)};
	switch (noise() % 6) {
	case 0: return {code | 255, noise() | 0x1000};
	case 1: return {code | 249, sdwa(row, compare)};
	case 2: return {code | 250, dpp16(row)};
	case 3: return {code | 233 | (noise() & 1), (noise() & 63) | (noise() & ~255u)};
	default: return {code | source9()};
	}
}

/** Words of VOP3 or VOP3P, now and then with a literal. */
Words long_form(u32 code, u32 rest)
{
	u32 source[3] = {one_in(8) ? 0 : source9(), one_in(4) ? 0 : source9(), one_in(2) ? source9() : 0};
	const bool literal = one_in(8);

	if (literal)
		source[noise() % 2] = 255;
	Words words = {code, rest | source[0] | source[1] << 9 | source[2] << 18};
	if (literal)
		words.push_back(noise() | 0x1000);
	return words;
}

Words smem(u32 op)
{
	const u32 code = 0x3du << 26 | op << 18;

	if (op >= 31 && op <= 41)
		return {code | (op == 36 || op == 37 ? pick_bits(0x3e) << 6 : 0), 0};
	return {code | pick_bits(0x14000) | pick_bits(0x1c) << 6 | pick_bits(0x1e),
		(one_in(2) ? 0x7du : noise() % 100) << 25 | (noise() & (one_in(2) ? 0x1fffff : 0xfff))};
}

Words flat(u32 op, const Row &row)
{
	if (row.opcode == 0x416 || row.opcode == 0x417) /* global_load_dword_addtid and its store: no address register */
		return {0x37u << 26 | op << 18 | 2 << 14 | pick_bits(0x31000) | pick_bits(0xfff),
			(one_in(2) ? 0x7d : noise() % 50 * 2) << 16 | (noise() & 0x7f) << (row.sig.result ? 24 : 8)};
	const u32 segment = noise() % 3, none = segment == 1 && one_in(4) ? 0x7f : 0x7d;
	const u32 saddr = segment && one_in(2) ? noise() % 50 * 2 : none;
	const bool address = !one_in(3);

	return {0x37u << 26 | op << 18 | segment << 14 | pick_bits(0x31000) | pick_bits(segment ? 0xfff : 0x7ff),
		(address ? noise() & 0x7f : 0) | pick_bits(0x7f) << 8 | saddr << 16 | pick_bits(0x7f) << 24};
}

Words buffer(u32 code, u32 more)
{
	return {code | pick_bits(0x3000) | pick_bits(0xc000) | pick_bits(0xfff), pick_bits(0x7f) | pick_bits(0x7f) << 8 |
											 noise() % 20 << 16 | more | pick_bits(1 << 22) |
											 (one_in(2) ? 128u : noise() % 100) << 24};
}

} // namespace

Words gfx10_encoding(Format format, u32 op, const Row &row)
{
	switch (format) {
	case Format::SOP2:
		if (one_in(8))
			return {2u << 30 | op << 23 | sdst() << 16 | 255 << 8 | scalar(), noise() | 0x1000};
		return {2u << 30 | op << 23 | sdst() << 16 | scalar() << 8 | scalar()};
	case Format::SOPK:
		if (row.opcode == 20)
			return {0xbu << 28 | op << 23 | (noise() & 0xffff), noise()};
		return {0xbu << 28 | op << 23 | (row.opcode == 0x401 ? 0 : sdst() << 16) | (noise() & 0xffff)};
	case Format::SOP1: return {0x17du << 23 | (one_in(2) ? sdst() : 0) << 16 | op << 8 | (one_in(2) ? scalar() : 0)};
	case Format::SOPC: return {0x17eu << 23 | op << 16 | scalar() << 8 | scalar()};
	case Format::SOPP:
		if (op == 16 || op == 17)
			return {0x17fu << 23 | op << 16 | (noise() & 1)};
		return {0x17fu << 23 | op << 16 | pick_bits(one_in(2) ? 0xffff : 15)};
	case Format::SMEM: return smem(op);
	case Format::VOP2: return short_form(op << 25 | (noise() & 255) << 17 | (noise() & 255) << 9, row, false);
	case Format::VOP1:
		if (!row.sig.sources)
			return {0x3fu << 25 | op << 9};
		return short_form(0x3fu << 25 | pick_bits(0x7f) << 17 | op << 9, row, false);
	case Format::VOPC: return short_form(0x3eu << 25 | op << 17 | (noise() & 255) << 9, row, true);
	case Format::VOP3: {
		const u32 modifiers = row.sig.mask_out ? one_in(2) ? sdst() << 8 : 0 : one_in(2) ? pick_bits(0x700) | pick_bits(0x8000) : 0;
		const u32 dst = row.sig.result == 'm' && row.name[5] == 'x' ? 0x7e : sdst();

		if (!row.sig.sources)
			return {0x35u << 26 | op << 16, 0};
		return long_form(0x35u << 26 | op << 16 | modifiers | dst,
				 (one_in(2) ? pick_bits(0xe0000000) : 0) | (one_in(8) ? noise() & 3u << 27 : 0));
	}
	case Format::VOP3P: {
		Words words = long_form(0x198u << 23 | op << 16 | pick_bits(0x4000) | pick_bits(0x3800) | pick_bits(0x700) |
						(noise() & 127),
					pick_bits(3u << 27) | pick_bits(0xe0000000));
		if (row.sig.sources < 3 && one_in(2)) { /* sources that are not there: 0, op_sel_hi set */
			words[0] = (words[0] & ~0x2400u) | 0x4000;
			words[1] &= 0x7803ffff;
		}
		return words;
	}
	case Format::DS:
		return {0x36u << 26 | op << 18 | pick_bits(0xffff) |
				((row.opcode >= 152 && row.opcode <= 157) || row.opcode == 191 ? 1u << 17 : 0),
			pick_bits(0x7f) | pick_bits(0x7f) << 8 | pick_bits(0x7f) << 16 | pick_bits(0x7f) << 24};
	case Format::FLAT: return flat(op, row);
	case Format::MUBUF:
		if (!row.sig.sources && !row.sig.result)
			return {0x38u << 26 | op << 18, 0};
		return buffer(0x38u << 26 | op << 18 | (row.opcode >= 16 && row.opcode <= 20 ? pick_bits(0x10000) : 0), 0);
	case Format::MTBUF: return buffer(0x3au << 26 | (op & 7) << 16 | pick_bits(0x3f80000), (op >> 3) << 21);
	default: return {};
	}
}

} // namespace isa_test

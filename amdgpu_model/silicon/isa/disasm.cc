// SPDX-License-Identifier: MIT
/*
 * disasm.cc - text of an instruction in llvm-objdump's syntax, from the same rows that decode and execute it.
 *
 * Works on the raw words, so that operands print as they are encoded; what decode() refuses prints nothing here either when
 * no row exists.
 */
#include "disasm_text.h"
#include "row.h"
#include "../cu/wave.h"

namespace silicon {

namespace {

struct Dis {
	Isa isa;
	const u32 *code;
	unsigned words;
	Text text;
	unsigned used = 1;
	bool first = true;
	Format home{};			/* table that the row stands in */
	unsigned literal_at = 1;	/* word */

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

void vgpr(Dis &d, unsigned n, unsigned width, bool acc = false) { d.next().registers(acc ? 'a' : 'v', n, width); }
void sgpr(Dis &d, unsigned n, unsigned width) { d.next().scalar(n, width); }

/** A source by its 9-bit (or, without VGPRs, 8-bit) encoding. */
void source(Dis &d, unsigned code, char type, bool separate = true)
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

const Row *find(Dis &d, Format format, unsigned opcode)
{
	RowPlace place;
	const Row *row = find_row(d.isa, format, opcode, &place);

	if (row)
		d.home = place.format;
	return row;
}

const Row *row_of(Dis &d, Format format, unsigned opcode, const char *prefix = "", const char *suffix = "")
{
	const Row *row = find(d, format, opcode);

	if (row)
		d.text.put(prefix).put(row->name).put(suffix);
	return row;
}

/** VCC as a mask of lanes. */
void vcc(Dis &d) { d.next().put(d.mask_width() == 1 ? "vcc_lo" : "vcc"); }

/* ---- Scalar formats ---- */

bool dis_sop2(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::SOP2, bits(w, 29, 23));

	if (!row)
		return false;
	if (width_of(row->sig.result))
		sgpr(d, bits(w, 22, 16), width_of(row->sig.result));
	source(d, bits(w, 7, 0), row->sig.source[0]);
	source(d, bits(w, 15, 8), row->sig.source[1]);
	return true;
}

bool dis_sopk(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPK, bits(w, 27, 23));

	if (!row)
		return false;
	const bool register_first = row->spelling == shows_register && !row->sig.result;	/* s_setreg: it is what is written */
	const unsigned width = max(width_of(row->sig.result), width_of(row->sig.source[0]));

	if (register_first)
		d.next().hardware_register(w & 0xffff);
	if (row->has(literal_a))
		d.next().literal(d.word(1));
	else if (width)
		sgpr(d, bits(w, 22, 16), width);
	if (row->spelling == shows_distance)
		d.next().decimal(w & 0xffff);
	else if (row->spelling != shows_register)
		d.next().hex(w & 0xffff);
	else if (!register_first)
		d.next().hardware_register(w & 0xffff);
	return true;
}

bool dis_sop1(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::SOP1, bits(w, 15, 8));

	if (!row)
		return false;
	if (width_of(row->sig.result))
		sgpr(d, bits(w, 22, 16), width_of(row->sig.result));
	if (row->sig.sources)
		source(d, bits(w, 7, 0), row->sig.source[0]);
	return true;
}

bool dis_sopc(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPC, bits(w, 22, 16));

	if (!row)
		return false;
	source(d, bits(w, 7, 0), row->sig.source[0]);
	if (row->spelling == shows_index_mode)
		d.next().index_mode(bits(w, 15, 8));
	else
		source(d, bits(w, 15, 8), row->sig.source[1]);
	return true;
}

bool dis_sopp(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPP, bits(w, 22, 16));
	const u32 imm = w & 0xffff;

	if (!row)
		return false;
	switch (row->spelling) {
	case shows_waits:
		d.next().waits(imm);
		break;
	case shows_message:
		d.next().message(imm);
		break;
	case shows_index_mode:
		d.next().index_mode(imm);
		break;
	case shows_distance:
		d.next().decimal(imm);
		break;
	case shows_nonzero:
		if (imm)
			d.next().decimal(imm);
		break;
	case shows_dependencies:
		d.next().dependencies(imm);
		break;
	case shows_hex:
		d.next().hex(imm);
		break;
	default:
		if (row->sig.sources)
			d.next().small_or_hex(imm);
	}
	return true;
}

bool dis_sop(Dis &d, u32 w)
{
	const unsigned opcode = bits(w, 29, 23);

	if (opcode == 0x7f)
		return dis_sopp(d, w);
	if (opcode == 0x7e)
		return dis_sopc(d, w);
	if (opcode == 0x7d)
		return dis_sop1(d, w);
	return bits(w, 29, 28) == 3 ? dis_sopk(d, w) : dis_sop2(d, w);
}

/** GFX10: an SGPR unless it is null, and a constant. */
void smem_offset(Dis &d, u32 w1)
{
	const unsigned soffset = bits(w1, 31, 25);
	const s32 offset = static_cast<s32>(w1 << 11) >> 11;

	if (soffset != sgpr_null || !offset)	/* neither: null is named */
		source(d, soffset, 'u');
	else
		d.next();
	if (soffset != sgpr_null && offset)
		d.text.put(" offset:");
	if (offset)
		d.text.put(offset < 0 ? "-" : "").hex(static_cast<u32>(offset < 0 ? -offset : offset));
}

bool dis_smem(Dis &d, u32 w)
{
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, Format::SMEM, bits(w, 25, 18));

	if (!row)
		return false;
	const Signature &sig = row->sig;
	const unsigned data = max(width_of(sig.result), sig.sources > 1 ? width_of(sig.source[1]) : 0);
	const unsigned base = row->spelling == shows_descriptor ? 4 : row->spelling == shows_address ? 2 : width_of(sig.source[0]);
	if (sig.source[0] == 'k')
		d.next().decimal(bits(w, 12, 6));
	else if (data)
		sgpr(d, bits(w, 12, 6), data);
	if (!base)
		return true;
	sgpr(d, bits(w, 5, 0) * 2, base);
	if (d.gfx10()) {
		smem_offset(d, w1);
	} else if (d.isa == Isa::Gfx8 && bit(w, 17)) {
		d.next().hex(bits(w1, 19, 0));
	} else if (!bit(w, 17)) {
		source(d, bit(w, 14) ? bits(w1, 31, 25) : bits(w1, 6, 0), 'u');
	} else if (static_cast<s32>(w1 << 11) < 0) {
		d.next().put("-").hex((1u << 21) - bits(w1, 20, 0));
	} else {
		d.next().hex(bits(w1, 20, 0));
	}
	d.text.put(bit(w, 16) ? " glc" : "").put(d.gfx10() && bit(w, 14) ? " dlc" : "");
	return true;
}

/* ---- Vector formats ---- */

/** With modifiers: -|v1|. */
void modified(Dis &d, unsigned code, char type, bool neg, bool abs, bool sext = false)
{
	const bool number = (code >= 128 && code <= 208) || (code >= 240 && code <= 248) || code == 255;
	const bool constant = number && neg && !abs;	/* -1 would be another constant */

	d.next().put(constant ? "neg(" : neg ? "-" : "").put(abs ? "|" : "").put(sext ? "sext(" : "");
	source(d, code, type, false);
	d.text.put(sext ? ")" : "").put(abs ? "|" : "").put(constant ? ")" : "");
}

bool is_dpp8(const Dis &d, u32 src0) { return d.gfx10() && (src0 == 233 || src0 == 234); }

const char *short_suffix(const Dis &d, const Row &row, u32 src0)
{
	if (row.spelling == no_suffix)
		return "";
	return src0 == 249 ? "_sdwa" : src0 == 250 || is_dpp8(d, src0) ? "_dpp" : "_e32";
}

/** Source 0 and, with two, source 1 of a short form, which SDWA and DPP replace. */
void short_sources(Dis &d, u32 w, const Signature &sig, unsigned count)
{
	const unsigned code0 = bits(w, 8, 0), code1 = bits(w, 16, 9);

	if (is_dpp8(d, code0)) {
		source(d, bits(d.word(1), 7, 0) + 256, sig.source[0]);
		if (count > 1)
			source(d, code1 + 256, sig.source[1]);
		return;
	}
	if (code0 != 249 && code0 != 250) {
		source(d, code0, d.home == Format::VOP3P ? 'u' : sig.source[0]);
		if (count > 1)
			source(d, code1 + 256, sig.source[1]);
		return;
	}
	const u32 x = d.word(1);
	if (code0 == 249) {
		modified(d, bits(x, 7, 0) + (bit(x, 23) ? 0 : 256), sig.source[0], bit(x, 20), bit(x, 21), bit(x, 19));
		if (count > 1)
			modified(d, code1 + (bit(x, 31) ? 0 : 256), sig.source[1], bit(x, 28), bit(x, 29), bit(x, 27));
	} else {
		modified(d, bits(x, 7, 0) + 256, sig.source[0], bit(x, 20), bit(x, 21));
		if (count > 1)
			modified(d, code1 + 256, sig.source[1], bit(x, 22), bit(x, 23));
	}
}

void short_modifiers(Dis &d, u32 w, unsigned count, bool compare)
{
	if (bits(w, 8, 0) == 249)
		d.text.sdwa(d.word(1), count, compare);
	else if (bits(w, 8, 0) == 250)
		d.text.dpp(d.word(1));
	else if (is_dpp8(d, bits(w, 8, 0)))
		d.text.dpp8(d.word(1) >> 8, bits(w, 8, 0) == 234);
}

bool dis_vop2(Dis &d, u32 w)
{
	const Row *row = find(d, Format::VOP2, bits(w, 30, 25));

	if (!row)
		return false;
	const Signature &sig = row->sig;
	d.text.put(row->name).put(short_suffix(d, *row, bits(w, 8, 0)));
	vgpr(d, bits(w, 24, 17), width_of(sig.result));
	if (sig.mask_out)
		vcc(d);
	if (row->has(literal_b | literal_c)) {
		const bool second = row->has(literal_b);
		const u32 literal = d.word(1) & (sig.result == 'h' && d.gfx10() ? 0xffff : ~0u);

		source(d, bits(w, 8, 0), sig.source[0]);
		if (second)
			d.next().hex(literal);
		vgpr(d, bits(w, 16, 9), 1);
		if (!second)
			d.next().hex(literal);
		return true;
	}
	short_sources(d, w, sig, 2);
	if (sig.sources == 3 && sig.source[2] == 'm')
		vcc(d);
	short_modifiers(d, w, 2, false);
	return true;
}

bool dis_vop1(Dis &d, u32 w)
{
	const Row *row = find(d, Format::VOP1, bits(w, 16, 9));

	if (!row)
		return false;
	d.text.put(row->name).put(short_suffix(d, *row, bits(w, 8, 0)));
	if (!row->sig.sources)
		return true;
	if (row->has(reads_agpr)) {	/* v_accvgpr_mov_b32 */
		vgpr(d, bits(w, 24, 17), 1, true);
		vgpr(d, bits(w, 7, 0), 1, true);
		return bit(w, 8);
	}
	if (row->sig.result == 'S')
		sgpr(d, bits(w, 24, 17), 1);
	else
		vgpr(d, bits(w, 24, 17), width_of(row->sig.result));
	short_sources(d, w, row->sig, 1);
	short_modifiers(d, w, 1, false);
	return true;
}

/** v_cmpx of GFX10 has no other result. */
bool exec_alone(const Dis &d, const Row &row) { return d.gfx10() && row.sig.narrows_exec; }

bool dis_vopc(Dis &d, u32 w)
{
	const Row *row = find(d, Format::VOPC, bits(w, 24, 17));

	if (!row)
		return false;
	d.text.put(row->name).put(short_suffix(d, *row, bits(w, 8, 0)));
	if (exec_alone(d, *row))
		;
	else if (bits(w, 8, 0) == 249 && bit(d.word(1), 15))
		sgpr(d, bits(d.word(1), 14, 8), d.mask_width());
	else
		vcc(d);
	short_sources(d, w, row->sig, 2);
	short_modifiers(d, w, 2, true);
	return true;
}

void long_results(Dis &d, u32 w, const Row &row)
{
	const Signature &sig = row.sig;

	if (sig.result == 'm' && exec_alone(d, row))
		return;
	if (sig.result == 'm' || sig.result == 'S')
		sgpr(d, bits(w, 7, 0), sig.result == 'm' ? d.mask_width() : 1);
	else if (sig.result)
		vgpr(d, bits(w, 7, 0), width_of(sig.result));
	if (sig.mask_out)
		sgpr(d, bits(w, 14, 8), d.mask_width());
}

void output_modifiers(Dis &d, bool clamp, unsigned omod)
{
	static constexpr const char *names[] = {"", " mul:2", " mul:4", " div:2"};

	if (clamp)
		d.text.put(" clamp");
	d.text.put(names[omod]);
}

/** How a source of a long form prints: masks as wide as the wave, v_ldexp_f16's exponent as a whole dword. */
char long_type(const Dis &d, const Row &row, unsigned i)
{
	if (row.sig.source[i] == 'm')
		return d.mask_width() == 1 ? 'u' : 'U';
	return row.spelling == shows_whole_exponent && i ? 'u' : row.sig.source[i];
}

/** A source of a long form. Bits of neg and abs that do not apply are not shown; LLVM calls neg of a float row's integers sext. */
void long_source(Dis &d, const Row &row, unsigned i, unsigned code, bool neg, bool abs)
{
	const bool float_row = has_sign(row.sig.source[0]), sign = has_sign(row.sig.source[i]) || (!i && row.has(float_class));

	modified(d, code, long_type(d, row, i), neg && sign, abs && sign, neg && float_row && !sign);
}

bool dis_vop3(Dis &d, u32 w)
{
	const LongCode place = long_code(d.isa, bits(w, 25, 16));
	d.literal_at = 2;
	const Row *row = find(d, place.format, place.opcode);
	const u32 w1 = d.word(1);

	if (!row || row->has(short_only | literal_b | literal_c | swaps))
		return false;
	const Signature &sig = row->sig;
	const unsigned count = sig.sources - row->has(accumulates);
	d.text.put(row->name).put(place.format == Format::VOP3 || row->spelling == no_suffix ? "" : "_e64");
	if (!sig.sources)
		return true;
	long_results(d, w, *row);
	for (unsigned i = 0; i < count; i++)
		long_source(d, *row, i, bits(w1, 8 + 9 * i, 9 * i), bit(w1, 29 + i), !sig.mask_out && bit(w, 8 + i));
	if (!sig.mask_out && bits(w, 14, 11))
		d.text.op_sel("op_sel", bits(w, 14, 11), count + 1, bit(w, 14));
	output_modifiers(d, bit(w, 15), bits(w1, 28, 27));
	return true;
}

/** Matrix products and moves of AGPRs; ACC bits say which file a source is in. */
bool dis_mai(Dis &d, u32 w, const Row &row)
{
	const u32 w1 = d.word(1);
	const bool move = row.has(reads_agpr | writes_agpr);
	const bool acc_result = row.has(writes_agpr) || (!move && (d.isa != Isa::Gfx90a || bit(w, 15)));

	vgpr(d, bits(w, 7, 0), width_of(row.sig.result), acc_result);
	for (unsigned i = 0; i < row.sig.sources; i++) {
		const unsigned code = bits(w1, 8 + 9 * i, 9 * i);
		const bool acc = move ? row.has(reads_agpr) : i == 2 ? acc_result : bit(w1, 27 + i);

		if (code >= 256)
			vgpr(d, code - 256, width_of(row.sig.source[i]), acc);
		else
			source(d, code, row.sig.source[i]);
	}
	if (move)
		return true;
	if (bits(w, 10, 8))
		d.text.put(" cbsz:").decimal(bits(w, 10, 8));
	if (bits(w, 14, 11))
		d.text.put(" abid:").decimal(bits(w, 14, 11));
	if (bits(w1, 31, 29))
		d.text.put(" blgp:").decimal(bits(w1, 31, 29));
	return true;
}

bool dis_vop3p(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::VOP3P, bits(w, 22, 16));
	const u32 w1 = d.word(1);

	if (!row)
		return false;
	if (row->has(matrix))
		return dis_mai(d, w, *row);
	d.literal_at = 2;
	const unsigned count = row->sig.sources, mix = row->has(mixed);
	const u32 all = (1u << count) - 1, high = bits(w1, 28, 27) | bits(w, 14, 14) << 2;
	vgpr(d, bits(w, 7, 0), width_of(row->sig.result));
	for (unsigned i = 0; i < count; i++) {
		if (mix)
			modified(d, bits(w1, 8 + 9 * i, 9 * i), 'w', bit(w1, 29 + i), bit(w, 8 + i));
		else
			source(d, bits(w1, 8 + 9 * i, 9 * i), row->sig.source[i] == 'F' ? 'F' : 'u');	/* literals are whole */
	}
	if (bits(w, 13, 11) & all)
		d.text.op_sel("op_sel", bits(w, 13, 11), count, false);
	if ((high & all) != (mix ? 0 : all))
		d.text.op_sel("op_sel_hi", high, count, false);
	if (!mix && (bits(w1, 31, 29) & all))
		d.text.op_sel("neg_lo", bits(w1, 31, 29), count, false);
	if (!mix && (bits(w, 10, 8) & all))
		d.text.op_sel("neg_hi", bits(w, 10, 8), count, false);
	output_modifiers(d, bit(w, 15), 0);
	return true;
}

/* ---- Memory formats ---- */

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

/** 13 bits signed, or 12 for flat addresses without sign; a bit less of each on GFX10. */
s32 flat_offset(const Dis &d, u32 w, unsigned segment)
{
	const unsigned width = d.gfx10() ? 12 : 13;

	return segment ? static_cast<s32>(w << (32 - width)) >> (32 - width) : static_cast<s32>(bits(w, width - 2, 0));
}

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

bool dis_word(Dis &d, u32 w)
{
	if (!(w >> 31)) {
		if (w >> 25 == 0x3e)
			return dis_vopc(d, w);
		return w >> 25 == 0x3f ? dis_vop1(d, w) : dis_vop2(d, w);
	}
	if (w >> 30 == 2)
		return dis_sop(d, w);
	if (w >> 23 == (d.gfx10() ? 0x198 : 0x1a7))
		return dis_vop3p(d, w);
	if (w >> 26 == (d.gfx10() ? 0x3d : 0x30))
		return dis_smem(d, w);
	if (w >> 26 == (d.gfx10() ? 0x35 : 0x34))
		return dis_vop3(d, w);
	switch (w >> 26) {
	case 0x36:
		return dis_ds(d, w);
	case 0x37:
		return dis_flat(d, w);
	case 0x38:
		return dis_mubuf(d, w);
	case 0x3a:
		return dis_mtbuf(d, w);
	default:
		return false;
	}
}

} // namespace

unsigned disassemble(Isa isa, const u32 *code, unsigned size, char *text, unsigned text_size)
{
	Dis d{isa, code, size / 4, {text, text_size, isa}};

	if (size < 4 || !dis_word(d, code[0]) || d.used * 4 > size) {
		if (text_size)
			text[0] = 0;
		return 0;
	}
	return d.used * 4;
}

} // namespace silicon

// SPDX-License-Identifier: MIT
/*
 * disasm.cc - text of an instruction in llvm-objdump's syntax, from the same rows that decode and execute it.
 *
 * Works on the raw words, so that operands print as they are encoded; what decode() refuses prints nothing here either when
 * no row exists.
 */
#include "disasm_text.h"
#include "row.h"

namespace silicon {
namespace {

struct Dis {
	Isa isa;
	const u32 *code;
	unsigned words;
	Text text;
	unsigned used = 1;
	bool first = true;

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

void vgpr(Dis &d, unsigned n, unsigned width) { d.next().registers('v', n, width); }
void sgpr(Dis &d, unsigned n, unsigned width) { d.next().scalar(n, width); }

/** A source by its 9-bit (or, without VGPRs, 8-bit) encoding. */
void source(Dis &d, unsigned code, char type, bool separate = true)
{
	if (separate)
		d.next();
	if (code >= 256)
		d.text.registers('v', code - 256, width_of(type));
	else if (code == 255)
		d.text.hex(d.word(d.used > 1 ? d.used - 1 : 1) & (type == 'h' || type == 'w' || type == 's' ? 0xffff : ~0u));
	else
		d.text.scalar_or_constant(code, width_of(type) ? width_of(type) : 1);
}

bool starts_with(const char *text, const char *word)
{
	while (*word)
		if (*text++ != *word++)
			return false;
	return true;
}

const Row *row_of(Dis &d, Format format, unsigned opcode, const char *prefix = "", const char *suffix = "")
{
	unsigned index;
	const Row *row = find_row(d.isa, format, opcode, &index);

	if (row)
		d.text.put(prefix).put(row->name).put(suffix);
	return row;
}

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
	if (row->opcode == 18 || row->opcode == 20) {
		d.next().hardware_register(w & 0xffff);
		if (row->opcode == 20)
			d.next().hex(d.word(1));
		else
			sgpr(d, bits(w, 22, 16), 1);
		return true;
	}
	sgpr(d, bits(w, 22, 16), width_of(row->sig.result) == 2 || row->opcode == 16 ? 2 : 1);
	if (row->opcode == 17)
		d.next().hardware_register(w & 0xffff);
	else if (row->opcode == 21 || row->opcode == 16)
		d.next().decimal(w & 0xffff);
	else
		d.next().hex(w & 0xffff);
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
	if (row->sig.source[1] == 'k')
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
	if (row->opcode == 12)
		d.next().waits(imm);
	else if (row->opcode == 16 || row->opcode == 17)
		d.next().message(imm);
	else if (row->opcode == 29)
		d.next().index_mode(imm);
	else if (starts_with(row->name, "s_branch") || starts_with(row->name, "s_cbranch") || (row->opcode == 1 && imm))
		d.next().decimal(imm);
	else if (row->sig.sources)
		d.next().small_or_hex(imm);
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

bool dis_smem(Dis &d, u32 w)
{
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, Format::SMEM, bits(w, 25, 18));

	if (!row)
		return false;
	const Signature &sig = row->sig;
	const unsigned data = max(width_of(sig.result), sig.sources > 1 ? width_of(sig.source[1]) : 0);
	const bool probe = row->opcode == 38 || row->opcode == 39, discard = row->opcode == 40 || row->opcode == 41;
	if (probe)
		d.next().decimal(bits(w, 12, 6));
	else if (data)
		sgpr(d, bits(w, 12, 6), data);
	if (!(sig.sources && width_of(sig.source[0])) && !probe && !discard)
		return true;
	sgpr(d, bits(w, 5, 0) * 2, row->opcode == 39 ? 4 : width_of(sig.source[0]) ? width_of(sig.source[0]) : 2);
	if (d.isa == Isa::Gfx8 && bit(w, 17)) {
		d.next().hex(bits(w1, 19, 0));
	} else if (!bit(w, 17)) {
		source(d, bit(w, 14) ? bits(w1, 31, 25) : bits(w1, 6, 0), 'u');
	} else if (static_cast<s32>(w1 << 11) < 0) {
		d.next().put("-").hex((1u << 21) - bits(w1, 20, 0));
	} else {
		d.next().hex(bits(w1, 20, 0));
	}
	if (bit(w, 16))
		d.text.put(" glc");
	return true;
}

/* ---- Vector formats ---- */

/** With modifiers: -|v1|. */
void modified(Dis &d, unsigned code, char type, bool neg, bool abs, bool sext = false)
{
	const bool number = (code >= 128 && code <= 208) || (code >= 240 && code <= 248);
	const bool constant = number && neg && !abs;	/* -1 would be another constant */

	d.next().put(constant ? "neg(" : neg ? "-" : "").put(abs ? "|" : "").put(sext ? "sext(" : "");
	source(d, code, type, false);
	d.text.put(sext ? ")" : "").put(abs ? "|" : "").put(constant ? ")" : "");
}

bool madk(const Row &row) { return row.opcode == 23 || row.opcode == 24 || row.opcode == 36 || row.opcode == 37; }

const char *short_suffix(u32 src0)
{
	return src0 == 249 ? "_sdwa" : src0 == 250 ? "_dpp" : "_e32";
}

/** Source 0 and, with two, source 1 of a short form, which SDWA and DPP replace. */
void short_sources(Dis &d, u32 w, const Signature &sig, unsigned count)
{
	const unsigned code0 = bits(w, 8, 0), code1 = bits(w, 16, 9);

	if (code0 != 249 && code0 != 250) {
		source(d, code0, sig.source[0]);
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
}

bool dis_vop2(Dis &d, u32 w)
{
	unsigned index;
	const Row *row = find_row(d.isa, Format::VOP2, bits(w, 30, 25), &index);

	if (!row)
		return false;
	const Signature &sig = row->sig;
	d.text.put(row->name).put(madk(*row) ? "" : short_suffix(bits(w, 8, 0)));
	vgpr(d, bits(w, 24, 17), width_of(sig.result));
	if (sig.mask_out)
		d.next().put("vcc");
	if (madk(*row)) {
		const bool second = row->opcode == 23 || row->opcode == 36;
		const u32 literal = d.word(1);

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
		d.next().put("vcc");
	short_modifiers(d, w, 2, false);
	return true;
}

bool plain_name(const Row &row) { return row.opcode == 0 || row.opcode == 2 || row.opcode == 53 || row.opcode == 81; }

bool dis_vop1(Dis &d, u32 w)
{
	unsigned index;
	const Row *row = find_row(d.isa, Format::VOP1, bits(w, 16, 9), &index);

	if (!row)
		return false;
	d.text.put(row->name).put(plain_name(*row) ? "" : short_suffix(bits(w, 8, 0)));
	if (!row->sig.sources)
		return true;
	if (row->sig.result == 'S')
		sgpr(d, bits(w, 24, 17), 1);
	else
		vgpr(d, bits(w, 24, 17), width_of(row->sig.result));
	short_sources(d, w, row->sig, 1);
	short_modifiers(d, w, 1, false);
	return true;
}

bool dis_vopc(Dis &d, u32 w)
{
	unsigned index;
	const Row *row = find_row(d.isa, Format::VOPC, bits(w, 24, 17), &index);

	if (!row)
		return false;
	d.text.put(row->name).put(short_suffix(bits(w, 8, 0)));
	if (bits(w, 8, 0) == 249 && bit(d.word(1), 15))
		sgpr(d, bits(d.word(1), 14, 8), 2);
	else
		d.next().put("vcc");
	short_sources(d, w, row->sig, 2);
	short_modifiers(d, w, 2, true);
	return true;
}

const Row *long_row(Dis &d, unsigned opcode, Format *format)
{
	unsigned index;

	*format = opcode < 0x100 ? Format::VOPC : opcode < 0x140 ? Format::VOP2 : opcode < 0x1c0 ? Format::VOP1 : Format::VOP3;
	return find_row(d.isa, *format, opcode - (*format == Format::VOP2 ? 0x100 : *format == Format::VOP1 ? 0x140 : 0), &index);
}

void long_results(Dis &d, u32 w, const Signature &sig)
{
	if (sig.result == 'm' || sig.result == 'S')
		sgpr(d, bits(w, 7, 0), sig.result == 'm' ? 2 : 1);
	else if (sig.result)
		vgpr(d, bits(w, 7, 0), width_of(sig.result));
	if (sig.mask_out)
		sgpr(d, bits(w, 14, 8), 2);
}

void output_modifiers(Dis &d, bool clamp, unsigned omod)
{
	static constexpr const char *names[] = {"", " mul:2", " mul:4", " div:2"};

	if (clamp)
		d.text.put(" clamp");
	d.text.put(names[omod]);
}

bool dis_vop3(Dis &d, u32 w)
{
	Format format;
	const Row *row = long_row(d, bits(w, 25, 16), &format);
	const u32 w1 = d.word(1);

	if (!row || (format == Format::VOP2 && madk(*row)) || (format == Format::VOP1 && row->opcode == 81))
		return false;
	const Signature &sig = row->sig;
	const bool accumulates = format == Format::VOP2 && sig.sources == 3 && sig.source[2] != 'm';
	const bool packs = format == Format::VOP3 && row->opcode == 0x1f0;	/* third source is the destination */
	const unsigned count = sig.sources - (accumulates || packs);
	d.text.put(row->name).put(format == Format::VOP3 || (format == Format::VOP1 && plain_name(*row)) ? "" : "_e64");
	if (!sig.sources)
		return true;
	long_results(d, w, sig);
	for (unsigned i = 0; i < count; i++)
		modified(d, bits(w1, 8 + 9 * i, 9 * i), sig.source[i] == 'm' ? 'U' : sig.source[i], bit(w1, 29 + i),
			 !sig.mask_out && bit(w, 8 + i));
	if (!sig.mask_out && bits(w, 14, 11))
		d.text.op_sel("op_sel", bits(w, 14, 11), count + 1, bit(w, 14));
	output_modifiers(d, bit(w, 15), bits(w1, 28, 27));
	return true;
}

bool dis_vop3p(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::VOP3P, bits(w, 22, 16));
	const u32 w1 = d.word(1);

	if (!row)
		return false;
	const unsigned count = row->sig.sources, mix = row->opcode >= 0x20 && row->opcode <= 0x22;
	const u32 all = (1u << count) - 1, high = bits(w1, 28, 27) | bits(w, 14, 14) << 2;
	vgpr(d, bits(w, 7, 0), 1);
	for (unsigned i = 0; i < count; i++) {
		if (mix)
			modified(d, bits(w1, 8 + 9 * i, 9 * i), 'u', bit(w1, 29 + i), bit(w, 8 + i));
		else
			source(d, bits(w1, 8 + 9 * i, 9 * i), row->sig.source[i]);
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

/** read2, write2, wrxchg2; not src2 and what ends in 32. */
bool two_offsets(const char *name)
{
	for (name++; *name; name++)
		if (*name == '2' && name[-1] >= 'd' && (name[1] == '_' || (name[1] == 's' && name[2] == 't')))
			return true;
	return false;
}

bool dis_ds(Dis &d, u32 w)
{
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, Format::DS, bits(w, 24, 17));

	if (!row)
		return false;
	const Signature &sig = row->sig;
	const u32 offset = bits(w, 15, 0);
	if (width_of(sig.result))
		vgpr(d, bits(w1, 31, 24), width_of(sig.result));
	for (unsigned i = 0; i < sig.sources; i++)
		if (sig.source[i])
			vgpr(d, bits(w1, 7 + 8 * i, 8 * i), sig.source[i] == 'a' ? 1 : width_of(sig.source[i]));
	if (row->opcode == 61) {
		d.text.swizzle(offset);
	} else if (two_offsets(row->name)) {
		if (offset & 255)
			d.text.put(" offset0:").decimal(offset & 255);
		if (offset >> 8)
			d.text.put(" offset1:").decimal(offset >> 8);
	} else if (offset) {
		d.text.put(" offset:").decimal(offset);
	}
	if (bit(w, 16))
		d.text.put(" gds");
	return true;
}

bool dis_flat(Dis &d, u32 w)
{
	static constexpr const char *prefixes[] = {"flat_", "scratch_", "global_"};
	const u32 w1 = d.word(1);
	const unsigned segment = bits(w, 15, 14), saddr = bits(w1, 22, 16);

	if (segment == 3)
		return false;
	const Row *row = row_of(d, Format::FLAT, bits(w, 24, 18), prefixes[segment]);
	if (!row || (segment == 1 && row->opcode >= 64))
		return false;
	const Signature &sig = row->sig;
	const bool atomic = row->opcode >= 64, store = !width_of(sig.result), no_base = saddr == 0x7f;
	if ((!atomic && !store) || (atomic && bit(w, 16)))
		vgpr(d, bits(w1, 31, 24), width_of(sig.result));
	if (segment == 1 && !no_base)
		d.next().put("off");
	else
		vgpr(d, bits(w1, 7, 0), segment == 1 || (segment == 2 && !no_base) ? 1 : 2);
	if (sig.sources)
		vgpr(d, bits(w1, 15, 8), width_of(sig.source[0]));
	if (segment) {
		if (no_base)
			d.next().put("off");
		else
			sgpr(d, saddr, segment == 2 ? 2 : 1);
	}
	const s32 offset = segment ? static_cast<s32>(bits(w, 12, 0) << 19) >> 19 : static_cast<s32>(bits(w, 11, 0));
	if (offset)
		d.text.put(" offset:").signed_decimal(offset);
	d.text.put(bit(w, 16) ? " glc" : "").put(bit(w, 17) ? " slc" : "");
	return true;
}

/** Data, address, descriptor, offset, and the address bits of MUBUF and MTBUF; format comes between for MTBUF. */
template <class F> void buffer_operands(Dis &d, u32 w, unsigned data, F format)
{
	const u32 w1 = d.word(1);
	const bool offen = bit(w, 12), idxen = bit(w, 13);

	if (data)
		vgpr(d, bits(w1, 15, 8), data);
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

	d.word(1);
	if (!row)
		return false;
	if (row->opcode == 62 || row->opcode == 63)
		return true;
	buffer_operands(d, w, bit(w, 16) ? 0 : data_width(*row), [] {});
	d.text.put(bit(w, 14) ? " glc" : "").put(bit(w, 17) ? " slc" : "").put(bit(w, 16) ? " lds" : "");
	return true;
}

bool dis_mtbuf(Dis &d, u32 w)
{
	const Row *row = row_of(d, Format::MTBUF, bits(w, 18, 15));
	const u32 w1 = d.word(1);

	if (!row)
		return false;
	buffer_operands(d, w, data_width(*row), [&] { d.text.buffer_format(bits(w, 22, 19), bits(w, 25, 23)); });
	d.text.put(bit(w, 14) ? " glc" : "").put(bit(w1, 22) ? " slc" : "");
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
	if (w >> 23 == 0x1a7)
		return dis_vop3p(d, w);
	switch (w >> 26) {
	case 0x30:
		return dis_smem(d, w);
	case 0x34:
		return dis_vop3(d, w);
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

// SPDX-License-Identifier: MIT
/* scalar.cc - decodes the formats of scalar instructions: SOP2, SOPK, SOP1, SOPC, SOPP, SMEM (Vega ISA 13.1, 13.2). */
#include "decoder.h"

namespace silicon::decoding {
namespace {

bool scalar_result(Decoder &d, unsigned n, const Signature &sig)
{
	d.op->dst = written(d, n);
	return !width_of(sig.result) || sgpr(d, n, width_of(sig.result), true);
}

bool scalar_sources(Decoder &d, const Signature &sig, unsigned code0, unsigned code1)
{
	const unsigned code[2] = {code0, code1};

	for (unsigned i = 0; i < sig.sources; i++) {
		if (sig.source[i] == 'k')
			d.op->k[i] = code[i];
		else if (sig.source[i] && !scalar_source(d, i, code[i], sig.source[i]))
			return false;
	}
	return true;
}

} // namespace

void decode_sop2(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::SOP2, bits(w, 29, 23));

	if (row && scalar_sources(d, row->sig, bits(w, 7, 0), bits(w, 15, 8)))
		scalar_result(d, bits(w, 22, 16), row->sig);
}

void decode_sopk(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPK, bits(w, 27, 23));
	Op &op = *d.op;

	if (!row)
		return;
	const unsigned n = bits(w, 22, 16);

	op.code[1] = code_constant;
	op.k[1] = static_cast<u64>(s64{static_cast<s16>(w)});
	const char type = row->sig.sources ? row->sig.source[0] : 0;
	if (width_of(type))
		scalar_source(d, 0, n, type);
	scalar_result(d, n, row->sig);
	if (row->has(literal_a)) {
		op.code[0] = code_constant;
		op.k[0] = d.word(1);
	}
}

void decode_sop1(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::SOP1, bits(w, 15, 8));

	if (row && scalar_sources(d, row->sig, bits(w, 7, 0), 0))
		scalar_result(d, bits(w, 22, 16), row->sig);
}

void decode_sopc(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPC, bits(w, 22, 16));

	if (row)
		scalar_sources(d, row->sig, bits(w, 7, 0), bits(w, 15, 8));
}

void decode_sopp(Decoder &d, u32 w)
{
	row_of(d, Format::SOPP, bits(w, 22, 16));
	/* k[0] is free for a branch to remember its target; the constant is in k[1]. */
	d.op->k[1] = static_cast<u64>(s64{static_cast<s16>(w)});
	d.op->target = nullptr;
}

void decode_smem(Decoder &d, u32 w)
{
	const u32 w1 = d.word(1);
	const Row *row = row_of(d, Format::SMEM, bits(w, 25, 18));
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	const Signature &sig = row->sig;
	op.src[0] = bits(w, 5, 0) * 2;
	op.dst = bits(w, 12, 6);
	op.k[0] = 0;
	op.code[1] = code_constant;
	op.k[1] = 0;
	if (bit(w, 16))
		op.flags |= op_glc;
	if (sig.sources && width_of(sig.source[0]) && d.gfx10()) {
		sgpr(d, op.src[0], width_of(sig.source[0]), false);
		op.k[0] = static_cast<u64>(s64{static_cast<s32>(w1 << 11) >> 11});
		scalar_source(d, 1, bits(w1, 31, 25), 'u');
	} else if (sig.sources && width_of(sig.source[0])) {
		sgpr(d, op.src[0], width_of(sig.source[0]), false);
		/* imm: 21-bit signed offset; else an SGPR in the offset field; soe adds one beside the constant. GFX8: 20 bits, no soe */
		if (bit(w, 17) && d.gfx8())
			op.k[0] = bits(w1, 19, 0);
		else if (bit(w, 17))
			op.k[0] = static_cast<u64>(s64{static_cast<s32>(w1 << 11) >> 11});
		if ((bit(w, 14) && !d.gfx8()) || !bit(w, 17))
			scalar_source(d, 1, bit(w, 14) && !d.gfx8() ? bits(w1, 31, 25) : bits(w1, 6, 0), 'u');
	}
	const unsigned data = max(width_of(sig.result), sig.sources > 1 ? width_of(sig.source[1]) : 0);
	if (data)
		sgpr(d, op.dst, data, width_of(sig.result));
	op.dst = written(d, op.dst);
}

} // namespace silicon::decoding

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
	const Row *row = row_of(d, Format::SOP2);

	if (row && scalar_sources(d, row->sig, bits(w, 7, 0), bits(w, 15, 8)))
		scalar_result(d, bits(w, 22, 16), row->sig);
}

void decode_sopk(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPK);
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
	const Row *row = row_of(d, Format::SOP1);

	if (row && scalar_sources(d, row->sig, bits(w, 7, 0), 0))
		scalar_result(d, bits(w, 22, 16), row->sig);
}

void decode_sopc(Decoder &d, u32 w)
{
	const Row *row = row_of(d, Format::SOPC);

	if (row)
		scalar_sources(d, row->sig, bits(w, 7, 0), bits(w, 15, 8));
}

void decode_sopp(Decoder &d, u32 w)
{
	row_of(d, Format::SOPP);
	/* k[0] is free for a branch to remember its target; the constant is in k[1]. */
	d.op->k[1] = static_cast<u64>(s64{static_cast<s16>(w)});
	d.op->target = nullptr;
}

void decode_smem(Decoder &d, u32 w)
{
	const SmemFields fields(d.store.isa, w, d.word(1));
	const Row *row = row_of(d, Format::SMEM);
	Op &op = *d.op;

	op.memory = true;
	if (!row)
		return;
	const Signature &sig = row->sig;
	op.src[0] = fields.base;
	op.dst = fields.data;
	op.k[0] = 0;
	op.code[1] = code_constant;
	op.k[1] = 0;
	if (fields.glc)
		op.flags |= op_glc;
	if (sig.sources && width_of(sig.source[0])) {
		sgpr(d, op.src[0], width_of(sig.source[0]), false);
		if (fields.constant)
			op.k[0] = static_cast<u64>(s64{fields.offset});
		if (fields.scalar)
			scalar_source(d, 1, fields.soffset, 'u');
	}
	const unsigned data = max(width_of(sig.result), sig.sources > 1 ? width_of(sig.source[1]) : 0);
	if (data)
		sgpr(d, op.dst, data, width_of(sig.result));
	op.dst = written(d, op.dst);
}

} // namespace silicon::decoding

// SPDX-License-Identifier: MIT
/*
 * decode.cc - from the words of an instruction to an Op (Vega ISA chapter 13 "Microcode formats").
 *
 * One function a format, in the files of a format group. Anything that the manual does not define, and any register number that
 * does not exist, makes the whole instruction illegal.
 */
#include "../encoding.h"
#include "decoder.h"

namespace silicon::decoding {
namespace {

/* In the order of enum Format. */
constexpr void (*formats[])(Decoder &d, u32 w) = {
	decode_sop2, decode_sopk, decode_sop1,	decode_sopc, decode_sopp, decode_smem,	decode_vop2,  decode_vop1,
	decode_vopc, decode_vop3, decode_vop3p, decode_ds,   decode_flat, decode_mubuf, decode_mtbuf,
};
static_assert(sizeof(formats) / sizeof(formats[0]) == static_cast<unsigned>(Format::Count));

Unit unit_of(Format format, bool jumps)
{
	switch (format) {
	case Format::SOPP: return jumps ? Unit::Branch : Unit::Internal;
	case Format::SOP1:
	case Format::SOP2:
	case Format::SOPC:
	case Format::SOPK: return jumps ? Unit::Branch : Unit::Scalar;
	case Format::SMEM: return Unit::Scalar;
	case Format::DS: return Unit::Lds;
	case Format::FLAT:
	case Format::MUBUF:
	case Format::MTBUF: return Unit::Vmem;
	default: return Unit::Valu;
	}
}

/** The LDS moves 128 bytes a cycle: a dword of 64 lanes in two. Of two addresses each has a source; the result is of both. */
unsigned lds_cycles(const Row &row)
{
	const unsigned places = row.spelling == shows_two_offsets ? 2 : 1;
	unsigned dwords = width_of(row.sig.result);

	for (char type : row.sig.source)
		dwords = max(dwords, type == 'a' ? 0 : places * width_of(type));
	return max(dwords, 1u) * 2;
}

/** What the instruction costs, and whom. */
void take_costs(Op &op, Format format)
{
	const u8 how = op.row->cost & cost_bits;

	op.cost = op.row->cost & static_cast<u8>(~cost_bits);
	op.waits = how == cost_waits;
	op.exact = how == cost_exact;
	op.unit = op.waits ? Unit::Internal : unit_of(format, op.cost == jump);
	op.step = how & cost_shown   ? StepCode::None :
		  op.waits	     ? StepCode::Internal4 :
		  how == cost_sleeps ? sleep_step(sleep_length(op)) :
				       step_for(op.unit, op.cost);
	op.busy = static_cast<u8>(op.unit == Unit::Lds ? lds_cycles(*op.row) : op.step != StepCode::None ? cost_of(op.step).busy : op.cost);
}

} // namespace

} // namespace silicon::decoding

namespace silicon {

unsigned decode(EngineStore &store, const Variant &variant, const u32 *code, unsigned size, u64 pc, Op *op)
{
	__builtin_memset(op, 0, sizeof(*op));
	op->pc = pc;
	decoding::Decoder d{store, variant, code, size / 4, op};
	const Format format = format_of(store.isa, code[0]);
	if (format == Format::Count)
		d.fail();
	else
		decoding::formats[static_cast<unsigned>(format)](d, code[0]);
	if (op->flags & op_privileged)
		op->run = variant.privileged;
	op->vector = code[0] >> 30 != 2 && code[0] >> 26 != 0x30; /* of GFX8 and GFX9 */
	op->length = d.used * 4;
	if (op->row)
		decoding::take_costs(*op, d.home);
	/* Words behind the end count as zeros: what they make of the instruction says nothing. */
	if ((d.bad || !op->kernel) && d.used * 4 <= size)
		return 0;
	return op->length;
}

} // namespace silicon

// SPDX-License-Identifier: MIT
/* lanes.cc - see lanes.h. EXEC does not matter to readlane and writelane (Vega ISA 12.11). */
#include "lanes.h"
#include "valu.h"

namespace silicon::SILICON_VARIANT {

const Op *v_nop(State &, const Op *op) { return op + 1; }

const Op *v_swap(State &st, const Op *op)
{
	u32 *a = st.row(op->dst), *b = st.row(op->src[0]);

	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		const u32 v = a[lane];

		a[lane] = b[lane];
		b[lane] = v;
	}
	return op + 1;
}

/* GFX8's moves between VGPRs whose numbers M0 is added to: of the source (s), of the destination (d). */

static const Op *move_relative(State &st, const Op *op, bool source, bool destination)
{
	const u32 m0 = st.w->sgpr[sgpr_m0];
	const u64 from = u64{op->src[0]} + (source ? m0 : 0), to = u64{op->dst} + (destination ? m0 : 0);

	if (to >= st.w->vgprs || (!(op->src[0] & scratch_row) && from >= st.w->vgprs))
		return st.halt(op, Stop::IllegalInstruction);
	const u32 *s = st.row(op->src[0] & scratch_row ? op->src[0] : static_cast<unsigned>(from));
	for (u64 left = st.w->exec(); left; left &= left - 1)
		st.v[to][__builtin_ctzll(left)] = s[__builtin_ctzll(left)];
	return op + 1;
}

const Op *movreld_b32(State &st, const Op *op) { return move_relative(st, op, false, true); }
const Op *movrels_b32(State &st, const Op *op) { return move_relative(st, op, true, false); }
const Op *movrelsd_b32(State &st, const Op *op) { return move_relative(st, op, true, true); }

/** Lane 0 when EXEC is empty. */
const Op *readfirstlane(State &st, const Op *op)
{
	const u64 exec = st.w->exec();

	st.w->sgpr[op->dst] = st.row(op->src[0])[exec ? __builtin_ctzll(exec) : 0];
	return op + 1;
}

const Op *readlane(State &st, const Op *op)
{
	st.w->sgpr[op->dst] = st.row(op->src[0])[scalar32(st, op, 1) & 63];
	return op + 1;
}

const Op *writelane(State &st, const Op *op)
{
	st.row(op->dst)[scalar32(st, op, 1) & 63] = scalar32(st, op, 0);
	return op + 1;
}

/** Four masked sums of absolute differences, accumulated in 32 bits each. */
const Op *mqsad_u32(State &st, const Op *op)
{
	const u32 *a = st.row(op->src[0]), *b = st.row(op->src[1]), *c = st.row(op->src[2]);
	u32 *d = st.row(op->dst);

	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		const u64 window = join(a[lane], a[lanes + lane]);
		const u32 reference = b[lane];
		u32 sum[4];

		for (unsigned i = 0; i < 4; i++)
			sum[i] = msad_u8(static_cast<u32>(window >> 8 * i), reference) + c[i * lanes + lane];
		for (unsigned i = 0; i < 4; i++)
			d[i * lanes + lane] = sum[i];
	}
	return op + 1;
}

} // namespace silicon::SILICON_VARIANT

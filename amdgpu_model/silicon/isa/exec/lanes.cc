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

static const Op *move_relative(State &st, const Op *op, u32 source, u32 destination)
{
	const u64 from = u64{op->src[0]} + source, to = u64{op->dst} + destination;

	if (to >= st.w->vgprs || (!(op->src[0] & scratch_row) && from >= st.w->vgprs))
		return st.halt(op, Stop::IllegalInstruction);
	const u32 *s = st.row(op->src[0] & scratch_row ? op->src[0] : static_cast<unsigned>(from));
	for (u64 left = st.w->exec(); left; left &= left - 1)
		st.v[to][__builtin_ctzll(left)] = s[__builtin_ctzll(left)];
	return op + 1;
}

static u32 m0(const State &st) { return st.w->sgpr[sgpr_m0]; }

const Op *movreld_b32(State &st, const Op *op) { return move_relative(st, op, 0, m0(st)); }
const Op *movrels_b32(State &st, const Op *op) { return move_relative(st, op, m0(st), 0); }
const Op *movrelsd_b32(State &st, const Op *op) { return move_relative(st, op, m0(st), m0(st)); }

/* GFX10: an index of ten bits each for the source and, from bit 16 on, for the destination. */

const Op *movrelsd_2_b32(State &st, const Op *op) { return move_relative(st, op, m0(st) & 0x3ff, m0(st) >> 16 & 0x3ff); }

const Op *swaprel_b32(State &st, const Op *op)
{
	const u32 from = op->src[0] + (m0(st) & 0x3ff), to = op->dst + (m0(st) >> 16 & 0x3ff);

	if (to >= st.w->vgprs || from >= st.w->vgprs)
		return st.halt(op, Stop::IllegalInstruction);
	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		const u32 v = st.v[to][lane];

		st.v[to][lane] = st.v[from][lane];
		st.v[from][lane] = v;
	}
	return op + 1;
}

/**
 * Lanes of rows of 16 read where two SGPRs say, four bits a lane; permlanex16 in the other row of a pair. From a lane that is
 * not active: its value (op_sel 0, "fetch inactive"), 0 (op_sel 1, "bound control"), or nothing is written.
 */
template <unsigned other_row> const Op *permlane16(State &st, const Op *op)
{
	const u64 exec = st.w->exec(), selectors = join(scalar32(st, op, 1), scalar32(st, op, 2));
	const bool fetch_inactive = op->mods >> mod_op_sel_shift & 1, zero = op->mods >> mod_op_sel_shift & 2;
	const u32 *from = st.row(op->src[0]);
	u32 *d = st.row(op->dst);
	VgprRow old;

	__builtin_memcpy(old, from, sizeof(old));
	for (u64 left = exec; left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		const unsigned source = ((lane & ~15u) ^ other_row) | (selectors >> 4 * (lane & 15) & 15);

		if (fetch_inactive || exec >> source & 1)
			d[lane] = old[source];
		else if (zero)
			d[lane] = 0;
	}
	return op + 1;
}
template const Op *permlane16<0>(State &, const Op *);
template const Op *permlane16<16>(State &, const Op *);

/** Lane 0 when EXEC is empty. */
const Op *readfirstlane(State &st, const Op *op)
{
	const u64 exec = st.w->exec();

	st.w->sgpr[op->dst] = st.row(op->src[0])[exec ? __builtin_ctzll(exec) : 0];
	return op + 1;
}

const Op *readlane(State &st, const Op *op)
{
	st.w->sgpr[op->dst] = st.row(op->src[0])[scalar32(st, op, 1) & st.w->last_lane()];
	return op + 1;
}

const Op *writelane(State &st, const Op *op)
{
	st.row(op->dst)[scalar32(st, op, 1) & st.w->last_lane()] = scalar32(st, op, 0);
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

// SPDX-License-Identifier: MIT
/* dots.h - dot products and what the packed rows of halves share; VOP2 has some of them with the addend in the result. */
#pragma once

#include "valu.h"

namespace silicon::SILICON_VARIANT {
namespace { /* each object has its own functions */

ALWAYS_INLINE u32 half_of(u32 word, u32 mods, unsigned i, bool high)
{
	const unsigned bit = (high ? mod_op_sel_hi_shift : mod_op_sel_shift) + i;
	return mods >> bit & 1 ? word >> 16 : word & 0xffff;
}

ALWAYS_INLINE bool negated(u32 mods, unsigned i, bool high) { return mods >> (high ? mod_neg_hi_shift + i : i) & 1; }

template <char T> ALWAYS_INLINE auto packed_source(u32 word, u32 mods, unsigned i, bool high, u32 mode)
{
	const u32 half = half_of(word, mods, i, high);

	if constexpr (T == 'h')
		return half_value(half_source(half, mode) ^ (negated(mods, i, high) ? 0x8000 : 0));
	else
		return static_cast<typename LaneType<T>::type>(half);
}

/** Two products of halves and a float, added in this order with a rounding each. */
ALWAYS_INLINE const Op *dot2_f32(State &st, const Op *op, u32 mods)
{
	const u32 *a = st.row(op->src[0]), *b = st.row(op->src[1]), *c = st.row(op->src[2]);
	u32 *d = st.row(op->dst);

	use_csr(st, st.csr_single);
	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		float sum = as_float(c[lane] ^ (negated(mods, 2, false) ? 0x80000000 : 0));

		for (unsigned high = 0; high < 2; high++) {
			const double x = packed_source<'h'>(a[lane], mods, 0, high, st.w->mode),
				     y = packed_source<'h'>(b[lane], mods, 1, high, st.w->mode);

			sum = static_cast<float>(fused_odd(x, y, sum));
		}
		d[lane] = bits_of(sum);
	}
	return op + 1;
}

/** Sum of products of 16, 8 or 4-bit fields and a dword; clamp saturates. */
template <unsigned bits, class T> const Op *dot(State &st, const Op *op)
{
	constexpr bool is_signed = T(-1) < T(0);
	const u32 *a = st.row(op->src[0]), *b = st.row(op->src[1]), *c = st.row(op->src[2]);
	u32 *d = st.row(op->dst);

	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		s64 sum = static_cast<T>(c[lane]);

		for (unsigned at = 0; at < 32; at += bits) {
			if constexpr (is_signed)
				sum += s64{field_i32(static_cast<s32>(a[lane]), at, bits)} * field_i32(static_cast<s32>(b[lane]), at, bits);
			else
				sum += static_cast<s64>(u64{field_u32(a[lane], at, bits)} * field_u32(b[lane], at, bits));
		}
		if (op->mods & mod_clamp)
			sum = is_signed ? max(min(sum, s64{0x7fffffff}), -s64{0x80000000}) : min(sum, s64{0xffffffff});
		d[lane] = static_cast<u32>(sum);
	}
	return op + 1;
}

[[maybe_unused]] const Op *dot2_f32(State &st, const Op *op) { return dot2_f32(st, op, op->mods); }

/** VOP2's have no op_sel: the halves in order. */
[[maybe_unused]] const Op *dot2c_f32(State &st, const Op *op) { return dot2_f32(st, op, 3u << mod_op_sel_hi_shift); }

[[maybe_unused]] const Op *pk_fmac_f16(State &st, const Op *op)
{
	const u32 *a = st.row(op->src[0]), *b = st.row(op->src[1]);
	u32 *d = st.row(op->dst);
	const u32 mode = st.w->mode, halves = 7u << mod_op_sel_hi_shift;

	use_csr(st, st.csr_double);
	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		u32 result = 0;

		for (unsigned high = 0; high < 2; high++) {
			const double sum = fused_odd(packed_source<'h'>(a[lane], halves, 0, high, mode),
						     packed_source<'h'>(b[lane], halves, 1, high, mode),
						     packed_source<'h'>(d[lane], halves, 2, high, mode));

			result |= half_result(half_bits(sum, mode >> 2 & 3), mode) << 16 * high;
		}
		d[lane] = result;
	}
	return op + 1;
}

} // namespace
} // namespace silicon::SILICON_VARIANT

// SPDX-License-Identifier: MIT
/*
 * bytes.h - floats of eight bits as GFX942 has them: FP8 has four bits of exponent (bias 8) and three of fraction, BF8 five (bias 16) and
 * two. There is no infinity and no negative zero, whose code is the only NaN (LLVM's AMDGPU usage: FNUZ; "OCP" formats came with GFX950).
 */
#pragma once

#include "valu.h"

namespace silicon::SILICON_VARIANT {

template <unsigned fraction, int bias> struct ByteFloat {
	static constexpr u32 nan = 0x80, top = 0x7f;
	static constexpr int least_exponent = 1 - bias; /* of a normal number */

	static ALWAYS_INLINE float value(u32 byte)
	{
		const u32 sign = byte << 24 & 0x80000000, magnitude = byte & top, exponent = magnitude >> fraction;

		if (byte == nan)
			return as_float(0x7fc00000);
		if (exponent)
			return as_float(sign | (exponent + static_cast<u32>(127 - bias)) << 23 | (magnitude << (23 - fraction) & 0x7fffff));
		/* Denormals: so many of the smallest, a power of 2. */
		return as_float(sign | bits_of(static_cast<float>(static_cast<s32>(magnitude)) *
					       as_float(static_cast<u32>(127 + least_exponent - static_cast<int>(fraction)) << 23)));
	}

	/** To nearest even. What is too large becomes the largest number if MODE.FP16_OVFL is set, else NaN; infinity always NaN. */
	static ALWAYS_INLINE u32 nearest(float v, u32 mode)
	{
		return code(v, mode, [](u64 significand, unsigned shift) { return round_shift(significand, shift, false, 0); });
	}

	/** Away from zero as often as the random number, a fraction of 32 bits, together with what is cut off comes to a whole. */
	static ALWAYS_INLINE u32 by_chance(float v, u32 random, u32 mode)
	{
		return code(v, mode, [random](u64 significand, unsigned shift) {
			return shift > 56 ? 0 : (significand + (u64{random} << 24 >> (56 - shift))) >> shift;
		});
	}

private:
	/** round(significand of 24 bits, how many are cut off) */
	template <class F> static ALWAYS_INLINE u32 code(float v, u32 mode, F round)
	{
		constexpr u32 mode_fp16_ovfl = 1u << 23;
		const u32 raw = bits_of(v);
		const int exponent = static_cast<int>(raw >> 23 & 255) - 127;

		if (exponent == 128)
			return nan;
		if (exponent == -127)
			return 0; /* denormal singles are far below the smallest */
		const unsigned below = static_cast<unsigned>(max(least_exponent - exponent, 0));
		const u64 steps = round((raw & 0x7fffff) | 0x800000, 23 - fraction + below);
		const u64 magnitude = steps + (below ? 0 : static_cast<u64>(exponent - least_exponent) << fraction);

		if (magnitude > top && !(mode & mode_fp16_ovfl))
			return nan;
		return magnitude ? static_cast<u32>(min(magnitude, u64{top})) | (raw >> 24 & 0x80) : 0;
	}
};

using Fp8 = ByteFloat<3, 8>;
using Bf8 = ByteFloat<2, 16>;

namespace { /* each object has its own functions */

/** v_cvt_pk_f32_fp8, v_cvt_pk_f32_bf8: the two lower bytes. */
template <class F> const Op *pair_from_bytes(State &st, const Op *op)
{
	const u32 *s = st.row(op->src[0]);
	u32 *d = st.row(op->dst);

	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);
		const u32 pair = s[lane];

		d[lane] = bits_of(F::value(pair & 255));
		d[lanes + lane] = bits_of(F::value(pair >> 8 & 255));
	}
	return op + 1;
}

/** v_cvt_sr_fp8_f32, v_cvt_sr_bf8_f32: one byte of the result, which op_sel chooses. */
template <class F> const Op *byte_by_chance(State &st, const Op *op)
{
	const u32 *v = st.row(op->src[0]), *random = st.row(op->src[1]);
	const unsigned at = (op->mods >> (mod_op_sel_shift + 2) & 3) * 8;
	u32 *d = st.row(op->dst);

	for (u64 left = st.w->exec(); left; left &= left - 1) {
		const unsigned lane = __builtin_ctzll(left);

		d[lane] = (d[lane] & ~(0xffu << at)) | F::by_chance(as_float(v[lane]), random[lane], st.w->mode) << at;
	}
	return op + 1;
}

} // namespace
} // namespace silicon::SILICON_VARIANT

// SPDX-License-Identifier: MIT
/* lane_math.h - the larger meanings of vector rows, for one lane: division steps, packing, byte sums, cube maps. */
#pragma once

#include "fma.h"
#include "transcendental.h"

namespace silicon::SILICON_VARIANT {

/** Lighting's product (v_mullit_f32): the lowest number if the factor or the condition is no use. */
ALWAYS_INLINE float mullit(float a, float b, float c)
{
	const float lowest = as_float(0xff7fffff);

	if (!(b > lowest) || !(c > 0))
		return lowest;
	return a == 0 || b == 0 ? 0 : a * b;
}

/* ---- Division (Vega ISA v_div_scale, v_div_fmas, v_div_fixup): s0 value to scale, s1 denominator, s2 numerator ---- */

template <class T> struct DivisionLimits;
template <> struct DivisionLimits<float> {
	static constexpr int far = 96, tiny = 23, scale = 64, underflow = -150, top = 255, bias = 127;
};
template <> struct DivisionLimits<double> {
	static constexpr int far = 768, tiny = 53, scale = 128, underflow = -1075, top = 2047, bias = 1023;
};

ALWAYS_INLINE float power_of_2(float, int n) { return as_float(static_cast<u32>(n + 127) << 23); }
ALWAYS_INLINE double power_of_2(double, int n) { return as_double(static_cast<u64>(n + 1023) << 52); }
ALWAYS_INLINE float not_a_number(float) { return as_float(0x7fc00000); }
ALWAYS_INLINE double not_a_number(double) { return as_double(u64{0x7ff8} << 48); }
ALWAYS_INLINE float infinite(float) { return as_float(0x7f800000); }
ALWAYS_INLINE double infinite(double) { return as_double(infinity_bits); }

/** Whether a quotient that is not 0 is too small for a normal number, also where it rounds to 0. */
template <class T> ALWAYS_INLINE bool denormal(T v) { return exponent_of(v) == 0; }

template <class T> ALWAYS_INLINE T div_scale(T s0, T s1, T s2, bool &flag)
{
	using Limits = DivisionLimits<T>;
	const T up = s0 * power_of_2(s0, Limits::scale), down = s0 * power_of_2(s0, -Limits::scale);
	const int apart = exponent_of(s2) - exponent_of(s1);

	flag = false;
	if (s2 == 0 || s1 == 0)
		return not_a_number(s0);
	if (apart >= Limits::far) {
		flag = true;
		return s0 == s1 ? up : s0;
	}
	if (exponent_of(s1) == 0)
		return up;
	const bool reciprocal = denormal(T(1) / s1), quotient = denormal(s2 / s1);
	/* The manual prints +64 here too, which would overflow: only a smaller denominator makes both ends normal. */
	if (reciprocal && quotient) {
		flag = true;
		return s0 == s1 ? down : s0;
	}
	if (reciprocal)
		return down;
	if (quotient) {
		flag = true;
		return s0 == s2 ? up : s0;
	}
	return exponent_of(s2) <= Limits::tiny ? up : s0;
}
ALWAYS_INLINE float div_scale_f32(float a, float b, float c, bool &flag) { return div_scale(a, b, c, flag); }
ALWAYS_INLINE double div_scale_f64(double a, double b, double c, bool &flag) { return div_scale(a, b, c, flag); }

/** fma(s0, s1, s2); if the lane's VCC says that div_scale scaled, back by as much before the only rounding. */
ALWAYS_INLINE float div_fmas_f32(float a, float b, float c, bool scaled, u32 mode)
{
	if (!scaled)
		return lane_fma_f32(a, b, c, mode);
	return static_cast<float>(fused_odd(a, b, c) * (exponent_of(c) > 127 ? 0x1p64 : 0x1p-64));
}
ALWAYS_INLINE double div_fmas_f64(double a, double b, double c, bool scaled, u32 mode)
{
	if (!scaled)
		return lane_fma_f64(a, b, c, mode);
	return fused_f64_soft(a, b, c, mode, exponent_of(c) > 1023 ? 128 : -128);
}

/** Specials of the division s2 / s1 put into the quotient s0. */
template <class T> ALWAYS_INLINE T div_fixup(T s0, T s1, T s2, int underflow, int top)
{
	const bool negative = sign_of(s1) != sign_of(s2);
	const auto with_sign = [negative](T v) { return negative ? -absolute(v) : absolute(v); };
	const T inf = infinite(s0);

	if (is_nan(s2))
		return canonical(s2);
	if (is_nan(s1))
		return canonical(s1);
	if ((s1 == 0 && s2 == 0) || (absolute(s1) == inf && absolute(s2) == inf))
		return -absolute(not_a_number(s0));
	if (s1 == 0 || absolute(s2) == inf)
		return with_sign(inf);
	if (absolute(s1) == inf || s2 == 0)
		return with_sign(T(0));
	if (exponent_of(s2) - exponent_of(s1) < underflow)
		return with_sign(T(0));
	if (exponent_of(s1) == top || is_nan(s0)) /* the steps met infinity - infinity: overflow */
		return with_sign(inf);
	return with_sign(s0);
}
ALWAYS_INLINE float div_fixup_f32(float a, float b, float c) { return div_fixup(a, b, c, -150, 255); }
ALWAYS_INLINE double div_fixup_f64(double a, double b, double c) { return div_fixup(a, b, c, -1075, 2047); }
ALWAYS_INLINE double div_fixup_f16(double a, double b, double c) { return div_fixup(a, b, c, -2048, 2047); }

/** Bits of 2/pi for range reduction of doubles (Vega ISA v_trig_preop_f64). */
static __attribute__((noinline, unused)) double trig_preop(double s0, u32 s1)
{
	/* 2/pi, 1216 bits, most significant first */
	static constexpr u32 two_over_pi[] = {
		0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0,
		0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4,
		0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
		0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
	const int exponent = exponent_of(s0);
	unsigned shift = (s1 & 31) * 53;

	if (exponent > 1077)
		shift += exponent - 1077;
	u64 mantissa = 0;
	for (unsigned i = 0; i < 53; i++) {
		const unsigned at = shift + i;
		const u32 word = at / 32 < sizeof(two_over_pi) / 4 ? two_over_pi[at / 32] : 0;

		mantissa = mantissa << 1 | (word >> (31 - at % 32) & 1);
	}
	const int scale = -53 - static_cast<int>(shift) + (exponent >= 1968 ? 128 : 0);
	return mantissa ? pack(false, mantissa, scale, 3) : 0.0;
}

/* ---- Packing and byte sums ---- */

ALWAYS_INLINE u32 distance(u32 a, u32 b) { return a > b ? a - b : b - a; }

ALWAYS_INLINE u32 sad_u8(u32 a, u32 b)
{
	u32 sum = 0;

	for (unsigned i = 0; i < 32; i += 8)
		sum += distance(a >> i & 255, b >> i & 255);
	return sum;
}
/** Bytes that are 0 in the reference b do not count. */
ALWAYS_INLINE u32 msad_u8(u32 a, u32 b)
{
	u32 sum = 0;

	for (unsigned i = 0; i < 32; i += 8)
		sum += b >> i & 255 ? distance(a >> i & 255, b >> i & 255) : 0;
	return sum;
}
/** Four sums over a sliding window of bytes, each cut to 16 bits (RDNA 2 ISA, V_QSAD_PK_U16_U8). */
ALWAYS_INLINE u64 qsad(u64 a, u32 b, u64 c, bool masked)
{
	u64 result = 0;

	for (unsigned i = 0; i < 4; i++) {
		const u32 window = static_cast<u32>(a >> 8 * i);
		const u32 sum = (masked ? msad_u8(window, b) : sad_u8(window, b)) + static_cast<u32>(c >> 16 * i);

		result |= static_cast<u64>(sum & 0xffff) << 16 * i;
	}
	return result;
}
ALWAYS_INLINE u32 lerp_u8(u32 a, u32 b, u32 c)
{
	u32 result = 0;

	for (unsigned i = 0; i < 32; i += 8)
		result |= ((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) >> 1 << i;
	return result;
}
/** Selector bytes: 0..7 a byte of {a, b}, 8..11 sign of a half, 12 zero, above 255 (Vega ISA v_perm_b32). */
ALWAYS_INLINE u32 permute_bytes(u32 a, u32 b, u32 select)
{
	const u64 both = join(b, a);
	u32 result = 0;

	for (unsigned i = 0; i < 32; i += 8) {
		const u32 s = select >> i & 255;
		const u32 byte = s < 8 ? both >> 8 * s & 255 : s < 12 ? (both >> (16 * (s - 8) + 15) & 1 ? 255 : 0) : s == 12 ? 0 : 255;
		result |= byte << i;
	}
	return result;
}
ALWAYS_INLINE u32 saturate_u8(s32 v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
ALWAYS_INLINE u32 pack_u8(float value, u32 at, u32 into)
{
	const u32 byte = saturate_u8(to_i32(rndne_f64(value)));
	const u32 shift = (at & 3) * 8;

	return (into & ~(255u << shift)) | byte << shift;
}
ALWAYS_INLINE s32 normalise_i16(double v) { return is_nan(v) ? 0 : to_i32(rndne_f64((v > 1 ? 1.0 : v < -1 ? -1.0 : v) * 32767)); }
ALWAYS_INLINE u32 normalise_u16(double v) { return is_nan(v) ? 0 : to_u32(rndne_f64((v > 1 ? 1.0 : v < 0 ? 0.0 : v) * 65535)); }

ALWAYS_INLINE u64 mad_u64(u32 a, u32 b, u64 c, bool &carry)
{
	const u64 product = u64{a} * b;

	carry = product + c < product;
	return product + c;
}
ALWAYS_INLINE s64 mad_i64(s32 a, s32 b, s64 c, bool &carry)
{
	const s64 product = s64{a} * b;
	s64 sum;

	carry = __builtin_add_overflow(product, c, &sum);
	return static_cast<s64>(static_cast<u64>(product) + static_cast<u64>(c));
}

/* ---- Cube maps (Vega ISA v_cubeid_f32 and its sisters) ---- */

struct CubeFace {
	float id, sc, tc, ma;
};
ALWAYS_INLINE CubeFace cube_face(float x, float y, float z)
{
	const float ax = absolute(x), ay = absolute(y), az = absolute(z);

	if (az >= ax && az >= ay)
		return {z < 0 ? 5.0f : 4.0f, z < 0 ? -x : x, -y, 2 * z};
	if (ay >= ax)
		return {y < 0 ? 3.0f : 2.0f, x, y < 0 ? -z : z, 2 * y};
	return {x < 0 ? 1.0f : 0.0f, x < 0 ? z : -z, -y, 2 * x};
}

} // namespace silicon::SILICON_VARIANT

// SPDX-License-Identifier: MIT
/*
 * floats.h - floating-point words of the rows' meanings, for one value.
 *
 * No libm: integer and polynomial forms, the same on every host. Rounding and denormals follow MXCSR, which use_csr()
 * has set from MODE; what is done on integers takes the rounding mode as an argument.
 */
#pragma once

#include "scalar.h"

namespace silicon::SILICON_VARIANT {

ALWAYS_INLINE u32 bits_of(float v) { return __builtin_bit_cast(u32, v); }
ALWAYS_INLINE u64 bits_of(double v) { return __builtin_bit_cast(u64, v); }
ALWAYS_INLINE float as_float(u32 v) { return __builtin_bit_cast(float, v); }
ALWAYS_INLINE double as_double(u64 v) { return __builtin_bit_cast(double, v); }
ALWAYS_INLINE bool is_nan(float v) { return v != v; }
ALWAYS_INLINE bool is_nan(double v) { return v != v; }
ALWAYS_INLINE bool sign_of(float v) { return bits_of(v) >> 31; }
ALWAYS_INLINE bool sign_of(double v) { return bits_of(v) >> 63; }
ALWAYS_INLINE int exponent_of(float v) { return bits_of(v) >> 23 & 255; }
ALWAYS_INLINE int exponent_of(double v) { return bits_of(v) >> 52 & 2047; }
ALWAYS_INLINE float absolute(float v) { return as_float(bits_of(v) & 0x7fffffff); }
ALWAYS_INLINE double absolute(double v) { return as_double(bits_of(v) & ~(u64{1} << 63)); }
constexpr u64 infinity_bits = u64{0x7ff} << 52;

typedef double Pair __attribute__((vector_size(16)));
typedef float Quad __attribute__((vector_size(16)));
ALWAYS_INLINE float sqrt_f32(float v) { return __builtin_ia32_sqrtss(Quad{v})[0]; }
ALWAYS_INLINE double sqrt_f64(double v) { return __builtin_ia32_sqrtsd(Pair{v})[0]; }

/* ---- Half precision, kept as double while computing ---- */

/** Shift right keeping what falls off as a sticky bit; then round by two guard bits' rule. */
ALWAYS_INLINE u64 round_shift(u64 v, unsigned shift, bool negative, unsigned round)
{
	if (shift > 63) { /* less than one: half of it only matters when just shifted out */
		const bool nearest = round == 0 && shift == 64 && v > u64{1} << 63;
		return v && (nearest || (round == 1 && !negative) || (round == 2 && negative)) ? 1 : 0;
	}
	if (!shift)
		return v;
	const u64 kept = v >> shift, lost = v & ((u64{1} << shift) - 1), half = u64{1} << (shift - 1);

	switch (round) {
	case 0: return kept + (lost > half || (lost == half && (kept & 1)));
	case 1: return kept + (lost && !negative);
	case 2: return kept + (lost && negative);
	default: return kept;
	}
}

/** The half nearest to v in the direction round (FP_ROUND encoding). */
ALWAYS_INLINE u32 half_bits(double v, unsigned round)
{
	const u64 raw = bits_of(v);
	const bool negative = raw >> 63;
	const u32 sign = negative ? 0x8000 : 0;
	const int exponent = static_cast<int>(raw >> 52 & 2047) - 1023;
	const u64 fraction = raw & ((u64{1} << 52) - 1);

	if (exponent == 1024)
		return sign | 0x7c00 | (fraction ? 0x200 | static_cast<u32>(fraction >> 42) : 0);
	if (exponent < -1022)
		return sign | (fraction && ((round == 1 && !negative) || (round == 2 && negative)) ? 1 : 0);
	const u64 mantissa = fraction | u64{1} << 52;
	if (exponent < -14)
		return sign | static_cast<u32>(round_shift(mantissa, 42 + (-14 - exponent), negative, round));
	const u64 rounded = round_shift(mantissa, 42, negative, round) + (static_cast<u64>(exponent + 14) << 10);
	if (exponent > 15 || rounded >= 0x7c00) {
		const bool to_infinity = round == 0 || (round == 1 && !negative) || (round == 2 && negative);

		return sign | (to_infinity ? 0x7c00 : 0x7bff);
	}
	return sign | static_cast<u32>(rounded);
}

ALWAYS_INLINE double half_value(u32 half)
{
	const u64 sign = static_cast<u64>(half & 0x8000) << 48;
	const u32 exponent = half >> 10 & 31, fraction = half & 0x3ff;

	if (exponent == 31)
		return as_double(sign | infinity_bits | static_cast<u64>(fraction) << 42);
	if (!exponent) {
		const double magnitude = static_cast<double>(static_cast<s32>(fraction)) * 0x1p-24;
		return as_double(sign | bits_of(magnitude));
	}
	return as_double(sign | static_cast<u64>(exponent + 1008) << 52 | static_cast<u64>(fraction) << 42);
}

/** The upper half of a single, to nearest even. */
ALWAYS_INLINE u32 bf16_bits(float v)
{
	const u32 raw = bits_of(v);

	return is_nan(v) ? raw >> 16 | 0x40 : (raw + 0x7fff + (raw >> 16 & 1)) >> 16;
}

/* FP_DENORM of halves and doubles is MODE[7:6]: denormal sources are kept, denormal results are kept. */
ALWAYS_INLINE u32 half_source(u32 half, u32 mode) { return mode & 0x40 || half & 0x7c00 ? half : half & 0x8000; }
ALWAYS_INLINE u32 half_result(u32 half, u32 mode) { return mode & 0x80 || half & 0x7c00 ? half : half & 0x8000; }

/** MODE -> rounding of halves and doubles. */
ALWAYS_INLINE double half_round(double v, u32 mode) { return half_value(half_result(half_bits(v, mode >> 2 & 3), mode)); }

/* ---- Minimum, maximum, class ---- */

/** x * 1: quiets a NaN and flushes a denormal if the mode says so. The compiler must not see the 1. */
template <class T> ALWAYS_INLINE T canonical(T v)
{
	T one = 1;

	asm("" : "+x"(one));
	return v * one;
}

/** The number if only one is a NaN; -0 is less than +0 (Vega ISA v_min_f32). */
template <class T> ALWAYS_INLINE T lane_min(T a, T b)
{
	if (is_nan(a))
		return canonical(is_nan(b) ? a : b);
	return canonical(is_nan(b) || a < b || (a == b && sign_of(a)) ? a : b);
}
template <class T> ALWAYS_INLINE T lane_max(T a, T b)
{
	if (is_nan(a))
		return canonical(is_nan(b) ? a : b);
	return canonical(is_nan(b) || a > b || (a == b && !sign_of(a)) ? a : b);
}
ALWAYS_INLINE double float_min(double a, double b) { return lane_min(a, b); }
ALWAYS_INLINE double float_max(double a, double b) { return lane_max(a, b); }
/** Vega ISA v_med3_f32: with a NaN the minimum of the three, else the middle. */
template <class T> ALWAYS_INLINE T lane_med3(T a, T b, T c)
{
	if (is_nan(a) || is_nan(b) || is_nan(c))
		return lane_min(lane_min(a, b), c);
	return lane_max(lane_min(a, b), lane_min(lane_max(a, b), c));
}
ALWAYS_INLINE double float_med3(double a, double b, double c) { return lane_med3(a, b, c); }

/** Class bits (Vega ISA v_cmp_class_f32): sNaN qNaN -inf -normal -denormal -0 +0 +denormal +normal +inf. */
ALWAYS_INLINE u32 class_bits(u64 v, unsigned fraction_bits, unsigned exponent_bits)
{
	const u64 fraction = v & ((u64{1} << fraction_bits) - 1), top = (u64{1} << exponent_bits) - 1;
	const u64 exponent = v >> fraction_bits & top;
	const bool negative = v >> (fraction_bits + exponent_bits) & 1;

	if (exponent == top && fraction)
		return fraction >> (fraction_bits - 1) ? 2 : 1;
	const unsigned step = exponent == top ? 0 : exponent ? 1 : fraction ? 2 : 3;
	return negative ? 1u << (2 + step) : 1u << (9 - step);
}
ALWAYS_INLINE u32 class_f16(u32 v) { return class_bits(v, 10, 5); }
ALWAYS_INLINE u32 class_f32(u32 v) { return class_bits(v, 23, 8); }
ALWAYS_INLINE u32 class_f64(u64 v) { return class_bits(v, 52, 11); }

/* ---- Rounding to integers, conversions ---- */

enum class Toward { Zero, Up, Down, Nearest };

ALWAYS_INLINE double round_f64(double v, Toward toward)
{
	const u64 raw = bits_of(v), sign = raw & u64{1} << 63, magnitude = raw ^ sign;
	const int exponent = static_cast<int>(magnitude >> 52) - 1023;
	const bool away = toward == Toward::Up ? !sign : toward == Toward::Down && sign;

	if (exponent >= 52)
		return exponent == 1024 ? canonical(v) : v;
	if (exponent < 0) { /* a denormal may count as 0 */
		const bool one = v != 0 && (away || (toward == Toward::Nearest && magnitude > u64{0x3fe} << 52));
		return as_double(sign | (one ? u64{0x3ff} << 52 : 0));
	}
	const u64 unit = u64{1} << (52 - exponent), lost = magnitude & (unit - 1);
	const u64 kept = magnitude - lost;
	const bool up = toward == Toward::Nearest ? lost > unit / 2 || (lost == unit / 2 && (kept & unit)) : away && lost;
	/* When exponent is 0 the lowest integer bit is the hidden one, always odd. */
	const bool tie_up = toward == Toward::Nearest && exponent == 0 && lost == unit / 2;
	return as_double(sign | (kept + (up || tie_up ? unit : 0)));
}
ALWAYS_INLINE double trunc_f64(double v) { return round_f64(v, Toward::Zero); }
ALWAYS_INLINE double ceil_f64(double v) { return round_f64(v, Toward::Up); }
ALWAYS_INLINE double floor_f64(double v) { return round_f64(v, Toward::Down); }
ALWAYS_INLINE double rndne_f64(double v) { return round_f64(v, Toward::Nearest); }

/** x - floor(x), kept below 1 (Vega ISA v_fract_f32). */
ALWAYS_INLINE float fract_f32(float v)
{
	const float f = v - static_cast<float>(floor_f64(v));
	return f >= 1.0f ? as_float(0x3f7fffff) : f;
}
ALWAYS_INLINE double fract_f64(double v)
{
	const double f = v - floor_f64(v);
	return f >= 1.0 ? as_double(0x3fefffffffffffff) : f;
}
ALWAYS_INLINE double fract_f16(double v)
{
	const double f = v - floor_f64(v);
	return f > 0.99951171875 ? 0.99951171875 : f;
}

ALWAYS_INLINE s32 to_i32(double v)
{
	if (is_nan(v))
		return 0;
	return v >= 2147483647.0 ? 0x7fffffff : v <= -2147483648.0 ? -0x7fffffff - 1 : static_cast<s32>(v);
}
ALWAYS_INLINE u32 to_u32(double v)
{
	if (!(v > 0))
		return 0;
	return v >= 4294967295.0 ? ~0u : static_cast<u32>(static_cast<s64>(v));
}

/* ---- Exponents ---- */

/** Through double: one rounding, since a float scaled within double's range is exact. */
ALWAYS_INLINE float ldexp_f32(float v, int n)
{
	n = n > 300 ? 300 : n < -400 ? -400 : n;
	return static_cast<float>(static_cast<double>(v) * as_double(static_cast<u64>(n + 1023) << 52));
}
ALWAYS_INLINE int frexp_exp_f64(double v)
{
	const u64 raw = bits_of(v) & ~(u64{1} << 63);

	if (raw >= infinity_bits || !raw)
		return 0;
	if (raw >> 52)
		return static_cast<int>(raw >> 52) - 1022;
	return -1010 - static_cast<int>(__builtin_clzll(raw)); /* denormal: 11 leading zeros are the exponent's place */
}
ALWAYS_INLINE double frexp_mant_f64(double v)
{
	const u64 raw = bits_of(v), sign = raw & u64{1} << 63;
	u64 fraction = raw ^ sign;

	if (fraction >= infinity_bits || !fraction)
		return canonical(v);
	if (!(fraction >> 52))
		fraction <<= __builtin_clzll(fraction) - 11;
	return as_double(sign | u64{0x3fe} << 52 | (fraction & ((u64{1} << 52) - 1)));
}

} // namespace silicon::SILICON_VARIANT

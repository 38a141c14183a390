// SPDX-License-Identifier: MIT
/*
 * fma.h - exact fused multiply-add with or without hardware for it.
 *
 * f32: the product is exact in double; the sum is rounded to odd, so that rounding it to float is the only rounding
 * (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums"). f64: 128-bit integers.
 */
#pragma once

#include "floats.h"

namespace silicon::SILICON_VARIANT {

/** a * b + c, rounded to odd in double; exact enough for one more rounding to float or half. */
ALWAYS_INLINE double fused_odd(double a, double b, double c)
{
	const double product = a * b, sum = product + c;
	const double part = sum - product;
	const double error = (product - (sum - part)) + (c - part);

	if ((error < 0 || error > 0) && !(bits_of(sum) & 1)) {
		const bool outward = (error > 0) == (sum > 0);
		return as_double(bits_of(sum) + (outward ? 1 : -1));
	}
	return sum;
}

struct Unpacked {
	bool negative;
	int exponent; /* value = mantissa * 2^exponent */
	u64 mantissa;
};

ALWAYS_INLINE Unpacked unpack(u64 raw)
{
	const int exponent = static_cast<int>(raw >> 52 & 2047);
	const u64 fraction = raw & ((u64{1} << 52) - 1);

	return {(raw >> 63) != 0, (exponent ? exponent : 1) - 1075, exponent ? fraction | u64{1} << 52 : fraction};
}

/** mantissa * 2^exponent as a double; the lowest bit of mantissa is sticky. */
ALWAYS_INLINE double pack(bool negative, u64 mantissa, int exponent, unsigned round)
{
	const u64 sign = static_cast<u64>(negative) << 63;
	const int zeros = __builtin_clzll(mantissa);

	mantissa <<= zeros;
	exponent -= zeros;
	int biased = exponent + 63 + 1023;
	unsigned shift = 11;
	if (biased < 1) {
		shift = 1 - biased > 60 ? 65 : shift + 1 - biased;
		biased = 0;
	}
	u64 result = round_shift(mantissa, shift, negative, round);
	if (biased > 0)
		result += static_cast<u64>(biased - 1) << 52;
	if (biased >= 2047 || result >= infinity_bits) {
		const bool to_infinity = round == 0 || (round == 1 && !negative) || (round == 2 && negative);
		result = to_infinity ? infinity_bits : infinity_bits - 1;
	}
	return as_double(sign | result);
}

/** v * 2^n, rounded once. */
ALWAYS_INLINE double scale_f64(double v, int n, u32 mode)
{
	if (exponent_of(v) == 2047 || v == 0)
		return canonical(v);
	const Unpacked u = unpack(bits_of(v));
	return canonical(pack(u.negative, u.mantissa, u.exponent + max(min(n, 4400), -4400), mode >> 2 & 3));
}

__extension__ typedef unsigned __int128 u128;

ALWAYS_INLINE u128 shift_sticky(u128 v, int n)
{
	if (n <= 0)
		return v;
	if (n > 127)
		return v != 0;
	return v >> n | ((v & ((static_cast<u128>(1) << n) - 1)) != 0);
}

ALWAYS_INLINE int zeros_of(u128 v)
{
	const u64 hi = static_cast<u64>(v >> 64);

	return hi ? __builtin_clzll(hi) : 64 + __builtin_clzll(static_cast<u64>(v));
}

/** a * b + c: the exact sum in 128 bits, of which the upper 64 remain with a sticky bit. A zero sum is negative where round is down. */
ALWAYS_INLINE Unpacked fused_exact(const Unpacked &a, const Unpacked &b, Unpacked c, unsigned round)
{
	const bool negative = a.negative != b.negative;
	/* The product has at most 106 bits, c 53: both are moved up to leave 2 bits of headroom. */
	u128 product = static_cast<u128>(a.mantissa) * b.mantissa, addend = c.mantissa;
	int product_exponent = a.exponent + b.exponent;
	if (!product)
		return c;
	const int up = zeros_of(product) - 2;

	product <<= up;
	product_exponent -= up;
	if (addend) {
		const int move = zeros_of(addend) - 2;

		addend <<= move;
		c.exponent -= move;
	} else {
		c.exponent = product_exponent;
	}
	const int exponent = max(product_exponent, c.exponent);
	product = shift_sticky(product, exponent - product_exponent);
	addend = shift_sticky(addend, exponent - c.exponent);
	bool minus = negative;
	u128 sum;
	if (negative == c.negative) {
		sum = product + addend;
	} else if (product >= addend) {
		sum = product - addend;
	} else {
		sum = addend - product;
		minus = c.negative;
	}
	if (!sum)
		return {round == 2, 0, 0};
	const int zeros = zeros_of(sum);
	sum <<= zeros;
	const u64 low = static_cast<u64>(sum);
	return {minus, exponent - zeros + 64, static_cast<u64>(sum >> 64) | (low != 0)};
}

/** 2^scale (a * b + c), rounded once; finite, non-zero product. */
static __attribute__((noinline, unused)) double fused_integer(u64 ra, u64 rb, u64 rc, unsigned round, int scale = 0)
{
	const Unpacked sum = fused_exact(unpack(ra), unpack(rb), unpack(rc), round);

	if (!sum.mantissa)
		return as_double(static_cast<u64>(sum.negative) << 63);
	return pack(sum.negative, sum.mantissa, sum.exponent + scale, round);
}

ALWAYS_INLINE bool ordinary(double v) { return exponent_of(v) != 2047; }

ALWAYS_INLINE double fused_f64_soft(double a, double b, double c, u32 mode, int scale = 0)
{
	if (ordinary(a) && ordinary(b) && !ordinary(c)) /* a * b may overflow, but the exact product does not */
		return canonical(c);
	/* Specials and exact zeros go through the FPU, which knows their rules; MODE's flushing too. */
	if (!ordinary(a) || !ordinary(b) || !ordinary(c) || canonical(a) == 0 || canonical(b) == 0)
		return (a * b + c) * as_double(static_cast<u64>(scale + 1023) << 52);
	const double result = fused_integer(bits_of(a), bits_of(b), bits_of(canonical(c)), mode >> 2 & 3, scale);
	return canonical(result);
}

#ifdef __FMA__
ALWAYS_INLINE double lane_fma_f64(double a, double b, double c, u32) { return __builtin_fma(a, b, c); }
ALWAYS_INLINE float lane_fma_f32(float a, float b, float c, u32) { return __builtin_fmaf(a, b, c); }
#else
ALWAYS_INLINE double lane_fma_f64(double a, double b, double c, u32 mode) { return fused_f64_soft(a, b, c, mode); }
/** In other rounding modes the error term above is not exact: there the integers do it, rounded to odd. */
ALWAYS_INLINE float lane_fma_f32(float a, float b, float c, u32 mode)
{
	if (mode & 3) {
		const double x = a, y = b, z = c;

		if (ordinary(x) && ordinary(y) && ordinary(z) && x != 0 && y != 0) {
			const double down = fused_integer(bits_of(x), bits_of(y), bits_of(z), 3);
			const double up = fused_integer(bits_of(x), bits_of(y), bits_of(z), sign_of(down) ? 2 : 1);
			if (down != 0 || up != 0)
				return static_cast<float>(as_double(bits_of(down) | (bits_of(down) != bits_of(up))));
			return static_cast<float>(as_double(bits_of(fused_integer(bits_of(x), bits_of(y), bits_of(z), mode & 3))));
		}
		return static_cast<float>(x * y + z);
	}
	return static_cast<float>(fused_odd(a, b, c));
}
#endif

} // namespace silicon::SILICON_VARIANT

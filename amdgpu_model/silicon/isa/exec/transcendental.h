// SPDX-License-Identifier: MIT
/*
 * transcendental.h - 2^x, log2, sine and cosine of turns, in double polynomials: correctly rounded for almost all floats,
 * where the ISA grants 1 ulp (Vega ISA 12.8), and equal on every host because only + * / are used.
 */
#pragma once

#include "floats.h"

namespace silicon::SILICON_VARIANT {

/** 2^f for |f| <= 0.5: Taylor series of e^(f ln 2), error below 1e-13. */
ALWAYS_INLINE double exp2_fraction(double f)
{
	constexpr double c[] = {1.0,
				0.693147180559945309,
				0.240226506959100712,
				0.0555041086648215800,
				0.00961812910762847716,
				0.00133335581464284434,
				0.000154035303933816099,
				0.0000152527338040598403,
				0.00000132154867901443095,
				0.000000101780860092396997};
	double r = c[9];

	for (int i = 8; i >= 0; i--)
		r = r * f + c[i];
	return r;
}

static __attribute__((noinline, unused)) float exp2_f32(float x)
{
	if (is_nan(x))
		return canonical(x);
	if (x >= 128.0f)
		return as_float(0x7f800000);
	if (x < -150.0f)
		return 0.0f;
	const double n = rndne_f64(x);
	return static_cast<float>(exp2_fraction(x - n) * as_double(static_cast<u64>(static_cast<s64>(n) + 1023) << 52));
}

/** log2(m 2^e) = e + 2/ln 2 atanh((m - 1)/(m + 1)), m in [sqrt(1/2), sqrt(2)). */
static __attribute__((noinline, unused)) float log2_f32(float x)
{
	const double v = x;

	if (is_nan(x))
		return canonical(x);
	if (v == 0)
		return as_float(0xff800000);
	if (v < 0)
		return as_float(0x7fc00000);
	if (exponent_of(x) == 255)
		return x;
	int e = frexp_exp_f64(v);
	double m = frexp_mant_f64(v);
	if (m < 0.70710678118654752) {
		m *= 2;
		e--;
	}
	const double s = (m - 1) / (m + 1), q = s * s;
	double r = 1.0 / 19;
	for (int i = 17; i >= 1; i -= 2)
		r = r * q + 1.0 / i;
	return static_cast<float>(e + 2.88539008177792681 * s * r);
}

ALWAYS_INLINE float rsq_f32(float x) { return static_cast<float>(1.0 / sqrt_f64(x)); }

/** sin(2 pi t), |t| <= 0.25. */
ALWAYS_INLINE double sine_quarter(double t)
{
	const double y = t * 6.28318530717958648, q = y * y;
	double r = 1.0;

	for (int i = 16; i >= 2; i -= 2)
		r = 1.0 - r * q / (i * (i + 1));
	return y * r;
}

/** The argument counts turns; outside of +-256 the hardware gives up (Vega ISA v_sin_f32). */
ALWAYS_INLINE double sine_turns(double t)
{
	t -= rndne_f64(t);
	if (t > 0.25)
		t = 0.5 - t;
	else if (t < -0.25)
		t = -0.5 - t;
	return sine_quarter(t);
}
static __attribute__((noinline, unused)) float sin_turns(float x)
{
	if (is_nan(x) || exponent_of(x) == 255)
		return as_float(0x7fc00000);
	return absolute(x) > 256.0f ? 0.0f : static_cast<float>(sine_turns(x));
}
static __attribute__((noinline, unused)) float cos_turns(float x)
{
	if (is_nan(x) || exponent_of(x) == 255)
		return as_float(0x7fc00000);
	return absolute(x) > 256.0f ? 1.0f : static_cast<float>(sine_turns(static_cast<double>(x) + 0.25));
}

} // namespace silicon::SILICON_VARIANT

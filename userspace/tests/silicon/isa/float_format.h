// SPDX-License-Identifier: MIT
/* float_format.h - the IEEE binary formats of the GPU, and their numbers in MPFR. */
#pragma once

#include <mpfr.h>

#include "machine.h"

namespace isa_test {

/** An IEEE binary format. */
struct Format {
	char letter;
	unsigned bits, fraction;
	int top_exponent; /* of the largest finite number */

	int lowest() const { return 1 - top_exponent; } /* exponent of the smallest normal number */
	u64 exponent_mask() const { return ((u64{1} << (bits - 1 - fraction)) - 1) << fraction; }
	u64 fraction_mask() const { return (u64{1} << fraction) - 1; }
	u64 sign(bool negative) const { return static_cast<u64>(negative) << (bits - 1); }
	bool is_nan(u64 v) const { return (v & exponent_mask()) == exponent_mask() && (v & fraction_mask()); }
	bool is_denormal(u64 v) const { return !(v & exponent_mask()) && (v & fraction_mask()); }
	bool is_infinite(u64 v) const { return (v & (exponent_mask() | fraction_mask())) == exponent_mask(); }
	bool is_zero(u64 v) const { return !(v & (exponent_mask() | fraction_mask())); }
	bool is_negative(u64 v) const { return v >> (bits - 1) & 1; }
};

constexpr Format half{'h', 16, 10, 15}, single{'f', 32, 23, 127}, twice{'d', 64, 52, 1023};

/** to becomes the number that the bits are; its precision is at least the format's. */
inline void set_bits(mpfr_ptr to, const Format &f, u64 bits)
{
	const u64 exponent = (bits & f.exponent_mask()) >> f.fraction, fraction = bits & f.fraction_mask();

	if (f.is_nan(bits)) {
		mpfr_set_nan(to);
		mpfr_setsign(to, to, f.is_negative(bits), MPFR_RNDN);
	} else if (f.is_infinite(bits)) {
		mpfr_set_inf(to, f.is_negative(bits) ? -1 : 1);
	} else {
		const u64 significand = exponent ? fraction | u64{1} << f.fraction : fraction;

		mpfr_set_ui_2exp(to, significand,
				 static_cast<long>(exponent ? exponent : 1) - f.top_exponent - static_cast<int>(f.fraction), MPFR_RNDN);
		if (f.is_negative(bits))
			mpfr_neg(to, to, MPFR_RNDN);
	}
}

} // namespace isa_test

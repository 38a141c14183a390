// SPDX-License-Identifier: MIT
/* inputs.cc - see inputs.h. */
#include "inputs.h"

#include <bit>
#include <climits>
#include <cmath>

namespace isa_ocml {

/** The bits of the number of the format nearest to v; infinite beyond it, and without denormals. */
u64 Inputs::rounded(double v) const
{
	const u64 bits = std::bit_cast<u64>(v), drop = 52 - f_.fraction;
	const u64 sign = f_.sign(bits >> 63);
	const long exponent = static_cast<long>(bits >> 52 & 2047) - 1023;

	if (exponent < f_.lowest())
		return sign;
	if (exponent > f_.top_exponent)
		return sign | f_.exponent_mask();
	const u64 magnitude = static_cast<u64>(exponent + f_.top_exponent) << 52 | (bits & ((u64{1} << 52) - 1));
	return sign | (drop ? (magnitude + (u64{1} << (drop - 1))) >> drop : magnitude);
}

/** A few representable numbers away. */
u64 Inputs::near(u64 v)
{
	const u64 moved = (v + below(7) - 3) & all();

	return f_.is_nan(moved) ? v : moved;
}

u64 Inputs::value()
{
	const bool minus = below(2);
	const u64 noise = random_(), fraction = noise & f_.fraction_mask();
	const auto exponents = [&](int from, unsigned many) {
		return f_.sign(minus) | static_cast<u64>(f_.top_exponent + from + static_cast<int>(below(many))) << f_.fraction | fraction;
	};

	switch (below(10)) {
	case 0: return f_.sign(minus) | (fraction >> below(f_.fraction)); /* denormal */
	case 1:
	case 2: return exponents(-4, 8);
	case 3: return exponents(-14, 26);
	case 4: return near(rounded(static_cast<double>(noise >> (20 + below(44))) * (minus ? -M_PI_2 : M_PI_2)));
	case 5: return near(rounded(static_cast<double>(noise >> (20 + below(44))) * (minus ? -0.5 : 0.5)));
	case 6: return near(f_.sign(minus) | static_cast<u64>(f_.top_exponent) << f_.fraction); /* 1 */
	case 7: return rounded((minus ? -1 : 1) * static_cast<double>(noise >> 11) * 0x1p-53);
	default: return (f_.is_nan(noise) ? noise | u64{1} << (f_.fraction - 1) : noise) & all();
	}
}

/** Often something to do with the other argument. */
u64 Inputs::second(u64 x)
{
	switch (below(8)) {
	case 0: return near(x);
	case 1: return x ^ f_.sign(true);
	case 2: {
		const u64 scaled = (x + (below(64) << f_.fraction) - (u64{32} << f_.fraction)) & all();
		return f_.is_nan(scaled) ? x : scaled;
	}
	default: return value();
	}
}

int Inputs::integer()
{
	static const int special[] = {0, 1, -1, 2, -2, 3, -3, 5, 7, 10, 24, -24, 149, -149, 1074, -1074, 2098, -2098, INT_MAX, INT_MIN};
	const int noise = static_cast<int>(random_());

	return below(3) ? noise >> (16 + below(15)) : below(2) ? special[below(std::size(special))] : noise;
}

std::vector<Input> Inputs::make(size_t count)
{
	const u64 one = static_cast<u64>(f_.top_exponent) << f_.fraction, exponent = u64{1} << f_.fraction;
	const u64 quiet = f_.exponent_mask() | exponent >> 1;
	std::vector<u64> special;
	std::vector<Input> all;

	for (u64 v : {u64{0}, u64{1}, f_.fraction_mask(), exponent, one - exponent, one - 1, one, one + 1, one + exponent / 2,
		      one + exponent, one + f_.fraction * exponent, f_.exponent_mask() - 1, f_.exponent_mask(), quiet}) {
		special.push_back(v);
		special.push_back(v | f_.sign(true));
	}
	for (u64 x : special)
		for (u64 y : special)
			all.push_back({x, y, special[below(special.size())], integer()});
	if (f_.bits == 16 && count >= 65536)
		for (u64 x = 0; x < 65536; x++)
			all.push_back({f_.is_nan(x) ? x | exponent >> 1 : x, second(x), value(), integer()});
	while (all.size() < count) {
		const u64 x = value();
		all.push_back({x, second(x), below(2) ? second(x) : value(), integer()});
	}
	all.resize(count);
	return all;
}

} // namespace isa_ocml

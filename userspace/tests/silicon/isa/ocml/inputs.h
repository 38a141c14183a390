// SPDX-License-Identifier: MIT
/* inputs.h - arguments on which implementations of mathematical functions differ: ends of the format, near-multiples, any other. */
#pragma once

#include <random>
#include <vector>

#include "../float_format.h"

namespace isa_ocml {

using isa_test::Format;

struct Input {
	u64 x, y, z;
	int n;
};

class Inputs {
public:
	Inputs(const Format &f, u64 seed) : f_(f), random_(seed) {}

	/** Each pair of special values first; of half, if there is room, every x with an arbitrary y too. */
	std::vector<Input> make(size_t count);

private:
	u64 below(u64 n) { return random_() % n; }
	u64 all() const { return f_.sign(true) | (f_.sign(true) - 1); }
	u64 value();
	u64 near(u64 v);
	u64 second(u64 x);
	int integer();
	u64 rounded(double v) const;

	const Format &f_;
	std::mt19937_64 random_;
};

} // namespace isa_ocml

// SPDX-License-Identifier: MIT
/*
 * masks.hpp - how long a program takes under a CU mask, for any chip: a program that takes a + b/x on x CUs dealt to evenly, and masks that
 * are not dealt to evenly.
 *
 * Workgroups go to the shader engines strictly in order, an equal number to each that has a CU in the mask; so all engines wait for the one
 * with the fewest CUs, and a mask is worth as many CUs as engines times those.
 */
#pragma once

#include <string>

#include "machine.hpp"

namespace kfdm::exp {

/** Milliseconds on x CUs: what takes a however many there are, and b CU-milliseconds that they share. */
struct MaskModel {
	double a = 0, b = 0;

	[[nodiscard]] double ms(double cus) const noexcept { return a + b / cus; }
};

/** "a+b/x", such as "0.35+176.8/x". Throws EINVAL. */
MaskModel parse_mask_model(const std::string &text);
/** Hexadecimal digits, bit 0 the lowest. Throws EINVAL, also for bits that are no CU's and for no CU at all. */
CuMask parse_mask(const ChipFacts &facts, const std::string &text);

/** The first, the last @count bits; whole WGPs. */
CuMask low_mask(const ChipFacts &facts, unsigned count);
CuMask high_mask(const ChipFacts &facts, unsigned count);

/** Some engines with equally many CUs each. */
struct EvenShape {
	unsigned engines = 0, cus = 0; /* shader engines, CUs of each */

	[[nodiscard]] unsigned all() const noexcept { return engines * cus; }
};
/** The most CUs of at most @count that are dealt to evenly; of two such shapes the one with fewer engines. */
EvenShape best_shape(const ChipFacts &facts, unsigned count);
CuMask even_mask(const ChipFacts &facts, const EvenShape &shape);

/** CUs of the mask. */
unsigned count_cus(const CuMask &mask);
/** How many CUs a mask is worth by the rule alone. */
unsigned worth_by_rule(const ChipFacts &facts, const CuMask &mask);

/** The same on the silicon: MM1024 (rtns.hpp) under the mask against MM1024 on one unit that a mask can name. @seed: of its workgroups' lengths. */
class MaskWorth {
public:
	explicit MaskWorth(Machine &machine, uint32_t seed = 0);
	double operator()(const CuMask &mask);

private:
	double run(const CuMask &mask);

	Machine &machine_;
	std::unique_ptr<Client> client_;
	unsigned queue_;
	uint32_t seed_;
	double one_us_; /* on one CU */
};

} // namespace kfdm::exp

// SPDX-License-Identifier: MIT
/* latency_test.cpp - a pointer chase finds each level of the memory where the chip has it; a flag between two CUs. */
#include <gtest/gtest.h>

#include "exp/latency.hpp"

using namespace kfdm::exp;

/* MI100, 1430 MHz, published: L1 134 cycles, L2 266, memory 609. */
TEST(Latency, LevelsOfMi100)
{
	auto machine = silicon_machine("arcturus", 2);

	EXPECT_NEAR(measure_chase(*machine, 8 << 10) / 134, 1, 0.1);
	EXPECT_NEAR(measure_chase(*machine, 1 << 20) / 266, 1, 0.1);
	EXPECT_NEAR(measure_chase(*machine, 32 << 20) / 609, 1, 0.1);
}

TEST(Latency, AFlagTakesATripToTheL2)
{
	auto machine = silicon_machine("radeon_vii", 2);
	PingPong pair(*machine);

	for (unsigned other : {1u, 2u, 4u, 7u}) {
		const double ns = pair.measure(0, other);

		EXPECT_GT(ns, 266 / 1.801 / 2);
		EXPECT_LT(ns, 266 / 1.801 * 4);
	}
}

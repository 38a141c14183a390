// SPDX-License-Identifier: MIT
/* priority_test.cpp - a high-priority queue on a GPU full of low-priority work (amd-gfx RFC, December 2016); over-subscription. */
#include <gtest/gtest.h>

#include "exp/oversub.hpp"
#include "exp/priority.hpp"

using namespace kfdm::exp;

TEST(Priority, AJobTakesAsLongAsOnAnIdleGpu)
{
	auto machine = silicon_machine("radeon_vii");

	EXPECT_LE(measure_priority(*machine, false, Urgency::Static, true).ratio(), 1.1);
	EXPECT_LE(measure_priority(*machine, false, Urgency::Dynamic, true).ratio(), 1.1);
}

TEST(Priority, WithoutPropagationItStarves)
{
	auto machine = silicon_machine("radeon_vii");

	EXPECT_GE(measure_priority(*machine, false, Urgency::Static, false).ratio(), 2);
}

/* A NOP needs no CU. */
TEST(Priority, ANopDoesNotShowIt)
{
	auto machine = silicon_machine("radeon_vii");

	EXPECT_LE(measure_priority(*machine, true, Urgency::Static, false).ratio(), 1.1);
}

TEST(Oversub, AllQueuesComeToTheirTurn)
{
	auto machine = silicon_machine("radeon_vii", 4);
	const OversubResult fits = measure_oversub(*machine, 24, 4, 40), over = measure_oversub(*machine, 32, 4, 40);

	EXPECT_NEAR(fits.total_us / fits.alone_us, 1, 0.01);
	EXPECT_EQ(fits.saved_waves, 0);
	EXPECT_GE(over.total_us / over.alone_us, 32. / 24 * 0.99);
	EXPECT_GT(over.saved_waves, 0);
	EXPECT_GE(over.fairness, 0.9);
}

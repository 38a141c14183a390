// SPDX-License-Identifier: MIT
/* launch_test.cpp - a launch layer by layer, streams on few queues, workgroups that wait for one another. */
#include <gtest/gtest.h>

#include <algorithm>

#include "exp/launch.hpp"

using namespace kfdm::exp;

/* Each layer follows the one before; the SPI of each engine starts a wave every wave_launch_cycles (silicon/sq/timing.h). */
TEST(Launch, LayersFollowOneAnother)
{
	auto machine = silicon_machine("radeon_vii", 4);
	const unsigned cus = machine->facts().cus();
	const LaunchTimes one = measure_launch(*machine, 1, 2), many = measure_launch(*machine, 8 * cus, 2);

	for (const LaunchTimes &t : {one, many}) {
		EXPECT_LE(t.packet, t.first_wave);
		EXPECT_LE(t.first_wave, t.last_wave);
		EXPECT_LT(t.last_wave, t.waves_end);
		EXPECT_LE(t.waves_end, t.signal);
	}
	EXPECT_EQ(one.first_wave, one.last_wave);
	EXPECT_EQ(many.packet, one.packet);
	EXPECT_GT(many.last_wave - many.first_wave, 0u);
	/* Nothing at random: again the same, but for the SIMDs' turns of four cycles. */
	EXPECT_NEAR(static_cast<double>(measure_launch(*machine, 1, 2).signal), static_cast<double>(one.signal), 4);
}

/* Streams of one queue wait for one another: as many kernels one after the other as the fullest queue has. */
TEST(Streams, AsManyRunAtATimeAsThereAreQueues)
{
	constexpr unsigned kernels = 2;

	for (const auto &[streams, queues] : {std::pair{4u, 4u}, {5u, 4u}, {9u, 4u}, {9u, 16u}}) {
		auto machine = silicon_machine("radeon_vii", 2);
		const StreamsResult r = measure_streams(*machine, streams, queues, kernels);

		EXPECT_NEAR(r.total_us / r.kernel_us, kernels * ((streams + queues - 1) / queues), 0.1) << streams << " on " << queues;
	}
}

/* Dealt in order, the lowest workgroup that has not ended has a place; a higher one gets its place when all fit at once. */
TEST(Progress, LowerOnesAlwaysHigherOnesWhileTheyFit)
{
	auto machine = silicon_machine("radeon_vii", 2);
	const CuMask one = packed_mask(machine->facts(), 1);

	for (const unsigned groups : {40u, 41u, 100u}) {
		EXPECT_TRUE(chain_ends(*machine, one, groups, Waits::ForLower)) << groups;
		EXPECT_EQ(chain_ends(*machine, one, groups, Waits::ForHigher), groups <= 40) << groups;
	}
}

/* On RDNA the queue's UNORD_DISPATCH is set, as its drivers do it. */
TEST(Progress, OnRdna)
{
	auto machine = silicon_machine("navi21", 2);
	const CuMask one = packed_mask(machine->facts(), 2);

	EXPECT_TRUE(chain_ends(*machine, one, 400, Waits::ForLower));
	EXPECT_TRUE(chain_ends(*machine, one, 32, Waits::ForHigher));
	EXPECT_FALSE(chain_ends(*machine, one, 400, Waits::ForHigher));
}

// SPDX-License-Identifier: MIT
/* deadlines_test.cpp - a compositor with a deadline of 90 Hz beside a game and a background job. */
#include <gtest/gtest.h>

#include "exp/deadlines.hpp"

using namespace kfdm::exp;

namespace {

DeadlineResult measure(Rings rings, Precedence precedence, bool sq_heeds = true, unsigned frames = 8)
{
	auto machine = silicon_machine("radeon_vii", 2);

	return measure_deadlines(*machine, {rings, precedence, sq_heeds, frames});
}

} // namespace

TEST(Deadlines, WithoutPriorityManyFramesAreLate)
{
	const DeadlineResult r = measure(Rings::Compute, Precedence::Off);

	EXPECT_EQ(r.frames, 8u);
	EXPECT_NEAR(r.alone_ms, 0.5, 0.02);
	EXPECT_GE(r.missed, 3u);
	EXPECT_EQ(r.saved_waves, 0u);
}

TEST(Deadlines, PriorityKeepsThem)
{
	const DeadlineResult fixed = measure(Rings::Compute, Precedence::Static), raised = measure(Rings::Compute, Precedence::Dynamic);

	EXPECT_EQ(fixed.missed, 0u);
	EXPECT_EQ(fixed.saved_waves, 0u);
	/* The background's workgroups take a millisecond: those that run when the warp comes go on to their end. */
	EXPECT_LE(fixed.worst_ms, 1 + fixed.alone_ms + 0.1);
	EXPECT_EQ(raised.missed, 0u);
	EXPECT_GT(raised.saved_waves, 0u);
}

/* A third of them, by chance. */
TEST(Deadlines, NotWhereTheSqIgnoresIt) { EXPECT_GE(measure(Rings::Compute, Precedence::Static, false, 30).missed, 6u); }

/* Queues of an engine take turns whatever their priority; another engine is free. */
TEST(Deadlines, CopiesNeedAnEngineOfTheirOwn)
{
	const DeadlineResult shared = measure(Rings::Sdma, Precedence::Off, true, 2),
			     own = measure(Rings::SdmaOwn, Precedence::Off, true, 2);

	EXPECT_NEAR(shared.alone_ms, 1.2, 0.05);
	EXPECT_NEAR(shared.mean_ms, 2 * shared.alone_ms, 0.2);
	EXPECT_EQ(shared.missed, 2u);
	EXPECT_EQ(own.missed, 0u);
	EXPECT_NEAR(own.worst_ms, own.alone_ms, 0.1);
}

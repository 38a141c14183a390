// SPDX-License-Identifier: MIT
/* ahead_test.cc - steps of a wave that is saved before they are issued. */
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "silicon/wave/ahead.h"

using namespace silicon;

namespace {

using Words = u32[Ahead::saved_words];

std::vector<StepCode> steps_of(const Ahead &ahead) { return {ahead.step + ahead.first, ahead.step + ahead.first + ahead.count}; }

Ahead restored(const Words &words)
{
	Ahead ahead = {};

	ahead.restore(words);
	return ahead;
}

u32 cycles_of(const Ahead &ahead)
{
	u32 sum = 0;

	for (StepCode step : steps_of(ahead))
		sum += cost_of(step).cycles;
	return sum;
}

TEST(Ahead, AStepSleepsAsLongAsItsInstruction)
{
	EXPECT_EQ(sleep_step(0), StepCode::Internal4);
	for (u32 n = 1; n <= longest_sleep_step; n++) {
		EXPECT_EQ(cost_of(sleep_step(n)).cycles, 4 + 64 * n);
		EXPECT_EQ(cost_of(sleep_step(n)).unit, Unit::Internal);
		EXPECT_TRUE(is_sleep(sleep_step(n)));
	}
	for (u32 n = longest_sleep_step + 1; n < 256; n++)
		EXPECT_EQ(sleep_step(n), StepCode::None);
}

/* Whatever is left of them, after some have been issued. */
TEST(Ahead, StepsAreTheSameAfterSaveAndRestore)
{
	std::mt19937 random(906);

	for (unsigned round = 0; round < 1000; round++) {
		Ahead ahead = {};

		for (StepCode step;
		     ahead.has_room(step = static_cast<StepCode>(1 + random() % 9 + (random() % 4 ? 0 : 15 + random() % 40)));)
			ahead.push(step);
		for (unsigned issued = random() % ahead.count; issued; issued--)
			ahead.pop();
		Words words;

		ahead.save(words);
		const Ahead back = restored(words);

		EXPECT_EQ(steps_of(back), steps_of(ahead));
		EXPECT_EQ(back.cycles, ahead.cycles);
		EXPECT_EQ(cycles_of(back), back.cycles);
	}
}

TEST(Ahead, WaitsAreOverWhenAWaveIsSaved)
{
	Ahead ahead = {};
	Words words;

	ahead.push(wait_step(Counter::Lgkm, 3));
	ahead.push(StepCode::Valu8);
	ahead.save(words);
	EXPECT_EQ(steps_of(restored(words)), (std::vector<StepCode>{StepCode::Internal4, StepCode::Valu8}));
}

/* The save area is user memory. */
TEST(Ahead, AnyWordsMakeSteps)
{
	std::mt19937 random(900);

	for (unsigned round = 0; round < 100000; round++) {
		Words words;

		for (u32 &word : words)
			word = static_cast<u32>(random()) | (round & 1 ? 0xf00ff00f : 0);
		const Ahead ahead = restored(words);

		ASSERT_LE(ahead.count, Ahead::most);
		ASSERT_EQ(cycles_of(ahead), ahead.cycles);
		for (StepCode step : steps_of(ahead)) {
			ASSERT_FALSE(is_wait(step));
			ASSERT_GE(cost_of(step).cycles, 4);
		}
	}
}

} // namespace

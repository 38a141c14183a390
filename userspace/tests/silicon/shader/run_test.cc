// SPDX-License-Identifier: MIT
/* run_test.cc - time: barriers, waiting waves, missing pages, and that nothing but virtual time decides. */
#include <gtest/gtest.h>

#include <tuple>

#include "toy/toy_shader.h"

using namespace toy_shader;

namespace {

std::vector<std::tuple<u64, u16, u32, u64, u64>> lines(const ToyShader &toy)
{
	std::vector<std::tuple<u64, u16, u32, u64, u64>> found;

	for (auto &e : toy.trace)
		found.push_back({e.cycle, e.kind, e.where, argument(e), e.b});
	return found;
}

/** Two queues that compete, talk through memory, use barriers. */
void submit_mixture(ToyShader &toy)
{
	u64 a = load_program({{Do::SAdd, 5, 20},
			      {Do::MemAdd, 0x10000, 1},
			      {Do::LdsAdd, 3},
			      {Do::Barrier},
			      {Do::LdsSum, 6, 4},
			      {Do::MemAddS, 0x11008, 6},
			      {Do::Loop, 5, 1},
			      {Do::End}});
	u64 b = load_program({{Do::SAdd, 5, 9}, {Do::Sleep, 700}, {Do::MemAdd, 0x12ff8, 2}, {Do::Loop, 5, 1}, {Do::End}});
	Grid grid = toy.grid(a, 90, 256, 0);

	grid.lds_bytes = 16384;
	ASSERT_EQ(toy.submit(grid), Step::Done);
	ASSERT_EQ(toy.submit(toy.grid(b, 333, 100, 1)), Step::Done);
}

} // namespace

TEST(Run, ABarrierHoldsAllWavesOfTheWorkgroup)
{
	ToyShader toy;
	u64 code = load_program({{Do::LdsAdd, 1}, {Do::Barrier}, {Do::LdsSum, 4, 16}, {Do::MemAddS, 0x9000, 4}, {Do::End}});
	Grid grid = toy.grid(code, 20, 1024);

	grid.lds_bytes = 64;
	ASSERT_EQ(toy.submit(grid), Step::Done);
	toy.run();
	EXPECT_EQ(toy.memory.ref<u64>(8, 0x9000), 20u * 16 * 16);
}

TEST(Run, AnEndedWaveReleasesTheOthers)
{
	ToyShader toy;
	/* s0 is 0x80000002 in wave 0, which goes to the barrier, and 2 in wave 1, which sleeps and ends without one */
	u64 code = load_program({{Do::SAdd, 0, 0xffffffff},
				 {Do::Loop, 0, 4},
				 {Do::Sleep, 9000},
				 {Do::End},
				 {Do::Barrier},
				 {Do::MemAdd, 0x9000, 1},
				 {Do::End}});
	Grid grid = toy.grid(code, 1, 128);

	grid.rsrc2 = 1 << 10;
	ASSERT_EQ(toy.submit(grid), Step::Done);
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 1u);
	EXPECT_EQ(toy.memory.ref<u64>(8, 0x9000), 1u);
	EXPECT_GT(toy.client.done[1], 9000u);
}

TEST(Run, WavesOfASimdShareItsIssueSlots)
{
	auto time = [](u32 workgroups) {
		ToyShader toy({1, 1});

		EXPECT_EQ(toy.submit(toy.grid(load_program({{Do::SAdd, 5, 5000}, {Do::Nop}, {Do::Loop, 5, 1}, {Do::End}}), workgroups, 64)),
			  Step::Done);
		toy.run();
		return static_cast<double>(toy.client.done[1]);
	};

	EXPECT_NEAR(time(4) / time(1), 1, 0.02); /* four SIMDs */
	EXPECT_NEAR(time(8) / time(4), 2, 0.02);
	EXPECT_NEAR(time(40) / time(4), 10, 0.1);
}

TEST(Run, SleepersCostNothing)
{
	ToyShader toy({1, 1});
	u64 code = load_program({{Do::Sleep, 1000000}, {Do::End}});

	ASSERT_EQ(toy.submit(toy.grid(code, 40, 64)), Step::Done);
	toy.run();
	EXPECT_NEAR(static_cast<double>(toy.client.done[1]), 1e6, 1000);
}

TEST(Run, TwoCusHandAFlagBackAndForth)
{
	ToyShader toy;
	Program ping = {{Do::SAdd, 5, 100}}, pong = {{Do::SAdd, 5, 100}};

	ping.insert(ping.end(), {{Do::MemSet, 0x9000, 1}, {Do::WaitEqual, 0x9000, 2}, {Do::Loop, 5, 1}, {Do::End}});
	pong.insert(pong.end(), {{Do::WaitEqual, 0x9000, 1}, {Do::MemSet, 0x9000, 2}, {Do::Loop, 5, 1}, {Do::End}});
	ASSERT_EQ(toy.submit(toy.grid(load_program(ping), 1, 64, 0)), Step::Done);
	ASSERT_EQ(toy.submit(toy.grid(load_program(pong), 1, 64, 1)), Step::Done);
	toy.run(10000000);
	EXPECT_EQ(toy.client.done.size(), 2u);
	EXPECT_LT(toy.client.done[1], 100 * 2000u);
}

TEST(Run, SlicesAndWindowsLeaveNoMark)
{
	ToyShader whole;

	submit_mixture(whole);
	whole.run();
	ASSERT_EQ(whole.client.done.size(), 2u);
	EXPECT_EQ(whole.memory.ref<u64>(8, 0x10000), 90u * 4 * 20);
	for (u32 slice : {1, 2, 7})
		for (u64 window : {1024, 4096, 100000}) {
			ToyShader toy;

			toy.slice = slice;
			toy.window = window;
			submit_mixture(toy);
			toy.run();
			EXPECT_EQ(lines(toy), lines(whole)) << slice << " " << window;
			EXPECT_EQ(toy.memory.ref<u64>(8, 0x11008), whole.memory.ref<u64>(8, 0x11008));
		}
}

TEST(Run, RunningAheadLeavesNoMark)
{
	ToyShader ahead, behind;

	behind.shaders->set_run_ahead(false);
	for (ToyShader *toy : {&ahead, &behind}) {
		submit_mixture(*toy);
		toy->run();
	}
	EXPECT_EQ(lines(ahead), lines(behind));
	EXPECT_EQ(ahead.memory.ref<u64>(8, 0x11008), behind.memory.ref<u64>(8, 0x11008));
}

TEST(Run, MissingPagesLeaveNoMark)
{
	ToyShader whole, toy;

	submit_mixture(whole);
	whole.run();
	toy.memory.all_missing_once = true;
	toy.slice = 3;
	submit_mixture(toy);
	toy.run();
	EXPECT_GE(toy.memory.needs, 3u);
	EXPECT_EQ(lines(toy), lines(whole));
	EXPECT_EQ(toy.memory.ref<u64>(8, 0x10000), whole.memory.ref<u64>(8, 0x10000));
}

TEST(Run, APageThatNeverComesHoldsUpItsOwnWaveOnly)
{
	ToyShader toy;

	toy.memory.never.insert(0x666000);
	ASSERT_EQ(toy.submit(toy.grid(load_program({{Do::MemAdd, 0x666000, 1}, {Do::End}}), 2, 64, 0)), Step::Done);
	ASSERT_EQ(toy.submit(toy.grid(load_program({{Do::SAdd, 5, 2000}, {Do::Loop, 5, 1}, {Do::End}}), 20, 64, 1)), Step::Done);
	toy.run(1000000);
	EXPECT_EQ(toy.client.done.count(2), 1u);
	EXPECT_EQ(toy.client.done.count(1), 0u);
	toy.memory.never.clear();
	toy.shaders->run(toy.now, toy.now + 10000, {});
	EXPECT_EQ(toy.client.done.count(1), 1u);
	EXPECT_EQ(toy.memory.ref<u64>(8, 0x666000), 2u);
}

TEST(Run, KilledQueuesVanishAndOthersGetTheirRoom)
{
	ToyShader toy({1, 1});
	u64 forever = load_program({{Do::SAdd, 5, 2}, {Do::Loop, 5, 0}});

	ASSERT_EQ(toy.submit(toy.grid(forever, 100, 1024, 0)), Step::Done);
	Grid other = toy.grid(load_program({{Do::End}}), 5, 1024, 1);

	other.vmid = 9;
	ASSERT_EQ(toy.submit(other), Step::Done);
	toy.run(50000);
	EXPECT_EQ(toy.client.done.size(), 0u);
	EXPECT_EQ(toy.shaders->waves_of(1, 0, 0), 32u);
	toy.shaders->kill_vmid(8);
	EXPECT_EQ(toy.shaders->waves_of(1, 0, 0), 0u);
	EXPECT_FALSE(toy.shaders->queue_busy(1, 0, 0));
	toy.run();
	EXPECT_EQ(toy.client.done.size(), 1u);
	EXPECT_TRUE(toy.shaders->idle());
	EXPECT_EQ(toy.of(SILICON_TRACE_WAVE_START).size(), toy.of(SILICON_TRACE_WAVE_END).size());
}

// SPDX-License-Identifier: MIT
/* timing_test.cpp - cycles that follow from one rule of the timing model each (device/timing.s). */
#include <gtest/gtest.h>

#include "exp/gemv.hpp"

using namespace kfdm::exp;

namespace {

class TimingTest : public testing::Test {
protected:
	/* Cycles that the kernel writes down. */
	std::vector<double> run(const char *kernel, uint32_t argument, uint16_t items = 64)
	{
		const uint64_t out = client_->alloc(4096);

		client_->submit(queue_, {.object = "timing", .kernel = kernel, .grid = {items, 1, 1}, .workgroup = {items, 1, 1},
					 .arguments = {static_cast<uint32_t>(out), static_cast<uint32_t>(out >> 32), argument},
					 .group_bytes = 65536});
		machine_->run_idle();
		const std::vector<uint64_t> cycles = client_->read_array<uint64_t>(out, 8);
		return {cycles.begin(), cycles.end()};
	}

	std::unique_ptr<Machine> machine_ = silicon_machine("radeon_vii", 1);
	std::unique_ptr<Client> client_ = machine_->client();
	unsigned queue_ = client_->create_queue({});
};

constexpr double reads = 64;
constexpr double clock_cycles = 124;		/* two s_memtime: issue, and 120 cycles until the first is back (isa/exec/memory.h) */
constexpr double lds_latency = 64 + clock_cycles;
constexpr double few = 12;			/* turns of the SIMD, and what the unit has taken before it is free */

} // namespace

/* A wave issues every four cycles. 32 lanes a cycle, but a bank serves one of its dwords a cycle. */
TEST_F(TimingTest, LanesThatMeetInABankOfTheLdsWait)
{
	EXPECT_NEAR(run("lds_read_b32", 0)[0], reads * 4 + lds_latency, few) << "all lanes share a dword";
	EXPECT_NEAR(run("lds_read_b32", 4)[0], reads * 4 + lds_latency, few);
	EXPECT_NEAR(run("lds_read_b32", 4 * 33)[0], reads * 4 + lds_latency, few) << "another bank each";
	for (uint32_t ways : {4, 8, 16, 32})
		EXPECT_NEAR(run("lds_read_b32", ways * 4)[0], reads * 2 * ways + lds_latency, few) << ways;
}

/* Sixteen lanes a cycle of two dwords, eight of four. */
TEST_F(TimingTest, WideLdsAccessesTakeFewerLanesACycle)
{
	EXPECT_NEAR(run("lds_read_b64", 8)[0], reads * 4 + lds_latency, few);
	EXPECT_NEAR(run("lds_read_b64", 128)[0], reads * 4 * 16 + lds_latency, few);
	EXPECT_NEAR(run("lds_read_b128", 16)[0], reads * 8 + lds_latency, few);
	EXPECT_NEAR(run("lds_read_b128", 128)[0], reads * 8 * 8 + lds_latency, few);
}

/* One atomic unit a bank. */
TEST_F(TimingTest, LdsAtomicsOnOneDwordGoOneByOne)
{
	EXPECT_NEAR(run("lds_add", 4)[0], reads * 4 + lds_latency, few);
	EXPECT_NEAR(run("lds_add", 0)[0], reads * 64 + lds_latency, few);
}

TEST_F(TimingTest, AWaveThatRaisesItsPriorityGoesBeforeAnOlderOne)
{
	constexpr double alone = 256 * 4;
	const auto as_they_come = run("two_waves", 0, 320), raised = run("two_waves", 1, 320);

	EXPECT_NEAR(as_they_come[0], alone + clock_cycles, few);
	EXPECT_NEAR(as_they_come[4], 2 * alone + clock_cycles, few);
	EXPECT_NEAR(raised[0], 2 * alone + clock_cycles, few);
	EXPECT_NEAR(raised[4], alone + clock_cycles, few);
}

/* 32 KiB stay; what is beyond comes from the L2 each time, line by line. */
TEST_F(TimingTest, InstructionsBeyondTheCacheAreFetchedEachTime)
{
	constexpr double l2 = 266, lines = 8192 / 64;
	const auto large = run("code_40k", 0), small = run("code_8k", 0);

	EXPECT_NEAR((large[1] - 10240 * 4) / lines, l2, l2 / 20);
	EXPECT_NEAR(small[1], 2048 * 4 + clock_cycles, few);
	EXPECT_NEAR((small[0] - small[1]) / lines, l2, l2 / 20);
}

TEST(Gemv, ProductsAreRightAndAsManyWavesFitAsOneExpects)
{
	auto machine = silicon_machine("mi60", 1);
	constexpr double occupancy[] = {0.05, 0.8, 1.0, 0.9, 0.4};

	for (size_t i = 0; i < gemv_versions.size(); i++) {
		const GemvResult r = measure_gemv(*machine, gemv_versions[i], 2);

		EXPECT_TRUE(r.right) << gemv_versions[i].name;
		EXPECT_NEAR(r.theoretical, occupancy[i], 1e-9) << gemv_versions[i].name;
		EXPECT_LE(r.achieved, r.theoretical);
		EXPECT_LE(r.memory_gb_s, machine->facts().memory_gb_s);
	}
}

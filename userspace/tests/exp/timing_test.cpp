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

		client_->submit(queue_, {.object = "timing",
					 .kernel = kernel,
					 .grid = {items, 1, 1},
					 .workgroup = {items, 1, 1},
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
constexpr double clock_cycles = 124; /* two s_memtime: issue, and 120 cycles until the first is back (isa/exec/memory.h) */
constexpr double lds_latency = 64 + clock_cycles;
constexpr double few = 12; /* turns of the SIMD, and what the unit has taken before it is free */

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

/*
 * Two addresses are one access of 64 bits a lane, looked at by half waves: 64 dwords take the 32 banks two cycles, or as many as the bank with
 * the most of them. So neighbours are as fast as one dword twice as wide, and so are two that lie in the same bank of lanes side by side.
 */
TEST_F(TimingTest, TwoAddressesOfALaneAreOneLdsAccess)
{
	EXPECT_NEAR(run("lds_read2_b32", 0)[0], reads * 4 + lds_latency, few) << "all lanes share both dwords";
	EXPECT_NEAR(run("lds_read2_b32", 8)[0], reads * 4 + lds_latency, few);
	/* Two of the 32 banks have the first dwords, the two behind them the second ones. */
	EXPECT_NEAR(run("lds_read2_b32", 64)[0], reads * 2 * 16 + lds_latency, few);
	EXPECT_NEAR(run("lds_read2_b32", 64)[0], run("lds_read_b64", 64)[0], few);
	EXPECT_NEAR(run("lds_read2_b32", 128)[0], reads * 2 * 32 + lds_latency, few);
	EXPECT_NEAR(run("lds_read2st64_b32", 4)[0], reads * 4 + lds_latency, few) << "two dwords of each bank";
	EXPECT_NEAR(run("lds_read2st64_b32", 8)[0], reads * 2 * 4 + lds_latency, few) << "four dwords of each second bank";
	EXPECT_NEAR(run("lds_read2_b64", 16)[0], reads * 8 + lds_latency, few);
	EXPECT_NEAR(run("lds_read2_b64", 128)[0], reads * 2 * 32 + lds_latency, few);
	EXPECT_NEAR(run("lds_write2_b32", 8)[0], reads * 4 + lds_latency, few) << "two dwords, as of a read";
	EXPECT_NEAR(run("lds_exchange2", 8)[0], reads * 4 + lds_latency, few);
	EXPECT_NEAR(run("lds_exchange2", 0)[0], reads * 64 + lds_latency, few) << "atomics share nothing";
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

/* s_endpgm waits for all that is under way, as s_waitcnt 0 does. */
TEST_F(TimingTest, AWaveEndsWhenItsStoresHaveArrived)
{
	constexpr double memory = 609;
	const auto counter = [&] { return machine_->counter(static_cast<uint32_t>(kfdm::Counter::WaveCycles)); };
	const auto cycles = [&](uint32_t which) {
		const uint64_t out = client_->alloc(4096), before = counter();

		client_->submit(queue_, {.object = "timing",
					 .kernel = "store_and_end",
					 .arguments = {static_cast<uint32_t>(out), static_cast<uint32_t>(out >> 32), which}});
		machine_->run_idle();
		return static_cast<double>(counter() - before);
	};
	const double nothing = cycles(0), stores = cycles(1);

	EXPECT_NEAR(stores - nothing, memory, few);
	EXPECT_NEAR(cycles(2), stores, few);
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

/*
 * 512 lines of one channel. From HBM2 (1 GHz, two transfers a clock, 4096 bits, refreshed 350 ns of each 3.9 us) each of the 16 channels
 * gets 64 bytes a clock of HBM less that; then the L2 gives a line a cycle, to one CU as to four together.
 */
TEST_F(TimingTest, AChannelOfL2AndMemoryTakesItsTimeForEachLine)
{
	constexpr double lines = 512, l2 = 266, memory = 609, clock_ratio = 1.801;
	constexpr double hbm_line = 64 / (4096. / 8 * 2 / 16) * clock_ratio / (1 - 350. / 3900);
	constexpr uint64_t alignment = 16 << 20;
	double cycles = 0; /* of the whole kernel */
	const auto stream = [&](uint32_t groups) {
		const uint64_t out = client_->alloc(4096), base = (client_->alloc(2 * alignment) + alignment - 1) & ~(alignment - 1);

		const unsigned ticket = client_->submit(queue_,
							{.object = "timing",
							 .kernel = "one_channel",
							 .grid = {64 * groups, 1, 1},
							 .workgroup = {64, 1, 1},
							 .arguments = {static_cast<uint32_t>(out), static_cast<uint32_t>(out >> 32), 0, 0,
								       static_cast<uint32_t>(base), static_cast<uint32_t>(base >> 32)}});
		machine_->run_idle();
		cycles = client_->times(ticket).length() * machine_->facts().cycles_per_us;
		return client_->read_array<uint64_t>(out, 3 * groups);
	};
	const auto alone = stream(1);

	EXPECT_NEAR(static_cast<double>(alone[0]), lines * hbm_line + memory + clock_cycles + l2, 100) << "and a line of code";
	EXPECT_NEAR(static_cast<double>(alone[2]), lines + l2 + clock_cycles, 100);
	/* Three passes of each of four CUs: none can go faster than the channel, of which each alone would leave a tenth. */
	const auto taken = [&] { return static_cast<double>(machine_->counter(static_cast<uint32_t>(kfdm::Counter::L2Cycles))); };
	const double before = taken();

	(void)stream(4);
	EXPECT_GE(cycles, 4 * 3 * lines);
	EXPECT_LE(cycles, 4 * 3 * lines + lines * (hbm_line - 1) + memory + 3 * (l2 + clock_cycles) + 4 * l2) << "and lines of code";
	EXPECT_NEAR(taken() - before, 4 * 3 * lines / 16, 2) << "one of sixteen channels, and what stores the clock";
}

/*
 * A workgroup of eight waves that needs a whole CU waits for the only one, in which a kernel spins until a smaller and younger kernel has
 * run there. What fills up a CU stands back when nothing ends in it any more (Spi::expire_claims()).
 */
TEST_F(TimingTest, AWorkgroupThatWaitsForRoomLetsOthersPassInTheEnd)
{
	const CuMask one = packed_mask(machine_->facts(), 1);
	const uint64_t flag = client_->alloc(4096), out = client_->alloc(4096);
	/*
	 * All of them before time passes: a new queue takes the others off the hardware, and a claim with them. Each on a pipe of its own.
	 */
	const auto queue = [&] { return client_->create_queue({.mask = one}); };
	const unsigned filler = queue(), large = queue(), spins = queue(), answers = queue();
	const auto hand_over = [&](unsigned on, uint32_t me) {
		return client_->submit(on, {.kernel = "ping_pong",
					    .grid = {1, 1, 1},
					    .workgroup = {1, 1, 1},
					    .arguments = {static_cast<uint32_t>(flag), static_cast<uint32_t>(flag >> 32), me, 1,
							  static_cast<uint32_t>(out), static_cast<uint32_t>(out >> 32)}});
	};
	const unsigned spinner = hand_over(spins, 1);

	machine_->run_to(machine_->now() + 2000);
	client_->submit(filler, {.kernel = "sleep_even", .arguments = {20}});
	machine_->run_to(machine_->now() + 2000);
	const unsigned whole = client_->submit(
		large, {.kernel = "sleep_even", .grid = {512, 1, 1}, .workgroup = {512, 1, 1}, .arguments = {1}, .vgprs = 128});
	machine_->run_to(machine_->now() + 100000); /* the filler has ended, and its room is kept */
	EXPECT_FALSE(client_->times(whole).done);
	const unsigned small = hand_over(answers, 0);
	machine_->run_until([&] { return client_->times(small).done && client_->times(spinner).done; }, 1 << 16, 1 << 24);
	machine_->run_idle();
	EXPECT_TRUE(client_->times(whole).done);
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
		EXPECT_GT(r.l2, 0);
		EXPECT_LE(r.l2, 1);
		EXPECT_LE(r.memory_gb_s, machine->facts().memory_gb_s);
	}
}

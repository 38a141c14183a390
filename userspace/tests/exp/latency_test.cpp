// SPDX-License-Identifier: MIT
/* latency_test.cpp - a pointer chase finds each level of the memory where the chip has it; a flag between two CUs. */
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <kfdm/lab.hpp>

#include "exp/latency.hpp"

using namespace kfdm::exp;

namespace {

/* Published pointer chases: a chain that only this level holds, and its cycles a hop. */
struct Level {
	const char *chip;
	size_t kib;
	double cycles;
};

constexpr Level levels[] = {
	{"arcturus", 8, 134},	{"arcturus", 1024, 266},  {"arcturus", 32768, 609},  /* MI100 */
	{"aldebaran", 8, 129},	{"aldebaran", 1024, 251}, {"aldebaran", 32768, 665}, /* MI210 */
	{"navi21", 8, 73},	{"navi21", 64, 123},	  {"navi21", 1024, 221},
	{"navi21", 16384, 423}, /* RX 6900 XT; 423: Infinity Cache */
};

} // namespace

TEST(Latency, LevelsOfTheMemory)
{
	for (const Level &level : levels) {
		auto machine = silicon_machine(level.chip, 2);

		EXPECT_NEAR(measure_chase(*machine, level.kib << 10) / level.cycles, 1, 0.1) << level.chip << ", " << level.kib << " KiB";
	}
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

/* RDNA, published: 50 to 120 ns in a WGP, up to about 200 ns between WGPs. */
TEST(Latency, AFlagStaysInItsWgpOrNot)
{
	auto machine = silicon_machine("navi21");
	const ChipFacts &facts = machine->facts();
	PingPong pair(*machine);
	double nearest = 1e9, farthest = 0;

	ASSERT_EQ(facts.cus(), 80u);
	for (unsigned cu = 0; cu < facts.cus(); cu += 8) {
		const double same = pair.measure(cu, cu + 1);

		EXPECT_GE(same, 50) << cu;
		EXPECT_LE(same, 120) << cu;
		for (unsigned other = cu % 16 ? 0 : 2; other < facts.cus(); other += 6) {
			if (other / 2 == cu / 2)
				continue;
			const double ns = pair.measure(cu, other);

			EXPECT_GT(ns, same) << cu << " and " << other;
			EXPECT_LE(ns, 210) << cu << " and " << other;
			nearest = std::min(nearest, ns);
			farthest = std::max(farthest, ns);
		}
	}
	EXPECT_LT(nearest, 130);
	EXPECT_GT(farthest, 160);
	/* Neighbours in the mask lie in different engines. */
	EXPECT_GT(pair.measure(0, 4), pair.measure(0, 8));
}

/* On RDNA a line that two WGPs poll changes its owner with each poll; on GCN it is only kept busy for some cycles. */
TEST(Latency, FlagsInOneLineAreSlowerOnRdna)
{
	auto navi = silicon_machine("navi21"), vega = silicon_machine("radeon_vii");
	PingPong rdna(*navi), gcn(*vega);
	double same = 0, apart = 0;

	for (unsigned other : {2u, 5u, 10u}) {
		same += rdna.measure_two_flags(0, other, 8);
		apart += rdna.measure_two_flags(0, other, 128);
		EXPECT_NEAR(gcn.measure_two_flags(0, other, 8) / gcn.measure_two_flags(0, other, 128), 1, 0.05) << other;
	}
	EXPECT_GT(same, 1.05 * apart);
	EXPECT_LT(same, 2 * apart);
}

/* Two queues of one WGP run on both of its CUs. */
TEST(Latency, AMaskTakesWholeWgps)
{
	auto machine = silicon_machine("navi21");
	auto client = machine->client();
	const unsigned queue = client->create_queue({.mask = packed_mask(machine->facts(), 1)});
	std::map<uint64_t, unsigned> places;

	machine->trace(true);
	client->submit(queue, {.kernel = "sleep_even", .grid = {64 * 64, 1, 1}, .arguments = {10}});
	machine->run_idle();
	for (const amdm_ctl_trace_event &event : machine->take_trace())
		if (event.kind == static_cast<uint16_t>(kfdm::TraceKind::WorkgroupStart))
			places[event.b]++;
	EXPECT_EQ(places, (std::map<uint64_t, unsigned>{{0, 32}, {1, 32}}));
}

// SPDX-License-Identifier: MIT
/*
 * rtns_test.cpp - the RTNS 2021 experiments against the published points (rtns_published.json), from the mechanism alone.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include <nlohmann/json.hpp>

#include "exp/report.hpp"
#include "exp/rtns.hpp"

using namespace kfdm::exp;

namespace {

nlohmann::json published() { return nlohmann::json::parse(std::ifstream(KFDM_PUBLISHED)); }

#ifdef KFDM_BRIEF
constexpr unsigned every = 15;
#else
constexpr unsigned every = 1;
#endif

const std::vector<MaskPoint> &masks()
{
	static const std::vector<MaskPoint> points = mask_experiment(*silicon_machine("radeon_vii"), every);

	return points;
}

double packed(unsigned cus) { return masks().at((cus - 1) / every).packed_ms; }
double distributed(unsigned cus) { return masks().at((cus - 1) / every).distributed_ms; }

} // namespace

TEST(Masks, PublishedPoints)
{
	double sum = 0;
	unsigned count = 0, within = 0;

	for (const char *curve : {"packed", "distributed"})
		for (const auto &[cus, ms] : published()[curve].get<std::vector<std::pair<unsigned, double>>>()) {
			if ((cus - 1) % every)
				continue;
			double error = std::abs((*curve == 'p' ? packed(cus) : distributed(cus)) / ms - 1);

			EXPECT_LE(error, 0.15) << curve << " " << cus;
			sum += error;
			within += error <= 0.1;
			count++;
		}
	ASSERT_GE(count, 5u);
	EXPECT_LE(sum / count, 0.04);
	EXPECT_GE(within, count - 1);
}

/* One more CU that opens a new engine: the slowest engine holds up the deal. */
TEST(Masks, CliffsWhereAnEngineOpens)
{
	EXPECT_NEAR(packed(16) / 86.85, 1, 0.1);
	EXPECT_NEAR(packed(31) / 58.73, 1, 0.1);
	EXPECT_NEAR(packed(46) / 44.53, 1, 0.1);
#ifndef KFDM_BRIEF
	EXPECT_GT(packed(16) / packed(15), 7);
	EXPECT_GT(packed(31) / packed(30), 9);
	EXPECT_GT(packed(46) / packed(45), 10);
#endif
}

#ifndef KFDM_BRIEF
TEST(Masks, StairsAreFlat)
{
	for (unsigned first = 4; first < 60; first += 4) {
		double lo = distributed(first), hi = lo;

		for (unsigned cus = first; cus < first + 4; cus++) {
			lo = std::min(lo, distributed(cus));
			hi = std::max(hi, distributed(cus));
		}
		EXPECT_LE(hi / lo, 1.02) << "from " << first;
	}
}

TEST(Pairs, PublishedRatios)
{
	auto machine = silicon_machine("radeon_vii");
	const nlohmann::json known = published();
	unsigned found = 0;

	for (const PairResult &r : pair_experiment(*machine, {&mm1024}, 2))
		for (const auto &row : known["pairs"])
			if (row[0] == r.measured && row[1] == r.competitor && row[2] == r.masks) {
				EXPECT_NEAR(r.ratio() / (row[3].get<double>() / 3.17), 1, 0.15) << r.masks;
				found++;
			}
	EXPECT_EQ(found, 3u);
}
#endif

TEST(CutAhead, SmallWorkgroupsGoFirst)
{
	CutAhead cut = cut_ahead(*silicon_machine("radeon_vii"));

	EXPECT_GT(cut.mean_small, 2 * cut.mean_large);
	EXPECT_GT(cut.late_share, 0.5);
}

/* Another chip, another form: the cliff comes where its first engine is full. */
TEST(Masks, CliffOfAnotherChip)
{
	std::vector<MaskPoint> points = mask_experiment(*silicon_machine("vega12"), 1);

	ASSERT_EQ(points.size(), 20u);
	EXPECT_NEAR(points[5].packed_ms / points[4].packed_ms, 2.5, 0.25); /* half of all on one CU instead of a fifth */
}

TEST(Determinism, TwoRunsOneTrace)
{
	std::vector<amdm_ctl_trace_event> traces[2];

	for (auto &trace : traces) {
		auto machine = silicon_machine("radeon_vii", 4);
		auto a = machine->client(), b = machine->client();
		unsigned queue_a = a->create_queue({}), queue_b = b->create_queue({.mask = packed_mask(machine->facts(), 5)});

		machine->trace(true);
		a->submit(queue_a, mm1024.quick(1), 2);
		b->submit(queue_b, mm256.quick(2));
		machine->run_idle();
		trace = machine->take_trace();
	}
	ASSERT_GT(traces[0].size(), 100000u);
	ASSERT_EQ(traces[0].size(), traces[1].size());
	EXPECT_EQ(std::memcmp(traces[0].data(), traces[1].data(), traces[0].size() * sizeof(traces[0][0])), 0);
}

/* The command without --published. */
TEST(Report, NeedsNoPublishedPoints)
{
	const Report report = report_rtns(*silicon_machine("vega12", 2), {.part = "masks", .brief = true});

	EXPECT_NE(report.text.find("kernels in"), std::string::npos);
	EXPECT_FALSE(report.pictures.empty());
}

/* Without wall times in it. */
TEST(Report, JsonIsTheSameEachTime)
{
	const auto run = [](uint32_t seed) {
		return report_rtns(*silicon_machine("vega12", 2), {.part = "masks", .brief = true, .seed = seed}).json.dump();
	};
	const std::string first = run(0);

	EXPECT_EQ(first, run(0));
	EXPECT_NE(first, run(1));
}

// SPDX-License-Identifier: MIT
/* trace_counters_test.cpp - counter tracks of a trace that is made up, and of one of the silicon. */
#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include <kfdm/lab.hpp>

#include "exp/machine.hpp"
#include "view/trace_counters.hpp"
#include "view/trace_view.hpp"

using namespace kfdm;
using namespace kfdm::exp;
using namespace kfdm::view;

namespace {

amdm_ctl_trace_event event(uint64_t cycle, TraceKind kind, uint64_t a = 0, uint64_t b = 0)
{
	amdm_ctl_trace_event e = {};

	e.cycle = cycle;
	e.kind = static_cast<uint16_t>(kind);
	e.a = a;
	e.b = b;
	return e;
}

amdm_ctl_trace_event count(uint64_t cycle, KernelCount which, uint64_t value)
{
	return event(cycle, TraceKind::KernelCount, static_cast<uint64_t>(which) << 56 | 0x1000, value);
}

std::vector<CounterSample> track(const std::vector<amdm_ctl_trace_event> &events, const std::string &name)
{
	for (CounterTrack &t : counter_tracks(events))
		if (t.name == name)
			return t.samples;
	ADD_FAILURE() << name;
	return {};
}

} // namespace

TEST(TraceCounters, WaveSlotsGoUpAndDown)
{
	const std::vector<CounterSample> slots = track({event(10, TraceKind::WaveStart), event(10, TraceKind::WaveStart),
							event(20, TraceKind::WaveStart), event(30, TraceKind::WaveEnd),
							event(40, TraceKind::Save, 2), event(50, TraceKind::WaveRestore),
							event(60, TraceKind::WaveEnd)},
						       "wave slots");
	const std::vector<std::pair<uint64_t, double>> expected = {{10, 2}, {20, 3}, {30, 2}, {40, 0}, {50, 1}, {60, 0}};

	ASSERT_EQ(slots.size(), expected.size());
	for (size_t n = 0; n < slots.size(); n++) {
		EXPECT_EQ(slots[n].cycle, expected[n].first);
		EXPECT_EQ(slots[n].value, expected[n].second);
	}
}

/* One from 100 to 200, one from 150 to 200: 2 and 4 instructions a cycle. */
TEST(TraceCounters, RatesOfKernelsAtTheSameTimeAreAdded)
{
	const std::vector<amdm_ctl_trace_event> events = {
		count(200, KernelCount::Cycles, 100), count(200, KernelCount::Valu, 200),  count(200, KernelCount::L1Lines, 100),
		count(200, KernelCount::L1Hits, 50),  count(200, KernelCount::Cycles, 50), count(200, KernelCount::Scalar, 200),
	};
	const std::vector<CounterSample> rate = track(events, "instructions"), hits = track(events, "L1 hits");

	ASSERT_EQ(rate.size(), 3u);
	EXPECT_EQ(rate[0].cycle, 100u);
	EXPECT_DOUBLE_EQ(rate[0].value, 2);
	EXPECT_EQ(rate[1].cycle, 150u);
	EXPECT_DOUBLE_EQ(rate[1].value, 6);
	EXPECT_EQ(rate[2].value, 0);
	EXPECT_DOUBLE_EQ(hits.front().value, 50);
	EXPECT_EQ(hits.back().value, 0);
}

TEST(TraceCounters, AreInChromesFormat)
{
	auto machine = silicon_machine("radeon_vii", 1);
	auto client = machine->client();
	const unsigned queue = client->create_queue({});
	const uint64_t out = client->alloc(4096);
	double most = 0, last = -1;

	machine->trace(true);
	client->submit(queue, {.object = "timing",
			       .kernel = "lds_read_b32",
			       .grid = {256, 1, 1},
			       .arguments = {static_cast<uint32_t>(out), static_cast<uint32_t>(out >> 32), 4},
			       .group_bytes = 65536});
	machine->run_idle();
	const auto json = nlohmann::json::parse(chrome_trace(machine->take_trace(), 1000));
	for (const auto &e : json["traceEvents"])
		if (e["ph"] == "C" && e["name"] == "wave slots") {
			last = e["args"]["waves"];
			most = std::max(most, last);
		}
	EXPECT_EQ(most, 4);
	EXPECT_EQ(last, 0);
}

// SPDX-License-Identifier: MIT
/* kernels_test.cpp - the table by kernel from events that are made up, and what is written of it. */
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>

#include "view/kernels.hpp"

using namespace kfdm;
using namespace kfdm::view;

namespace {

constexpr uint64_t code = 0x7f0000001000;
const ChipSize chip = {.name = "test", .mhz = 1000, .cus = 4, .simds_per_cu = 4, .waves_per_simd = 10, .memory_gbs = 256};

amdm_ctl_trace_event event(TraceKind kind, uint64_t a, uint64_t b, uint16_t vmid = 8)
{
	amdm_ctl_trace_event e = {};

	e.kind = static_cast<uint16_t>(kind);
	e.vmid = vmid;
	e.a = a;
	e.b = b;
	return e;
}

amdm_ctl_trace_event count(KernelCount which, uint64_t value, uint64_t address = code)
{
	return event(TraceKind::KernelCount, static_cast<uint64_t>(which) << 56 | address, value);
}

std::vector<amdm_ctl_trace_event> a_kernel()
{
	return {event(TraceKind::KernelStart, code, 0), count(KernelCount::Cycles, 2000), count(KernelCount::Waves, 16),
		count(KernelCount::WaveCycles, 16000),	count(KernelCount::Valu, 1000),	  count(KernelCount::Scalar, 500),
		count(KernelCount::ValuCycles, 8000),	count(KernelCount::L1Lines, 100), count(KernelCount::L1Hits, 75),
		count(KernelCount::L2Lines, 40),	count(KernelCount::L2Hits, 30)};
}

std::vector<KernelRow> rows_of(const std::vector<amdm_ctl_trace_event> &events, const KernelTable::NameOf &name_of)
{
	KernelTable table(name_of);

	table.take(events);
	return table.rows();
}

std::string demo(unsigned, uint64_t) { return "demo<int, 2>(float*)"; }

} // namespace

TEST(Kernels, FiguresFollowFromCounts)
{
	const std::vector<KernelRow> rows = rows_of(a_kernel(), demo);
	ASSERT_EQ(rows.size(), 1u);
	const KernelFigures f = figures_of(rows[0], chip);

	EXPECT_EQ(rows[0].calls, 1u);
	EXPECT_DOUBLE_EQ(f.us, 2);
	EXPECT_DOUBLE_EQ(f.instructions_a_cycle, 0.75);
	EXPECT_DOUBLE_EQ(f.occupancy, 16000. / (2000 * 160));
	EXPECT_DOUBLE_EQ(f.valu, 8000. / (2000 * 16));
	EXPECT_DOUBLE_EQ(f.l1_hits, 0.75);
	EXPECT_DOUBLE_EQ(f.memory_bytes, 640);
}

TEST(Kernels, OfOneNameAreOneRow)
{
	std::vector<amdm_ctl_trace_event> events = a_kernel(), again = a_kernel();

	events.insert(events.end(), again.begin(), again.end());
	const std::vector<KernelRow> rows = rows_of(events, demo);
	ASSERT_EQ(rows.size(), 1u);
	EXPECT_EQ(rows[0].calls, 2u);
	EXPECT_EQ(rows[0][KernelCount::Waves], 32u);
	EXPECT_DOUBLE_EQ(figures_of(rows[0], chip).us_a_call, 2);
}

/* The same addresses of the same VMID, but another process: its queue has another descriptor. */
TEST(Kernels, NamesAreAskedForAnewWhenAnotherProcessComes)
{
	unsigned asked = 0;
	std::vector<amdm_ctl_trace_event> events = {event(TraceKind::QueueMap, 0, 0x1000),  event(TraceKind::KernelStart, code, 0),
						    event(TraceKind::KernelStart, code, 0), event(TraceKind::QueueMap, 0, 0x2000),
						    event(TraceKind::KernelStart, code, 0), event(TraceKind::QueueMap, 0, 0x1000),
						    event(TraceKind::KernelStart, code, 0)};
	const std::vector<KernelRow> rows = rows_of(events, [&](unsigned, uint64_t) { return "name" + std::to_string(asked++); });

	EXPECT_EQ(asked, 2u);
	EXPECT_EQ(rows.size(), 2u);
}

TEST(Kernels, KeepTheNameOfAProcessThatHasGone)
{
	unsigned asked = 0;
	const std::vector<KernelRow> rows = rows_of(
		{event(TraceKind::KernelStart, code, 0), event(TraceKind::QueueMap, 0, 0x2000), count(KernelCount::Cycles, 5)},
		[&](unsigned, uint64_t) { return asked++ ? "" : "known"; });

	ASSERT_EQ(rows.size(), 1u);
	EXPECT_EQ(rows[0].name, "known");
	EXPECT_EQ(rows[0][KernelCount::Cycles], 5u);
}

namespace {

amdm_ctl_trace_event on_die(unsigned die, amdm_ctl_trace_event event)
{
	event.where = die << 16 | 0x100;
	return event;
}

} // namespace

/* Two dies share the kernel, the other of them takes longer; the rest is added up. */
TEST(Kernels, OfSeveralDiesTakeAsLongAsTheLongest)
{
	const std::vector<KernelRow> rows = rows_of(
		{on_die(0, event(TraceKind::KernelStart, code, 1)), on_die(0, count(KernelCount::Cycles, 100)),
		 on_die(0, count(KernelCount::Waves, 3)), on_die(1, count(KernelCount::Cycles, 150)),
		 on_die(1, count(KernelCount::Waves, 4)), on_die(0, event(TraceKind::KernelStart, code, 1)),
		 on_die(0, count(KernelCount::Cycles, 100)), on_die(1, count(KernelCount::Cycles, 150))},
		demo);

	ASSERT_EQ(rows.size(), 1u);
	EXPECT_EQ(rows[0].calls, 2u);
	EXPECT_EQ(rows[0][KernelCount::Cycles], 300u);
	EXPECT_EQ(rows[0][KernelCount::Waves], 7u);
}

/* Dies 0, 1 and dies 2, 3 are partitions: each has its own launches. */
TEST(Kernels, OfSeveralPartitionsAreAddedUp)
{
	std::vector<amdm_ctl_trace_event> events;

	for (unsigned die = 0; die < 4; die++)
		events.push_back(on_die(die, count(KernelCount::Cycles, 10 + die)));
	for (unsigned leader : {0u, 2u})
		events.push_back(on_die(leader, event(TraceKind::KernelStart, code, 1)));
	EXPECT_EQ(rows_of(events, demo)[0][KernelCount::Cycles], 11u + 13u);
}

TEST(Kernels, AreNotMoreThanThereIsRoomFor)
{
	std::vector<amdm_ctl_trace_event> events;

	for (uint64_t n = 0; n < KernelTable::most_kernels + 5; n++)
		events.push_back(event(TraceKind::KernelStart, code + 256 * n, 1));
	const std::vector<KernelRow> rows = rows_of(events, [](unsigned, uint64_t) { return ""; });

	ASSERT_EQ(rows.size(), KernelTable::most_kernels + 1);
	const auto others = std::find_if(rows.begin(), rows.end(), [](const KernelRow &row) { return row.name == "other kernels"; });
	ASSERT_NE(others, rows.end());
	EXPECT_EQ(others->calls, 5u);
}

TEST(Kernels, WithoutANameHaveTheirAddress)
{
	EXPECT_EQ(rows_of(a_kernel(), [](unsigned, uint64_t) { return ""; })[0].name, "kernel at 0x7f0000001000");
}

TEST(Kernels, OfANewerModelMayHaveMoreCounts)
{
	std::vector<amdm_ctl_trace_event> events = a_kernel();

	events.push_back(event(TraceKind::KernelCount, uint64_t{200} << 56 | code, 1));
	EXPECT_EQ(rows_of(events, demo).size(), 1u);
}

TEST(Kernels, CsvHasAsManyCellsInEachRow)
{
	std::istringstream csv(kernel_csv(rows_of(a_kernel(), demo), chip));
	std::string head, row;

	std::getline(csv, head);
	std::getline(csv, row);
	EXPECT_EQ(row.substr(0, 25), "\"demo<int, 2>(float*)\",1,");
	row.erase(0, row.rfind('"') + 1); /* whose comma is no separator */
	EXPECT_EQ(std::count(head.begin(), head.end(), ','), std::count(row.begin(), row.end(), ','));
	EXPECT_NE(head.find("l2_hits"), std::string::npos);
}

TEST(Kernels, JsonHasAllCounts)
{
	const auto json = nlohmann::json::parse(kernel_json(rows_of(a_kernel(), demo), chip));

	EXPECT_EQ(json["kernels"][0]["name"], "demo<int, 2>(float*)");
	EXPECT_EQ(json["kernels"][0]["counts"]["valu_instructions"], 1000);
	EXPECT_EQ(json["kernels"][0]["counts"].size(), static_cast<size_t>(KernelCount::Count));
	EXPECT_DOUBLE_EQ(json["kernels"][0]["l1_hit_rate"], 0.75);
}

TEST(Kernels, TextShortensNames)
{
	const std::string text = kernel_text(rows_of(a_kernel(), [](unsigned, uint64_t) { return std::string(200, 'x') + "(int)"; }), chip);
	std::istringstream lines(text);
	std::string head, row;

	std::getline(lines, head);
	std::getline(lines, row);
	EXPECT_EQ(head.size(), row.size());
	EXPECT_NE(kernel_text({}, chip).find("no kernel has run"), std::string::npos);
}

/* Its corner lies where both roofs meet: 4 CUs at 1 GHz, 4 lines of 64 bytes a ns. */
TEST(Kernels, RooflineHasRoofsAndDots)
{
	const std::string svg = roofline_svg(rows_of(a_kernel(), demo), chip);

	EXPECT_NE(svg.find("<polyline"), std::string::npos);
	EXPECT_NE(svg.find("<circle"), std::string::npos);
	EXPECT_NE(svg.find("256 GB/s, 4 CUs at 1000 MHz"), std::string::npos);
	EXPECT_NE(svg.find("demo&lt;int, 2&gt;"), std::string::npos);
	EXPECT_EQ(roofline_svg({}, chip).find("<circle"), std::string::npos);
	EXPECT_EQ(svg.find("nan"), std::string::npos);
	EXPECT_EQ(svg.find("inf"), std::string::npos);
}

// SPDX-License-Identifier: MIT
/* trace_view_test.cpp - what pictures of a trace show, and what they leave out. */
#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include <kfdm/lab.hpp>

#include "view/trace_view.hpp"

using namespace kfdm;
using namespace kfdm::view;

namespace {

constexpr double cycles_per_us = 1000;

/* Workgroups on CU 0 and on CU 1, each @length cycles, the second @rest after the first. */
std::vector<amdm_ctl_trace_event> two_workgroups(uint64_t length, uint64_t rest)
{
	std::vector<amdm_ctl_trace_event> events;

	for (uint64_t n = 0; n < 2; n++)
		for (TraceKind kind : {TraceKind::WorkgroupStart, TraceKind::WorkgroupEnd}) {
			amdm_ctl_trace_event event = {};

			event.cycle = 5000000 + n * (length + rest) + (kind == TraceKind::WorkgroupEnd ? length : 0);
			event.kind = static_cast<uint16_t>(kind);
			event.where = 0x112;
			event.vmid = 8;
			event.a = event.b = n;
			events.push_back(event);
		}
	return events;
}

/* Widths of the rectangles of the first queue's colour, the legend's aside. */
std::vector<double> widths(const std::string &svg)
{
	std::vector<double> all;

	for (size_t at = svg.find("<rect "); at != std::string::npos; at = svg.find("<rect ", at + 1)) {
		double x, y, width, height;
		char colour[8] = {};

		if (std::sscanf(svg.c_str() + at, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\" fill=\"%7[^\"]", &x, &y, &width,
				&height, colour) == 5 &&
		    std::string_view(colour) == "#0072b2" && y > 50)
			all.push_back(width);
	}
	return all;
}

} // namespace

TEST(TraceView, LongRestsAreLeftOutAndSaidSo)
{
	const std::string svg = trace_time_line(two_workgroups(10000, 300000000), cycles_per_us, "a");
	const std::vector<double> bars = widths(svg);

	EXPECT_NE(svg.find("300 ms of rest"), std::string::npos);
	EXPECT_NE(svg.find("long rests left out"), std::string::npos);
	ASSERT_EQ(bars.size(), 2u);
	EXPECT_GT(bars[0], 400); /* of some 1,060 */
	EXPECT_NEAR(bars[0], bars[1], 0.1);
}

TEST(TraceView, ShortRestsStay)
{
	const std::string svg = trace_time_line(two_workgroups(10000, 1000), cycles_per_us, "a");
	const std::vector<double> bars = widths(svg);

	EXPECT_EQ(svg.find("of rest"), std::string::npos);
	EXPECT_EQ(svg.find("left out"), std::string::npos);
	ASSERT_EQ(bars.size(), 2u);
	EXPECT_NEAR(bars[0], bars[1], 0.1);
}

TEST(TraceView, PreemptedWorkgroupsLeaveTheirCus)
{
	struct Row {
		TraceKind kind;
		uint64_t cycle;
		uint32_t where;
		uint64_t a, b;
	};
	constexpr uint32_t slot = 0x102, other_slot = 0x112;
	std::vector<amdm_ctl_trace_event> events;

	for (const Row &row : {Row{TraceKind::QueueMap, 100, slot, 0x1000, 1},
			       {TraceKind::WorkgroupStart, 200, slot, 7, 3},
			       {TraceKind::QueueUnmap, 1000, slot, 0x1000, 1},
			       {TraceKind::QueueMap, 5000, other_slot, 0x1000, 1},
			       {TraceKind::WorkgroupRestore, 5200, other_slot, 7, 5},
			       {TraceKind::WorkgroupEnd, 6000, other_slot, 7, 5},
			       {TraceKind::QueueUnmap, 9000, other_slot, 0x1000, 0}}) {
		amdm_ctl_trace_event event = {};

		event.kind = static_cast<uint16_t>(row.kind);
		event.cycle = row.cycle;
		event.where = row.where;
		event.vmid = 8;
		event.a = row.a;
		event.b = row.b;
		events.push_back(event);
	}
	std::vector<TraceSpan> spans = trace_spans(events);
	std::erase_if(spans, [](const TraceSpan &span) { return span.kind != TraceSpan::Kind::Workgroup; });
	ASSERT_EQ(spans.size(), 2u);
	EXPECT_EQ(spans[0].start, 200u);
	EXPECT_EQ(spans[0].end, 1000u);
	EXPECT_EQ(spans[0].b, 3u);
	EXPECT_EQ(spans[1].start, 5200u);
	EXPECT_EQ(spans[1].end, 6000u);
	EXPECT_EQ(spans[1].b, 5u);
}

TEST(TraceView, AnEmptyTraceIsAnEmptyPicture)
{
	EXPECT_NE(trace_time_line({}, cycles_per_us, "nothing").find("</svg>"), std::string::npos);
}

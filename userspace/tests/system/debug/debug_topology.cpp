// SPDX-License-Identifier: MIT
/*
 * debug_topology.cpp - what a debugger reads of a GPU before it asks for anything (Linux 7.2: kfd_topology_set_capabilities()).
 */
#include <algorithm>

#include "kfd_newer.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t debug = 1 << 15, launch_override = 1 << 16, launch_mode = 1 << 17, precise_memory = 1 << 18, firmware = 1 << 29,
		   precise_alu = 1 << 30, every_bit = debug | launch_override | launch_mode | precise_memory | firmware | precise_alu;

constexpr uint64_t watch_mask(uint64_t low, uint64_t high) { return low | high << 4; }
constexpr uint64_t dispatch_info = 1 << 10;

struct Row {
	uint64_t target;
	uint64_t capability, debug_prop;
};

/* Before GFX9 nobody can attach; GFX11 has a MES, and waves that are not executed. */
constexpr Row rows[] = {
	{90000, debug | launch_override | launch_mode | firmware, watch_mask(6, 29) | dispatch_info},
	{90004, debug | launch_override | launch_mode | firmware, watch_mask(6, 29) | dispatch_info},
	{90006, debug | launch_override | launch_mode | firmware, watch_mask(6, 29) | dispatch_info},
	{90008, debug | launch_override | launch_mode | firmware, watch_mask(6, 29) | dispatch_info},
	{90010, debug | launch_override | launch_mode | precise_memory | firmware, watch_mask(6, 29)},
	{90402, debug | launch_override | launch_mode | precise_memory | firmware, watch_mask(7, 30) | dispatch_info},
	{100100, debug | launch_override | launch_mode | firmware, watch_mask(7, 29) | dispatch_info},
	{100102, debug | launch_override | launch_mode | firmware, watch_mask(7, 29) | dispatch_info},
	{100300, debug | launch_override | launch_mode | firmware, watch_mask(7, 29) | dispatch_info},
	{70001, 0, 0},
	{80002, 0, 0},
	{80003, 0, 0},
	{110000, 0, 0},
};

} // namespace

KFDM_TEST_OF("7.2", "a node tells what can be debugged on its GPU")
{
	const Topology topology = Topology::read();

	if (std::none_of(topology.nodes().begin(), topology.nodes().end(), [](const Node &n) { return n.is_gpu(); }))
		skip("KFD does not drive this GPU");
	auto properties = topology.gpu().properties;
	const Row *row = std::find_if(std::begin(rows), std::end(rows),
				      [&](const Row &r) { return r.target == properties["gfx_target_version"]; });

	REQUIRE(row != std::end(rows));
	CHECK_EQ(properties["capability"] & every_bit, row->capability);
	CHECK_EQ(properties["debug_prop"], row->debug_prop);
	CHECK_EQ(properties["capability2"], 0U);
}

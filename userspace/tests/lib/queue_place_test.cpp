// SPDX-License-Identifier: MIT
/*
 * queue_place_test.cpp - finding a queue in debugfs' register dump.
 */
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <hw/mqd.h>

#include <kfdm/queue_place.hpp>

namespace kfdm {
namespace {

/* A slot as kfd_debugfs.c prints it: eight registers a line, the address of the first in front. */
std::string slot(unsigned pipe, unsigned queue, uint64_t ring, bool active)
{
	uint32_t regs[MQD_V9_HQD_COUNT] = {};
	std::string text = fmt::format("  CP Pipe {}, Queue {}\n", pipe, queue);
	auto reg = [&](mqd_v9 dword) -> uint32_t & { return regs[dword - MQD_V9_HQD_FIRST]; };

	reg(MQD_V9_cp_mqd_base_addr_lo) = 0x1000 * (pipe * 8 + queue);
	reg(MQD_V9_cp_mqd_base_addr_hi) = 2;
	reg(MQD_V9_cp_hqd_active) = active;
	reg(MQD_V9_cp_hqd_vmid) = 8 + pipe;
	reg(MQD_V9_cp_hqd_pq_base_lo) = static_cast<uint32_t>(ring >> 8);
	reg(MQD_V9_cp_hqd_pq_base_hi) = static_cast<uint32_t>(ring >> 40);
	for (unsigned i = 0; i < MQD_V9_HQD_COUNT; i++)
		text += fmt::format("{}{:08x}{}", i % 8 ? " " : fmt::format("    {:08x}: ", 0xc91c + i * 4), regs[i],
				    i % 8 == 7 ? "\n" : "");
	return text;
}

TEST(QueuePlace, FindsTheActiveSlotOfARing)
{
	std::string text = "Node 1, gpu_id d431:\n  HIQ on MEC 2 Pipe 0 Queue 0\n    0000c91c: 00000001\n" +
			   slot(0, 2, 0x7f0000001000, false) + slot(1, 3, 0x7f0000001000, true) + slot(2, 0, 0x7f0000002000, true) +
			   "  SDMA Engine 0, RLC 0\n    00001380: 00000000\n";

	auto place = find_queue_place(text, 0x7f0000001000);
	ASSERT_TRUE(place);
	EXPECT_EQ(place->pipe, 1U);
	EXPECT_EQ(place->queue, 3U);
	EXPECT_EQ(place->vmid, 9U);
	EXPECT_EQ(place->mqd, 0x20000b000U);
	EXPECT_EQ(find_queue_place(text, 0x7f0000002000)->pipe, 2U);
	EXPECT_FALSE(find_queue_place(text, 0x7f0000003000));
	EXPECT_FALSE(find_queue_place("", 0));
}

} // namespace
} // namespace kfdm

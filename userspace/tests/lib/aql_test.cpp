// SPDX-License-Identifier: MIT
/*
 * aql_test.cpp - AQL headers against the words that real programs were seen to submit.
 */
#include <gtest/gtest.h>

#include <kfdm/aql.hpp>

namespace kfdm {
namespace {

struct Row {
	const char *what;
	aql_type type;
	AqlHeader header;
	uint16_t word;
};

class AqlHeaderTest : public testing::TestWithParam<Row> {};

TEST_P(AqlHeaderTest, EncodesAsSeenInTraces) { EXPECT_EQ(GetParam().header.encode(GetParam().type), GetParam().word) << GetParam().what; }

INSTANTIATE_TEST_SUITE_P(
	Words, AqlHeaderTest,
	testing::Values(Row{"blit kernel, system/system", AQL_KERNEL_DISPATCH, {false, Scope::System, Scope::System}, 0x1402},
			Row{"kernel, agent/agent, barrier", AQL_KERNEL_DISPATCH, {true, Scope::Agent, Scope::Agent}, 0x0b02},
			Row{"kernel, system/agent, barrier", AQL_KERNEL_DISPATCH, {true, Scope::System, Scope::Agent}, 0x0d02},
			Row{"marker", AQL_BARRIER_AND, {true, Scope::System, Scope::System}, 0x1503},
			Row{"no scopes", AQL_BARRIER_OR, {false, Scope::None, Scope::None}, 0x0005}));

TEST(AqlPm4Ib, HoldsAnIndirectBufferPacket)
{
	AqlPm4Ib packet = pm4_ib(0x123456789000, 7, nullptr);

	EXPECT_EQ(packet.format, 1);
	EXPECT_EQ(packet.command[0], 0xc0023f00U);
	EXPECT_EQ(packet.command[1], 0x56789000U);
	EXPECT_EQ(packet.command[2], 0x1234U);
	EXPECT_EQ(packet.command[3], 7U | 1U << 23);
	EXPECT_EQ(packet.remaining, 10U);
}

} // namespace
} // namespace kfdm

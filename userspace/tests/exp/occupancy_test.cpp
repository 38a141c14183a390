// SPDX-License-Identifier: MIT
/*
 * occupancy_test.cpp - how many waves a CU of Vega holds: the tables of the "Vega" ISA manual and of GPUOpen, row by row, counted on
 * running waves.
 */
#include <gtest/gtest.h>

#include "exp/occupancy.hpp"

using namespace kfdm::exp;

namespace {

class OccupancyTest : public testing::Test {
protected:
	Occupancy of(const Demand &demand) { return measure_occupancy(*machine_, demand); }

	std::unique_ptr<Machine> machine_ = silicon_machine("radeon_vii", 2);
};

struct Row {
	uint32_t registers;
	unsigned waves_a_simd;
};

} // namespace

TEST_F(OccupancyTest, Vgprs)
{
	for (Row row : {Row{4, 10}, {24, 10}, {25, 9}, {28, 9}, {29, 8}, {32, 8}, {33, 7}, {36, 7},  {37, 6},  {40, 6},
			{41, 5},    {48, 5},  {49, 4}, {64, 4}, {65, 3}, {84, 3}, {85, 2}, {128, 2}, {129, 1}, {256, 1}})
		EXPECT_EQ(of({.vgprs = row.registers}).waves_a_simd, row.waves_a_simd) << row.registers;
}

/* With 16 for the trap handler, which KFD gives every process. */
TEST_F(OccupancyTest, Sgprs)
{
	for (Row row : {Row{16, 10}, {32, 10}, {48, 10}, {64, 10}, {80, 8}, {96, 7}, {112, 6}})
		EXPECT_EQ(of({.sgprs = row.registers}).waves_a_simd, row.waves_a_simd) << row.registers;
}

TEST_F(OccupancyTest, WorkedExamples)
{
	EXPECT_EQ(of({.waves = 2, .lds = 65536}).waves, 2u);
	EXPECT_EQ(of({.waves = 2, .lds = 1024}).waves, 32u);
	EXPECT_EQ(of({.waves = 4, .vgprs = 27}).waves, 36u);
	EXPECT_EQ(of({.waves = 4, .vgprs = 27}).workgroups, 9u);
	EXPECT_EQ(of({.waves = 3}).waves, 39u);
	EXPECT_EQ(of({.waves = 16, .vgprs = 24}).workgroups, 2u);
	for (unsigned waves : {1, 4, 5, 8})
		EXPECT_EQ(of({.waves = waves}).waves, 40u) << waves;
}

TEST_F(OccupancyTest, WorkgroupsAreLimitedByBarriersOnlyIfTheyHaveSeveralWaves)
{
	EXPECT_EQ(of({.waves = 1}).workgroups, 40u);
	EXPECT_EQ(of({.waves = 2}).workgroups, 16u);
	EXPECT_EQ(of({.waves = 1, .lds = 2048}).workgroups, 32u);
}

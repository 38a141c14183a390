// SPDX-License-Identifier: MIT
/*
 * cu_test.cc - what fits on a CU: the occupancy tables of Vega, row by row, counted on running waves.
 */
#include <gtest/gtest.h>

#include "toy/toy_shader.h"

using namespace toy_shader;

namespace {

/** Waves of so many workgroups that one CU holds at a time. */
u32 resident(u16 items, u32 vgprs, u32 sgprs, u32 lds, bool trap)
{
	ToyShader toy({1, 1});
	Grid grid = toy.grid(load_program({{Do::Sleep, 100000}, {Do::End}}), 100, items);

	grid.rsrc1 = rsrc1_vgprs(vgprs) | rsrc1_sgprs(sgprs);
	grid.lds_bytes = lds;
	grid.trap_enabled = trap;
	EXPECT_EQ(toy.submit(grid), Step::Done);
	toy.run(4096);
	return toy.shaders->waves_of(1, 0, 0);
}

} // namespace

TEST(Occupancy, VgprsLimitWavesOfASimd)
{
	struct Row {
		u32 vgprs, waves;
	};
	for (Row row :
	     {Row{1, 10}, {24, 10}, {25, 9}, {28, 9}, {32, 8}, {36, 7}, {40, 6}, {48, 5}, {64, 4}, {84, 3}, {128, 2}, {129, 1}, {256, 1}})
		EXPECT_EQ(resident(64, row.vgprs, 16, 0, false), row.waves * 4) << row.vgprs << " VGPRs";
}

TEST(Occupancy, SgprsLimitWavesOfASimd)
{
	struct Row {
		u32 sgprs, waves;
		bool trap;
	};
	// clang-format off
	for (Row row : {Row{16, 10, false}, {80, 10, false}, {96, 8, false}, {112, 7, false}, {16, 10, true}, {64, 10, true},
			{80, 8, true}, {96, 7, true}, {112, 6, true}})
		EXPECT_EQ(resident(64, 4, row.sgprs, 0, row.trap), row.waves * 4) << row.sgprs << " SGPRs " << row.trap;
	// clang-format on
}

TEST(Occupancy, WorkgroupsOfManySizes)
{
	struct Row {
		u16 waves;
		u32 vgprs, lds, resident;
	};
	/* 16 workgroups at most, but of one wave each 40; only 1, 4, 5, 8 (and 2 and 10 not: barriers, remainder) fill a CU */
	// clang-format off
	for (Row row : {Row{1, 4, 0, 40}, {2, 4, 256, 32}, {3, 4, 0, 39}, {4, 4, 0, 40}, {5, 4, 0, 40}, {6, 4, 0, 36},
			{7, 4, 0, 35}, {8, 4, 0, 40}, {9, 4, 0, 36}, {16, 4, 0, 32}, {4, 27, 0, 36}, {2, 4, 65536, 2},
			{1, 4, 513, 40}, {1, 4, 1537, 32}, {1, 4, 2049, 25}})
		EXPECT_EQ(resident(row.waves * 64, row.vgprs, 16, row.lds, false), row.resident)
			// clang-format on
			<< row.waves << " waves " << row.vgprs << " VGPRs " << row.lds << " bytes of LDS";
}

TEST(ComputeUnit, RegistersAreKeptWithinAProcessAndClearedBetween)
{
	auto see = [](ToyShader &toy, u8 vmid) {
		Grid grid = toy.grid(load_program({{Do::Probe}, {Do::VAdd, 3, 0xdead}, {Do::LdsAdd, 7}, {Do::End}}), 1, 64);

		grid.vmid = vmid;
		grid.lds_bytes = 512;
		probed.clear();
		EXPECT_EQ(toy.submit(grid), Step::Done);
		toy.run();
		return probed.at(0).vgprs.at(3 * lanes);
	};
	ToyShader toy({1, 1});

	EXPECT_EQ(see(toy, 8), 0u);
	/* round the SIMDs, back to the first one */
	for (int i = 0; i < 3; i++)
		see(toy, 8);
	EXPECT_EQ(see(toy, 8), 0xdeadu);
	for (int i = 0; i < 3; i++)
		see(toy, 8);
	EXPECT_EQ(see(toy, 9), 0u);
	for (int i = 0; i < 3; i++)
		see(toy, 9);
	toy.shaders->vmid_reassigned(9);
	EXPECT_EQ(see(toy, 9), 0u);
}

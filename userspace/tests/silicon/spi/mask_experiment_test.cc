// SPDX-License-Identifier: MIT
/*
 * mask_experiment_test.cc - the shape of the published CU mask experiment, from the mechanism alone.
 *
 * Otterness and Anderson, "Exploring AMD GPU Scheduling Details by Experimenting With 'Worst Practices'", RTNS 2021, public
 * measurement data: 1024 workgroups of 16 waves on a Radeon VII. Here each wave sleeps for a workgroup's
 * constant length, scaled so that one CU takes the published 176.8 ms; only the mechanism is left to explain the rest.
 */
#include <gtest/gtest.h>

#include <cmath>

#include "bench.h"

using namespace spi_test;

namespace {

constexpr u64 length = 16000, sleeps = 8;
constexpr double one_cu_ms = 176.8;

u64 sleepers(Do how)
{
	Program program;

	for (u64 i = 0; i < sleeps; i++)
		program.push_back({how, length / sleeps, 0});
	program.push_back({Do::End});
	return load_program(program);
}

/** Milliseconds of MM1024 with the given CUs: packed fills SE after SE, distributed goes round them. */
double run_masked(unsigned cus, bool packed)
{
	static const u64 code = sleepers(Do::Sleep);
	Bench bench;
	Grid grid = bench.grid(code, 1024, 1024);

	for (u32 &mask : grid.cu_mask)
		mask = 0;
	for (unsigned i = 0; i < cus; i++)
		grid.cu_mask[packed ? i / 15 : i % 4] |= 1u << (packed ? i % 15 : i / 4);
	bench.dispatcher->set_trace({});
	EXPECT_EQ(bench.submit(grid), Step::Done);
	bench.run();
	return static_cast<double>(bench.client.done.at(1)) / static_cast<double>(length * 512) * one_cu_ms;
}

struct Point {
	unsigned cus;
	double ms;
};

} // namespace

TEST(MaskExperiment, PackedMasksShowTheCliffs)
{
	for (Point p : {Point{1, 176.8}, {4, 44.19}, {15, 11.94}, {16, 86.85}, {30, 5.854}, {31, 58.73}, {45, 4.009},
			{46, 44.53}, {60, 3.172}})
		EXPECT_NEAR(run_masked(p.cus, true) / p.ms, 1, 0.1) << p.cus << " CUs";
}

TEST(MaskExperiment, DistributedMasksShowTheStairs)
{
	for (Point p : {Point{1, 176.7}, {4, 44.48}, {5, 44.30}, {6, 44.53}, {7, 44.54}, {8, 22.33}, {12, 15.00}, {16, 11.22},
			{30, 6.089}, {31, 6.052}, {45, 4.026}, {60, 3.166}})
		EXPECT_NEAR(run_masked(p.cus, false) / p.ms, 1, 0.1) << p.cus << " CUs";
}

/*
 * Here lengths vary as they did on the hardware: of equal length, the two workgroups on the shared CU would end one right
 * behind the other for ever, and the kernels would take turns there.
 */
TEST(MaskExperiment, TwoKernelsAtOnce)
{
	static const u64 code = sleepers(Do::SleepVaried);
	auto measured = [](auto &&mask_of) {
		Bench bench;

		bench.dispatcher->set_trace({});
		bool stop = false;
		auto submit = [&](unsigned which) {
			Grid grid = bench.grid(code, 1024, 1024, which);

			mask_of(grid, which);
			grid.rsrc2 = 1 << 7; /* workgroup id in s0 */
			grid.cookie = 100 + which;
			EXPECT_EQ(bench.dispatcher->submit(grid, bench.now), Step::Done);
		};

		bench.client.on_done = [&](u64 cookie, u64 cycle) {
			if (cookie == 100)
				stop = true;
			else if (!stop) {
				bench.now = std::max(bench.now, cycle);
				submit(1);
			}
		};
		submit(1);
		bench.run(20000);
		u64 begin = bench.now;

		submit(0);
		bench.run();
		return static_cast<double>(bench.client.done.at(100) - begin) / static_cast<double>(length * 512) * one_cu_ms;
	};
	auto split = [](Grid &grid, unsigned which) {
		for (unsigned se = 0; se < 4; se++)
			grid.cu_mask[se] = se % 2 == which ? ~u32{0} : 0;
	};

	EXPECT_NEAR(measured([](Grid &, unsigned) {}) / 6.24, 1, 0.15);
	EXPECT_NEAR(measured(split) / 6.75, 1, 0.15);
	EXPECT_NEAR(measured([&](Grid &grid, unsigned which) {
			    split(grid, which);
			    grid.cu_mask[3] |= 1;
		    }) / 71.5,
		    1, 0.15);
}

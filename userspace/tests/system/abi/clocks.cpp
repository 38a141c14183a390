// SPDX-License-Identifier: MIT
/*
 * clocks.cpp - GET_CLOCK_COUNTERS: monotonic, at the announced rates.
 */
#include <unistd.h>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("clocks run forward at their announced rates")
{
	Gpu gpu;
	double hz = static_cast<double>(gpu.device.gpu_clock_hz());
	ClockCounters before = gpu.kfd.clocks(gpu.id()), last = before;

	CHECK_EQ(before.system_hz, 1'000'000'000U);
	CHECK_EQ(gpu.kfd.clocks(0).gpu, 0U);
	for (int i = 0; i < 1000; i++) {
		ClockCounters now = gpu.kfd.clocks(gpu.id());

		CHECK(now.gpu >= last.gpu && now.cpu_ns >= last.cpu_ns && now.system_ns >= last.system_ns);
		last = now;
	}
	/* The counters are read one after the other: a host that stands still in between spoils one measurement, a wrong rate all. */
	double gpu_s = 0, cpu_s = 0;
	auto same_rate = [&] {
		before = gpu.kfd.clocks(gpu.id());
		usleep(500'000);
		ClockCounters after = gpu.kfd.clocks(gpu.id());
		gpu_s = static_cast<double>(after.gpu - before.gpu) / hz;
		cpu_s = static_cast<double>(after.cpu_ns - before.cpu_ns) / 1e9;
		return gpu_s > cpu_s * 0.95 && gpu_s < cpu_s * 1.05;
	};
	if (!CHECK(same_rate() || same_rate() || same_rate()))
		fmt::print("  GPU {} s, CPU {} s\n", gpu_s, cpu_s);
}

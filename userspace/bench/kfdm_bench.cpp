// SPDX-License-Identifier: MIT
/*
 * kfdm_bench.cpp - measures the driver and its model in one run and prints ratios; exit code 1 if a limit is not kept.
 */
#include <fmt/format.h>

#include "bench.hpp"

namespace kfdm::bench {

bool judge(const std::string &what, double ratio, double limit)
{
	bool good = ratio <= limit;

	fmt::print("  {:<28} {:6.2f}x, at most {:.0f}x: {}\n", what, ratio, limit, good ? "ok" : "SLOW");
	std::fflush(stdout);
	return good;
}

} // namespace kfdm::bench

int main()
{
	using namespace kfdm;

	try {
		Kfd kfd = Kfd::open();
		Device device = Device::open(kfd, Topology::read().gpu());

		fmt::print("{} ({}), {} CUs\n", device.node().name, device.node().isa(), device.node().cu_count());
		bool good = bench::latency(device);
		good = bench::idle(device) && good;
		good = bench::queues(device) && good;
		fmt::print("{}\n", good ? "bench: all limits kept" : "bench: a limit is not kept");
		return good ? 0 : 1;
	} catch (const std::exception &error) {
		fmt::print(stderr, "kfdm_bench: {}\n", error.what());
		return 1;
	}
}

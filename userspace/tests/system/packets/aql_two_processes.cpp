// SPDX-License-Identifier: MIT
/*
 * aql_two_processes.cpp - processes side by side: each gets its own results, at the same addresses or not.
 */
#include <memory>
#include <vector>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("three processes dispatch at the same time and all results are right")
{
	std::vector<std::unique_ptr<Child>> children;
	const int rounds = soak() ? 200 : 10;

	for (int c = 0; c < 3; c++) {
		children.push_back(std::make_unique<Child>([&] {
			Gpu gpu;
			AqlQueue queue(gpu.device);

			Child::ready();
			for (int i = 0; i < rounds; i++)
				CHECK(works(gpu, queue, static_cast<uint32_t>(1000 + i)));
		}));
	}
	for (auto &child : children)
		CHECK(child->wait_ready());
	for (auto &child : children)
		CHECK_EQ(child->join(), 0);
}

// SPDX-License-Identifier: MIT
/*
 * process_many.cpp - more processes than the GPU has VMIDs for KFD (8), each with several queues that come and go: every
 * completion is signaled, whatever the scheduler was doing at that moment.
 */
#include <memory>
#include <vector>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("twelve processes come, compute and go, and none waits for ever")
{
	const int batches = soak() ? 100 : 1, rounds = 2;

	if (sched_policy() != 0)
		skip("without over-subscription a process has a VMID to itself, and 12 do not fit");
	for (int batch = 0; batch < batches; batch++) {
		std::vector<std::unique_ptr<Child>> children;

		for (uint32_t c = 0; c < 12; c++) {
			children.push_back(std::make_unique<Child>([&, c] {
				Gpu gpu;

				for (int round = 0; round < rounds; round++) {
					AqlQueue one(gpu.device), other(gpu.device);

					for (uint32_t i = 1; i <= 5; i++) {
						CHECK(works(gpu, one, 64 * i + c));
						CHECK(works(gpu, other, 512 * i + c));
					}
				}
			}));
		}
		for (auto &child : children)
			CHECK_EQ(child->join(), 0);
	}
}

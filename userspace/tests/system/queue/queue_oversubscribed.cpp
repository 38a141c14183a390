// SPDX-License-Identifier: MIT
/*
 * queue_oversubscribed.cpp - more queues than hardware slots: the scheduler rotates them, each makes progress; or it refuses the
 * first that has no slot, and the others work.
 */
#include <memory>
#include <vector>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("forty queues on 24 hardware slots all get their work done, where so many are let in")
{
	Gpu gpu;
	Program program = gpu.program();
	Buffer counter = Buffer::vram(gpu.device, 4096);
	std::vector<std::unique_ptr<AqlQueue>> queues;
	std::vector<std::unique_ptr<Launch>> launches;
	const QueueLimit limit = active_queue_limit(gpu);
	const uint32_t count = limit.error ? limit.queues : 40;

	for (uint32_t i = 0; i < count; i++) {
		queues.push_back(std::make_unique<AqlQueue>(gpu.device, QueueOptions{.ring_bytes = 4096}));
		launches.push_back(std::make_unique<Launch>(gpu.device, program.kernel("count"), Shape{.grid = {64, 1, 1}}));
		launches.back()->arg(counter);
	}
	if (limit.error) {
		RawQueue one_more(gpu);

		CHECK_ERRNO(limit.error, one_more.create());
	}
	for (uint32_t i = 0; i < count; i++)
		launches[i]->submit(*queues[i]);
	for (uint32_t i = 0; i < count; i++) {
		if (!CHECK(launches[i]->wait(patience)))
			fmt::print("  queue {}\n", i);
	}
	CHECK_EQ(counter.as<uint32_t>()[0], count * 64);
}

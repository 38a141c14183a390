// SPDX-License-Identifier: MIT
/*
 * aql_many.cpp - more packets than the ring holds, from several threads at once.
 */
#include <thread>
#include <vector>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("a small ring goes round many times, filled by four threads")
{
	Gpu gpu;
	AqlQueue queue(gpu.device, {.ring_bytes = 4096});
	Program program = gpu.program();
	Buffer counter = Buffer::vram(gpu.device, 4096);
	const int threads = 4, each = soak() ? 5000 : 250;
	std::vector<std::thread> workers;
	std::atomic<int> wrong{0};

	CHECK_EQ(queue.capacity(), 64U);
	for (int t = 0; t < threads; t++) {
		workers.emplace_back([&] {
			Launch launch(gpu.device, program.kernel("count"), {.grid = {64, 1, 1}});

			launch.arg(counter);
			AqlDispatch packet = launch.packet();
			packet.completion_signal = 0;
			for (int i = 0; i < each - 1; i++)
				queue.submit(packet);
			launch.submit(queue, {.barrier = true});
			if (!launch.wait(patience))
				wrong++;
		});
	}
	for (std::thread &worker : workers)
		worker.join();
	CHECK_EQ(wrong.load(), 0);
	CHECK(queue.wait_read(static_cast<uint64_t>(threads) * each, patience));
	Signal all = Signal::with_event(gpu.device);
	queue.submit(barrier_and({}, &all, {.barrier = true}));
	CHECK(all.wait(patience));
	CHECK_EQ(counter.as<uint32_t>()[0], static_cast<uint32_t>(threads * each * 64));
}

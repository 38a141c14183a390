// SPDX-License-Identifier: MIT
/*
 * queue_destroy_busy.cpp - a queue whose kernel never ends can be updated, masked and destroyed; others go on.
 */
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("endless kernels are preempted: destroying their queue takes no time and harms nobody")
{
	Gpu gpu;
	Program program = gpu.program();
	AqlQueue bystander(gpu.device);
	/* Half of the wave slots: workgroups that never end give up no slot, and no other queue preempts them. */
	const uint32_t many = std::min(500U, static_cast<uint32_t>(gpu.device.node().cu_count()) * 20);

	for (int i = 0; i < 3; i++) {
		AqlQueue queue(gpu.device);
		Launch endless(gpu.device, program.kernel("endless"), {.grid = {64U * (i ? many : 1), 1, 1}});

		endless.submit(queue);
		CHECK(!endless.wait(std::chrono::milliseconds(50)));
		CHECK(works(gpu, bystander));
		const uint32_t mask[] = {~0U, ~0U};
		queue.set_cu_mask(mask); /* preempts and restores */
		CHECK(!endless.wait(std::chrono::milliseconds(50)));
		auto start = std::chrono::steady_clock::now();
		CHECK_ERRNO(0, errno_of([&] { queue.destroy(); }));
		CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
	}
	CHECK(works(gpu, bystander));
}

// SPDX-License-Identifier: MIT
/*
 * queue_preempt_resume.cpp - waves that are taken off the hardware in the middle of their work come back and finish it.
 */
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("a long kernel survives being preempted again and again")
{
	constexpr uint32_t items = 4096, rounds = 2000;
	Gpu gpu;
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	Buffer out = Buffer::vram(gpu.device, items * 4);
	Launch launch(gpu.device, program.kernel("work"), {.grid = {items, 1, 1}});
	uint64_t wrong = 0;
	int preempted = 0;

	launch.arg(out).arg(rounds);
	launch.submit(queue);
	while (launch.signal().value() && preempted < 200) {
		queue.update(0, 7);
		queue.update(100, 7);
		preempted++;
	}
	REQUIRE(launch.wait(patience));
	for (uint32_t i = 0; i < items; i++) {
		uint32_t x = i;

		for (uint32_t k = 0; k < rounds; k++)
			x = x * 1664525 + 1013904223;
		wrong += out.as<uint32_t>()[i] != x;
	}
	CHECK_EQ(wrong, 0U);
	fmt::print("preempted {} times\n", preempted);
}

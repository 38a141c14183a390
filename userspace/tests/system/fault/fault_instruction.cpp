// SPDX-License-Identifier: MIT
/*
 * fault_instruction.cpp - code that does not exist, and code that runs to where there is none.
 */
#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

void illegal()
{
	Gpu gpu;
	Program program = gpu.program("bad");
	AqlQueue queue(gpu.device);
	Launch launch(gpu.device, program.kernel("illegal"), {.grid = {64, 1, 1}});

	launch.submit(queue);
	/* ROCr learns of it through queue_inactive_signal: its bit and its event. */
	CHECK(queue.error_signal().event()->wait(patience));
	CHECK((queue.error() & AMD_QUEUE_ERROR_ILLEGAL_INSTRUCTION) != 0);
	CHECK_EQ(launch.signal().value(), 1);
	CHECK_ERRNO(0, errno_of([&] { queue.destroy(); }));
	AqlQueue next(gpu.device);
	CHECK(works(gpu, next));
}

void runaway()
{
	Gpu gpu;
	Program program = gpu.program("bad");
	AqlQueue queue(gpu.device);
	Event event = Event::memory(gpu.device);
	Launch launch(gpu.device, program.kernel("runaway"), {.grid = {64, 1, 1}});

	launch.submit(queue);
	auto fault = event.wait_fault(patience);
	REQUIRE(fault.has_value());
	CHECK_EQ(fault->address, 0x10'0000'0000U);
}

} // namespace

KFDM_TEST("illegal instructions and runaway code are reported to their own process")
{
	Gpu gpu;
	AqlQueue queue(gpu.device);

	for (auto work : {illegal, runaway}) {
		Child child(work);

		CHECK(works(gpu, queue));
		CHECK_EQ(child.join(), 0);
	}
	CHECK(works(gpu, queue));
}

// SPDX-License-Identifier: MIT
/*
 * fault_memory.cpp - a kernel touches what is not there: MEMORY event with the address; other processes do not notice.
 */
#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t nowhere = 0x5555'0000'0000;

/* Runs kernel @name with @address as its first argument. Return: the fault that the process gets as an event. */
MemoryFault fault_of(const char *name, uint64_t address)
{
	Gpu gpu;
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	Event event = Event::memory(gpu.device);
	Buffer out = Buffer::vram(gpu.device, 4096);
	Launch launch(gpu.device, program.kernel(name), {.grid = {64, 1, 1}});

	if (name == std::string("poke"))
		launch.arg(address).arg(uint32_t{1});
	else
		launch.arg(address).arg(out);
	launch.submit(queue);
	auto fault = event.wait_fault(patience);
	REQUIRE(fault.has_value());
	CHECK_EQ(fault->gpu_id, gpu.id());
	CHECK_EQ(launch.signal().value(), 1); /* the kernel never ends */
	return *fault;
}

} // namespace

KFDM_TEST("a VM fault names its address, and only its process suffers")
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	const char *kernels[] = {"poke", "peek"};

	for (const char *kernel : kernels) {
		/* Each in a process of its own: after a fault its queues stay evicted. */
		Child child([&] {
			MemoryFault fault = fault_of(kernel, nowhere + 0x1234);

			CHECK_EQ(fault.address, nowhere + 0x1000);
			CHECK(!fault.imprecise);
			CHECK(fault.not_present);
			CHECK_EQ(fault.read_only, kernel == std::string("poke"));
		});
		CHECK(works(gpu, queue));
		CHECK_EQ(child.join(), 0);
		CHECK(works(gpu, queue));
	}
}

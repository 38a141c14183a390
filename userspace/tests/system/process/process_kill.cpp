// SPDX-License-Identifier: MIT
/*
 * process_kill.cpp - SIGKILL in the middle: of dispatching, of waiting, of a kernel without end, of copying.
 */
#include <memory>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

void dispatching()
{
	Gpu gpu;
	AqlQueue queue(gpu.device);

	Child::ready();
	for (;;)
		CHECK(works(gpu, queue, 2000));
}

void waiting()
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	Signal never = Signal::polled(gpu.device), done = Signal::with_event(gpu.device);
	const Signal *deps[] = {&never};

	queue.submit(barrier_and(deps, &done));
	Child::ready();
	(void)done.wait(Event::forever);
}

void endless()
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	Program program = gpu.program();
	Launch launch(gpu.device, program.kernel("endless"), {.grid = {6400, 1, 1}});

	launch.submit(queue);
	Child::ready();
	(void)launch.wait(Event::forever);
}

void copying()
{
	Gpu gpu;
	SdmaQueue queue(gpu.device);
	Buffer a = Buffer::vram(gpu.device, 1 << 20), b = Buffer::anonymous(gpu.device, 1 << 20);

	Child::ready();
	for (;;)
		queue.submit(SdmaStream().copy(a.gpu(), b.gpu(), 1 << 20));
}

} // namespace

KFDM_TEST("killed processes lose only their own work")
{
	REQUIRE(alone());
	Gpu gpu;
	AqlQueue bystander(gpu.device);
	const int rounds = soak() ? 50 : 3;
	const uint64_t available = gpu.device.available_memory();

	for (int i = 0; i < rounds; i++) {
		for (auto work : {dispatching, waiting, endless, copying}) {
			Child child(work);

			CHECK(child.wait_ready());
			usleep(static_cast<useconds_t>(20'000 + i * 7'000));
			child.kill();
			CHECK(works(gpu, bystander));
		}
	}
	/* What they held is given back. */
	{
		Child child(endless);
		CHECK(child.wait_ready());
	}
	CHECK(eventually([&] { return gpu.device.available_memory() == available; }));
}

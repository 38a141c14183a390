// SPDX-License-Identifier: MIT
/*
 * suspend.cpp - the machine sleeps while queues of KFD work: they leave, the chip loses its registers, and they go on afterwards.
 */
#include <thread>

#include "gpu.hpp"
#include "machine_sleep.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

uint32_t worked(uint32_t x, uint32_t rounds)
{
	for (uint32_t k = 0; k < rounds; k++)
		x = x * 1664525 + 1013904223;
	return x;
}

} // namespace

KFDM_TEST("waves that are under way, a sleeping thread and VRAM survive")
{
	constexpr uint32_t items = 256, rounds = 400'000;
	const DevicesOnly kernel;
	const Lab lab = lab_or_skip();
	Gpu gpu;
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	Buffer out = Buffer::vram(gpu.device, items * 4), memory = Buffer::vram(gpu.device, 1 << 20);
	Event event = Event::signal(gpu.device);
	Launch launch(gpu.device, program.kernel("work"), {.grid = {items, 1, 1}});
	uint64_t wrong = 0;

	for (uint32_t i = 0; i < memory.size() / 4; i++)
		memory.as<uint32_t>()[i] = i ^ 0x5a5a5a5a;
	std::thread waiter([&] { CHECK(event.wait(patience)); });

	launch.arg(out).arg(rounds);
	launch.submit(queue);
	CHECK_EQ(sleep_and_wake(), 0);
	CHECK(launch.signal().value() != 0);
	CHECK(eventually([&] { return lab.counter(Counter::RestoredWaves) > 0; })); /* counted from power-on */
	CHECK_EQ(sleep_and_wake(), 0);
	REQUIRE(launch.wait(patience));
	event.set();
	waiter.join();

	for (uint32_t i = 0; i < items; i++)
		wrong += out.as<uint32_t>()[i] != worked(i, rounds);
	for (uint32_t i = 0; i < memory.size() / 4; i++)
		wrong += memory.as<uint32_t>()[i] != (i ^ 0x5a5a5a5a);
	CHECK_EQ(wrong, 0U);
	CHECK(works(gpu, queue));
	AqlQueue another(gpu.device);
	CHECK(works(gpu, another));
}

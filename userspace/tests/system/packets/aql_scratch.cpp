// SPDX-License-Identifier: MIT
/*
 * aql_scratch.cpp - kernels with private memory: scratch given beforehand, and asked for by the command processor.
 */
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t items = 300, rounds = 50;

bool check(const Buffer &out)
{
	for (uint32_t i = 0; i < items; i++) {
		uint32_t sum = 0;

		for (uint32_t k = 0; k < rounds; k++)
			sum += i + (k * 7 + i) % 32;
		if (out.as<uint32_t>()[i] != sum) {
			fmt::print("  item {}: {}, should be {}\n", i, out.as<uint32_t>()[i], sum);
			return false;
		}
	}
	return true;
}

} // namespace

KFDM_TEST("private memory works, and missing scratch is asked for")
{
	Gpu gpu;
	Program program = gpu.program();
	Kernel kernel = program.kernel("scratch");
	Buffer out = Buffer::vram(gpu.device, items * 4);
	Shape shape = {.grid = {items, 1, 1}};
	uint32_t bytes = kernel.info->private_bytes;

	REQUIRE(bytes >= 128);
	{
		AqlQueue queue(gpu.device);
		Launch launch(gpu.device, kernel, shape);

		queue.set_scratch(bytes, 64);
		launch.arg(out).arg(rounds);
		launch.run(queue, patience);
		CHECK(check(out));
	}
	/* Without: bit 0 of queue_inactive_signal, and the queue waits for us. */
	std::fill_n(out.as<uint32_t>().begin(), items, 0);
	AqlQueue queue(gpu.device);
	Launch launch(gpu.device, kernel, shape);

	launch.arg(out).arg(rounds);
	launch.submit(queue);
	REQUIRE(eventually([&] { return queue.error() != 0; }));
	const uint64_t wave32 = gpu.device.gfx_major() < 10 ? 0 : AMD_QUEUE_EVENT_WAVE32; /* what clang makes there */
	CHECK_EQ(queue.error(), AMD_QUEUE_EVENT_SCRATCH | wave32);
	CHECK_EQ(launch.signal().value(), 1);
	queue.set_scratch(bytes, 64);
	const_cast<Signal &>(queue.error_signal()).store(0);
	CHECK(launch.wait(patience));
	CHECK(check(out));
}

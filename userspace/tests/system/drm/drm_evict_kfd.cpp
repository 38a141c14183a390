// SPDX-License-Identifier: MIT
/*
 * drm_evict_kfd.cpp - a render node client fills VRAM while queues of KFD work in it.
 */
#include <memory>

#include "drm_memory.hpp"
#include "process.hpp"
#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("a queue of KFD loses nothing when its buffers have to leave VRAM")
{
	constexpr uint32_t items = 256, rounds = 3000;
	Gpu gpu;
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	Buffer out = Buffer::vram(gpu.device, 4 * MiB);
	Child filler([] {
		drm::Device device;
		const uint64_t size = memory_info(device).vram.total_heap_size / 4;

		Child::ready();
		for (;;) {
			std::vector<std::unique_ptr<Ballast>> all;

			for (int i = 0; i < 5; i++)
				all.push_back(std::make_unique<Ballast>(device, size, AMDGPU_GEM_DOMAIN_VRAM));
		}
	});

	REQUIRE(filler.wait_ready());
	const int least = soak() ? 50 : 3;
	drm::Device device;
	const uint64_t gone = evictions(device);
	for (int i = 0; i < least || (i < 500 && (evicted_ms(gpu) == 0 || evictions(device) == gone)); i++) {
		Launch launch(gpu.device, program.kernel("work"), {.grid = {items, 1, 1}});
		uint64_t wrong = 0;
		uint32_t expected = 0;

		std::memset(out.data(), 0, items * 4);
		out.as<uint32_t>()[MiB - 1] = static_cast<uint32_t>(i);
		launch.arg(out).arg(rounds);
		launch.submit(queue);
		REQUIRE(launch.wait(patience));
		for (uint32_t item = 0; item < items; item++) {
			expected = item;
			for (uint32_t k = 0; k < rounds; k++)
				expected = expected * 1664525 + 1013904223;
			wrong += out.as<uint32_t>()[item] != expected;
		}
		CHECK_EQ(wrong, 0U);
		CHECK_EQ(out.as<uint32_t>()[MiB - 1], static_cast<uint32_t>(i));
	}
	CHECK(evicted_ms(gpu) > 0);
	CHECK(evictions(device) > gone);
	filler.kill();
	CHECK(works(gpu, queue));
}

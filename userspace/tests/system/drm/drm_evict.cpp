// SPDX-License-Identifier: MIT
/*
 * drm_evict.cpp - VRAM that is full: buffers go to GTT, come back, and have lost nothing.
 */
#include <memory>

#include "drm_job.hpp"
#include "drm_memory.hpp"
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* Some places of a buffer, far from each other. */
void for_places(const drm::Buffer &buffer, auto fn)
{
	for (uint64_t at : {uint64_t{0}, uint64_t{4096}, buffer.size() / 2 - 8, buffer.size() - 8})
		fn(at);
}

} // namespace

KFDM_TEST("VRAM that is full gives its longest unused buffers away, and they come back with their contents")
{
	constexpr unsigned count = 8;
	constexpr uint64_t size = 16 * MiB;
	drm::Device device;
	drm::Context context(device);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	const auto before = memory_info(device);
	const uint64_t gone = evictions(device);
	/* Room for three of them */
	Ballast ballast(device, (before.vram.usable_heap_size - before.vram.heap_usage - 3 * size) & ~4095ULL, AMDGPU_GEM_DOMAIN_VRAM);
	std::vector<std::unique_ptr<drm::Buffer>> buffers;
	Ib ib(device);
	auto run = [&](std::vector<amdgpu_bo_handle> names) {
		names.push_back(ballast.handle());
		names.push_back(out.handle());
		const auto job = ib.job(AMDGPU_HW_IP_DMA, 0, names);
		const bool done = context.submit(job).wait(long_ns);
		ib.clear();
		return done;
	};

	for (unsigned i = 0; i < count; i++) {
		ib.store(AMDGPU_HW_IP_DMA, out.gpu(), i);
		CHECK(run({})); /* the ballast is in use: it stays */
		buffers.push_back(std::make_unique<drm::Buffer>(device, size, AMDGPU_GEM_DOMAIN_VRAM));
		for_places(*buffers.back(), [&](uint64_t at) { buffers.back()->as<uint64_t>()[at / 8] = i << 8 | at; });
	}
	CHECK(evictions(device) >= gone + count - 3);
	CHECK(memory_info(device).vram.heap_usage <= before.vram.total_heap_size);
	CHECK(memory_info(device).gtt.heap_usage >= before.gtt.heap_usage + (count - 4) * size);

	/* The oldest are elsewhere; CPUs and jobs find what was there. */
	for (int round = 0; round < 2; round++) {
		for (unsigned i = 0; i < count; i++) {
			for_places(*buffers[i], [&](uint64_t at) {
				CHECK_EQ(buffers[i]->as<uint64_t>()[at / 8], i << 8 | at);
				out.as<uint64_t>()[0] = 0;
				ib.copy(out.gpu(), buffers[i]->gpu() + at, 8);
				CHECK(run({buffers[i]->handle()}));
				CHECK_EQ(out.as<uint64_t>()[0], i << 8 | at);
			});
			/* What a job stores is there wherever the buffer goes next. */
			ib.store(AMDGPU_HW_IP_DMA, buffers[i]->gpu() + 8192, 1000 + i);
			CHECK(run({buffers[i]->handle()}));
		}
		usleep(250'000); /* the budget for moves fills again */
	}
	for (unsigned i = 0; i < count; i++)
		CHECK_EQ(buffers[i]->as<uint32_t>()[8192 / 4], 1000 + i);
	CHECK(device.info<uint64_t>(AMDGPU_INFO_NUM_BYTES_MOVED) > (count - 3) * size); /* some have come back */
}

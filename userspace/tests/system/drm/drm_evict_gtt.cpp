// SPDX-License-Identifier: MIT
/*
 * drm_evict_gtt.cpp - GTT that is full: buffers go where no GPU reaches them, and come back for their jobs.
 */
#include <memory>

#include "drm_job.hpp"
#include "drm_memory.hpp"
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("GTT that is full gives its longest unused buffers away as well; what is too large is refused")
{
	drm::Device device;
	drm::Context context(device);
	const auto gtt = memory_info(device).gtt;
	const uint64_t size = gtt.usable_heap_size / 2 & ~4095ULL;
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	std::vector<std::unique_ptr<Ballast>> some;
	Ib ib(device);

	for (int i = 0; i < 4; i++)
		some.push_back(std::make_unique<Ballast>(device, size, AMDGPU_GEM_DOMAIN_GTT));
	CHECK(memory_info(device).gtt.heap_usage <= gtt.total_heap_size);
	/* The memory of this very job may have gone; each of the large ones comes back for it. */
	for (unsigned i = 0; i < some.size(); i++) {
		ib.store(AMDGPU_HW_IP_DMA, out.gpu(), i + 1);
		CHECK(context.submit(ib.job(AMDGPU_HW_IP_DMA, 0, {out.handle(), some[i]->handle()})).wait(long_ns));
		CHECK_EQ(out.as<uint32_t>()[0], i + 1);
		ib.clear();
	}
	/* All at once do not fit. */
	ib.store(AMDGPU_HW_IP_DMA, out.gpu(), 77);
	auto job = ib.job(AMDGPU_HW_IP_DMA, 0, {out.handle()});
	for (auto &large : some)
		job.buffers.push_back(large->handle());
	drm::Fence fence;
	CHECK_EQ(context.try_submit(job, &fence), ENOMEM);
	CHECK_ERRNO(ENOMEM, errno_of([&] { Ballast too_large(device, gtt.total_heap_size + 4096, AMDGPU_GEM_DOMAIN_GTT); }));
}

// SPDX-License-Identifier: MIT
/*
 * render.cpp - calls and jobs of the render node.
 */
#include <xf86drm.h>

#include "abuses.hpp"
#include "drm_job.hpp"
#include "process.hpp"

namespace kfdm::test {

namespace {

constexpr unsigned ips[] = {AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE, AMDGPU_HW_IP_DMA};

void submits_jobs()
{
	drm::Device device;
	drm::Context context(device);
	drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	std::vector<Ib> ibs;

	for (unsigned ip : ips)
		ibs.emplace_back(device).store(ip, out.gpu(), 1);
	over_and_over([&, n = 0u]() mutable {
		context.submit(ibs[n % 3].job(ips[n % 3], 0, {out.handle()}));
		n++;
	});
}

void fills_with_jobs()
{
	drm::Device device;
	drm::Context context(device);
	drm::Buffer out(device, 16 << 20, AMDGPU_GEM_DOMAIN_VRAM);
	Ib ib(device);

	ib.fill(out.gpu(), 1, 4 << 20);
	over_and_over([&] { context.submit(ib.job(AMDGPU_HW_IP_DMA, 0, {out.handle()})); });
}

void lists_buffers()
{
	drm::Device device;
	drm::Context context(device);
	std::vector<drm::Buffer> all;
	std::vector<amdgpu_bo_handle> handles;
	Ib ib(device);

	for (int i = 0; i < 500; i++) {
		all.emplace_back(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
		handles.push_back(all.back().handle());
	}
	ib.store(AMDGPU_HW_IP_DMA, all[0].gpu(), 1);
	const drm::Context::Job job = ib.job(AMDGPU_HW_IP_DMA, 0, handles);
	over_and_over([&] { context.submit(job); });
}

void makes_contexts()
{
	drm::Device device;

	over_and_over([&] { drm::Context context(device); });
}

void makes_buffers()
{
	drm::Device device;

	over_and_over([&] {
		drm::Buffer buffer(device, 1 << 20, AMDGPU_GEM_DOMAIN_VRAM);

		buffer.as<volatile uint8_t>()[0] = 1;
	});
}

void shares_buffers()
{
	drm::Device device;
	drm::Buffer buffer(device, 1 << 20, AMDGPU_GEM_DOMAIN_GTT);

	over_and_over([&] {
		amdgpu_bo_import_result imported = {};
		UniqueFd file = buffer.export_dmabuf();

		if (!amdgpu_bo_import(device.handle(), amdgpu_bo_handle_type_dma_buf_fd, static_cast<uint32_t>(file.get()), &imported))
			amdgpu_bo_free(imported.buf_handle);
	});
}

void makes_syncobjs()
{
	drm::Device device;

	over_and_over([&] {
		uint32_t handle = 0;

		if (!drmSyncobjCreate(device.fd(), 0, &handle))
			drmSyncobjDestroy(device.fd(), handle);
	});
}

void asks_questions()
{
	drm::Device device;

	over_and_over([&] {
		(void)device.timestamp();
		(void)device.info<drm_amdgpu_memory_info>(AMDGPU_INFO_MEMORY);
	});
}

void opens_devices()
{
	over_and_over([&] { drm::Device device; });
}

const Abuse render[] = {
	{"small jobs on all rings", submits_jobs},
	{"large jobs on an SDMA ring", fills_with_jobs},
	{"jobs with 500 buffers", lists_buffers},
	{"contexts", makes_contexts},
	{"buffers that are mapped and touched", makes_buffers},
	{"dma-bufs", shares_buffers},
	{"syncobjs", makes_syncobjs},
	{"AMDGPU_INFO", asks_questions},
	{"opening the render node", opens_devices},
};

} // namespace

const std::span<const Abuse> render_node = render;

} // namespace kfdm::test

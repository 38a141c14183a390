// SPDX-License-Identifier: MIT
/*
 * drm_shared.cpp - a sync file, a syncobj and a dma-buf outlive the process that they come from, and hold the module.
 */
#include <poll.h>
#include <unistd.h>
#include <xf86drm.h>

#include "drm_job.hpp"
#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("what a third process holds survives its owner, and the module with it")
{
	const int before = idle_references();
	REQUIRE(alone());
	int numbers[2];
	REQUIRE(!::pipe(numbers));
	Child owner([&] {
		drm::Device device;
		drm::Context context(device);
		drm::Buffer out(device, 4096, AMDGPU_GEM_DOMAIN_VRAM);
		Ib ib(device);
		uint32_t syncobj = 0;
		int shared = -1;

		ib.store(AMDGPU_HW_IP_DMA, out.gpu(), 9);
		const drm::Fence fence = context.submit(ib.job(AMDGPU_HW_IP_DMA, 0, {out.handle()}));
		UniqueFd file = fence.sync_file(), dmabuf = out.export_dmabuf();
		amdgpu_cs_fence raw = fence.raw();
		CHECK(!amdgpu_cs_fence_to_handle(device.handle(), &raw, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ, &syncobj));
		CHECK(!drmSyncobjHandleToFD(device.fd(), syncobj, &shared));
		CHECK(fence.wait(long_ns));
		const int fds[] = {file.get(), dmabuf.get(), shared};
		CHECK_EQ(::write(numbers[1], fds, sizeof(fds)), static_cast<ssize_t>(sizeof(fds)));
		Child::ready();
		::pause();
	});
	REQUIRE(owner.wait_ready());
	int fds[3];
	REQUIRE(::read(numbers[0], fds, sizeof(fds)) == static_cast<ssize_t>(sizeof(fds)));
	UniqueFd file = fd_of(owner.pid(), fds[0]), dmabuf = fd_of(owner.pid(), fds[1]), syncobj = fd_of(owner.pid(), fds[2]);
	REQUIRE(file && dmabuf && syncobj);
	owner.kill();

	pollfd ready = {file.get(), POLLIN, 0};
	CHECK_EQ(::poll(&ready, 1, static_cast<int>(long_ns / 1'000'000)), 1);
	CHECK(references("amdgpu_model") > before);
	dmabuf.reset();
	CHECK(references("amdgpu_model") > before); /* the two fences */
	file.reset();
	CHECK(references("amdgpu_model") > before);
	syncobj.reset();
	CHECK(eventually([&] { return references("amdgpu_model") == before; }));
}

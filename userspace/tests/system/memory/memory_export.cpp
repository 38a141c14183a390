// SPDX-License-Identifier: MIT
/*
 * memory_export.cpp - a buffer of KFD as dma-buf: what HIP's IPC and its virtual memory management do.
 */
#include <fcntl.h>

#include "dmabuf.hpp"
#include "kfd_newer.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t second_address = 0x50'0000'0000, size = 64 << 10;

/* Exported by KFD, mapped a second time by GEM_VA: one memory at two addresses of the same queues. */
void virtual_memory(Gpu &gpu, const Buffer &buffer)
{
	const int render = gpu.device.render_fd();
	ExportDmabuf exported = {buffer.handle(), O_CLOEXEC, ~0U}, again = exported;
	SdmaQueue queue(gpu.device);
	uint32_t handle = 0;

	REQUIRE(call(gpu.fd(), ExportDmabuf::request, exported) == 0);
	CHECK_ERRNO(0, call(gpu.fd(), ExportDmabuf::request, again));
	CHECK(exported.dmabuf_fd != again.dmabuf_fd);
	CHECK_EQ(inode(exported.dmabuf_fd), inode(again.dmabuf_fd)); /* one dma-buf */
	close(static_cast<int>(again.dmabuf_fd));
	REQUIRE(prime_import(render, exported.dmabuf_fd, handle) == 0);
	CHECK_ERRNO(0, gem_va(render, handle, AMDGPU_VA_OP_MAP, second_address, buffer.size()));
	queue.submit(SdmaStream(gpu.device.has_old_sdma()).fill(second_address, 0x4321, buffer.size()));
	CHECK(eventually([&] { return *static_cast<volatile uint32_t *>(&buffer.as<uint32_t>().back()) == 0x4321; }));
	/* The queue forgets the address at once: another buffer may come there. */
	Buffer other = Buffer::vram(gpu.device, buffer.size());
	ExportDmabuf others = {other.handle(), O_CLOEXEC, ~0U};
	uint32_t others_handle = 0;
	REQUIRE(call(gpu.fd(), ExportDmabuf::request, others) == 0);
	REQUIRE(prime_import(render, others.dmabuf_fd, others_handle) == 0);
	CHECK_ERRNO(0, gem_va(render, others_handle, AMDGPU_VA_OP_REPLACE, second_address, buffer.size()));
	queue.submit(SdmaStream(gpu.device.has_old_sdma()).fill(second_address, 0x8765, buffer.size()));
	CHECK(eventually([&] { return *static_cast<volatile uint32_t *>(&other.as<uint32_t>().back()) == 0x8765; }));
	CHECK_EQ(buffer.as<uint32_t>().front(), 0x4321U);
	CHECK_ERRNO(0, gem_va(render, others_handle, AMDGPU_VA_OP_UNMAP, second_address, buffer.size()));
	for (uint32_t one : {handle, others_handle}) {
		drm_gem_close gone = {one, 0};
		CHECK_ERRNO(0, call(render, DRM_IOCTL_GEM_CLOSE, gone));
	}
	close(static_cast<int>(exported.dmabuf_fd));
	close(static_cast<int>(others.dmabuf_fd));
}

/* The dma-buf outlives the handle, and stays the same when it comes back. */
void outlives_its_handle(Gpu &gpu)
{
	ExportDmabuf exported = {}, again = {};

	{
		Buffer buffer = Buffer::vram(gpu.device, size);

		buffer.as<uint32_t>()[5] = 0x55;
		exported.handle = buffer.handle();
		REQUIRE(call(gpu.fd(), ExportDmabuf::request, exported) == 0);
	}
	kfd_ioctl_import_dmabuf_args import = {second_address, 0, gpu.id(), exported.dmabuf_fd};
	REQUIRE(call(gpu.fd(), AMDKFD_IOC_IMPORT_DMABUF, import) == 0);
	again.handle = import.handle;
	CHECK_ERRNO(0, call(gpu.fd(), ExportDmabuf::request, again));
	CHECK_EQ(inode(exported.dmabuf_fd), inode(again.dmabuf_fd));
	uint32_t handle = 0;
	CHECK_ERRNO(0, prime_import(gpu.device.render_fd(), again.dmabuf_fd, handle));
	kfd_ioctl_free_memory_of_gpu_args free_args = {import.handle};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free_args));
	drm_gem_close gone = {handle, 0};
	CHECK_ERRNO(0, call(gpu.device.render_fd(), DRM_IOCTL_GEM_CLOSE, gone));
	close(static_cast<int>(exported.dmabuf_fd));
	close(static_cast<int>(again.dmabuf_fd));
}

void refusals(Gpu &gpu)
{
	Buffer anonymous = Buffer::anonymous(gpu.device, 4096), gtt = Buffer::gtt(gpu.device, 4096);
	ExportDmabuf exported = {anonymous.handle(), 0, 0};

	CHECK_ERRNO(EPERM, call(gpu.fd(), ExportDmabuf::request, exported));
	exported.handle = gtt.handle() + 1000;
	CHECK_ERRNO(EINVAL, call(gpu.fd(), ExportDmabuf::request, exported));
	exported.handle = gtt.handle() & 0xffff'ffff; /* no GPU */
	CHECK_ERRNO(EINVAL, call(gpu.fd(), ExportDmabuf::request, exported));
}

} // namespace

KFDM_TEST_OF("7.2", "buffers of KFD are shared as dma-bufs")
{
	Gpu gpu;

	virtual_memory(gpu, Buffer::vram(gpu.device, size));
	virtual_memory(gpu, Buffer::gtt(gpu.device, size));
	outlives_its_handle(gpu);
	refusals(gpu);
}

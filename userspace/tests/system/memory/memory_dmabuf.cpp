// SPDX-License-Identifier: MIT
/*
 * memory_dmabuf.cpp - a buffer of the render node, exported as dma-buf, imported by KFD, written by the GPU.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include <drm/amdgpu_drm.h>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t size = 64 << 10, address = 0x40'0000'0000;

struct GemBuffer {
	uint32_t handle = 0;
	int dmabuf = -1;
	uint32_t *cpu = nullptr;
};

GemBuffer create(int render, uint64_t domain)
{
	GemBuffer buffer;
	drm_amdgpu_gem_create create = {};
	drm_amdgpu_gem_mmap map = {};

	create.in.bo_size = size;
	create.in.alignment = 4096;
	create.in.domains = domain;
	create.in.domain_flags = AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED;
	int error = call(render, DRM_IOCTL_AMDGPU_GEM_CREATE, create);
	if (error == ENOTTY || error == EINVAL || error == EOPNOTSUPP)
		skip("the render node makes no buffers yet");
	REQUIRE(error == 0);
	buffer.handle = create.out.handle;
	drm_prime_handle prime = {buffer.handle, DRM_CLOEXEC | DRM_RDWR, -1};
	REQUIRE(call(render, DRM_IOCTL_PRIME_HANDLE_TO_FD, prime) == 0);
	buffer.dmabuf = prime.fd;
	map.in.handle = buffer.handle;
	REQUIRE(call(render, DRM_IOCTL_AMDGPU_GEM_MMAP, map) == 0);
	void *cpu = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, render, static_cast<off_t>(map.out.addr_ptr));
	REQUIRE(cpu != MAP_FAILED);
	buffer.cpu = static_cast<uint32_t *>(cpu);
	return buffer;
}

void round_trip(Gpu &gpu, SdmaQueue &queue, uint64_t domain, uint32_t type)
{
	GemBuffer buffer = create(gpu.device.render_fd(), domain);
	kfd_ioctl_get_dmabuf_info_args info = {};
	kfd_ioctl_import_dmabuf_args import = {address, 0, gpu.id(), static_cast<uint32_t>(buffer.dmabuf)};
	uint32_t id = gpu.id();

	info.dmabuf_fd = static_cast<uint32_t>(buffer.dmabuf);
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_GET_DMABUF_INFO, info));
	CHECK_EQ(info.size, size);
	CHECK_EQ(info.gpu_id, gpu.id());
	CHECK((info.flags & type) != 0);

	REQUIRE(call(gpu.fd(), AMDKFD_IOC_IMPORT_DMABUF, import) == 0);
	close(buffer.dmabuf);
	kfd_ioctl_map_memory_to_gpu_args map = {import.handle, reinterpret_cast<uint64_t>(&id), 1, 0};
	REQUIRE(call(gpu.fd(), AMDKFD_IOC_MAP_MEMORY_TO_GPU, map) == 0);
	queue.submit(SdmaStream().fill(address, 0x1234, size));
	CHECK(eventually([&] { return *static_cast<volatile uint32_t *>(buffer.cpu + size / 4 - 1) == 0x1234; }));
	CHECK_EQ(buffer.cpu[0], 0x1234U);

	kfd_ioctl_unmap_memory_from_gpu_args unmap = {import.handle, reinterpret_cast<uint64_t>(&id), 1, 0};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, unmap));
	kfd_ioctl_free_memory_of_gpu_args free_args = {import.handle};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free_args));
	munmap(buffer.cpu, size);
	drm_gem_close close_args = {buffer.handle, 0};
	CHECK_ERRNO(0, call(gpu.device.render_fd(), DRM_IOCTL_GEM_CLOSE, close_args));
}

/* Too little room for the metadata is refused, also if they are not asked for; their size is returned nevertheless. */
void metadata(Gpu &gpu)
{
	const GemBuffer buffer = create(gpu.device.render_fd(), AMDGPU_GEM_DOMAIN_GTT);
	drm_amdgpu_gem_metadata set = {};
	kfd_ioctl_get_dmabuf_info_args info = {};
	uint32_t words[4] = {};

	set.handle = buffer.handle;
	set.op = AMDGPU_GEM_METADATA_OP_SET_METADATA;
	set.data.data_size_bytes = 12;
	set.data.data[2] = 0x5a;
	REQUIRE(call(gpu.device.render_fd(), DRM_IOCTL_AMDGPU_GEM_METADATA, set) == 0);
	info.dmabuf_fd = static_cast<uint32_t>(buffer.dmabuf);
	for (uint64_t pointer : {uint64_t{0}, reinterpret_cast<uint64_t>(words)}) {
		info.metadata_ptr = pointer;
		info.metadata_size = 11;
		info.size = 0;
		CHECK_ERRNO(EINVAL, call(gpu.fd(), AMDKFD_IOC_GET_DMABUF_INFO, info));
		CHECK_EQ(info.metadata_size, 12U);
		CHECK_EQ(info.size, size);
	}
	info.metadata_size = ~0U;
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_GET_DMABUF_INFO, info));
	CHECK_EQ(info.metadata_size, 12U);
	CHECK_EQ(words[2], 0x5aU);
	CHECK_EQ(words[3], 0U);
	close(buffer.dmabuf);
	munmap(buffer.cpu, size);
	drm_gem_close close_args = {buffer.handle, 0};
	CHECK_ERRNO(0, call(gpu.device.render_fd(), DRM_IOCTL_GEM_CLOSE, close_args));
}

} // namespace

KFDM_TEST("dma-bufs of the render node can be imported and used")
{
	Gpu gpu;
	SdmaQueue queue(gpu.device);
	UniqueFd null(checked_open("/dev/null", O_RDWR));
	kfd_ioctl_get_dmabuf_info_args info = {};
	kfd_ioctl_import_dmabuf_args import = {address, 0, gpu.id(), static_cast<uint32_t>(null.get())};

	round_trip(gpu, queue, AMDGPU_GEM_DOMAIN_VRAM, KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
	round_trip(gpu, queue, AMDGPU_GEM_DOMAIN_GTT, KFD_IOC_ALLOC_MEM_FLAGS_GTT);
	metadata(gpu);
	info.dmabuf_fd = static_cast<uint32_t>(null.get());
	CHECK_ERRNO(EINVAL, call(gpu.fd(), AMDKFD_IOC_GET_DMABUF_INFO, info));
	CHECK_ERRNO(EINVAL, call(gpu.fd(), AMDKFD_IOC_IMPORT_DMABUF, import));
	import.dmabuf_fd = 1000;
	CHECK_ERRNO(EBADF, call(gpu.fd(), AMDKFD_IOC_IMPORT_DMABUF, import));
}

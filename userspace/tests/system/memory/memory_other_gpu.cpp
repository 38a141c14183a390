// SPDX-License-Identifier: MIT
/*
 * memory_other_gpu.cpp - a buffer of another GPU, by PRIME under any driver and by KFD's IMPORT_DMABUF since 7.2.
 */
#include <fcntl.h>

#include "dmabuf.hpp"
#include "kfd_newer.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t second_address = 0x50'0000'0000, size = 64 << 10;

/* The render node of another GPU than this. */
UniqueFd another(const Gpu &gpu)
{
	for (int minor = 128; minor < 136; minor++) {
		if (static_cast<uint64_t>(minor) == gpu.device.node().properties["drm_render_minor"])
			continue;
		if (UniqueFd fd(open(fmt::format("/dev/dri/renderD{}", minor).c_str(), O_RDWR)); fd)
			return fd;
	}
	return {};
}

/* A dma-buf of a buffer that is made there. */
UniqueFd make_shared(int render, uint64_t domain)
{
	drm_amdgpu_gem_create create = {};

	create.in.bo_size = size;
	create.in.alignment = 4096;
	create.in.domains = domain;
	REQUIRE(call(render, DRM_IOCTL_AMDGPU_GEM_CREATE, create) == 0);
	drm_prime_handle prime = {create.out.handle, DRM_CLOEXEC | DRM_RDWR, -1};
	REQUIRE(call(render, DRM_IOCTL_PRIME_HANDLE_TO_FD, prime) == 0);
	return UniqueFd(prime.fd);
}

void by_prime(Gpu &gpu, uint32_t fd)
{
	uint32_t handle = 0;

	REQUIRE(prime_import(gpu.device.render_fd(), fd, handle) == 0);
	CHECK_ERRNO(0, gem_va(gpu.device.render_fd(), handle, AMDGPU_VA_OP_MAP, second_address, size));
	{
		SdmaQueue queue(gpu.device);
		Buffer back = Buffer::gtt(gpu.device, size, memory_coherent);
		queue.submit(SdmaStream(gpu.device.has_old_sdma()).fill(second_address, 0x77, size).copy(back.gpu(), second_address, size));
		CHECK(eventually([&] { return *static_cast<volatile uint32_t *>(&back.as<uint32_t>().back()) == 0x77; }));
	}
	/* It goes out as what it came in. */
	drm_prime_handle out = {handle, DRM_CLOEXEC, -1};
	CHECK_ERRNO(0, call(gpu.device.render_fd(), DRM_IOCTL_PRIME_HANDLE_TO_FD, out));
	CHECK_EQ(inode(static_cast<uint32_t>(out.fd)), inode(fd));
	close(out.fd);
	CHECK_ERRNO(0, gem_va(gpu.device.render_fd(), handle, AMDGPU_VA_OP_UNMAP, second_address, size));
	drm_gem_close gone = {handle, 0};
	CHECK_ERRNO(0, call(gpu.device.render_fd(), DRM_IOCTL_GEM_CLOSE, gone));
}

void by_kfd(Gpu &gpu, uint32_t fd)
{
	kfd_ioctl_import_dmabuf_args import = {second_address, 0, gpu.id(), fd};

	CHECK_ERRNO(is_7_2() ? 0 : EINVAL, call(gpu.fd(), AMDKFD_IOC_IMPORT_DMABUF, import));
	if (!is_7_2())
		return;
	kfd_ioctl_free_memory_of_gpu_args free_args = {import.handle};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free_args));
}

} // namespace

KFDM_TEST("another GPU's buffer is the same memory here, wherever it is")
{
	Gpu gpu;
	const UniqueFd second = another(gpu);

	if (!second)
		skip("needs two GPUs");
	for (const uint64_t domain : {AMDGPU_GEM_DOMAIN_GTT, AMDGPU_GEM_DOMAIN_VRAM}) {
		const UniqueFd shared = make_shared(second.get(), domain);

		by_prime(gpu, static_cast<uint32_t>(shared.get()));
		by_kfd(gpu, static_cast<uint32_t>(shared.get()));
	}
}

// SPDX-License-Identifier: MIT
/*
 * memory_limits.cpp - what does not fit is refused, and what is freed can be had again.
 */
#include <vector>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("VRAM and system memory have limits, and accounting follows")
{
	Gpu gpu;
	uint64_t before = gpu.device.available_memory(), vram = gpu.device.node().memory_bytes();
	auto alloc = [&](uint64_t size, uint32_t type) {
		kfd_ioctl_alloc_memory_of_gpu_args args = {0x10'0000'0000, size, 0, 0, gpu.id(), type | memory_default};
		int error = call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args);
		kfd_ioctl_free_memory_of_gpu_args free_args = {args.handle};
		if (!error)
			CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free_args));
		return error;
	};

	CHECK(before <= vram);
	CHECK_ERRNO(ENOMEM, alloc(vram + 4096, KFD_IOC_ALLOC_MEM_FLAGS_VRAM));
	CHECK_ERRNO(ENOMEM, alloc(uint64_t{1} << 46, KFD_IOC_ALLOC_MEM_FLAGS_VRAM));
	CHECK_ERRNO(ENOMEM, alloc(uint64_t{1} << 46, KFD_IOC_ALLOC_MEM_FLAGS_GTT));
	CHECK_ERRNO(0, alloc(4 << 20, KFD_IOC_ALLOC_MEM_FLAGS_VRAM));
	CHECK_EQ(gpu.device.available_memory(), before);
	{
		std::vector<Buffer> some;

		for (int i = 0; i < 3; i++)
			some.push_back(Buffer::vram(gpu.device, 4 << 20));
		CHECK_EQ(gpu.device.available_memory(), before - (12 << 20));
	}
	CHECK_EQ(gpu.device.available_memory(), before);
}

// SPDX-License-Identifier: MIT
/*
 * memory_limits.cpp - what does not fit is refused, and what is freed can be had again.
 */
#include <fstream>
#include <string>
#include <sys/sysinfo.h>
#include <vector>

#include <drm/amdgpu_drm.h>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

uint64_t gtt_bytes(int render)
{
	drm_amdgpu_info_vram_gtt sizes = {};
	drm_amdgpu_info info = {};

	info.return_pointer = reinterpret_cast<uint64_t>(&sizes);
	info.return_size = sizeof(sizes);
	info.query = AMDGPU_INFO_VRAM_GTT;
	REQUIRE(call(render, DRM_IOCTL_AMDGPU_INFO, info) == 0);
	return sizes.gtt_size;
}

/** "System mem used UM out of MAXM", in bytes. */
uint64_t system_limit()
{
	std::ifstream file("/sys/kernel/debug/kfd/mem_limit");
	std::string line;

	std::getline(file, line);
	return std::stoull(line.substr(line.rfind(' '))) << 20;
}

/* amdgpu_ttm_init(), amdgpu_amdkfd_gpuvm_init_mem_limits(): half of RAM, at least 3 GiB; 15/16 of the RAM that was free at the time */
void sizes_follow_ram(Gpu &gpu)
{
	struct sysinfo info = {};

	sysinfo(&info);
	const uint64_t ram = info.totalram * info.mem_unit;
	CHECK_EQ(gtt_bytes(gpu.device.render_fd()), std::max(ram / 2, uint64_t{3} << 30) & ~uint64_t{4095});
	CHECK(system_limit() < ram / 16 * 15 - (1 << 20));
	CHECK(system_limit() > ram / 4);
}

/* Each takes whole units of 2 MiB of what AVAILABLE_MEMORY returns (VRAM_AVAILABILITY_ALIGN). */
void small_buffers_count_in_units(Gpu &gpu)
{
	const uint64_t before = gpu.device.available_memory();
	std::vector<Buffer> some;

	for (int i = 0; i < 3; i++)
		some.push_back(Buffer::vram(gpu.device, 4096));
	CHECK_EQ(gpu.device.available_memory(), before - (6 << 20));
	some.clear();
	CHECK_EQ(gpu.device.available_memory(), before);
}

} // namespace

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
	small_buffers_count_in_units(gpu);
	sizes_follow_ram(gpu);
}

// SPDX-License-Identifier: MIT
/*
 * sysfs_memory.cpp - mem_info_* and fdinfo count each buffer, to the byte and to the KiB, as it comes and goes.
 */
#include <sys/mman.h>

#include "drm_memory.hpp"
#include "gpu.hpp"
#include "gpu_files.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* Memory that nobody maps: no page tables come with it. */
void device_counts(const drm::Device &device, uint32_t domain, const std::string &place)
{
	const std::string file = device_folder(device) + "mem_info_" + place + "_used";
	const uint64_t before = number_in(file), size = 3 * MiB + 4096;

	{
		Ballast ballast(device, size, domain);

		CHECK_EQ(number_in(file), before + size);
		if (domain == AMDGPU_GEM_DOMAIN_VRAM)
			CHECK_EQ(number_in(device_folder(device) + "mem_info_vis_vram_used"), before + size);
	}
	CHECK_EQ(number_in(file), before);
	CHECK(before <= number_in(device_folder(device) + "mem_info_" + place + "_total"));
}

void file_counts(const drm::Device &device, uint32_t domain, const std::string &key)
{
	const uint64_t before = fdinfo(device, key);

	{
		drm::Buffer one(device, 3 * MiB, domain), two(device, 4096, domain);

		CHECK_EQ(fdinfo(device, key), before + 3 * 1024 + 4);
	}
	CHECK_EQ(fdinfo(device, key), before);
}

/* A buffer that is mapped twice is there once. */
void twice_is_once(const drm::Device &device)
{
	const uint64_t before = fdinfo(device, "drm-memory-vram");
	drm::Buffer buffer(device, MiB, AMDGPU_GEM_DOMAIN_VRAM);
	const uint64_t again = 0x4000000000;

	REQUIRE(!amdgpu_bo_va_op(buffer.handle(), 0, MiB, again, 0, AMDGPU_VA_OP_MAP));
	CHECK_EQ(fdinfo(device, "drm-memory-vram"), before + 1024);
	REQUIRE(!amdgpu_bo_va_op(buffer.handle(), 0, MiB, again, 0, AMDGPU_VA_OP_UNMAP));
}

/* KFD's userptr buffers are TTM's preemptible memory in Linux. */
void preemptible_counts(const drm::Device &device)
{
	const std::string file = device_folder(device) + "mem_info_preempt_used";
	constexpr size_t size = 1 << 20;
	void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	Gpu gpu;
	const uint64_t before = number_in(file);

	REQUIRE(memory != MAP_FAILED);
	{
		Buffer buffer = Buffer::userptr(gpu.device, memory, size);

		CHECK_EQ(number_in(file), before + size);
	}
	CHECK_EQ(number_in(file), before);
	::munmap(memory, size);
}

/* The kernel's own numbers, by another way. */
void agrees_with_info(const drm::Device &device)
{
	const auto memory = memory_info(device);
	const std::string dir = device_folder(device);

	CHECK_EQ(number_in(dir + "mem_info_vram_total"), memory.vram.total_heap_size);
	CHECK_EQ(number_in(dir + "mem_info_vis_vram_total"), memory.cpu_accessible_vram.total_heap_size);
	CHECK_EQ(number_in(dir + "mem_info_gtt_total"), memory.gtt.total_heap_size);
	CHECK_EQ(number_in(dir + "mem_info_vram_used"), memory.vram.heap_usage);
	CHECK_EQ(number_in(dir + "mem_info_gtt_used"), memory.gtt.heap_usage);
}

} // namespace

KFDM_TEST("mem_info and fdinfo move by exactly what is allocated")
{
	drm::Device device;

	agrees_with_info(device);
	device_counts(device, AMDGPU_GEM_DOMAIN_VRAM, "vram");
	device_counts(device, AMDGPU_GEM_DOMAIN_GTT, "gtt");
	file_counts(device, AMDGPU_GEM_DOMAIN_VRAM, "drm-memory-vram");
	file_counts(device, AMDGPU_GEM_DOMAIN_GTT, "drm-memory-gtt");
	twice_is_once(device);
	preemptible_counts(device);
}

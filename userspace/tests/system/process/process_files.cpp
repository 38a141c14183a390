// SPDX-License-Identifier: MIT
/*
 * process_files.cpp - proc/<pid> of KFD: which files a process has, and what its VRAM comes to.
 */
#include <filesystem>
#include <fstream>
#include <set>
#include <unistd.h>

#include <fmt/core.h>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

std::string folder() { return fmt::format("/sys/devices/virtual/kfd/kfd/proc/{}/", ::getpid()); }

uint64_t vram(uint32_t gpu_id)
{
	std::ifstream file(folder() + fmt::format("vram_{}", gpu_id));
	uint64_t bytes = ~uint64_t{0};

	file >> bytes;
	return bytes;
}

std::set<std::string> names(const std::string &path)
{
	std::set<std::string> found;

	for (const auto &entry : std::filesystem::directory_iterator(path))
		found.insert(entry.path().filename());
	return found;
}

/* kfd_procfs_add_sysfs_stats(), _counters(): counters_<gpu_id> with shared virtual memory, occupancy where the chip tells it (GFX9) */
void files(const Gpu &gpu)
{
	const uint64_t major = gpu.device.gfx_major();
	const std::string id = std::to_string(gpu.id());
	std::set<std::string> stats = {"evicted_ms"};

	if (major == 9)
		stats.insert("cu_occupancy");
	std::set<std::string> files = {"pasid", "queues", "vram_" + id, "sdma_" + id, "stats_" + id};
	kfd_ioctl_set_xnack_mode_args mode = {-1};
	if (major >= 9 && call(gpu.fd(), AMDKFD_IOC_SET_XNACK_MODE, mode) == 0) {
		files.insert("counters_" + id);
		CHECK(names(folder() + "counters_" + id) == (std::set<std::string>{"faults", "page_in", "page_out"}));
	}
	CHECK(names(folder()) == files);
	CHECK(names(folder() + "stats_" + id) == stats);
}

/* The ring of an AQL queue on chips before GFX9 is mapped twice, and is there once. */
void ring_counts_once(Gpu &gpu)
{
	const uint64_t before = vram(gpu.id());
	kfd_ioctl_alloc_memory_of_gpu_args args = {0x10'0000'0000, 1 << 20, 0, 0, gpu.id(), 0};

	args.flags = KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE;
	REQUIRE(call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args) == 0);
	CHECK_EQ(vram(gpu.id()), before + (512 << 10));
	kfd_ioctl_free_memory_of_gpu_args free_args = {args.handle};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free_args));
	CHECK_EQ(vram(gpu.id()), before);
}

} // namespace

KFDM_TEST("a process has the files in sysfs that Linux gives it")
{
	Gpu gpu;

	files(gpu);
	ring_counts_once(gpu);
}

// SPDX-License-Identifier: MIT
/*
 * memory_basic.cpp - ALLOC, MAP, UNMAP, FREE: order, errnos, contents.
 */
#include <numeric>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t somewhere = 0x10'0000'0000; /* in the GPU's range, unused by the CPU */

struct Raw {
	int fd;
	uint32_t gpu;

	int alloc(kfd_ioctl_alloc_memory_of_gpu_args *args) const { return call(fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, *args); }
	int free(uint64_t handle) const
	{
		kfd_ioctl_free_memory_of_gpu_args args = {handle};
		return call(fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, args);
	}
	int map(uint64_t handle, uint32_t n = 1, uint32_t done = 0) const
	{
		kfd_ioctl_map_memory_to_gpu_args args = {handle, reinterpret_cast<uint64_t>(&gpu), n, done};
		return call(fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, args);
	}
	int unmap(uint64_t handle, uint32_t n = 1, uint32_t done = 0) const
	{
		kfd_ioctl_unmap_memory_from_gpu_args args = {handle, reinterpret_cast<uint64_t>(&gpu), n, done};
		return call(fd, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, args);
	}
	[[nodiscard]] kfd_ioctl_alloc_memory_of_gpu_args good(uint32_t type, uint64_t size = 8192) const
	{
		return {somewhere, size, 0, 0, gpu, type | memory_default};
	}
};

void bad_arguments(const Raw &raw)
{
	constexpr uint32_t vram = KFD_IOC_ALLOC_MEM_FLAGS_VRAM;
	auto args = raw.good(vram, 0);

	CHECK_ERRNO(EINVAL, raw.alloc(&args));
	args = raw.good(vram);
	args.gpu_id ^= 0xffff;
	CHECK_ERRNO(EINVAL, raw.alloc(&args));
	args = raw.good(0);
	CHECK_ERRNO(EINVAL, raw.alloc(&args));
	args = raw.good(KFD_IOC_ALLOC_MEM_FLAGS_USERPTR); /* without an address */
	CHECK_ERRNO(EINVAL, raw.alloc(&args));
	args = raw.good(KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL, 4096); /* a slice has 8 KiB */
	CHECK_ERRNO(EINVAL, raw.alloc(&args));
	args = raw.good(KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP, 8192); /* a page has 4 */
	CHECK_ERRNO(EINVAL, raw.alloc(&args));

	CHECK_ERRNO(EINVAL, raw.free(0x1234)); /* GPU 0 */
	CHECK_ERRNO(EINVAL, raw.free(uint64_t{raw.gpu} << 32 | 9999));
	CHECK_ERRNO(ENOMEM, raw.map(uint64_t{raw.gpu} << 32 | 9999));
	CHECK_ERRNO(EINVAL, raw.map(0x1234));
	CHECK_ERRNO(ENOMEM, raw.unmap(uint64_t{raw.gpu} << 32 | 9999));
}

void life(const Raw &raw, uint32_t type)
{
	auto args = raw.good(type);

	REQUIRE(raw.alloc(&args) == 0);
	CHECK_EQ(args.handle >> 32, raw.gpu);
	CHECK_ERRNO(EINVAL, raw.map(args.handle, 0));
	CHECK_ERRNO(EINVAL, raw.map(args.handle, 1, 2));
	CHECK_ERRNO(EINVAL, raw.unmap(args.handle)); /* not mapped yet */
	CHECK_ERRNO(0, raw.map(args.handle));
	CHECK_ERRNO(0, raw.map(args.handle)); /* again: no-op */
	CHECK_ERRNO(EBUSY, raw.free(args.handle));

	/* The same addresses cannot be taken twice. */
	auto second = raw.good(type, 4096);
	REQUIRE(raw.alloc(&second) == 0);
	CHECK(second.handle != args.handle);
	CHECK_ERRNO(EINVAL, raw.map(second.handle));
	CHECK_ERRNO(0, raw.free(second.handle));

	CHECK_ERRNO(0, raw.unmap(args.handle));
	CHECK_ERRNO(0, raw.free(args.handle));
	CHECK_ERRNO(EINVAL, raw.free(args.handle));
}

void odd_addresses(const Raw &raw)
{
	for (uint64_t va : {uint64_t{0}, somewhere + 0x800}) {
		auto args = raw.good(KFD_IOC_ALLOC_MEM_FLAGS_GTT);

		args.va_addr = va;
		REQUIRE(raw.alloc(&args) == 0);		   /* not looked at before ... */
		CHECK_ERRNO(EINVAL, raw.map(args.handle)); /* ... it is mapped */
		CHECK_ERRNO(0, raw.free(args.handle));
	}
}

/* What the GPU copies is what the CPU wrote, page by page, in either memory. */
void contents(Gpu &gpu)
{
	constexpr uint32_t words = 300'000;
	Buffer from = Buffer::vram(gpu.device, words * 4), to = Buffer::gtt(gpu.device, words * 4);
	SdmaQueue queue(gpu.device);
	Buffer fence = Buffer::gtt(gpu.device, 4096, memory_coherent);

	std::iota(from.as<uint32_t>().begin(), from.as<uint32_t>().begin() + words, 12345);
	queue.submit(SdmaStream().copy(to.gpu(), from.gpu(), words * 4).fence(fence.gpu(), 1));
	REQUIRE(eventually([&] { return fence.as<volatile uint32_t>()[0] == 1; }));
	CHECK(std::equal(from.as<uint32_t>().begin(), from.as<uint32_t>().begin() + words, to.as<uint32_t>().begin()));
}

} // namespace

KFDM_TEST("memory can be allocated, mapped, used and freed, in that order only")
{
	Gpu gpu;
	Raw raw = {gpu.fd(), gpu.id()};

	bad_arguments(raw);
	life(raw, KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
	life(raw, KFD_IOC_ALLOC_MEM_FLAGS_GTT);
	odd_addresses(raw);
	contents(gpu);
}

// SPDX-License-Identifier: MIT
/*
 * pieces.hpp - VRAM that has room in single pages only, and a buffer that lies in them.
 */
#pragma once

#include <vector>

#include "gpu.hpp"

namespace kfdm::test {

/* Buffers by hand: neither CPU nor GPU maps them. */
class Pieces {
public:
	static constexpr uint64_t page = 4096;

	explicit Pieces(Gpu &gpu) : gpu_(gpu) {}

	/* Return: the handle, 0: no room. */
	uint64_t try_alloc(uint64_t bytes)
	{
		kfd_ioctl_alloc_memory_of_gpu_args args = {va_, bytes, 0, 0, gpu_.id(), KFD_IOC_ALLOC_MEM_FLAGS_VRAM | memory_default};

		if (call(gpu_.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, args) != 0)
			return 0;
		va_ += bytes;
		return args.handle;
	}
	uint64_t alloc(uint64_t bytes)
	{
		const uint64_t handle = try_alloc(bytes);

		REQUIRE(handle != 0);
		return handle;
	}
	void free(uint64_t handle)
	{
		kfd_ioctl_free_memory_of_gpu_args args = {handle};

		REQUIRE(call(gpu_.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, args) == 0);
	}
	template <typename Args> void for_gpu(unsigned long request, uint64_t handle)
	{
		uint32_t id = gpu_.id();
		Args args = {};

		args.handle = handle;
		args.device_ids_array_ptr = reinterpret_cast<uintptr_t>(&id);
		args.n_devices = 1;
		REQUIRE(call(gpu_.fd(), request, args) == 0);
	}

private:
	Gpu &gpu_;
	uint64_t va_ = 0x10'0000'0000;
};

/*
 * A buffer in the gaps of a comb of @count teeth. All that is free elsewhere is taken, but for the 8 MiB that KFD leaves to page tables
 * (ESTIMATE_PT_SIZE of amdgpu_amdkfd_gpuvm.c).
 */
class Comb {
public:
	Comb(Pieces &pieces, uint64_t count) : pieces_(pieces)
	{
		std::vector<uint64_t> gaps;

		for (uint64_t i = 0; i < count; i++) {
			teeth_.push_back(pieces.alloc(Pieces::page));
			gaps.push_back(pieces.alloc(Pieces::page));
		}
		for (uint64_t size = largest; size >= Pieces::page; size /= 2)
			while (const uint64_t handle = pieces.try_alloc(size))
				teeth_.push_back(handle);
		for (uint64_t gap : gaps)
			pieces.free(gap);
		buffer_ = pieces.alloc(count * Pieces::page);
	}
	Comb(const Comb &) = delete;
	~Comb()
	{
		pieces_.free(buffer_);
		for (uint64_t tooth : teeth_)
			pieces_.free(tooth);
	}

	void map() const { pieces_.for_gpu<kfd_ioctl_map_memory_to_gpu_args>(AMDKFD_IOC_MAP_MEMORY_TO_GPU, buffer_); }
	void unmap() const { pieces_.for_gpu<kfd_ioctl_unmap_memory_from_gpu_args>(AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, buffer_); }
	void map_and_unmap() const
	{
		map();
		unmap();
	}

private:
	static constexpr uint64_t largest = 1ull << 36;

	Pieces &pieces_;
	std::vector<uint64_t> teeth_;
	uint64_t buffer_ = 0;
};

} // namespace kfdm::test

// SPDX-License-Identifier: MIT
/*
 * buffer.hpp - memory that the GPU can reach.
 *
 * A buffer is allocated, mapped for its GPU and, where the CPU may touch it, mapped for the CPU at the same address.
 * It goes in the right order: unmap from the GPU, unmap from the CPU, free.
 */
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <linux/kfd_ioctl.h>

#include <kfdm/device.hpp>

namespace kfdm {

/** Attributes that a buffer usually has. */
inline constexpr uint32_t memory_default = KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE | KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE |
					   KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE;
/** For rings, signals and pointers that CPU and GPU both poll. */
inline constexpr uint32_t memory_coherent = memory_default | KFD_IOC_ALLOC_MEM_FLAGS_COHERENT | KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED;

class Buffer {
public:
	/** VRAM. With KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC the CPU sees it too, else data() may only be passed to the GPU. */
	[[nodiscard]] static Buffer vram(Device &device, size_t bytes, uint32_t flags = memory_default | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC);
	/** System memory of the driver (GTT). */
	[[nodiscard]] static Buffer gtt(Device &device, size_t bytes, uint32_t flags = memory_default);
	/** The same at @address, of which nothing within @bytes may be mapped yet (EEXIST). For programs whose addresses are always the same. */
	[[nodiscard]] static Buffer gtt_at(Device &device, uint64_t address, size_t bytes, uint32_t flags = memory_default);
	/** Anonymous memory of this process, as libhsakmt does it: pages are taken when somebody touches them. */
	[[nodiscard]] static Buffer anonymous(Device &device, size_t bytes, uint32_t flags = memory_default);
	/**
	 * The caller's own memory at @cpu (page aligned, @bytes long), at GPU address @gpu or, if that is 0, at its CPU address.
	 * The memory must stay until the buffer goes.
	 */
	[[nodiscard]] static Buffer userptr(Device &device, void *cpu, size_t bytes, uint64_t gpu = 0, uint32_t flags = memory_default);

	Buffer() noexcept = default;
	Buffer(Buffer &&other) noexcept { swap(other); }
	Buffer &operator=(Buffer &&other) noexcept
	{
		Buffer gone(std::move(other));
		swap(gone);
		return *this;
	}
	~Buffer() { release(); }

	[[nodiscard]] explicit operator bool() const noexcept { return device_ != nullptr; }
	/** CPU address. */
	[[nodiscard]] void *data() const noexcept { return cpu_; }
	/** GPU address, the same number as data() unless userptr() was asked for another. */
	[[nodiscard]] uint64_t gpu() const noexcept { return gpu_; }
	[[nodiscard]] size_t size() const noexcept { return size_; }
	/** KFD's handle: gpu_id << 32 | index. */
	[[nodiscard]] uint64_t handle() const noexcept { return handle_; }

	/** The buffer as an array of @T, as many as fit. */
	template <typename T> [[nodiscard]] std::span<T> as() const noexcept { return {static_cast<T *>(cpu_), size_ / sizeof(T)}; }

	/** Unmaps from the GPU; throws. The buffer stays allocated. */
	void unmap_gpu();
	/** Maps for the GPU again; throws. */
	void map_gpu();

private:
	friend class Kfd;
	Buffer(Device &device, void *cpu, uint64_t gpu, size_t size, bool owns_cpu) noexcept
		: device_(&device), cpu_(cpu), gpu_(gpu), size_(size), owns_cpu_(owns_cpu)
	{
	}

	static Buffer render_memory(Device &device, void *reserved, size_t size, uint32_t flags);
	void allocate(uint32_t flags, uint64_t user_address);
	void map_cpu(size_t at, size_t bytes, uint64_t mmap_offset, bool accessible);
	void release() noexcept;
	void swap(Buffer &other) noexcept;

	Device *device_ = nullptr;
	void *cpu_ = nullptr;
	uint64_t gpu_ = 0;
	size_t size_ = 0;
	uint64_t handle_ = 0;
	bool owns_cpu_ = false, allocated_ = false, mapped_ = false;
};

/** @bytes rounded up to whole pages of 4 KiB. */
[[nodiscard]] constexpr size_t page_align(size_t bytes) noexcept { return (bytes + 0xfff) & ~size_t{0xfff}; }

} // namespace kfdm

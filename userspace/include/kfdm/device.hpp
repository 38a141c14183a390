// SPDX-License-Identifier: MIT
/*
 * device.hpp - one GPU as this process sees it: render node, address space, doorbells.
 *
 * Opening a device binds the process's address space to the GPU (ACQUIRE_VM): from then on a buffer has the same address on
 * both sides. Everything made from a Device (buffers, queues, events) must be gone before it.
 */
#pragma once

#include <cstdint>
#include <mutex>

#include <kfdm/kfd.hpp>
#include <kfdm/topology.hpp>
#include <kfdm/unique_fd.hpp>

namespace kfdm {

/** Address ranges of GET_PROCESS_APERTURES_NEW; limits are inclusive. */
struct Apertures {
	uint64_t lds_base, lds_limit;
	uint64_t scratch_base, scratch_limit;
	uint64_t gpuvm_base, gpuvm_limit;
	uint64_t common_limit; /**< lowest gpuvm_limit of all GPUs: what must be mapped on several lies below */
};

class Device {
public:
	/**
	 * Opens the render node of @node and acquires its VM.
	 * Throws std::system_error: EBUSY if this process has acquired another file's VM for the GPU, ENODEV, EACCES ...
	 */
	[[nodiscard]] static Device open(Kfd &kfd, const Node &node);

	Device(const Device &) = delete;
	Device &operator=(const Device &) = delete;
	~Device();

	[[nodiscard]] Kfd &kfd() const noexcept { return kfd_; }
	[[nodiscard]] const Node &node() const noexcept { return node_; }
	[[nodiscard]] uint32_t gpu_id() const noexcept { return node_.gpu_id; }
	[[nodiscard]] int render_fd() const noexcept { return render_.get(); }
	[[nodiscard]] const Apertures &apertures() const noexcept { return apertures_; }

	/** Bytes of VRAM that a new buffer may take (AVAILABLE_MEMORY). */
	[[nodiscard]] uint64_t available_memory() const;

	/** Frequency of the reference clock in Hz (AMDGPU_INFO_DEV_INFO). */
	[[nodiscard]] uint64_t gpu_clock_hz() const;

	/** Reference clock ticks (GET_CLOCK_COUNTERS). */
	[[nodiscard]] uint64_t gpu_clock() const { return kfd_.clocks(gpu_id()).gpu; }

	/** Generation of the instruction set: 8 of gfx803, 9 of gfx90a, 10 of gfx1030. */
	[[nodiscard]] uint64_t gfx_major() const noexcept { return node_.properties["gfx_target_version"] / 10000; }

	/** Bytes of a doorbell: 4 up to GFX8, then 8. */
	[[nodiscard]] uint32_t doorbell_bytes() const noexcept { return gfx_major() < 9 ? 4 : 8; }
	/** Bytes of the process's doorbell slice: 1024 doorbells. */
	[[nodiscard]] uint32_t doorbell_slice() const noexcept { return 1024 * doorbell_bytes(); }
	/** CREATE_QUEUE returns where the process's doorbells begin, and a queue's id is its index there; otherwise the queue's place. */
	[[nodiscard]] bool doorbells_by_queue_id() const noexcept { return gfx_major() < 9; }
	/** The packet processor wraps an AQL ring at twice its length: the memory must lie there twice in a row. Up to GFX8. */
	[[nodiscard]] bool doubles_aql_rings() const noexcept { return gfx_major() < 9; }
	/** SDMA 2 and 3 (GFX7, GFX8): pointers wrap at the end of the ring, counts in packets are not less one. */
	[[nodiscard]] bool has_old_sdma() const noexcept { return gfx_major() < 9; }

	/**
	 * The doorbell that CREATE_QUEUE gave as @doorbell_offset. The slice is mapped once and stays until the Device goes.
	 * Throws what mmap says.
	 */
	[[nodiscard]] volatile uint64_t *doorbell(uint64_t doorbell_offset);

private:
	Device(Kfd &kfd, const Node &node, UniqueFd render, const Apertures &apertures);

	Kfd &kfd_;
	Node node_;
	UniqueFd render_;
	Apertures apertures_;
	std::mutex doorbell_lock_;
	void *doorbells_ = nullptr;
};

} // namespace kfdm

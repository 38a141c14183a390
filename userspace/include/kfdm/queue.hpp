// SPDX-License-Identifier: MIT
/*
 * queue.hpp - a user queue: ring, read and write pointer, doorbell, and the kernel's half of it.
 *
 * Queue owns what all kinds have in common; AqlQueue, Pm4Queue and SdmaQueue know what goes into the ring.
 * The memory write pointer is updated before the doorbell rings.
 */
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include <kfdm/buffer.hpp>
#include <kfdm/device.hpp>

namespace kfdm {

enum class QueueType : uint32_t {
	Pm4 = KFD_IOC_QUEUE_TYPE_COMPUTE,
	Sdma = KFD_IOC_QUEUE_TYPE_SDMA,
	Aql = KFD_IOC_QUEUE_TYPE_COMPUTE_AQL,
	SdmaXgmi = KFD_IOC_QUEUE_TYPE_SDMA_XGMI, /**< on engines that are for the links to other GPUs (num_sdma_xgmi_engines) */
};

struct QueueOptions {
	uint32_t ring_bytes = 64 * 1024; /**< power of two, at least 1024; before GFX9 an AQL ring is whole pages */
	uint32_t percentage = 100;	 /**< 0: exists but is not scheduled */
	uint32_t priority = 7;		 /**< 0 to 15 */
};

class Queue {
public:
	Queue(const Queue &) = delete;
	Queue &operator=(const Queue &) = delete;

	[[nodiscard]] Device &device() const noexcept { return device_; }
	[[nodiscard]] uint32_t id() const noexcept { return id_; }
	[[nodiscard]] uint64_t doorbell_offset() const noexcept { return doorbell_offset_; }
	[[nodiscard]] const QueueOptions &options() const noexcept { return options_; }
	[[nodiscard]] const Buffer &ring() const noexcept { return ring_; }
	/** Context save area; empty for SDMA. */
	[[nodiscard]] const Buffer &save_area() const noexcept { return cwsr_; }

	/** UPDATE_QUEUE; percentage 0 takes the queue off the hardware. */
	void update(uint32_t percentage, uint32_t priority);
	/** SET_CU_MASK: bit i walks over shader engines first (Linux: kfd_mqd_manager.c). Bits must be a multiple of 32. */
	void set_cu_mask(std::span<const uint32_t> mask);
	/** DESTROY_QUEUE; throws what the kernel says (ETIME: it did not let go). The destructor then does nothing. */
	void destroy();

	/** Rings the doorbell with @value, of which a doorbell of 4 bytes takes the low half. */
	void ring_doorbell(uint64_t value) noexcept
	{
		if (device_.doorbell_bytes() == 4)
			*reinterpret_cast<volatile uint32_t *>(doorbell_) = static_cast<uint32_t>(value);
		else
			*doorbell_ = value;
	}

protected:
	Queue(Device &device, QueueType type, const QueueOptions &options);
	~Queue();

	/** Block of pointers: amd_queue_t for AQL (rptr at 0x80, wptr at 0x38), the same places for the others. */
	[[nodiscard]] uint8_t *block() const noexcept { return static_cast<uint8_t *>(pointers_.data()); }
	[[nodiscard]] uint64_t *read_pointer() const noexcept { return reinterpret_cast<uint64_t *>(block() + 0x80); }
	[[nodiscard]] uint64_t *write_pointer() const noexcept { return reinterpret_cast<uint64_t *>(block() + 0x38); }

private:
	void create(QueueType type);

	Device &device_;
	QueueOptions options_;
	Buffer ring_, pointers_, eop_, cwsr_;
	uint32_t id_ = 0;
	bool created_ = false;
	uint64_t doorbell_offset_ = 0;
	volatile uint64_t *doorbell_ = nullptr;
};

} // namespace kfdm

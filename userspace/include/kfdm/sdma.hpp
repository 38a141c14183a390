// SPDX-License-Identifier: MIT
/*
 * sdma.hpp - packets of the copy engines, and the queue they go into.
 *
 * Numbers come from hw/sdma_v4.h. Addresses are GPU addresses in bytes.
 */
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include <hw/pm4.h>
#include <hw/sdma_v4.h>

#include <kfdm/queue.hpp>

namespace kfdm {

/** A stream of SDMA dwords under construction. */
class SdmaStream {
public:
	/** For SDMA 4 and later, whose counts stand for one more; @exact_counts: for SDMA 2 and 3. */
	explicit SdmaStream(bool exact_counts = false) : less_(exact_counts ? 0 : 1) {}

	/** Does nothing; @dwords in all. */
	SdmaStream &nop(uint32_t dwords = 1);
	/** Copies @bytes, in as many packets as it takes. */
	SdmaStream &copy(uint64_t destination, uint64_t source, uint64_t bytes);
	/** Stores @data at @destination (4-byte aligned). */
	SdmaStream &write(uint64_t destination, std::span<const uint32_t> data);
	/** Fills @bytes (multiple of 4) at @destination with @value. */
	SdmaStream &fill(uint64_t destination, uint32_t value, uint64_t bytes);
	/** Stores @data at @address when all before has completed. */
	SdmaStream &fence(uint64_t address, uint32_t data);
	/** Interrupts with @context_id, 28 bits. */
	SdmaStream &trap(uint32_t context_id);
	/** Waits until (memory dword & @mask) compares with @reference. */
	SdmaStream &poll(uint64_t address, pm4_compare compare, uint32_t reference, uint32_t mask = ~0U);
	/** Adds @value to the 64-bit word at @address. */
	SdmaStream &atomic_add64(uint64_t address, uint64_t value);
	/** Stores the 64-bit reference clock at @address. */
	SdmaStream &timestamp(uint64_t address);
	/** Any dwords. */
	SdmaStream &raw(std::span<const uint32_t> dwords);

	[[nodiscard]] std::span<const uint32_t> dwords() const noexcept { return dwords_; }
	void clear() noexcept { dwords_.clear(); }

private:
	void address(uint64_t value);

	uint32_t less_;
	std::vector<uint32_t> dwords_;
};

/** An SDMA queue: all pointers and the doorbell count bytes and never wrap, but on old engines at the ring's end. */
class SdmaQueue : public Queue {
public:
	explicit SdmaQueue(Device &device, const QueueOptions &options = {.ring_bytes = 64 * 1024, .priority = 15});
	/** @type: QueueType::Sdma or SdmaXgmi; throws ENOMEM if no engine of this kind has a queue left. */
	SdmaQueue(Device &device, QueueType type, const QueueOptions &options = {.ring_bytes = 64 * 1024, .priority = 15});

	/** An empty stream in the dialect of this GPU's engines. */
	[[nodiscard]] SdmaStream stream() const { return SdmaStream(device().has_old_sdma()); }
	/** Puts @dwords into the ring and rings the doorbell; waits for room. Throws EMSGSIZE if they never fit. */
	void submit(std::span<const uint32_t> dwords);
	void submit(const SdmaStream &stream) { submit(stream.dwords()); }
	/** Read pointer in bytes, unwrapped on old engines too. */
	[[nodiscard]] uint64_t read_index() const noexcept;
	/** Waits until the engine has taken all that was submitted. Polls. Return: false after @timeout. */
	[[nodiscard]] bool wait_read(std::chrono::milliseconds timeout) const;

private:
	uint64_t write_ = 0;
};

} // namespace kfdm

// SPDX-License-Identifier: MIT
/*
 * pm4.hpp - PM4 packets of compute queues, and the queue they go into.
 *
 * Numbers come from hw/pm4.h. Addresses are GPU addresses in bytes.
 */
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include <hw/pm4.h>

#include <kfdm/queue.hpp>

namespace kfdm {

/** A stream of PM4 dwords under construction. */
class Pm4Stream {
public:
	/** A type-3 packet with @body (at least one dword). */
	Pm4Stream &packet(pm4_opcode opcode, std::initializer_list<uint32_t> body);
	/** A NOP of @dwords in all. */
	Pm4Stream &nop(uint32_t dwords = 1);
	/** Stores @data at @address. */
	Pm4Stream &write_data(uint64_t address, std::span<const uint32_t> data);
	Pm4Stream &write_data(uint64_t address, uint32_t data) { return write_data(address, std::span(&data, 1)); }
	/** Waits until (memory dword & @mask) compares with @reference. */
	Pm4Stream &wait_mem(uint64_t address, pm4_compare compare, uint32_t reference, uint32_t mask = ~0U);
	/** Copies a 32- or 64-bit word from memory to memory. */
	Pm4Stream &copy_data(uint64_t source, uint64_t destination, bool wide = false);
	/** Stores the 64-bit reference clock. */
	Pm4Stream &copy_clock(uint64_t destination);
	/** When all before has completed: stores 64-bit @data at @address; @context_id != 0: then interrupts with it. */
	Pm4Stream &release_mem(uint64_t address, uint64_t data, uint32_t context_id = 0);
	/** Invalidates caches. */
	Pm4Stream &acquire_mem();
	/** Waits for the shaders before. */
	Pm4Stream &cs_partial_flush();
	/** Runs @dwords at @address; amdkfd forbids it to user queues of GFX9 (IB_EXE_DISABLE). */
	Pm4Stream &indirect_buffer(uint64_t address, uint32_t dwords);
	/** Writes consecutive registers of the SH range; @reg is an absolute dword offset. */
	Pm4Stream &set_sh_reg(uint32_t reg, std::span<const uint32_t> values);
	/** Starts the shader that the SH registers describe: workgroup counts, or work-items with @thread_dimensions. */
	Pm4Stream &dispatch_direct(uint32_t x, uint32_t y, uint32_t z, bool thread_dimensions = false);

	[[nodiscard]] std::span<const uint32_t> dwords() const noexcept { return dwords_; }
	[[nodiscard]] bool empty() const noexcept { return dwords_.empty(); }
	void clear() noexcept { dwords_.clear(); }

private:
	void header(pm4_opcode opcode, size_t body);
	void address(uint64_t value);

	std::vector<uint32_t> dwords_;
};

/** A PM4 queue: read pointer in dwords wrapped to the ring, write pointer and doorbell in dwords that never wrap. */
class Pm4Queue : public Queue {
public:
	explicit Pm4Queue(Device &device, const QueueOptions &options = {});

	/** Puts @dwords into the ring and rings the doorbell; waits for room. Throws EMSGSIZE if they never fit. */
	void submit(std::span<const uint32_t> dwords);
	void submit(const Pm4Stream &stream) { submit(stream.dwords()); }
	/** Read pointer in dwords, below the ring's size. */
	[[nodiscard]] uint32_t read_index() const noexcept;
	/** Waits until the GPU has fetched all that was submitted. Polls. Return: false after @timeout. */
	[[nodiscard]] bool wait_read(std::chrono::milliseconds timeout) const;

private:
	uint64_t write_ = 0;
};

} // namespace kfdm

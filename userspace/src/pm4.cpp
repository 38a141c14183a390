// SPDX-License-Identifier: MIT
/*
 * pm4.cpp - PM4 packets dword by dword, each with its fields where hw/pm4.h says.
 */
#include <kfdm/pm4.hpp>

#include <kfdm/error.hpp>

#include "ring.hpp"

namespace kfdm {

void Pm4Stream::header(pm4_opcode opcode, size_t body) { dwords_.push_back(PM4_HEADER(opcode, static_cast<uint32_t>(body - 1))); }

void Pm4Stream::address(uint64_t value)
{
	dwords_.push_back(static_cast<uint32_t>(value));
	dwords_.push_back(static_cast<uint32_t>(value >> 32));
}

Pm4Stream &Pm4Stream::packet(pm4_opcode opcode, std::initializer_list<uint32_t> body)
{
	header(opcode, body.size());
	dwords_.insert(dwords_.end(), body);
	return *this;
}

Pm4Stream &Pm4Stream::nop(uint32_t dwords)
{
	if (dwords == 1) {
		dwords_.push_back(PM4_NOP_FILLER);
		return *this;
	}
	header(PM4_NOP, dwords - 1);
	dwords_.insert(dwords_.end(), dwords - 1, 0);
	return *this;
}

Pm4Stream &Pm4Stream::write_data(uint64_t to, std::span<const uint32_t> data)
{
	header(PM4_WRITE_DATA, 3 + data.size());
	dwords_.push_back(PM4_DST_MEMORY << 8 | 1U << 20);
	address(to);
	dwords_.insert(dwords_.end(), data.begin(), data.end());
	return *this;
}

Pm4Stream &Pm4Stream::wait_mem(uint64_t at, pm4_compare compare, uint32_t reference, uint32_t mask)
{
	header(PM4_WAIT_REG_MEM, 6);
	dwords_.push_back(static_cast<uint32_t>(compare) | 1U << 4);
	address(at);
	dwords_.insert(dwords_.end(), {reference, mask, 4});
	return *this;
}

Pm4Stream &Pm4Stream::copy_data(uint64_t source, uint64_t destination, bool wide)
{
	header(PM4_COPY_DATA, 5);
	dwords_.push_back(PM4_COPY_MEMORY | PM4_COPY_DST_MEMORY << 8 | (wide ? 1U << 16 : 0) | 1U << 20);
	address(source);
	address(destination);
	return *this;
}

Pm4Stream &Pm4Stream::copy_clock(uint64_t destination)
{
	header(PM4_COPY_DATA, 5);
	dwords_.push_back(PM4_COPY_GPU_CLOCK | PM4_COPY_DST_MEMORY << 8 | 1U << 16 | 1U << 20);
	address(0);
	address(destination);
	return *this;
}

Pm4Stream &Pm4Stream::release_mem(uint64_t at, uint64_t data, uint32_t context_id)
{
	constexpr uint32_t index_end_of_pipe = 5;

	header(PM4_RELEASE_MEM, PM4_RELEASE_MEM_DWORDS - 1);
	dwords_.push_back(PM4_EVENT_CACHE_FLUSH_AND_INV_TS | index_end_of_pipe << 8);
	dwords_.push_back(static_cast<uint32_t>(PM4_DATA_64) << 29 | static_cast<uint32_t>(context_id ? PM4_INT_AFTER_WRITE : PM4_INT_NONE)
									     << 24);
	address(at);
	address(data);
	dwords_.push_back(context_id);
	return *this;
}

Pm4Stream &Pm4Stream::acquire_mem() { return packet(PM4_ACQUIRE_MEM, {0x28840000, ~0U, 0xff, 0, 0, 10}); }

Pm4Stream &Pm4Stream::cs_partial_flush() { return packet(PM4_EVENT_WRITE, {PM4_EVENT_CS_PARTIAL_FLUSH | 4U << 8}); }

Pm4Stream &Pm4Stream::indirect_buffer(uint64_t at, uint32_t dwords)
{
	header(PM4_INDIRECT_BUFFER, 3);
	address(at);
	dwords_.push_back(dwords | PM4_IB_VALID);
	return *this;
}

Pm4Stream &Pm4Stream::set_sh_reg(uint32_t reg, std::span<const uint32_t> values)
{
	if (reg < PM4_SH_REG_START || reg + values.size() > PM4_SH_REG_END)
		throw_error(EINVAL, "not a register of the SH range");
	header(PM4_SET_SH_REG, 1 + values.size());
	dwords_.push_back(reg - PM4_SH_REG_START);
	dwords_.insert(dwords_.end(), values.begin(), values.end());
	return *this;
}

Pm4Stream &Pm4Stream::dispatch_direct(uint32_t x, uint32_t y, uint32_t z, bool thread_dimensions)
{
	uint32_t initiator = PM4_DISPATCH_COMPUTE_SHADER_EN | PM4_DISPATCH_FORCE_START_AT_000;

	if (thread_dimensions)
		initiator |= PM4_DISPATCH_USE_THREAD_DIMENSIONS | PM4_DISPATCH_PARTIAL_TG_EN;
	return packet(PM4_DISPATCH_DIRECT, {x, y, z, initiator});
}

Pm4Queue::Pm4Queue(Device &device, const QueueOptions &options) : Queue(device, QueueType::Pm4, options) {}

uint32_t Pm4Queue::read_index() const noexcept
{
	return std::atomic_ref(*reinterpret_cast<uint32_t *>(read_pointer())).load(std::memory_order_acquire);
}

void Pm4Queue::submit(std::span<const uint32_t> dwords)
{
	std::span<uint32_t> ring_dwords = ring().as<uint32_t>().first(options().ring_bytes / 4);
	uint64_t size = ring_dwords.size();

	/* The read pointer is wrapped: it lies at most one ring behind the write pointer. */
	ring_append(ring_dwords, &write_, dwords, PM4_NOP_FILLER, [&] { return write_ - (write_ - read_index()) % size; });
	std::atomic_ref(*write_pointer()).store(write_, std::memory_order_release);
	ring_doorbell(write_);
}

bool Pm4Queue::wait_read(std::chrono::milliseconds timeout) const
{
	return poll_until(timeout, [&] { return read_index() == write_ % (options().ring_bytes / 4); });
}

} // namespace kfdm

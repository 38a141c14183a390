// SPDX-License-Identifier: MIT
/*
 * sdma.cpp - SDMA packets dword by dword, each with its fields where hw/sdma_v4.h says.
 */
#include <kfdm/sdma.hpp>

#include <algorithm>

#include <kfdm/error.hpp>

#include "ring.hpp"

namespace kfdm {

namespace {

/* libhsakmt's and ROCr's limit, a little below what the count field holds. */
constexpr uint64_t max_copy_bytes = 0x3fffe0;

} // namespace

void SdmaStream::address(uint64_t value)
{
	dwords_.push_back(static_cast<uint32_t>(value));
	dwords_.push_back(static_cast<uint32_t>(value >> 32));
}

SdmaStream &SdmaStream::nop(uint32_t dwords)
{
	dwords_.push_back(SDMA_OP_NOP | (dwords - 1) << 16);
	dwords_.insert(dwords_.end(), dwords - 1, 0);
	return *this;
}

SdmaStream &SdmaStream::copy(uint64_t destination, uint64_t source, uint64_t bytes)
{
	while (bytes) {
		uint64_t now = std::min(bytes, max_copy_bytes);

		dwords_.push_back(SDMA_HEADER(SDMA_OP_COPY, SDMA_SUBOP_COPY_LINEAR));
		dwords_.push_back(static_cast<uint32_t>(now - less_));
		dwords_.push_back(0);
		address(source);
		address(destination);
		source += now;
		destination += now;
		bytes -= now;
	}
	return *this;
}

SdmaStream &SdmaStream::write(uint64_t destination, std::span<const uint32_t> data)
{
	dwords_.push_back(SDMA_HEADER(SDMA_OP_WRITE, 0));
	address(destination);
	dwords_.push_back(static_cast<uint32_t>(data.size() - less_));
	dwords_.insert(dwords_.end(), data.begin(), data.end());
	return *this;
}

SdmaStream &SdmaStream::fill(uint64_t destination, uint32_t value, uint64_t bytes)
{
	constexpr uint32_t dword_size = 2;

	while (bytes) {
		uint64_t now = std::min(bytes, max_copy_bytes);

		dwords_.push_back(SDMA_HEADER(SDMA_OP_CONST_FILL, 0) | dword_size << 30);
		address(destination);
		dwords_.push_back(value);
		dwords_.push_back(static_cast<uint32_t>(now - less_));
		destination += now;
		bytes -= now;
	}
	return *this;
}

SdmaStream &SdmaStream::fence(uint64_t at, uint32_t data)
{
	dwords_.push_back(SDMA_HEADER(SDMA_OP_FENCE, 0));
	address(at);
	dwords_.push_back(data);
	return *this;
}

SdmaStream &SdmaStream::trap(uint32_t context_id)
{
	dwords_.push_back(SDMA_HEADER(SDMA_OP_TRAP, 0));
	dwords_.push_back(context_id & 0xfffffff);
	return *this;
}

SdmaStream &SdmaStream::poll(uint64_t at, pm4_compare compare, uint32_t reference, uint32_t mask)
{
	dwords_.push_back(SDMA_HEADER(SDMA_OP_POLL_REGMEM, 0) | static_cast<uint32_t>(compare) << 28 | 1U << 31);
	address(at);
	dwords_.insert(dwords_.end(), {reference, mask, 0xfffU << 16 | 4});
	return *this;
}

SdmaStream &SdmaStream::atomic_add64(uint64_t at, uint64_t value)
{
	dwords_.push_back(SDMA_HEADER(SDMA_OP_ATOMIC, 0) | static_cast<uint32_t>(TC_ATOMIC_ADD_RTN_64) << 25);
	address(at);
	address(value);
	address(0);
	dwords_.push_back(0);
	return *this;
}

SdmaStream &SdmaStream::timestamp(uint64_t at)
{
	dwords_.push_back(SDMA_HEADER(SDMA_OP_TIMESTAMP, SDMA_SUBOP_TIMESTAMP_GET_GLOBAL));
	address(at);
	return *this;
}

SdmaStream &SdmaStream::raw(std::span<const uint32_t> more)
{
	dwords_.insert(dwords_.end(), more.begin(), more.end());
	return *this;
}

SdmaQueue::SdmaQueue(Device &device, const QueueOptions &options) : SdmaQueue(device, QueueType::Sdma, options) {}

SdmaQueue::SdmaQueue(Device &device, QueueType type, const QueueOptions &options) : Queue(device, type, options) {}

uint64_t SdmaQueue::read_index() const noexcept
{
	uint64_t read = std::atomic_ref(*read_pointer()).load(std::memory_order_acquire);

	/* A wrapped read pointer lies at most one ring behind the write pointer. */
	return device().has_old_sdma() ? write_ * 4 - (write_ * 4 - read) % options().ring_bytes : read;
}

void SdmaQueue::submit(std::span<const uint32_t> dwords)
{
	ring_append(ring().as<uint32_t>().first(options().ring_bytes / 4), &write_, dwords, 0, [&] { return read_index() / 4; });
	const uint64_t pointer = device().has_old_sdma() ? write_ * 4 % options().ring_bytes : write_ * 4;

	std::atomic_ref(*write_pointer()).store(pointer, std::memory_order_release);
	ring_doorbell(pointer);
}

bool SdmaQueue::wait_read(std::chrono::milliseconds timeout) const
{
	return poll_until(timeout, [&] { return read_index() >= write_ * 4; });
}

} // namespace kfdm

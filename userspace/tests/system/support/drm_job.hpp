// SPDX-License-Identifier: MIT
/*
 * drm_job.hpp - small jobs for the rings of the render node.
 */
#pragma once

#include <kfdm/drm.hpp>

#include <hw/pm4.h>
#include <hw/sdma_v4.h>

#include "check.hpp"

namespace kfdm::test {

constexpr uint64_t second_ns = 1'000'000'000;
constexpr uint64_t long_ns = 300 * second_ns; /* a slow host's patience */

/** An indirect buffer that is filled word by word. */
class Ib {
public:
	explicit Ib(const drm::Device &device) : buffer_(device, 4096, AMDGPU_GEM_DOMAIN_GTT), exact_(device.version(AMDGPU_HW_IP_DMA) < 4)
	{
	}

	Ib &put(std::initializer_list<uint32_t> words)
	{
		for (uint32_t word : words)
			buffer_.as<uint32_t>()[used_++] = word;
		return *this;
	}
	/** Stores a dword, as the ring of the IP does it. */
	Ib &store(unsigned ip, uint64_t address, uint32_t value)
	{
		const uint32_t low = static_cast<uint32_t>(address), high = static_cast<uint32_t>(address >> 32);

		if (ip == AMDGPU_HW_IP_DMA)
			return put({SDMA_OP_WRITE, low, high, count(1), value});
		return put({PM4_HEADER(PM4_WRITE_DATA, 3), PM4_DST_MEMORY << 8 | 1U << 20, low, high, value});
	}
	/** SDMA copies bytes. */
	Ib &copy(uint64_t to, uint64_t from, uint32_t bytes)
	{
		return put({SDMA_OP_COPY, count(bytes), 0, static_cast<uint32_t>(from), static_cast<uint32_t>(from >> 32),
			    static_cast<uint32_t>(to), static_cast<uint32_t>(to >> 32)});
	}
	/** SDMA fills bytes with a dword. */
	Ib &fill(uint64_t to, uint32_t value, uint32_t bytes)
	{
		return put(
			{SDMA_OP_CONST_FILL | 2U << 30, static_cast<uint32_t>(to), static_cast<uint32_t>(to >> 32), value, count(bytes)});
	}
	/** Waits until a dword in memory has a value. */
	Ib &wait(unsigned ip, uint64_t address, uint32_t value)
	{
		const uint32_t low = static_cast<uint32_t>(address), high = static_cast<uint32_t>(address >> 32);

		if (ip == AMDGPU_HW_IP_DMA)
			return put({SDMA_OP_POLL_REGMEM | 3U << 28 | 1U << 31, low, high, value, ~0U, 0xfffU << 16 | 10});
		return put({PM4_HEADER(PM4_WAIT_REG_MEM, 5), 1U << 4 | PM4_EQUAL, low, high, value, ~0U, 4});
	}
	/** Pads to 8 dwords. */
	[[nodiscard]] drm::Context::Job job(unsigned ip, unsigned ring, std::vector<amdgpu_bo_handle> buffers)
	{
		while (used_ % 8)
			put({ip == AMDGPU_HW_IP_DMA ? static_cast<uint32_t>(SDMA_OP_NOP) : PM4_NOP_FILLER});
		buffers.push_back(buffer_.handle());
		return {.ip = ip, .ring = ring, .ib = buffer_.gpu(), .dwords = used_, .buffers = std::move(buffers), .after = {}};
	}
	void clear() noexcept { used_ = 0; }

private:
	/* Packets of SDMA 4 and later have one less (Linux: sdma_v4_0.c against sdma_v3_0.c). */
	[[nodiscard]] uint32_t count(uint32_t number) const noexcept { return exact_ ? number : number - 1; }

	drm::Buffer buffer_;
	uint32_t used_ = 0;
	bool exact_;
};

} // namespace kfdm::test

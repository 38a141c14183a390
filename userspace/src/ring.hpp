// SPDX-License-Identifier: MIT
/*
 * ring.hpp - what PM4 and SDMA queues share: putting dwords into a ring in one piece.
 */
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <thread>

#include <kfdm/error.hpp>

namespace kfdm {

/**
 * Appends @dwords to @ring at *@write (dwords, never wraps), padded with @filler to the ring's end if they would wrap.
 * @read: function that returns the read position, as *@write counts; throws EMSGSIZE if @dwords never fit.
 */
template <typename Read>
void ring_append(std::span<uint32_t> ring, uint64_t *write, std::span<const uint32_t> dwords, uint32_t filler, Read read)
{
	uint64_t at = *write % ring.size();
	uint64_t padding = at + dwords.size() > ring.size() ? ring.size() - at : 0;

	if (dwords.size() >= ring.size() / 2)
		throw_error(EMSGSIZE, "more packets at once than half the ring holds");
	while (*write + padding + dwords.size() - read() >= ring.size())
		std::this_thread::yield();
	std::fill_n(ring.begin() + static_cast<ptrdiff_t>(at), padding, filler);
	*write += padding;
	std::copy(dwords.begin(), dwords.end(), ring.begin() + static_cast<ptrdiff_t>(*write % ring.size()));
	*write += dwords.size();
	std::atomic_thread_fence(std::memory_order_release);
}

/** Polls @done every 50 us. Return: false after @timeout. */
template <typename Done> bool poll_until(std::chrono::milliseconds timeout, Done done)
{
	auto end = std::chrono::steady_clock::now() + timeout;

	while (!done()) {
		if (std::chrono::steady_clock::now() >= end)
			return false;
		std::this_thread::sleep_for(std::chrono::microseconds(50));
	}
	return true;
}

} // namespace kfdm

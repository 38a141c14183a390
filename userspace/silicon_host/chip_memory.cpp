// SPDX-License-Identifier: MIT
/* chip_memory.cpp - see chip_memory.hpp. */
#include "chip_memory.hpp"

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

namespace silicon_host {

namespace {

constexpr std::size_t page = 4096;

/** What chips have given back, the oldest first. AddressSanitizer reports who reaches into it. */
class Spares {
public:
	std::uint8_t *take(std::size_t bytes)
	{
		const std::scoped_lock lock(mutex_);
		const auto fits = std::ranges::find(blocks_, bytes, &Block::bytes);

		if (fits == blocks_.end())
			return nullptr;
		std::uint8_t *memory = fits->memory;
		blocks_.erase(fits);
		ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
		return memory;
	}

	void give(std::uint8_t *memory, std::size_t bytes)
	{
		const std::scoped_lock lock(mutex_);

		if (blocks_.size() == most) {
			std::free(blocks_.front().memory);
			blocks_.erase(blocks_.begin());
		}
		ASAN_POISON_MEMORY_REGION(memory, bytes);
		blocks_.push_back({bytes, memory});
	}

private:
	struct Block {
		std::size_t bytes;
		std::uint8_t *memory;
	};

	static constexpr std::size_t most = 4;

	std::mutex mutex_;
	std::vector<Block> blocks_;
};

/* Chips in static objects may outlive any other static object: this one is never destroyed. */
Spares &spares()
{
	static auto *all = new Spares;

	return *all;
}

std::uint8_t *allocate(std::size_t bytes)
{
	if (std::uint8_t *spare = spares().take(bytes))
		return spare;
	if (void *fresh = std::aligned_alloc(page, bytes))
		return static_cast<std::uint8_t *>(fresh);
	throw std::bad_alloc();
}

} // namespace

ChipMemory::ChipMemory(std::size_t bytes) : bytes_((bytes + page - 1) & ~(page - 1)), memory_(allocate(bytes_)) {}

ChipMemory::~ChipMemory() { spares().give(memory_, bytes_); }

} // namespace silicon_host

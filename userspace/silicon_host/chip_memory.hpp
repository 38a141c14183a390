// SPDX-License-Identifier: MIT
/*
 * chip_memory.hpp - the memory that a chip lives in.
 *
 * What one chip gives back the next of the same size gets as it is: new pages for some 20 MB cost more than most tests do with
 * their chip. So it holds what an earlier chip has left there, and no chip may rely on what it holds.
 */
#pragma once

#include <cstddef>
#include <cstdint>

namespace silicon_host {

class ChipMemory {
public:
	/** At least @bytes, whole pages. Throws std::bad_alloc. */
	explicit ChipMemory(std::size_t bytes);
	~ChipMemory();
	ChipMemory(const ChipMemory &) = delete;
	ChipMemory &operator=(const ChipMemory &) = delete;

	std::uint8_t *get() const { return memory_; }
	std::size_t bytes() const { return bytes_; }

private:
	std::size_t bytes_;
	std::uint8_t *memory_;
};

} // namespace silicon_host

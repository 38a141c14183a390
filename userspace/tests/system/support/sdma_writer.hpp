// SPDX-License-Identifier: MIT
/*
 * sdma_writer.hpp - the process's own memory, and an SDMA queue that stores to it: for tests of userptr and shared virtual memory.
 */
#pragma once

#include <span>
#include <sys/mman.h>

#include "gpu.hpp"

namespace kfdm::test {

inline constexpr size_t page = 4096;

/** Memory of the process that nobody has touched. */
[[nodiscard]] inline uint32_t *anonymous(size_t pages, int protection = PROT_READ | PROT_WRITE)
{
	void *at = mmap(nullptr, pages * page, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	REQUIRE(at != MAP_FAILED);
	return static_cast<uint32_t *>(at);
}

/** The @n-th page of @memory. */
[[nodiscard]] inline uint32_t *nth(uint32_t *memory, size_t n) { return memory + n * page / sizeof(*memory); }

/** Stores of the GPU. An address is the GPU's, or a pointer where both have the same. */
class SdmaWriter {
public:
	explicit SdmaWriter(Gpu &gpu) : queue_(gpu.device), fence_(Buffer::gtt(gpu.device, page, memory_coherent)) {}
	/** The GPU stores @value. Return: false if it does not come back. */
	[[nodiscard]] bool store(uint64_t address, uint32_t value) { return run(SdmaStream().write(address, std::span(&value, 1))); }
	[[nodiscard]] bool store(const uint32_t *address, uint32_t value) { return store(reinterpret_cast<uint64_t>(address), value); }
	/** The GPU copies @bytes. Return: false if it does not come back. */
	[[nodiscard]] bool copy(uint64_t to, uint64_t from, uint64_t bytes) { return run(SdmaStream().copy(to, from, bytes)); }
	[[nodiscard]] bool copy(const void *to, const void *from, uint64_t bytes)
	{
		return copy(reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from), bytes);
	}

private:
	bool run(SdmaStream &stream)
	{
		uint32_t mark = ++count_;

		queue_.submit(stream.fence(fence_.gpu(), mark));
		return eventually([&] { return fence_.as<volatile uint32_t>()[0] == mark; });
	}

	SdmaQueue queue_;
	Buffer fence_;
	uint32_t count_ = 0;
};

} // namespace kfdm::test

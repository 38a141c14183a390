// SPDX-License-Identifier: MIT
/*
 * memory_scattered.cpp - large memory whose pages lie anywhere: each is touched by itself, in random order, so that hardly one follows
 * its neighbour in physical memory. User-Mode Linux needs a mapping of the host for each such piece, and the host has
 * vm.max_map_count (65,530) of them for a process: one page more than that, as there are in a soak, must cost time, not the process.
 */
#include <algorithm>
#include <numeric>
#include <random>
#include <string_view>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr size_t page = 4096, words = page / sizeof(uint32_t), mib = 1 << 20;

bool is_user_mode_linux()
{
	utsname name = {};

	return !uname(&name) && std::string_view(name.release).find("-uml") != std::string_view::npos;
}

/* Only there does the number of pages matter, and each costs a fault. */
size_t bytes_of(size_t soaked) { return is_user_mode_linux() && soak() ? soaked : 16 * mib; }

std::vector<uint32_t> random_order(size_t pages)
{
	std::vector<uint32_t> order(pages);
	std::mt19937 random(1);

	std::iota(order.begin(), order.end(), 0U);
	std::shuffle(order.begin(), order.end(), random);
	return order;
}

/* Stores into page n, at a place of its own, what only that page has. */
void write_pages(volatile uint32_t *memory, size_t bytes, uint32_t salt)
{
	for (uint32_t n : random_order(bytes / page))
		memory[n * words + n % words] = n ^ salt;
}

bool has_pages(const volatile uint32_t *memory, size_t bytes, uint32_t salt)
{
	for (uint32_t n = 0; n < bytes / page; n++)
		if (memory[n * words + n % words] != (n ^ salt))
			return false;
	return true;
}

class Copier {
public:
	explicit Copier(Gpu &gpu) : queue_(gpu.device), fence_(Buffer::gtt(gpu.device, page, memory_coherent)) {}

	/* Return: false if it does not come back. */
	bool copy(uint64_t to, uint64_t from, uint64_t bytes) { return run(queue_.stream().copy(to, from, bytes)); }

	/* write_pages() by the GPU. */
	bool write_pages(uint64_t memory, size_t bytes, uint32_t salt)
	{
		auto stream = queue_.stream();
		uint32_t count = 0;

		for (uint32_t n : random_order(bytes / page)) {
			const uint32_t value = n ^ salt;

			stream.write(memory + (n * words + n % words) * sizeof(uint32_t), std::span(&value, 1));
			if (++count % 1024)
				continue;
			if (!run(stream))
				return false;
			stream.clear();
		}
		return run(stream);
	}

private:
	bool run(SdmaStream &stream)
	{
		const uint32_t mark = ++count_;

		queue_.submit(stream.fence(fence_.gpu(), mark));
		return eventually([&] { return fence_.as<volatile uint32_t>()[0] == mark; });
	}

	SdmaQueue queue_;
	Buffer fence_;
	uint32_t count_ = 0;
};

void buffer_of_the_gpu(const Buffer &buffer)
{
	write_pages(buffer.as<volatile uint32_t>().data(), buffer.size(), 0x10000000);
	CHECK(has_pages(buffer.as<volatile uint32_t>().data(), buffer.size(), 0x10000000));
}

/* Every second of many small buffers, so that a large one has to be made of what is left between them. */
void in_fragmented_vram(Gpu &gpu, size_t bytes)
{
	constexpr size_t room = 8 * mib; /* for page tables */
	const size_t count = 2 * bytes / mib;
	std::vector<Buffer> small;

	for (size_t i = 0; i < count; i++)
		small.push_back(Buffer::vram(gpu.device, mib, memory_default));
	/* What is behind them goes, too, not mapped anywhere: only the gaps are left. */
	kfd_ioctl_alloc_memory_of_gpu_args rest = {0x10'0000'0000, (gpu.device.available_memory() - room) & ~(mib - 1), 0, 0,
						   gpu.id(),	   KFD_IOC_ALLOC_MEM_FLAGS_VRAM | memory_default};
	REQUIRE(call(gpu.fd(), AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, rest) == 0);
	for (size_t i = 0; i < count; i += 2)
		small[i] = Buffer();
	buffer_of_the_gpu(Buffer::vram(gpu.device, bytes - 4 * mib));
	kfd_ioctl_free_memory_of_gpu_args free_args = {rest.handle};
	CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_FREE_MEMORY_OF_GPU, free_args));
}

/* Pages that the GPU has touched first are made one at a time. */
void touched_by_the_gpu(Gpu &gpu, Copier &copier, size_t bytes)
{
	const Buffer buffer = Buffer::vram(gpu.device, bytes);

	CHECK(copier.write_pages(buffer.gpu(), bytes, 0x20000000));
	CHECK(has_pages(buffer.as<volatile uint32_t>().data(), bytes, 0x20000000));
	write_pages(buffer.as<volatile uint32_t>().data(), bytes, 0x30000000);
	CHECK(has_pages(buffer.as<volatile uint32_t>().data(), bytes, 0x30000000));
}

/* Memory of the process: the GPU gets from it what the CPU has stored, and the other way round. */
void own_memory(Gpu &gpu, Copier &copier, size_t bytes)
{
	void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	REQUIRE(at != MAP_FAILED);
	auto *memory = static_cast<volatile uint32_t *>(at);
	{
		const Buffer own = Buffer::userptr(gpu.device, at, bytes), copy = Buffer::vram(gpu.device, bytes);

		write_pages(memory, bytes, 0x40000000);
		CHECK(has_pages(memory, bytes, 0x40000000));
		CHECK(copier.copy(copy.gpu(), own.gpu(), bytes));
		CHECK(has_pages(copy.as<volatile uint32_t>().data(), bytes, 0x40000000));
		write_pages(copy.as<volatile uint32_t>().data(), bytes, 0x50000000);
		CHECK(copier.copy(own.gpu(), copy.gpu(), bytes));
		CHECK(has_pages(memory, bytes, 0x50000000));
	}
	munmap(at, bytes);
}

} // namespace

KFDM_TEST("large memory may lie in pages anywhere")
{
	Gpu gpu;
	Copier copier(gpu);

	/* In a soak (qemu/vm --mem 12G) each of the first two has four times as many pages as the host maps for a process. */
	own_memory(gpu, copier, bytes_of(1024 * mib));
	touched_by_the_gpu(gpu, copier, bytes_of(1024 * mib));
	buffer_of_the_gpu(Buffer::gtt(gpu.device, bytes_of(2048 * mib)));
	in_fragmented_vram(gpu, bytes_of(1024 * mib));
	buffer_of_the_gpu(Buffer::vram(gpu.device, bytes_of(4096 * mib)));
}

// SPDX-License-Identifier: MIT
/*
 * queue_evict_userptr.cpp - user pages change under running queues: the queues leave, come back, and have lost nothing.
 *
 * A kernel counts into VRAM and stores into the process's own memory, while that memory is advised away, protected,
 * copied by fork, moved and unmapped.
 */
#include <sys/mman.h>

#include <dirent.h>

#include "process.hpp"
#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr size_t page = 4096;
constexpr uint32_t items = 256, rounds = 3000;

uint32_t expected(uint32_t i)
{
	for (uint32_t k = 0, x = i;; k++, x = x * 1664525 + 1013904223)
		if (k == rounds)
			return x;
}

/* Long work with its result in @out, and something else done to the process's memory meanwhile. */
template <typename Disturb> void while_working(Gpu &gpu, AqlQueue &queue, Program &program, const Buffer &out, Disturb disturb)
{
	Launch launch(gpu.device, program.kernel("work"), {.grid = {items, 1, 1}});
	uint64_t wrong = 0;
	int times = 0;

	std::memset(out.data(), 0, items * 4);
	launch.arg(out).arg(rounds);
	launch.submit(queue);
	do {
		disturb();
		times++;
	} while (launch.signal().value() && times < (soak() ? 1000 : 20));
	REQUIRE(launch.wait(patience));
	for (uint32_t i = 0; i < items; i++)
		wrong += out.as<uint32_t>()[i] != expected(i);
	CHECK_EQ(wrong, 0U);
}

} // namespace

KFDM_TEST("queues survive whatever happens to the user's pages")
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	Program program = gpu.program();
	Launch poke(gpu.device, program.kernel("poke"), {.grid = {64, 1, 1}});
	Buffer vram = Buffer::vram(gpu.device, items * 4);
	auto *memory = static_cast<uint32_t *>(mmap(nullptr, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	Buffer user = Buffer::userptr(gpu.device, memory, 4 * page);

	poke.arg(user.gpu()).arg(uint32_t{77}).run(queue, patience); /* the GPU has used the pages */
	CHECK_EQ(memory[0], 77U);

	fmt::print("madvise\n");
	while_working(gpu, queue, program, vram, [&] {
		memory[0] = 1;
		madvise(memory, 4 * page, MADV_DONTNEED);
	});
	fmt::print("mprotect\n");
	while_working(gpu, queue, program, vram, [&] {
		mprotect(memory, 4 * page, PROT_READ);
		mprotect(memory, 4 * page, PROT_READ | PROT_WRITE);
		memory[0] = 2;
	});
	fmt::print("fork\n");
	int forks = 0;
	while_working(gpu, queue, program, vram, [&] {
		if (forks++ < 5) {
			Child child([] {});
			memory[1] = 3;
			CHECK_EQ(child.join(), 0);
		} else {
			usleep(1000);
		}
	});
	/* The result itself lies in pages that are written back and forth: what the GPU stores is what the CPU reads. */
	fmt::print("pages of the result\n");
	while_working(gpu, queue, program, user, [&] {
		mprotect(memory, page, PROT_READ);
		usleep(2000); /* a store of the GPU may come now; it waits */
		mprotect(memory, page, PROT_READ | PROT_WRITE);
	});
	/* The count is in jiffies: an eviction between two of them does not show. */
	fmt::print("until the jiffies show it\n");
	CHECK(eventually([&] {
		poke.run(queue, patience);
		madvise(memory, 4 * page, MADV_DONTNEED);
		usleep(10'000);
		return evicted_ms(gpu) > 0;
	}));
	fmt::print("munmap\n");
	while_working(gpu, queue, program, vram, [&] {
		if (memory)
			munmap(memory, 4 * page);
		memory = nullptr;
		usleep(1000);
	});
	user = Buffer();
	CHECK(works(gpu, queue));
}

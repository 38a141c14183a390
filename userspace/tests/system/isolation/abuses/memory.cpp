// SPDX-License-Identifier: MIT
/*
 * memory.cpp - memory that comes and goes, lies in many pieces, or changes under the GPU.
 */
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "abuses.hpp"
#include "gpu.hpp"
#include "pieces.hpp"
#include "process.hpp"
#include "svm.hpp"

namespace kfdm::test {

namespace {

template <typename Make> [[noreturn]] void makes_and_frees(Make make)
{
	over_and_over([&] { (void)make(); });
}

void allocates_vram()
{
	Gpu gpu;

	makes_and_frees([&] { return Buffer::vram(gpu.device, 32 << 20); });
}

void allocates_gtt()
{
	Gpu gpu;

	makes_and_frees([&] { return Buffer::gtt(gpu.device, 8 << 20); });
}

void touches_and_frees()
{
	Gpu gpu;

	over_and_over([&] {
		Buffer buffer = Buffer::vram(gpu.device, 16 << 20);

		for (size_t at = 0; at < buffer.size(); at += page)
			static_cast<volatile uint8_t *>(buffer.data())[at] = 1;
	});
}

void maps_and_unmaps()
{
	Gpu gpu;
	Buffer buffer = Buffer::vram(gpu.device, 64 << 20);

	over_and_over([&] {
		buffer.unmap_gpu();
		buffer.map_gpu();
	});
}

/* VRAM has room in single pages only: what is allocated then lies there. */
void maps_fragments()
{
	constexpr uint64_t count = 4096;
	Gpu gpu;
	Pieces pieces(gpu);
	Comb comb(pieces, count);

	over_and_over([&] { comb.map_and_unmap(); });
}

struct Pages {
	explicit Pages(size_t size) : bytes(size), at(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
	Pages(const Pages &) = delete;
	~Pages() { munmap(at, bytes); }
	size_t bytes;
	void *at;
};

/* Queues leave the GPU and come back with each change. */
void flaps_protection()
{
	Pages pages(256 * page);
	Gpu gpu;
	Buffer user = Buffer::userptr(gpu.device, pages.at, pages.bytes);
	AqlQueue queue(gpu.device);

	over_and_over([&] {
		mprotect(pages.at, pages.bytes, PROT_READ);
		mprotect(pages.at, pages.bytes, PROT_READ | PROT_WRITE);
		*static_cast<volatile uint8_t *>(pages.at) = 1;
	});
}

void advises_away()
{
	Pages pages(256 * page);
	Gpu gpu;
	Buffer user = Buffer::userptr(gpu.device, pages.at, pages.bytes);
	SdmaQueue queue(gpu.device);

	over_and_over([&] {
		SdmaStream stream = queue.stream();

		queue.submit(stream.fill(user.gpu(), 1, pages.bytes));
		madvise(pages.at, pages.bytes, MADV_DONTNEED);
	});
}

void registers_userptrs()
{
	Pages pages(1024 * page);
	Gpu gpu;

	makes_and_frees([&] { return Buffer::userptr(gpu.device, pages.at, pages.bytes); });
}

void forks_with_memory()
{
	Pages pages(256 * page);
	Gpu gpu;
	Buffer user = Buffer::userptr(gpu.device, pages.at, pages.bytes);
	AqlQueue queue(gpu.device);

	over_and_over([&] {
		Child child([] {});

		(void)child.join();
	});
}

/* Thousands of waves that wait for pages which go again as soon as they have come; where faults are not retried nothing is done. */
void waits_for_pages()
{
	constexpr uint32_t items = 1 << 20;
	Pages pages(items * sizeof(uint32_t));
	Gpu gpu;
	kfd_ioctl_set_xnack_mode_args mode = {1};

	if (call(gpu.fd(), AMDKFD_IOC_SET_XNACK_MODE, mode))
		over_and_over([] { usleep(1000); });
	Program program = gpu.program();
	AqlQueue queue(gpu.device);

	over_and_over([&] {
		Launch launch(gpu.device, program.kernel("ids"), {.grid = {items, 1, 1}, .workgroup = {64, 1, 1}});

		launch.arg(reinterpret_cast<uint64_t>(pages.at));
		launch.submit(queue);
		while (launch.signal().value())
			madvise(pages.at, pages.bytes, MADV_DONTNEED);
	});
}

const Abuse memory[] = {
	{"ALLOC_MEMORY of VRAM", allocates_vram},
	{"ALLOC_MEMORY of GTT", allocates_gtt},
	{"VRAM that is touched and freed", touches_and_frees},
	{"MAP_MEMORY, UNMAP_MEMORY", maps_and_unmaps},
	{"MAP_MEMORY of single pages", maps_fragments},
	{"USERPTR whose protection flaps", flaps_protection},
	{"USERPTR that is advised away", advises_away},
	{"USERPTR that comes and goes", registers_userptrs},
	{"forks of a process with queues", forks_with_memory},
	{"waves that wait for pages", waits_for_pages},
};

} // namespace

const std::span<const Abuse> kfd_memory = memory;

} // namespace kfdm::test

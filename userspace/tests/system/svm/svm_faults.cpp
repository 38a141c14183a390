// SPDX-License-Identifier: MIT
/*
 * svm_faults.cpp - with XNACK on a kernel uses any memory of the process: waves wait for pages that no page table has yet, and go on.
 */
#include <algorithm>
#include <fcntl.h>

#include "files.hpp"
#include "process.hpp"
#include "svm.hpp"

using namespace kfdm;
using namespace kfdm::test;
using std::chrono::steady_clock;

namespace {

/* The kernel adds to what is there. */
void run_ids(Gpu &gpu, Program &program, AqlQueue &queue, const uint32_t *out, uint32_t items, uint32_t times)
{
	Launch launch(gpu.device, program.kernel("ids"), {.grid = {items, 1, 1}, .workgroup = {256, 1, 1}});

	launch.arg(address(out));
	launch.run(queue, patience);
	uint64_t wrong = 0;
	for (uint32_t i = 0; i < items; i++)
		wrong += out[i] != (i * 3 + 7) * times;
	CHECK_EQ(wrong, 0U);
}

void poke(Gpu &gpu, Program &program, AqlQueue &queue, uint32_t *at, uint32_t value)
{
	Launch launch(gpu.device, program.kernel("poke"), {.grid = {64, 1, 1}});

	launch.arg(address(at)).arg(value);
	launch.run(queue, patience);
	CHECK_EQ(*const_cast<volatile uint32_t *>(at), value);
}

/* From malloc(), over many pages and ranges; on the stack; a global variable. */
void plain(Gpu &gpu, Program &program, AqlQueue &queue)
{
	static uint32_t global;
	constexpr uint32_t items = 3 << 18; /* 3 MiB: more than a range */
	auto *memory = static_cast<uint32_t *>(malloc(items * sizeof(uint32_t)));
	uint32_t local = 0;

	run_ids(gpu, program, queue, memory, items, 1);
	run_ids(gpu, program, queue, memory, items, 2);
	poke(gpu, program, queue, &local, 5);
	poke(gpu, program, queue, &global, 6);
	free(memory);
	SvmFacts facts = svm_get(gpu.fd(), reinterpret_cast<void *>(address(&global) & ~(page - 1)), page, gpu.id());
	CHECK_ERRNO(0, facts.error);
	CHECK_EQ(facts.access, uint32_t{KFD_IOCTL_SVM_ATTR_ACCESS});
}

/* Between kernels, and by the hundred: the GPU follows whatever becomes of the memory. */
void changed(Gpu &gpu, Program &program, AqlQueue &queue)
{
	uint32_t *memory = anonymous(8);

	for (uint32_t i = 1; i < 30; i++) {
		poke(gpu, program, queue, nth(memory, i % 8), i);
		madvise(memory, 8 * page, MADV_DONTNEED);
		CHECK_EQ(*nth(memory, i % 8), 0U);
		poke(gpu, program, queue, nth(memory, 4), i);
		munmap(nth(memory, 4), page);
		REQUIRE(mmap(nth(memory, 4), page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED);
		poke(gpu, program, queue, nth(memory, 4), 100 + i);
		mprotect(memory, 8 * page, PROT_READ);
		mprotect(memory, 8 * page, PROT_READ | PROT_WRITE);
		poke(gpu, program, queue, nth(memory, 3), 200 + i);
	}
	munmap(memory, 8 * page);
}

/* SDMA engines come back to an access, too. */
void copied(Gpu &gpu)
{
	uint32_t *memory = anonymous(4);
	SdmaWriter writer(gpu);

	memory[0] = 77;
	CHECK(writer.copy(nth(memory, 2), memory, page));
	CHECK_EQ(*nth(memory, 2), 77U);
	CHECK(writer.store(nth(memory, 3), 78));
	CHECK_EQ(*nth(memory, 3), 78U);
	munmap(memory, 4 * page);
}

/* proc/<pid>/counters_<gpu>/faults */
void counted(const Gpu &gpu)
{
	std::string path = fmt::format("/sys/class/kfd/kfd/proc/{}/counters_{}/faults", getpid(), gpu.id());

	CHECK(std::stoul(read_file(path)) > 5);
}

struct Times {
	double fault, userptr, again;
};

double micros(steady_clock::time_point from) { return std::chrono::duration<double, std::micro>(steady_clock::now() - from).count(); }

double fastest(const std::vector<double> &of) { return *std::min_element(of.begin(), of.end()); }

/*
 * Kernels that each touch one page for the first time: one that is in no range, one of a user pointer; and one again. The fastest of each,
 * which other work of the host has delayed least.
 */
Times first_touch(Gpu &gpu, Program &program, AqlQueue &queue)
{
	constexpr size_t rounds = 41, apart = 4u << 20;
	auto *memory = reinterpret_cast<char *>(anonymous(2 * rounds * apart / page));
	std::vector<double> fault, userptr, again;

	for (size_t i = 0; i < rounds; i++) {
		auto *plain = reinterpret_cast<uint32_t *>(memory + 2 * i * apart), *registered = plain + apart / sizeof(*plain);
		Buffer buffer = Buffer::userptr(gpu.device, registered, page);

		auto begin = steady_clock::now();
		poke(gpu, program, queue, registered, 1);
		userptr.push_back(micros(begin));
		begin = steady_clock::now();
		poke(gpu, program, queue, plain, 1);
		fault.push_back(micros(begin));
		begin = steady_clock::now();
		poke(gpu, program, queue, plain, 2);
		again.push_back(micros(begin));
	}
	munmap(memory, 2 * rounds * apart);
	return {fastest(fault), fastest(userptr), fastest(again)};
}

/* A kernel polls memory of the process, which unmaps it: a VM fault at its address ends the waiting. Each in a process of its own. */
void unmapped_in_use()
{
	Gpu gpu;
	xnack_on(gpu);
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	Event event = Event::memory(gpu.device);
	uint32_t *memory = anonymous(1);
	Buffer out = Buffer::vram(gpu.device, page);
	Launch launch(gpu.device, program.kernel("spin"), {.grid = {64, 1, 1}});

	launch.arg(address(memory)).arg(out);
	launch.submit(queue);
	usleep(100'000);
	CHECK_EQ(launch.signal().value(), 1);
	munmap(memory, page);
	auto fault = event.wait_fault(patience);
	REQUIRE(fault.has_value());
	CHECK_EQ(fault->address, address(memory));
	CHECK_EQ(launch.signal().value(), 1);
}

/* What the process may not do itself, what nobody has mapped, and what it has denied the GPU. */
void refused(int kind)
{
	Gpu gpu;
	xnack_on(gpu);
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	Event event = Event::memory(gpu.device);
	uint32_t *memory = anonymous(2, kind == 0 ? PROT_READ : PROT_READ | PROT_WRITE);
	Launch launch(gpu.device, program.kernel("poke"), {.grid = {64, 1, 1}});

	if (kind == 1)
		munmap(memory, 2 * page);
	if (kind == 2)
		CHECK_ERRNO(0, svm_set(gpu.fd(), memory, page, {{KFD_IOCTL_SVM_ATTR_NO_ACCESS, gpu.id()}}));
	if (kind == 3)
		CHECK_ERRNO(0, svm_set(gpu.fd(), memory, page, {{KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_FLAG_GPU_RO}}));
	launch.arg(address(memory)).arg(uint32_t{1});
	launch.submit(queue);
	auto fault = event.wait_fault(patience);
	REQUIRE(fault.has_value());
	CHECK_EQ(fault->address, address(memory));
}

/* The child of a fork has no GPU memory, and the parent's kernel writes pages that are copied. */
void forked(Gpu &gpu, Program &program, AqlQueue &queue)
{
	uint32_t *memory = anonymous(1);

	poke(gpu, program, queue, memory, 1);
	Child child([&] {
		Child::ready();
		usleep(200'000);
		CHECK_EQ(memory[0], 1U);
	});
	REQUIRE(child.wait_ready());
	poke(gpu, program, queue, memory, 2);
	CHECK_EQ(child.join(), 0);
	munmap(memory, page);
}

} // namespace

KFDM_TEST("with XNACK any memory of the process is the GPU's")
{
	Gpu gpu;

	xnack_on(gpu);
	for (int kind = 0; kind < 4; kind++)
		CHECK_EQ(Child([&] { refused(kind); }).join(), 0);
	CHECK_EQ(Child(unmapped_in_use).join(), 0);
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	plain(gpu, program, queue);
	changed(gpu, program, queue);
	copied(gpu);
	forked(gpu, program, queue);
	counted(gpu);
	Times times = first_touch(gpu, program, queue);
	fmt::print("  a kernel that touches a page: {:.0f} us by a fault, {:.0f} us of a user pointer, {:.0f} us again\n", times.fault,
		   times.userptr, times.again);
	CHECK(times.fault <= 3 * times.userptr);
	CHECK(works(gpu, queue));
}

// SPDX-License-Identifier: MIT
/*
 * svm_fault_storm.cpp - waves that wait for pages without end, because the process takes the pages away again: they are preempted
 * meanwhile, another process works beside them, whoever is killed leaves nothing, and the pages that queues rely on stay.
 */
#include <atomic>
#include <thread>

#include <kfdm/event.hpp>

#include "process.hpp"
#include "recovery.hpp"
#include "smi_watch.hpp"
#include "svm.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t items = 1 << 18; /* 1 MiB */
constexpr size_t bytes = items * sizeof(uint32_t);

/* Memory that a thread takes away all the time, in all ways in which it comes back. */
class Shaken {
public:
	Shaken() : thread_([this] { shake(); }) {}
	Shaken(const Shaken &) = delete;
	~Shaken()
	{
		ends_ = true;
		thread_.join();
		munmap(memory_, bytes);
	}
	[[nodiscard]] uint32_t *memory() { return memory_; }

private:
	void shake()
	{
		for (size_t n = 0; !ends_; n++) {
			uint32_t *part = nth(memory_, n * 37 % (bytes / page - 16));

			switch (n % 3) {
			case 0: madvise(part, 16 * page, MADV_DONTNEED); break;
			case 1: mmap(part, 16 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); break;
			default: move(part); break;
			}
			usleep(200);
		}
	}
	/* Away and back, in one call each: what lies at the new place is replaced. */
	static void move(uint32_t *part)
	{
		void *fresh = mmap(nullptr, 16 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (fresh != MAP_FAILED)
			mremap(fresh, 16 * page, 16 * page, MREMAP_MAYMOVE | MREMAP_FIXED, part);
	}

	uint32_t *memory_ = anonymous(bytes / page);
	std::atomic<bool> ends_ = false;
	std::thread thread_;
};

/* An SDMA engine that comes back to its accesses meanwhile. */
class Copier {
public:
	Copier(Gpu &gpu, const uint32_t *from)
		: writer_(gpu), thread_([this, from] {
			  while (!ends_)
				  CHECK(writer_.copy(to_, from, bytes));
		  })
	{
	}
	Copier(const Copier &) = delete;
	~Copier()
	{
		ends_ = true;
		thread_.join();
		munmap(to_, bytes);
	}

private:
	SdmaWriter writer_;
	uint32_t *to_ = anonymous(bytes / page);
	std::atomic<bool> ends_ = false;
	std::thread thread_;
};

/* Kernels over memory that comes and goes, and their queue off and on the hardware meanwhile. Return: how many ended. */
int storm(Gpu &gpu, int kernels)
{
	Shaken shaken;
	Copier copier(gpu, shaken.memory());
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	int ended = 0;

	for (int i = 0; i < kernels; i++) {
		Launch launch(gpu.device, program.kernel("ids"), {.grid = {items, 1, 1}, .workgroup = {256, 1, 1}});

		launch.arg(address(shaken.memory()));
		launch.submit(queue);
		for (int n = 0; n < 20 && launch.signal().value(); n++) {
			queue.update(0, 7);
			queue.update(100, 7);
		}
		ended += launch.wait(patience);
	}
	return ended;
}

int rounds() { return soak() ? 300 : 3; }

/* Another process, which shares memory as well, at the same addresses as its parent: both get their own. */
void beside()
{
	Gpu gpu;
	xnack_on(gpu);
	CHECK_EQ(storm(gpu, rounds()), rounds());
}

void killed()
{
	Child child([] {
		Gpu gpu;

		xnack_on(gpu);
		Child::ready();
		storm(gpu, 1'000'000);
	});

	REQUIRE(child.wait_ready());
	usleep(150'000);
	child.kill();
}

/* SMI events of a fault: begin and end, with the page. */
void told_by_smi()
{
	Gpu gpu;
	xnack_on(gpu);
	SmiWatch watch(gpu, {KFD_SMI_EVENT_PAGE_FAULT_START, KFD_SMI_EVENT_PAGE_FAULT_END});
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	uint32_t *memory = anonymous(1);
	const std::string where = fmt::format("@{:x}({:x})", address(memory) / page, gpu.id());
	Launch launch(gpu.device, program.kernel("poke"), {.grid = {64, 1, 1}});

	launch.arg(address(memory)).arg(uint32_t{1});
	launch.run(queue, patience);
	CHECK(watch.told(KFD_SMI_EVENT_PAGE_FAULT_START, where + " W"));
	CHECK(watch.told(KFD_SMI_EVENT_PAGE_FAULT_END, where + (has_device_pages() ? " M" : " U")));
}

/*
 * A store into what a GPU may only read, and that saving waves needs not to vanish: its process loses its queues at once, and they can be
 * saved. Nobody resets the GPU.
 */
void store_to_buffer()
{
	Gpu gpu;
	xnack_on(gpu);
	ResetWatch watch(gpu);
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	Event event = Event::memory(gpu.device);
	Buffer buffer = Buffer::gtt(gpu.device, page, memory_coherent & ~KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE);
	Launch launch(gpu.device, program.kernel("poke"), {.grid = {64, 1, 1}});
	kfd_hsa_hw_exception_data data = {};

	launch.arg(buffer).arg(uint32_t{1});
	launch.submit(queue);
	auto fault = event.wait_fault(patience);
	REQUIRE(fault.has_value());
	CHECK_EQ(fault->address, buffer.gpu());
	CHECK(!watch.wait(&data, a_while));
}

} // namespace

KFDM_TEST("waves that wait for pages in vain harm nobody")
{
	Gpu gpu;

	xnack_on(gpu);
	CHECK_EQ(Child(told_by_smi).join(), 0);
	CHECK_EQ(Child(store_to_buffer).join(), 0);
	{
		Child other(beside);

		CHECK_EQ(storm(gpu, rounds()), rounds());
		CHECK_EQ(other.join(), 0);
	}
	for (int i = 0; i < 3; i++)
		killed();
	AqlQueue queue(gpu.device);
	CHECK(works(gpu, queue));
}

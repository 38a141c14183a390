// SPDX-License-Identifier: MIT
/*
 * queues.cpp - queues of KFD that are made, changed, and given what they can bear worst.
 */
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "abuses.hpp"
#include "gpu.hpp"
#include "process.hpp"

namespace kfdm::test {

namespace {

constexpr uint64_t nowhere = 0x5555'0000'0000;

void makes_and_destroys_queues()
{
	Gpu gpu;

	over_and_over([&] {
		RawQueue queue(gpu);

		if (!queue.create())
			(void)queue.destroy();
	});
}

void makes_all_queues()
{
	Gpu gpu;
	std::vector<std::unique_ptr<RawQueue>> all;

	over_and_over([&] {
		all.push_back(std::make_unique<RawQueue>(gpu, KFD_IOC_QUEUE_TYPE_COMPUTE));
		if (all.back()->create() || all.size() == 100) {
			all.pop_back();
			for (const auto &queue : all)
				(void)queue->destroy();
			all.clear();
		}
	});
}

void changes_percentage()
{
	Gpu gpu;
	AqlQueue queue(gpu.device);

	over_and_over([&, n = 0u]() mutable {
		queue.update(n % 2 ? 100 : 0, n % 16);
		n++;
	});
}

void changes_cu_mask()
{
	Gpu gpu;
	AqlQueue queue(gpu.device);

	over_and_over([&, n = uint32_t{1}]() mutable {
		const uint32_t mask[] = {n++ | 1};

		(void)errno_of([&] { queue.set_cu_mask(mask); });
	});
}

void asks_for_waves()
{
	Gpu gpu;
	AqlQueue queue(gpu.device, {.percentage = 0});
	std::vector<uint8_t> stack(1 << 20);
	kfd_ioctl_get_queue_wave_state_args args = {};

	args.ctl_stack_address = reinterpret_cast<uintptr_t>(stack.data());
	args.queue_id = queue.id();
	over_and_over([&] { (void)call(gpu.fd(), AMDKFD_IOC_GET_QUEUE_WAVE_STATE, args); });
}

/* No packet behind it: the processor looks in vain. */
void rings_doorbells()
{
	Gpu gpu;
	AqlQueue queue(gpu.device);

	over_and_over([&] { queue.ring_doorbell(0); });
}

void maps_and_rings_doorbells()
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	const size_t bytes = gpu.device.doorbell_slice();
	const uint64_t slice = queue.doorbell_offset() & ~uint64_t{bytes - 1};

	over_and_over([&] {
		void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, gpu.fd(), static_cast<off_t>(slice));

		if (at == MAP_FAILED)
			return;
		static_cast<volatile uint64_t *>(at)[queue.doorbell_offset() % bytes / 8] = 0;
		munmap(at, bytes);
	});
}

/* An interrupt for each packet. */
void floods_with_barriers()
{
	Gpu gpu;
	AqlQueue queue(gpu.device);
	Signal done = Signal::with_event(gpu.device, 1);

	over_and_over([&] {
		done.store(1'000'000'000);
		queue.submit(barrier_and({}, &done));
	});
}

/* An interrupt that names no event: all of a full signal page is searched. */
void interrupts_for_nobody()
{
	Gpu gpu;
	std::vector<Event> all;
	SdmaQueue queue(gpu.device);
	SdmaStream stream = queue.stream();

	(void)errno_of([&] {
		while (true)
			all.push_back(Event::signal(gpu.device));
	});
	for (uint32_t i = 0; i < 1000; i++)
		stream.trap(0xffffff0 + i % 8);
	over_and_over([&] { queue.submit(stream); });
}

void interrupts_by_packet()
{
	Gpu gpu;
	Pm4Queue queue(gpu.device);
	Buffer fence = Buffer::gtt(gpu.device, 4096, memory_coherent);
	Pm4Stream stream;

	for (uint32_t i = 0; i < 100; i++)
		stream.release_mem(fence.gpu(), i, 0xffffff);
	over_and_over([&] { queue.submit(stream); });
}

void copies_much()
{
	Gpu gpu;
	SdmaQueue queue(gpu.device);
	Buffer from = Buffer::vram(gpu.device, 16 << 20), to = Buffer::vram(gpu.device, 16 << 20);
	SdmaStream stream = queue.stream();

	stream.copy(to.gpu(), from.gpu(), from.size());
	over_and_over([&] { queue.submit(stream); });
}

/* Never true: the engine looks again and again. */
void polls_memory()
{
	Gpu gpu;
	SdmaQueue sdma(gpu.device);
	Pm4Queue compute(gpu.device);
	Buffer word = Buffer::gtt(gpu.device, 4096, memory_coherent);
	SdmaStream stream = sdma.stream();
	Pm4Stream packets;

	sdma.submit(stream.poll(word.gpu(), PM4_EQUAL, 1));
	compute.submit(packets.wait_mem(word.gpu(), PM4_EQUAL, 1));
	over_and_over(pause);
}

/* On every CU, in every wave slot. */
void never_ends()
{
	Gpu gpu;
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	Launch launch(gpu.device, program.kernel("endless"), {.grid = {64 * 40 * gpu.device.node().cu_count(), 1, 1}});

	launch.submit(queue);
	over_and_over(pause);
}

/* The same, without rest, and taken off and put back all the time. */
void never_ends_and_moves()
{
	Gpu gpu;
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	Launch launch(gpu.device, program.kernel("endless"), {.grid = {64 * 40 * gpu.device.node().cu_count(), 1, 1}});

	launch.submit(queue);
	over_and_over([&] {
		queue.update(0, 7);
		queue.update(100, 7);
	});
}

void computes_on_gpu()
{
	Gpu gpu;
	Program program = gpu.program();
	AqlQueue queue(gpu.device);
	Buffer out = Buffer::vram(gpu.device, 64 * 40 * 4 * gpu.device.node().cu_count());
	Launch launch(gpu.device, program.kernel("work"), {.grid = {64 * 40 * gpu.device.node().cu_count(), 1, 1}});

	launch.arg(out).arg(uint32_t{100'000'000});
	launch.submit(queue);
	over_and_over(pause);
}

/* A process whose wave has faulted keeps its queues off the GPU: the next fault needs a new process. */
template <typename Work> [[noreturn]] void in_children(Work work)
{
	over_and_over([&] {
		Child child(work);

		(void)child.join();
	});
}

void faults()
{
	in_children([] {
		Gpu gpu;
		Program program = gpu.program();
		AqlQueue queue(gpu.device);
		Event fault = Event::memory(gpu.device);
		Launch launch(gpu.device, program.kernel("poke"), {.grid = {64 * 1000, 1, 1}});

		launch.arg(nowhere).arg(uint32_t{1});
		launch.submit(queue);
		(void)fault.wait(patience);
	});
}

void executes_garbage()
{
	in_children([] {
		Gpu gpu;
		Program program = gpu.program("bad");
		AqlQueue queue(gpu.device);
		Launch launch(gpu.device, program.kernel("illegal"), {.grid = {64, 1, 1}});

		launch.submit(queue);
		(void)eventually([&] { return queue.error() != 0; }, std::chrono::milliseconds(20));
	});
}

void sends_garbage()
{
	in_children([] {
		Gpu gpu;
		Pm4Queue queue(gpu.device);
		const uint32_t words[] = {0xdeadbeef, 0xc0ffee00, 0xffffffff, 0x12345678};

		queue.submit(words);
		usleep(5000);
	});
}

const Abuse queues[] = {
	{"CREATE_QUEUE, DESTROY_QUEUE", makes_and_destroys_queues},
	{"a hundred queues", makes_all_queues},
	{"UPDATE_QUEUE", changes_percentage},
	{"SET_CU_MASK", changes_cu_mask},
	{"GET_QUEUE_WAVE_STATE", asks_for_waves},
	{"doorbells without packets", rings_doorbells},
	{"doorbells, each time mapped anew", maps_and_rings_doorbells},
	{"an interrupt for each AQL packet", floods_with_barriers},
	{"SDMA traps for no event", interrupts_for_nobody},
	{"RELEASE_MEM interrupts for no event", interrupts_by_packet},
	{"SDMA copies", copies_much},
	{"packets that wait for ever", polls_memory},
	{"waves that sleep for ever", never_ends},
	{"waves that sleep and are moved", never_ends_and_moves},
	{"waves that compute for ever", computes_on_gpu},
	{"waves that fault", faults},
	{"illegal instructions", executes_garbage},
	{"garbage for packets", sends_garbage},
};

} // namespace

const std::span<const Abuse> kfd_queues = queues;

} // namespace kfdm::test

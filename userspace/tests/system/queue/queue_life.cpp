// SPDX-License-Identifier: MIT
/*
 * queue_life.cpp - a queue full of work is changed in every way at any time: nothing is lost, nothing is done twice.
 */
#include <memory>
#include <random>

#include "process.hpp"
#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t launches = 12, items = 256, rounds = 500;

/* Each launch adds a known number to its own part of @out: lost work and work done twice both show. */
void full_of_work(Gpu &gpu)
{
	Program program = gpu.program();
	AqlQueue queue(gpu.device, {.ring_bytes = 4096});
	Buffer out = Buffer::vram(gpu.device, launches * items * 4);
	Buffer counter = Buffer::vram(gpu.device, 4096);
	std::vector<std::unique_ptr<Launch>> all;
	std::mt19937 engine(7);
	auto random = [&] { return static_cast<uint32_t>(engine()); };
	uint64_t wrong = 0;

	for (uint32_t i = 0; i < launches; i++) {
		Shape shape = {.grid = {items, 1, 1}};

		all.push_back(std::make_unique<Launch>(gpu.device, program.kernel(i % 2 ? "count" : "work"), shape));
		if (i % 2)
			all[i]->arg(counter);
		else
			all[i]->arg(out.gpu() + i * items * 4).arg(rounds);
		all[i]->submit(queue, {.barrier = i % 3 == 0});
	}
	for (int n = 0; all.back()->signal().value() && n < (soak() ? 500 : 30); n++) {
		std::array<uint32_t, 2> mask = {random() | 1, random()};

		switch (random() % 4) {
		case 0:
			queue.update(0, random() % 16);
			queue.update(1 + random() % 100, random() % 16);
			break;
		case 1: queue.update(100, random() % 16); break;
		case 2: queue.set_cu_mask(mask); break;
		case 3: { /* the ring without a size: it becomes the smallest, and must be given back at once */
			kfd_ioctl_update_queue_args args = {queue.ring().gpu(), queue.id(), 4096, 100, 7};
			CHECK_ERRNO(0, call(gpu.fd(), AMDKFD_IOC_UPDATE_QUEUE, args));
			break;
		}
		}
	}
	queue.update(100, 7);
	for (auto &launch : all)
		REQUIRE(launch->wait(patience));
	for (uint32_t n = 0; n < launches; n += 2) {
		for (uint32_t i = 0; i < items; i++) {
			uint32_t x = i;

			for (uint32_t k = 0; k < rounds; k++)
				x = x * 1664525 + 1013904223;
			wrong += out.as<uint32_t>()[n * items + i] != x;
		}
	}
	CHECK_EQ(wrong, 0U);
	CHECK_EQ(counter.as<uint32_t>()[0], launches / 2 * items);
}

/* A stopped queue with a ring of size 0, address 0, or percentage 0 waits; the others' errors leave it as it was. */
void sizes(Gpu &gpu)
{
	AqlQueue queue(gpu.device);
	Signal done = Signal::polled(gpu.device);
	auto update = [&](uint64_t ring, uint32_t size, uint32_t percentage, uint32_t priority) {
		kfd_ioctl_update_queue_args args = {ring, queue.id(), size, percentage, priority};
		return call(gpu.fd(), AMDKFD_IOC_UPDATE_QUEUE, args);
	};
	uint64_t ring = queue.ring().gpu();
	uint32_t size = queue.options().ring_bytes;

	CHECK_ERRNO(EINVAL, update(ring, size, 101, 7));
	CHECK_ERRNO(EINVAL, update(ring, size, 100, 16));
	CHECK_ERRNO(EINVAL, update(ring, 3000, 100, 7));
	CHECK(works(gpu, queue));
	CHECK_ERRNO(0, update(0, size, 100, 7)); /* no ring: off the hardware */
	queue.submit(barrier_and({}, &done));
	CHECK(!done.wait(a_while));
	CHECK_ERRNO(0, update(ring, size, 100, 7));
	CHECK(done.wait(patience));
	CHECK(works(gpu, queue));
}

/* Killed in states that process_kill does not reach: stopped, over-subscribed, and while the driver changes it. */
void killed(Gpu &gpu)
{
	static constexpr void (*states[])() = {
		[] {
			Gpu own;
			AqlQueue queue(own.device);
			Signal done = Signal::with_event(own.device);

			queue.update(0, 7);
			queue.submit(barrier_and({}, &done));
			Child::ready();
			(void)done.wait(Event::forever);
		},
		[] {
			Gpu own;
			Program program = own.program();
			std::vector<std::unique_ptr<AqlQueue>> queues;
			std::vector<std::unique_ptr<Launch>> all;

			int count = read_file("/sys/module/amdgpu_model/parameters/sched_policy") == "0\n" ? 30 : 20;
			for (int i = 0; i < count; i++) {
				queues.push_back(std::make_unique<AqlQueue>(own.device, QueueOptions{.ring_bytes = 4096}));
				all.push_back(std::make_unique<Launch>(own.device, program.kernel("endless"), Shape{.grid = {64, 1, 1}}));
				all.back()->submit(*queues.back());
			}
			Child::ready();
			(void)all[0]->wait(Event::forever);
		},
		[] {
			Gpu own;
			Program program = own.program();
			AqlQueue queue(own.device);
			Launch launch(own.device, program.kernel("endless"), {.grid = {6400, 1, 1}});

			launch.submit(queue);
			Child::ready();
			for (;;)
				queue.update(100, 7);
		},
	};
	AqlQueue bystander(gpu.device);

	for (auto state : states) {
		Child child(state);

		REQUIRE(child.wait_ready());
		usleep(30'000);
		child.kill();
		CHECK(works(gpu, bystander));
	}
}

} // namespace

KFDM_TEST("queues full of work can be changed at any time")
{
	Gpu gpu;

	full_of_work(gpu);
	sizes(gpu);
	killed(gpu);
}

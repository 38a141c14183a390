// SPDX-License-Identifier: MIT
/*
 * queue_stress.cpp - 20 processes with up to 10 queues each create, change, mask, fill and destroy them at random. Every result
 * of every piece of work is checked; in the end nothing is left.
 */
#include <memory>
#include <random>

#include "process.hpp"
#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t items = 128;

/* Without scheduling by firmware a queue has a VMID and an HQD slot to itself: 8 of these, 24 of those. */
struct Load {
	uint32_t processes, queues_each;
};
Load load()
{
	if (sched_policy() != 0)
		return {6, 4};
	/* More processes than VMIDs and more queues than slots, also in the short form. */
	return soak() ? Load{20, 10} : Load{10, 4};
}

struct Subject {
	std::unique_ptr<AqlQueue> queue;
	std::unique_ptr<Launch> launch;
	Buffer counter;
	uint32_t wanted = 0;
	bool stopped = false;
};

class Worker {
public:
	Worker(uint32_t seed, uint32_t queues) : random_(seed), program_(gpu_.program()), subjects_(queues) {}

	void run(std::chrono::steady_clock::time_point end)
	{
		while (std::chrono::steady_clock::now() < end)
			step(subjects_[roll() % subjects_.size()]);
		for (Subject &s : subjects_)
			destroy(s);
	}

private:
	uint32_t roll() { return static_cast<uint32_t>(random_()); }
	void step(Subject &s)
	{
		if (!s.queue)
			return create(s);
		switch (roll() % 8) {
		case 0: s.stopped = roll() % 4 == 0; return s.queue->update(s.stopped ? 0 : 100, roll() % 16);
		case 1: {
			std::array<uint32_t, 2> mask = {roll() | 1, roll()};
			return s.queue->set_cu_mask(mask);
		}
		case 2: return destroy(s);
		default: return work(s);
		}
	}
	/* All save areas together (20 MB a queue on the full chip) may exceed what KFD lets processes pin: then later. */
	void create(Subject &s)
	{
		int error = errno_of([&] {
			s.queue = std::make_unique<AqlQueue>(gpu_.device, QueueOptions{.ring_bytes = 4096, .priority = roll() % 16});
		});
		if (error) {
			CHECK_ERRNO(ENOMEM, error);
			return;
		}
		s.counter = Buffer::vram(gpu_.device, 4096);
		std::memset(s.counter.data(), 0, 4096);
		s.wanted = 0;
		s.stopped = false;
	}
	/* One launch at a time a queue: the next one only after the result of the last. */
	void work(Subject &s)
	{
		if (s.launch && !finish(s))
			return;
		s.launch = std::make_unique<Launch>(gpu_.device, program_.kernel("count"), Shape{.grid = {items, 1, 1}});
		s.launch->arg(s.counter).submit(*s.queue);
		s.wanted += items;
	}
	bool finish(Subject &s)
	{
		if (s.stopped && s.launch->signal().value())
			return false;
		if (!CHECK(s.launch->wait(patience))) {
			fmt::print("  queue {} of process {}\n", s.queue->id(), getpid());
			throw Stop();
		}
		CHECK_EQ(s.counter.as<uint32_t>()[0], s.wanted);
		s.launch.reset();
		return true;
	}
	void destroy(Subject &s)
	{
		if (!s.queue)
			return;
		/* Half of them in the middle of their work, which then never ends. */
		if (s.launch && !s.stopped && roll() % 2)
			finish(s);
		s.queue->destroy();
		s.queue.reset();
		if (s.launch && !s.launch->signal().value())
			CHECK_EQ(s.counter.as<uint32_t>()[0], s.wanted);
		s.launch.reset();
	}

	std::mt19937 random_;
	Gpu gpu_;
	Program program_;
	std::vector<Subject> subjects_;
};

} // namespace

KFDM_TEST("many queues of many processes (soak: 200 of 20), everything at random")
{
	auto end = std::chrono::steady_clock::now() + (soak() ? std::chrono::seconds(60) : std::chrono::seconds(3));
	std::vector<std::unique_ptr<Child>> children;

	for (uint32_t i = 0; i < load().processes; i++)
		children.push_back(std::make_unique<Child>([i, end] { Worker(i, load().queues_each).run(end); }));
	for (auto &child : children)
		CHECK_EQ(child->join(), 0);
	Gpu gpu;
	AqlQueue queue(gpu.device);
	CHECK(works(gpu, queue));
}

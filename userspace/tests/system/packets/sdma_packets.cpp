// SPDX-License-Identifier: MIT
/*
 * sdma_packets.cpp - every packet of the copy engines that user space sends.
 */
#include <memory>
#include <numeric>
#include <random>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

struct Setup {
	Gpu gpu;
	SdmaQueue queue{gpu.device};
	Buffer memory = Buffer::gtt(gpu.device, 4096, memory_coherent);
	volatile uint32_t *words = memory.as<volatile uint32_t>().data();
	uint32_t marks = 0;

	[[nodiscard]] uint64_t at(unsigned word) const { return memory.gpu() + word * 4; }
	/** Runs @stream to its end. */
	bool run(SdmaStream stream)
	{
		uint32_t mark = ++marks;

		queue.submit(stream.fence(at(1000), mark));
		return eventually([&] { return words[1000] == mark; });
	}
};

/* Copies of every alignment, across pages, between both memories. */
void copies(Setup &b)
{
	constexpr size_t size = 1 << 20;
	Buffer from = Buffer::vram(b.gpu.device, size), to = Buffer::gtt(b.gpu.device, size);
	std::span<uint8_t> source = from.as<uint8_t>(), target = to.as<uint8_t>();
	std::mt19937 random(4);

	for (uint8_t &byte : source)
		byte = static_cast<uint8_t>(random());
	for (int i = 0; i < 40; i++) {
		size_t length = 1 + random() % (i < 20 ? 300 : 20'000);
		size_t s = random() % (size - length), t = random() % (size - length);

		std::fill(target.begin(), target.end(), 0xcc);
		REQUIRE(b.run(SdmaStream().copy(to.gpu() + t, from.gpu() + s, length)));
		CHECK(std::equal(source.begin() + static_cast<ptrdiff_t>(s), source.begin() + static_cast<ptrdiff_t>(s + length),
				 target.begin() + static_cast<ptrdiff_t>(t)));
		CHECK(t == 0 || target[t - 1] == 0xcc);
		CHECK(t + length == size || target[t + length] == 0xcc);
	}
	REQUIRE(b.run(SdmaStream().copy(to.gpu(), from.gpu(), size)));
	CHECK(std::equal(source.begin(), source.end(), target.begin()));
}

void writes_and_fills(Setup &b)
{
	const uint32_t data[] = {10, 11, 12};
	Buffer big = Buffer::vram(b.gpu.device, 100'000);

	CHECK(b.run(SdmaStream().nop().nop(4).write(b.at(0), data)));
	CHECK_EQ(uint32_t{b.words[2]}, 12U);
	CHECK(b.run(SdmaStream().fill(big.gpu() + 4, 0xdeadbeef, 99'000)));
	CHECK_EQ(big.as<uint32_t>()[0], 0U);
	CHECK_EQ(big.as<uint32_t>()[1], 0xdeadbeefU);
	CHECK_EQ(big.as<uint32_t>()[24750], 0xdeadbeefU);
	CHECK_EQ(big.as<uint32_t>()[24751], 0U);
}

void polls(Setup &b)
{
	b.words[10] = 3;
	b.queue.submit(SdmaStream().poll(b.at(10), PM4_EQUAL, 0).fence(b.at(11), 1));
	usleep(100'000);
	CHECK_EQ(uint32_t{b.words[11]}, 0U);
	b.words[10] = 0;
	CHECK(eventually([&] { return b.words[11] == 1; }));
}

void atomics_and_clock(Setup &b)
{
	b.words[20] = 1;
	b.words[21] = 7;
	CHECK(b.run(SdmaStream().atomic_add64(b.at(20), ~uint64_t{0}).atomic_add64(b.at(20), ~uint64_t{0})));
	CHECK_EQ(uint32_t{b.words[20]}, 0xffffffffU); /* borrowed from the high half */
	CHECK_EQ(uint32_t{b.words[21]}, 6U);

	uint64_t before = clock_at_rest(b.gpu);
	CHECK(b.run(SdmaStream().timestamp(b.at(24))));
	uint64_t clock = b.words[24] | uint64_t{b.words[25]} << 32;
	CHECK(clock >= before && clock <= b.gpu.device.gpu_clock());
}

void traps(Setup &b)
{
	Event event = Event::signal(b.gpu.device);

	for (int i = 0; i < 3; i++) {
		b.queue.submit(SdmaStream().fence(reinterpret_cast<uint64_t>(event.slot()), event.trigger()).trap(event.trigger()));
		CHECK(event.wait(patience));
		CHECK(!event.wait(std::chrono::milliseconds(0)));
	}
}

/* Two queues on two engines, both busy, a small ring that wraps. */
void wraps(Setup &b)
{
	SdmaQueue small(b.gpu.device, {.ring_bytes = 4096}), other(b.gpu.device);

	for (uint32_t i = 1; i <= 300; i++) {
		small.submit(SdmaStream().nop(1 + i % 5).fence(b.at(30), i).write(b.at(31), std::span(&i, 1)));
		other.submit(SdmaStream().fence(b.at(32), i));
	}
	CHECK(eventually([&] { return b.words[31] == 300 && b.words[32] == 300; }));
	CHECK_EQ(uint32_t{b.words[30]}, 300U);
	CHECK(small.wait_read(patience));
}

/* A queue on each engine of a kind, all at once: KFD deals queues to the engines in turn. */
void engines(Setup &b, QueueType type, uint64_t count)
{
	std::vector<std::unique_ptr<SdmaQueue>> queues;
	std::vector<Event> events;
	constexpr uint32_t from = 0x1234;

	b.words[40] = from;
	for (uint32_t i = 0; i < count; i++) {
		queues.push_back(std::make_unique<SdmaQueue>(b.gpu.device, type));
		events.push_back(Event::signal(b.gpu.device));
		b.words[50 + i] = 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		const Event &event = events[i];

		queues[i]->submit(queues[i]
					  ->stream()
					  .copy(b.at(50 + i), b.at(40), 4)
					  .fence(reinterpret_cast<uint64_t>(event.slot()), event.trigger())
					  .trap(event.trigger()));
	}
	for (uint32_t i = 0; i < count; i++) {
		CHECK(events[i].wait(patience));
		CHECK_EQ(uint32_t{b.words[50 + i]}, from);
	}
}

} // namespace

KFDM_TEST("copy, write, fill, fence, trap, poll, atomic and timestamp work")
{
	Setup setup;

	writes_and_fills(setup);
	copies(setup);
	polls(setup);
	atomics_and_clock(setup);
	traps(setup);
	wraps(setup);
	engines(setup, QueueType::Sdma, setup.gpu.device.node().properties["num_sdma_engines"]);
	engines(setup, QueueType::SdmaXgmi, setup.gpu.device.node().properties["num_sdma_xgmi_engines"]);
}

// SPDX-License-Identifier: MIT
/*
 * pm4_packets.cpp - the packets that a user's PM4 queue may use.
 */
#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

struct Setup {
	Gpu gpu;
	Pm4Queue queue{gpu.device};
	Buffer memory = Buffer::gtt(gpu.device, 4096, memory_coherent);
	volatile uint32_t *words = memory.as<volatile uint32_t>().data();

	[[nodiscard]] uint64_t at(unsigned word) const { return memory.gpu() + word * 4; }
	[[nodiscard]] bool becomes(unsigned word, uint32_t value) const
	{
		return eventually([&] { return words[word] == value; });
	}
};

void writes(Setup &b)
{
	const uint32_t data[] = {1, 2, 3, 4};

	b.queue.submit(Pm4Stream().nop().nop(5).write_data(b.at(0), data).nop());
	CHECK(b.becomes(3, 4));
	CHECK_EQ(uint32_t{b.words[0]}, 1U);
	CHECK(b.queue.wait_read(patience));
}

void release_mem(Setup &b)
{
	Event event = Event::signal(b.gpu.device);

	b.queue.submit(Pm4Stream().release_mem(b.at(16), 0x1122334455667788));
	CHECK(b.becomes(17, 0x11223344));
	CHECK_EQ(uint32_t{b.words[16]}, 0x55667788U);
	CHECK(!event.wait(std::chrono::milliseconds(0)));
	/* The event's slot is written, then its id comes with the interrupt. */
	b.queue.submit(Pm4Stream().release_mem(reinterpret_cast<uint64_t>(event.slot()), event.trigger(), event.trigger()));
	CHECK(event.wait(patience));
}

void waits(Setup &b)
{
	b.words[32] = 0;
	b.queue.submit(Pm4Stream().wait_mem(b.at(32), PM4_EQUAL, 0x50, 0xf0).write_data(b.at(33), 1));
	usleep(100'000);
	CHECK_EQ(uint32_t{b.words[33]}, 0U);
	b.words[32] = 0x0f;
	usleep(50'000);
	CHECK_EQ(uint32_t{b.words[33]}, 0U);
	b.words[32] = 0x5a;
	CHECK(b.becomes(33, 1));

	b.words[34] = 5;
	b.queue.submit(Pm4Stream().wait_mem(b.at(34), PM4_GREATER_EQUAL, 10).write_data(b.at(35), 1));
	usleep(50'000);
	CHECK_EQ(uint32_t{b.words[35]}, 0U);
	b.words[34] = 10;
	CHECK(b.becomes(35, 1));
}

void copies(Setup &b)
{
	b.words[48] = 0xaaaa;
	b.words[49] = 0xbbbb;
	b.queue.submit(Pm4Stream().copy_data(b.at(48), b.at(50)).copy_data(b.at(48), b.at(52), true).write_data(b.at(54), 1));
	CHECK(b.becomes(54, 1));
	CHECK_EQ(uint32_t{b.words[50]}, 0xaaaaU);
	CHECK_EQ(uint32_t{b.words[51]}, 0U);
	CHECK_EQ(uint32_t{b.words[52]}, 0xaaaaU);
	CHECK_EQ(uint32_t{b.words[53]}, 0xbbbbU);

	uint64_t before = clock_at_rest(b.gpu);
	b.queue.submit(Pm4Stream().copy_clock(b.at(64)).write_data(b.at(66), 1));
	CHECK(b.becomes(66, 1));
	uint64_t clock = b.words[64] | uint64_t{b.words[65]} << 32;
	CHECK(clock >= before && clock <= b.gpu.device.gpu_clock());
}

/* More than the ring holds, so that it wraps inside of streams of odd lengths. */
void wraps(Setup &b)
{
	Pm4Queue small(b.gpu.device, {.ring_bytes = 4096});

	for (uint32_t i = 1; i <= 500; i++)
		small.submit(Pm4Stream().nop(1 + i % 7).write_data(b.at(80), i).acquire_mem().cs_partial_flush());
	CHECK(b.becomes(80, 500));
	CHECK(small.wait_read(patience));
}

} // namespace

KFDM_TEST("NOP, WRITE_DATA, RELEASE_MEM, WAIT_REG_MEM, COPY_DATA, ACQUIRE_MEM and EVENT_WRITE work")
{
	Setup setup;

	writes(setup);
	release_mem(setup);
	waits(setup);
	copies(setup);
	wraps(setup);
}

// SPDX-License-Identifier: MIT
/*
 * fault_packets.cpp - garbage in rings: the queue stops with an error, its process can go on, others never notice.
 */
#include <random>

#include "kfd_newer.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* A packet's words, wrong in one way each, and the bit that ROCr would see. */
struct Row {
	const char *what;
	uint64_t error;
	void (*spoil)(AqlDispatch &packet);
};

const Row rows[] = {
	{"unknown packet type", AMD_QUEUE_ERROR_PACKET_FORMAT, [](AqlDispatch &p) { p.header = 0x1477; }},
	{"no work-items in a workgroup", AMD_QUEUE_ERROR_DIMENSIONS, [](AqlDispatch &p) { p.workgroup[0] = 0; }},
	{"no work-items in the grid", AMD_QUEUE_ERROR_DIMENSIONS, [](AqlDispatch &p) { p.grid[0] = 0; }},
	{"no dimensions", AMD_QUEUE_ERROR_DIMENSIONS, [](AqlDispatch &p) { p.setup = 4; }},
	{"workgroup too large", AMD_QUEUE_ERROR_WORKGROUP_SIZE, [](AqlDispatch &p) { p.workgroup[0] = 2000; }},
	{"too much LDS", AMD_QUEUE_ERROR_GROUP_MEMORY, [](AqlDispatch &p) { p.group_bytes = 1 << 20; }},
	{"no code", AMD_QUEUE_ERROR_CODE, [](AqlDispatch &p) { p.kernel_object = 0; }},
};

void aql(Gpu &gpu, const Row &row)
{
	Program program = gpu.program();
	Buffer out = Buffer::vram(gpu.device, 4096);
	Launch launch(gpu.device, program.kernel("ids"), {.grid = {64, 1, 1}});
	AqlQueue queue(gpu.device);

	launch.arg(out);
	AqlDispatch packet = launch.packet();
	row.spoil(packet);
	queue.submit(packet);
	bool told = queue.error_signal().event()->wait(patience);
	if (!CHECK(told) || !CHECK_EQ(queue.error(), row.error))
		fmt::print("  {}\n", row.what);
	CHECK_EQ(launch.signal().value(), 1);
}

void pm4(uint32_t seed)
{
	Gpu gpu;
	Pm4Queue queue(gpu.device);
	Event exception = Event::hw_exception(gpu.device);
	std::mt19937 random(seed);
	std::vector<uint32_t> garbage(64);

	for (uint32_t &word : garbage)
		word = static_cast<uint32_t>(random());
	garbage[0] = 0xc0017700 | 0x7f00; /* type 3, an unknown opcode */
	queue.submit(garbage);
	CHECK(exception.wait(patience));
	AqlQueue other(gpu.device);
	CHECK(works(gpu, other));
}

void sdma(uint32_t seed)
{
	Gpu gpu;
	std::mt19937 random(seed);
	std::vector<uint32_t> garbage(64);

	for (uint32_t &word : garbage)
		word = static_cast<uint32_t>(random());
	garbage[0] = 0x77; /* an unknown opcode */
	{
		SdmaQueue queue(gpu.device);

		queue.submit(garbage);
		usleep(100'000);
	}
	SdmaQueue other(gpu.device);
	Buffer fence = Buffer::gtt(gpu.device, 4096, memory_coherent);
	other.submit(SdmaStream().fence(fence.gpu(), 1));
	CHECK(eventually([&] { return fence.as<volatile uint32_t>()[0] == 1; }));
}

} // namespace

/* 7.2 reports bad packets to debuggers only. */
KFDM_TEST_OF("6.1", "garbage in a ring stops its queue and nothing else")
{
	Gpu gpu;
	AqlQueue bystander(gpu.device);
	const uint32_t seeds = soak() ? 200 : 4;

	for (const Row &row : rows)
		aql(gpu, row);
	CHECK(works(gpu, bystander));
	for (uint32_t seed = 1; seed <= seeds; seed++) {
		for (auto work : {pm4, sdma}) {
			Child child([&] { work(seed); });

			CHECK_EQ(child.join(), 0);
		}
		CHECK(works(gpu, bystander));
	}
}
